package tire_test

import (
	"slices"
	"testing"

	"skidpad/tire"
)

// twoSlips is a relaxation function of two slips with lengths.
type twoSlips struct{}

func (twoSlips) Eval(in, out []float64) {
	copy(out, []float64{2 * in[0], 3 * in[1], 0.3, 0.5})
}

func (twoSlips) Jacobian(_, jac []float64) { copy(jac, []float64{2, 0, 0, 3, 7, 7, 7, 7}) }

// A relaxation function of two slips leaves a third one as it is, and its lengths are no rates, whatever stands in the
// memory of the results.
func TestRelaxationsAreTrimmedToTheSlipsOfTheTire(t *testing.T) {
	k := &tire.Kind{Inputs: []string{"q1", "q2"}, Outputs: []string{"q1dot", "q2dot", "sigma1", "sigma2"}}
	for results, want := range map[int][2][]float64{
		2: {{2, 6}, {2, 0, 0, 3}},
		3: {{2, 6, 0}, {2, 0, 0, 3, 0, 0}},
	} {
		f := tire.Trimmed(twoSlips{}, k, results)
		out, jac := slices.Repeat([]float64{9}, results), slices.Repeat([]float64{9}, 2*results)
		f.Eval([]float64{1, 2}, out)
		f.(tire.Differentiable).Jacobian([]float64{1, 2}, jac)
		if !slices.Equal(out, want[0]) || !slices.Equal(jac, want[1]) {
			t.Errorf("%d results are %v with the derivatives %v", results, out, jac)
		}
	}
	if f := tire.Trimmed(twoSlips{}, k, 4); f != (twoSlips{}) {
		t.Errorf("a function with all results becomes %T", f)
	}
}
