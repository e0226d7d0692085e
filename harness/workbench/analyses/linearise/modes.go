package linearise

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/cmplx"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/linear"
)

// FollowedMode is a mode of a vehicle in independent states, and what it is called.
type FollowedMode struct {
	linear.Mode
	Branch int                  // from 1 on; the same for one mode at all varied values
	Shares []linear.Share       // of groups of states, the largest first
	Reach  linear.ModalMeasures // by the input and output of a transfer function, if there is one

	Named    string  // of a single-track vehicle: weave, wobble, capsize or castering; "" for none of them
	Likeness float64 // how near the mode is to the name, up to 1
}

// Name is the name of a mode of single-track vehicles or, for other modes, of the largest share.
func (m *FollowedMode) Name() string {
	if m.Named != "" {
		return m.Named
	}
	if len(m.Shares) == 0 {
		return "" // an eigenvalue without an eigenvector of its own
	}
	return m.Shares[0].Group
}

// TimeConstant is how long a mode takes to decay to 1/e of itself [s]; negative if it grows, infinite if it does
// neither.
func (m *FollowedMode) TimeConstant() float64 { return -1 / real(m.Value) }

// Hertz is the undamped frequency of an oscillation, 0 of other modes.
func (m *FollowedMode) Hertz() float64 {
	if imag(m.Value) == 0 {
		return 0
	}
	return m.Frequency() / (2 * math.Pi)
}

// Follow finds the participating states of the modes at all values, and follows each mode from value to value. Take
// left eigenvectors w and shapes v, with w v = 1 for a mode at one value. Then (w v')(w' v) is near 1 for a mode and
// itself at the next value, and near 0 for other modes, in any units. This separates modes with crossing eigenvalues.
func (l *Result) Follow() error {
	minimal, err := l.Minimal()
	if err != nil {
		return err
	}
	branches := 0
	for i, s := range minimal {
		modes, err := s.Modes()
		if err != nil {
			return err
		}
		var reach []linear.ModalMeasures
		if len(l.Transfers) > 0 && len(modes) > 0 {
			if reach, err = s.ModalMeasures(modes, l.From, l.To); err != nil {
				return err
			}
		}
		list := make([]FollowedMode, len(modes))
		for k := range modes {
			list[k] = FollowedMode{Mode: modes[k], Shares: s.Shares(&modes[k])}
			if reach != nil {
				list[k].Reach = reach[k]
			}
		}
		if i > 0 {
			follow(l.Followed[i-1], list)
		}
		for k := range list {
			if list[k].Branch == 0 {
				branches++
				list[k].Branch = branches
			}
		}
		l.Followed = append(l.Followed, list)
	}
	l.nameModes(minimal)
	return nil
}

// follow gives modes the branches of those before them, the most alike first.
func follow(before, now []FollowedMode) {
	type pair struct {
		before, now int
		alike       float64
	}
	var pairs []pair
	for i, a := range before {
		for k, b := range now {
			if a.Left != nil && b.Left != nil {
				pairs = append(pairs, pair{i, k, cmplx.Abs(product(a.Left, b.Shape) * product(b.Left, a.Shape))})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.alike, a.alike) })
	gone := make([]bool, len(before))
	for _, p := range pairs {
		if !gone[p.before] && now[p.now].Branch == 0 {
			gone[p.before], now[p.now].Branch = true, before[p.before].Branch
		}
	}
}

func product(a, b []complex128) (sum complex128) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// least is the smallest share of a group that is printed.
const leastShare = 0.05

// PrintModes prints a table of the modes, of a complex pair the one with the positive imaginary part.
func (l *Result) PrintModes(to io.Writer) {
	heard := ""
	if len(l.Transfers) > 0 {
		heard = fmt.Sprintf(" %15s %15s", "controllability", "observability")
		fmt.Fprintf(to, "modes, with the controllability from %s and the observability in %s:\n", l.From, l.To)
	}
	names, above := "", false
	if l.Systems[0].Lean != "" {
		names = fmt.Sprintf("  %-14s", "name")
	}
	fmt.Fprintf(to, "%12s %4s %14s %14s %9s %9s %15s%s%s  %s\n", l.Varied.Name, "mode", "real 1/s", "imaginary 1/s", "Hz",
		"damping", "time constant s", heard, names, "participation")
	for i, modes := range l.Followed {
		for _, m := range modes {
			if imag(m.Value) < 0 {
				continue
			}
			hertz := "-"
			if f := m.Hertz(); f > 0 {
				hertz = fmt.Sprintf("%.4f", f)
			}
			if heard != "" {
				heard = fmt.Sprintf(" %15s %15s", measure(m.Reach.Input, m.Reach.Controllable),
					measure(m.Reach.Output, m.Reach.Observable))
			}
			shares := m.printed()
			above = above || len(m.Shares) > 0 && m.Shares[0].Value >= visiblyAbove
			if names != "" {
				names = fmt.Sprintf("  %-14s", m.named())
			}
			fmt.Fprintf(to, "%12.6g %4d %14.8f %14.8f %9s %9.5f %15.5g%s%s  %s\n", l.Varied.Values[i], m.Branch,
				real(m.Value), imag(m.Value), hertz, m.Damping(), m.TimeConstant(), heard, names, strings.Join(shares, ", "))
		}
	}
	if above {
		fmt.Fprintln(to, "participation above 1: those of a mode sum to 1, and some are below 0, because another mode with "+
			"nearly the same motion is near")
	}
}

// visiblyAbove is the least participation that prints as more than 1.
const visiblyAbove = 1.005

// printed returns the shares to print: the first share, the large shares and, if a share is above 1, the negative ones.
func (m *FollowedMode) printed() (list []string) {
	for i, s := range m.Shares {
		if i == 0 || math.Abs(s.Value) >= leastShare || m.Shares[0].Value >= visiblyAbove && s.Value <= 1-visiblyAbove {
			list = append(list, fmt.Sprintf("%s %.2f", s.Group, s.Value))
		}
	}
	return list
}

// named is the name of a single-track vehicle's mode with its likeness, "-" for none.
func (m *FollowedMode) named() string {
	if m.Named == "" {
		return "-"
	}
	return fmt.Sprintf("%s %.2f", m.Named, m.Likeness)
}

// measure is a measure of controllability or observability, or "no".
func measure(x float64, at bool) string {
	if !at {
		return "no"
	}
	return fmt.Sprintf("%.2g", x)
}

// WriteModes writes a row for each mode: its value and branch, name, eigenvalue [1/s], undamped frequency [Hz], damping
// ratio and time constant [s]. With a transfer function follow the controllability by the input and the observability
// by the output (0 if not controllable or observable). The last columns are the shares of all groups.
func (l *Result) WriteModes(to io.Writer) error {
	var groups []string
	for _, modes := range l.Followed {
		for _, m := range modes {
			for _, s := range m.Shares {
				if !slices.Contains(groups, s.Group) {
					groups = append(groups, s.Group)
				}
			}
		}
	}
	slices.Sort(groups)
	columns := []string{l.Varied.Name, "mode", "name", "real", "imaginary", "frequency_Hz", "damping", "time_constant"}
	if len(l.Transfers) > 0 {
		columns = append(columns, "moved_by_"+l.From, "seen_by_"+l.To)
	}
	rows := [][]string{slices.Concat(columns, groups)}
	for i, modes := range l.Followed {
		for _, m := range modes {
			row := []string{exact(l.Varied.Values[i]), strconv.Itoa(m.Branch), m.Name(), exact(real(m.Value)),
				exact(imag(m.Value)), exact(m.Hertz()), exact(m.Damping()), exact(m.TimeConstant())}
			if len(l.Transfers) > 0 {
				in, out := 0.0, 0.0
				if m.Reach.Controllable {
					in = m.Reach.Input
				}
				if m.Reach.Observable {
					out = m.Reach.Output
				}
				row = append(row, exact(in), exact(out))
			}
			for _, g := range groups {
				share := 0.0
				if k := slices.IndexFunc(m.Shares, func(s linear.Share) bool { return s.Group == g }); k >= 0 {
					share = m.Shares[k].Value
				}
				row = append(row, exact(share))
			}
			rows = append(rows, row)
		}
	}
	return csv.NewWriter(to).WriteAll(rows)
}

// WriteShapes writes a row for each independent state in each mode: its magnitude relative to the largest one, its
// phase [degrees], and its complex participation.
func (l *Result) WriteShapes(to io.Writer) error {
	minimal, err := l.Minimal()
	if err != nil {
		return err
	}
	rows := [][]string{{l.Varied.Name, "mode", "name", "real", "imaginary", "state", "unit", "group", "magnitude",
		"phase_deg", "participation_real", "participation_imaginary"}}
	for i, modes := range l.Followed {
		s := minimal[i]
		for _, m := range modes {
			participation := m.Participation()
			for k, x := range m.Shape {
				var p complex128
				if participation != nil {
					p = participation[k]
				}
				rows = append(rows, []string{
					exact(l.Varied.Values[i]), strconv.Itoa(m.Branch), m.Name(), exact(real(m.Value)),
					exact(imag(m.Value)), s.States[k], s.StateUnits[k], s.Groups[k],
					exact(cmplx.Abs(x)), exact(degrees(x)), exact(real(p)), exact(imag(p)),
				})
			}
		}
	}
	return csv.NewWriter(to).WriteAll(rows)
}

// WriteTransfer writes poles, zeros [1/s] and steady-state gain at each value.
func (l *Result) WriteTransfer(to io.Writer) error {
	rows := [][]string{{l.Varied.Name, "what", "real", "imaginary"}}
	for i, t := range l.Transfers {
		value := exact(l.Varied.Values[i])
		rows = append(rows, []string{value, "gain", exact(t.Gain), "0"})
		for _, p := range t.Poles {
			rows = append(rows, []string{value, "pole", exact(real(p)), exact(imag(p))})
		}
		for _, z := range t.Zeros {
			rows = append(rows, []string{value, "zero", exact(real(z)), exact(imag(z))})
		}
	}
	return csv.NewWriter(to).WriteAll(rows)
}

// PrintTransfer prints them.
func (l *Result) PrintTransfer(to io.Writer) {
	fmt.Fprintf(to, "transfer function from %s to %s:\n", l.From, l.To)
	for i, t := range l.Transfers {
		fmt.Fprintf(to, "%s = %g: steady-state gain %.8g; %d cancelled modes\n", l.Varied.Name, l.Varied.Values[i], t.Gain,
			t.Cancelled)
		for _, list := range []struct {
			what   string
			values []complex128
		}{{"pole", t.Poles}, {"zero", t.Zeros}} {
			for _, x := range list.values {
				if imag(x) >= 0 {
					fmt.Fprintf(to, "%12s %14.8f %14.8f\n", list.what, real(x), imag(x))
				}
			}
		}
	}
}

// exact is a number that reads as the same one.
func exact(x float64) string { return strconv.FormatFloat(x+0, 'g', -1, 64) }
