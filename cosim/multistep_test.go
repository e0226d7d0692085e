package cosim_test

import (
	"math"
	"slices"
	"testing"

	"skidpad/cosim"
)

// multistep is a method whose steps use earlier steps.
const multistep = "adams-bashforth"

func (r *run) steps(n int, h float64) []float64 {
	r.Helper()
	for range n {
		if err := r.in.Step(h); err != nil {
			r.Fatal(err)
		}
	}
	return r.values()
}

// The first step equals a step of Heun's method to the last bit, even after an attempted step. The second step differs.
// Setting states starts the method again.
func TestMultistepMethodsStartWithHeun(t *testing.T) {
	sys := load(t, "generic4w", "")
	heun, two := instance(t, sys, "heun", 0.001), instance(t, sys, multistep, 0.001)
	heun.start(noInput)
	two.start(noInput)
	first := heun.steps(1, 0.001)
	if !slices.Equal(two.steps(1, 0.001), first) {
		t.Error("the first step is not that of Heun's method")
	}
	state := make([]float64, len(two.states()))
	copy(state, two.states())
	if slices.Equal(two.steps(1, 0.001), heun.steps(1, 0.001)) {
		t.Error("the second step is a step of Heun's method")
	}
	for name, set := range map[string]func(r *run) error{
		"all": func(r *run) error { return r.in.SetStates(state) },
		"one": func(r *run) error { return r.in.SetState(0, state[0]) },
	} {
		heun.in.SetStates(state)
		two.in.SetStates(state)
		two.steps(3, 0.001)
		heun.in.SetStates(two.states())
		if err := set(two); err != nil {
			t.Fatal(err)
		}
		if err := set(heun); err != nil {
			t.Fatal(err)
		}
		two.steps(1, 0.001)
		heun.steps(1, 0.001)
		if !slices.Equal(two.states(), heun.states()) {
			t.Errorf("%s states set: the next step is not one of Heun's method", name)
		}
	}
}

// states returns the states of the program.
func (r *run) states() []float64 {
	r.Helper()
	n, _ := r.in.StateCount()
	list := make([]float64, n)
	for i, v := range r.sys.Variables() {
		if v.State >= 0 && v.Kind != cosim.Rate {
			x, err := r.in.Get(i)
			if err != nil {
				r.Fatal(err)
			}
			list[v.State] = x
		}
	}
	return list
}

// A saved state contains the history of the solver. An instance that restores it continues to the last bit, and so does
// an instance that returns to its own saved state.
func TestSavedStatesContainSolverHistory(t *testing.T) {
	sys := load(t, "generic4w", "")
	first := instance(t, sys, multistep, 0.001)
	first.start(noInput)
	first.set("steer_FL.angle", 0.02)
	first.steps(50, 0.001)
	state := first.save()
	want := first.steps(50, 0.001)
	second := instance(t, sys, "rk4", 0.002)
	for what, r := range map[string]*run{"another instance": second, "the same": first, "a second time": second} {
		if err := r.in.Restore(state); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.steps(50, 0.001), want) {
			t.Errorf("%s continues differently", what)
		}
	}
	short := slices.Concat(state[:len(state)-32-8], state[len(state)-32:]) // one number less
	if err := first.in.Restore(seal(short)); err == nil {
		t.Error("a saved state with an incomplete history is accepted")
	}
}

// A failed step leaves everything unchanged, so that a retry continues as without the failed step.
func TestFailedStepsKeepSolverHistory(t *testing.T) {
	sys := load(t, "generic4w", "")
	plain, retried := instance(t, sys, multistep, 0.001), instance(t, sys, multistep, 0.001)
	for _, r := range []*run{plain, retried} {
		r.start(noInput)
		r.steps(20, 0.001)
	}
	old := retried.get("drive_RL.torque")
	retried.set("drive_RL.torque", math.MaxFloat64)
	if err := retried.in.Step(0.01); err == nil {
		t.Fatal("the step does not fail")
	}
	retried.set("drive_RL.torque", old)
	if !slices.Equal(retried.steps(20, 0.001), plain.steps(20, 0.001)) {
		t.Error("a retry after a step that failed goes on in another way")
	}
}

// Vehicles of a fleet step like single vehicles, and no step allocates.
func TestMultistepMethodsInFleets(t *testing.T) {
	sys := load(t, "generic4w", "")
	var fleet, single []*run
	for i := range 5 {
		for _, list := range []*[]*run{&fleet, &single} {
			r := instance(t, sys, multistep, 0.001)
			r.start(noInput)
			r.set("steer_FL.angle", 0.01*float64(i))
			r.steps(1, 0.001) // its history counts in the fleet, too
			*list = append(*list, r)
		}
	}
	f, err := cosim.NewFleet(instancesOf(fleet))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		for i, err := range f.Step(0.002, 2) {
			if err != nil {
				t.Fatal(i, err)
			}
		}
	}
	for i, r := range single {
		if !slices.Equal(r.steps(20, 0.002), fleet[i].values()) {
			t.Errorf("vehicle %d of the fleet steps differently", i)
		}
	}
	if n := testing.AllocsPerRun(20, func() {
		if single[0].in.Step(0.002) != nil {
			t.Error("step failed")
		}
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
