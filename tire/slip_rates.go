package tire

import (
	"fmt"
	"slices"
	"strings"
)

// SlipRates are the first results of a relaxation function: the rates of the delayed slips q1 and q2 [1/s], and of the
// turn slip q3 [rad/(m s)] if the tire has turn slip.
var SlipRates = []string{"q1dot", "q2dot", turnRate}

// SlipLengths are optional results behind the rates: relaxation lengths along and across the heading [m].
var SlipLengths = []string{"sigma1", "sigma2"}

// TellsLengths reports whether a relaxation function returns its lengths.
func TellsLengths(k *Kind) bool { return slices.Contains(k.Outputs, SlipLengths[0]) }

// IsRelaxation reports whether a function returns rates of slips: two or three, then lengths or none.
func IsRelaxation(k *Kind) bool {
	rates := ratesOf(k)
	return (len(rates) == 2 || len(rates) == 3) && slices.Equal(rates, SlipRates[:len(rates)]) &&
		(len(rates) == len(k.Outputs) || slices.Equal(k.Outputs[len(rates):], SlipLengths))
}

// ratesOf are the outputs before the lengths.
func ratesOf(k *Kind) []string {
	if i := slices.Index(k.Outputs, SlipLengths[0]); i >= 0 {
		return k.Outputs[:i]
	}
	return k.Outputs
}

// Serves says why a function cannot serve where results are needed, nil if it can: the forces, or the rates of slips,
// behind which a relaxation function may return lengths.
func Serves(k *Kind, needed []string) error {
	if k.Sampled {
		return fmt.Errorf("function %s is a controller, which is called at samples; a tire needs a function by "+
			"skidpad_tire.h", k.Name)
	}
	returned := k.Outputs
	if IsRelaxation(k) {
		returned = ratesOf(k)
	}
	if slices.Equal(returned, needed) {
		return nil
	}
	hint := ""
	if needed[0] == SlipRates[0] && IsRelaxation(k) {
		hint = "; slip.states = 3 in the model file gives a tire q3, and without it it has none"
	}
	return fmt.Errorf("function %s returns %s; here %s are needed%s", k.Name, strings.Join(k.Outputs, ", "),
		strings.Join(needed, ", "), hint)
}

// Trimmed returns a relaxation function with the given number of results. Lengths are left out. The rate of the turn
// slip is 0 if the function does not return it. Two kinds of functions are returned unchanged: functions with this
// number of results, and grouped functions, whose results are read one by one.
func Trimmed(f Function, k *Kind, results int) Function {
	if _, grouped := f.(Grouped); grouped || !IsRelaxation(k) || len(k.Outputs) == results {
		return f
	}
	n, m := len(k.Inputs), len(k.Outputs)
	t := &trimmed{f: f, rates: min(results, len(ratesOf(k))), out: make([]float64, m), down: make([]float64, m),
		jac: make([]float64, n*m)}
	return t
}

// trimmed is a relaxation function with another number of results than its kind.
type trimmed struct {
	f              Function
	rates          int
	out, down, jac []float64
}

// Eval implements Function.
func (t *trimmed) Eval(in, out []float64) {
	t.f.Eval(in, t.out)
	clear(out)
	copy(out, t.out[:t.rates])
}

// Jacobian implements Differentiable.
func (t *trimmed) Jacobian(in, jac []float64) {
	jacobianOf(t.f, in, t.jac, t.out, t.down)
	clear(jac)
	copy(jac, t.jac[:t.rates*len(in)])
}

// jacobianOf writes the Jacobian of a function, by differences if the function has none; up and down hold results.
func jacobianOf(f Function, in, jac, up, down []float64) {
	if d, ok := f.(Differentiable); ok {
		d.Jacobian(in, jac)
		return
	}
	Differences(f, in, jac, up, down)
}
