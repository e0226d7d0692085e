package cosim_test

import (
	"math"
	"slices"
	"testing"

	"skidpad/cosim"
)

// multistep is the method whose steps use earlier ones.
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

// The first step is one of Heun's method, to the last bit, although one was tried before it; the second is not. States
// that are set begin again.
func TestMultistepMethodsBeginWithHeun(t *testing.T) {
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
		t.Error("the second step is that of Heun's method")
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

// states are those of the program.
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

// A saved state holds what earlier steps have left: the instance that takes it over goes on to the last bit, and so
// does an instance that goes back.
func TestSavedStatesHoldWhatEarlierStepsHaveLeft(t *testing.T) {
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
			t.Errorf("%s goes on in another way", what)
		}
	}
	short := slices.Concat(state[:len(state)-32-8], state[len(state)-32:]) // one number less
	if err := first.in.Restore(seal(short)); err == nil {
		t.Error("a saved state without all that steps have left is taken")
	}
}

// A step that fails leaves everything as it was, so that a retry goes on as if nothing had been tried.
func TestStepsThatFailForgetNothing(t *testing.T) {
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

// Vehicles of a fleet step like single ones, and no step allocates.
func TestMultistepMethodsInFleets(t *testing.T) {
	sys := load(t, "generic4w", "")
	var fleet, single []*run
	for i := range 5 {
		for _, list := range []*[]*run{&fleet, &single} {
			r := instance(t, sys, multistep, 0.001)
			r.start(noInput)
			r.set("steer_FL.angle", 0.01*float64(i))
			r.steps(1, 0.001) // what it has left counts in the fleet, too
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
			t.Errorf("vehicle %d of the fleet steps in another way", i)
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
