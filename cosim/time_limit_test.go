package cosim

import (
	"slices"
	"strings"
	"testing"
	"time"

	"skidpad/tire"
)

// slowFunction is a function whose stopwatch shows a fixed time for each call.
type slowFunction struct {
	tire.Function
	tire.Stopwatch
	takes time.Duration
}

func (f *slowFunction) Eval(in, out []float64) {
	begin := f.Begin()
	f.Function.Eval(in, out)
	if !begin.IsZero() {
		f.End(begin.Add(-f.takes))
	}
}

// Each step is timed separately, and a function that serves one tire is reported with that tire.
func TestStepsAreTimedOneByOne(t *testing.T) {
	r := begin(t, "generic4w", nil, nil)
	slow := &slowFunction{Function: r.tires.functions[1], takes: time.Hour}
	r.tires.functions[1], r.tires.opened[1] = slow, slow
	r.SetTimeLimit(time.Minute)
	r.slow.spent = time.Hour // of the step that ends next, the first of the test
	for n := range 3 {
		if err := r.Step(0.001); err != nil {
			t.Fatal(err)
		}
		said := r.RangeWarnings()
		if n == 0 && (len(said) != 1 || !strings.HasPrefix(said[0], "the step that ends at 0.001 s took 3.6e+03 s")) ||
			n > 0 && len(said) > 0 {
			t.Errorf("step %d: %q", n+1, said)
		}
	}
	slow.Eval(make([]float64, 8), make([]float64, 8))
	if at, longest := r.tires.slowest(); at != 1 || longest < time.Hour {
		t.Errorf("the slowest function is %d with %v", at, longest)
	}
	if names := r.tires.servedWith(1); len(names) != 1 || names[0] != r.tires.names[1] {
		t.Errorf("it serves %q", names)
	}
	controlled := &bindings{opened: []tire.Function{slow}, controllers: []*controller{{name: "abs", Function: slow}}}
	controlled.setTimed(true)
	slow.Eval(make([]float64, 8), make([]float64, 8))
	if at, _ := controlled.slowest(); at != 0 || !slices.Equal(controlled.servedWith(at), []string{"abs"}) {
		t.Errorf("the slowest function is %d", at)
	}
}
