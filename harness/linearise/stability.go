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

// growing is the least share of an eigenvalue's magnitude that its real part has in a unstable mode:
// less is rounding, as in oscillations without damping.
const growing = 1e-10

// unstable counts the unstable modes, oscillations once.
func unstable(modes []linear.Mode) (oscillations, others int) {
	for _, m := range modes {
		switch {
		case real(m.Value) <= growing*cmplx.Abs(m.Value) || imag(m.Value) < 0:
		case imag(m.Value) > 0:
			oscillations++
		default:
			others++
		}
	}
	return oscillations, others
}

// PrintStabilityLimits prints between which values modes become stable or unstable, found by bisection.
func (l *Result) PrintStabilityLimits(to io.Writer, vehicle *linear.Model) error {
	for i := 1; i < len(l.Modes); i++ {
		low, high := l.Varied.Values[i-1], l.Varied.Values[i]
		o, r := unstable(l.Modes[i-1])
		last, rest := unstable(l.Modes[i])
		if o == last && r == rest {
			continue
		}
		for range 60 {
			middle := (low + high) / 2
			if middle == low || middle == high {
				break
			}
			system, err := about(vehicle, l.Varied.Name, middle)
			if err != nil {
				return err
			}
			modes, err := system.Modes()
			if err != nil {
				return err
			}
			if a, b := unstable(modes); a == o && b == r {
				low = middle
			} else {
				high, last, rest = middle, a, b
			}
		}
		fmt.Fprintf(to, "%s = %.7g: unstable modes change from %d oscillatory, %d real to %d oscillatory, %d real\n",
			l.Varied.Name, high, o, r, last, rest)
	}
	return nil
}
