package linearise

import (
	"fmt"
	"io"
	"math"
	"math/cmplx"

	"skidpad/model/linear"
)

// PrintSteady prints the steady motion, if it is only one.
func (l *Result) PrintSteady(to io.Writer) {
	if len(l.Systems) == 1 {
		fmt.Fprintln(to, "steady state, values that are not 0:")
		table := l.SteadyTable()
		for i, v := range table.Rows[0][1:] {
			if math.Abs(v) > 1e-12 {
				fmt.Fprintf(to, "%24s %14.9g\n", table.Columns[i+1], v)
			}
		}
	}
}

// PrintEigenvalues prints eigenvalues, of pairs the one above.
func (l *Result) PrintEigenvalues(to io.Writer) {
	fmt.Fprintf(to, "%12s %14s %14s %12s %9s\n", l.Varied.Name, "real 1/s", "imaginary 1/s", "omega rad/s", "damping")
	for i, modes := range l.Modes {
		for _, m := range modes {
			if imag(m.Value) < 0 {
				continue
			}
			fmt.Fprintf(to, "%12.6g %14.8f %14.8f %12.6f %9.5f\n", l.Varied.Values[i], real(m.Value), imag(m.Value),
				m.Frequency(), m.Damping())
		}
	}
}

// growing is the least share of an eigenvalue's magnitude that its real part has in an unstable mode:
// less is rounding, as in oscillations without damping.
const growing = 1e-10

// unstable counts the unstable modes.
func unstable(modes []linear.Mode) (u Unstable) {
	for _, m := range modes {
		switch {
		case real(m.Value) <= growing*cmplx.Abs(m.Value) || imag(m.Value) < 0:
		case imag(m.Value) > 0:
			u.Oscillatory++
		default:
			u.Real++
		}
	}
	return u
}

// StabilityLimit is a value where the number of unstable modes changes.
type StabilityLimit struct {
	Value        float64
	Before, From Unstable   // below the value, and from it on
	Mode         string     // name of the mode that becomes stable or unstable; "" if unknown
	eigenvalue   complex128 // of this mode there [1/s]
}

// Unstable are numbers of unstable modes, oscillations counted once.
type Unstable struct{ Oscillatory, Real int }

// Unstable counts the unstable modes of a value.
func (l *Result) Unstable(i int) Unstable { return unstable(l.Modes[i]) }

// StabilityLimits are the limits between the values, in their order. Modes that change twice between two values, back
// and forth, are not seen.
func (l *Result) StabilityLimits(vehicle *linear.Model) ([]StabilityLimit, error) {
	var limits []StabilityLimit
	for i := 1; i < len(l.Modes); i++ {
		low, end := l.Varied.Values[i-1], unstable(l.Modes[i])
		for before := unstable(l.Modes[i-1]); before != end; {
			limit, err := l.firstLimit(vehicle, low, l.Varied.Values[i], before, end, l.Modes[i])
			if err != nil {
				return nil, err
			}
			limit.Mode = l.crossing(i, limit.eigenvalue)
			limits = append(limits, limit)
			low, before = limit.Value, limit.From
		}
	}
	return limits, nil
}

// firstLimit finds by bisection the first limit between two values, where the unstable modes differ from before; modes
// are the modes at the upper value.
func (l *Result) firstLimit(
	vehicle *linear.Model, low, high float64, before, from Unstable, modes []linear.Mode,
) (StabilityLimit, error) {
	crossing := nearestToStability(modes)
	for range 60 {
		middle := (low + high) / 2
		if middle == low || middle == high {
			break
		}
		system, err := about(vehicle, l.Varied.Name, middle)
		if err != nil {
			return StabilityLimit{}, err
		}
		modes, err := system.Modes()
		if err != nil {
			return StabilityLimit{}, err
		}
		if at := unstable(modes); at == before {
			low = middle
		} else {
			high, from, crossing = middle, at, nearestToStability(modes)
		}
	}
	return StabilityLimit{Value: high, Before: before, From: from, eigenvalue: crossing}, nil
}

// nearestToStability is the eigenvalue with the least real part, in magnitude.
func nearestToStability(modes []linear.Mode) (value complex128) {
	for i, m := range modes {
		if i == 0 || math.Abs(real(m.Value)) < math.Abs(real(value)) {
			value = m.Value
		}
	}
	return value
}

// crossing is the name of the mode that becomes stable or unstable between value i and the value before. It oscillates
// or not like the eigenvalue at the limit; among several such modes the nearest frequency counts. Modes without Follow
// have no names.
func (l *Result) crossing(i int, at complex128) (name string) {
	if l.Followed == nil {
		return ""
	}
	grows := map[string]bool{}
	for _, m := range l.Followed[i-1] {
		grows[m.Named] = grows[m.Named] || real(m.Value) > 0
	}
	least := math.Inf(1)
	for _, m := range l.Followed[i] {
		before, known := grows[m.Named]
		known = known && (imag(m.Value) != 0) == (imag(at) != 0)
		away := math.Abs(math.Abs(imag(m.Value)) - math.Abs(imag(at)))
		if known && before != (real(m.Value) > 0) && away < least {
			name, least = m.Named, away
		}
	}
	return name
}

// PrintStabilityLimits prints between which values modes become stable or unstable.
func (l *Result) PrintStabilityLimits(to io.Writer) {
	for _, s := range l.Limits {
		mode := ""
		if s.Mode != "" {
			mode = ": " + s.Mode
		}
		fmt.Fprintf(to, "%s = %.7g: unstable modes change from %d oscillatory, %d real to %d oscillatory, %d real%s\n",
			l.Varied.Name, s.Value, s.Before.Oscillatory, s.Before.Real, s.From.Oscillatory, s.From.Real, mode)
	}
}
