package cosim_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
)

// initialised makes an instance of a shipped model with texts and initialises it.
func initialised(t *testing.T, model string, texts map[string]string) *cosim.Instance {
	t.Helper()
	in, err := load(t, model, "").Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	for name, value := range texts {
		if err := in.SetText(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return in
}

// A plan is there for all that is straight-line code; otherwise it is said what is not.
func TestWhatStepsAreMadeOfIsToldOrWhyItCannotBe(t *testing.T) {
	for _, c := range []struct {
		model string
		texts map[string]string
		why   string // "" for a plan
	}{
		{"generic4w", map[string]string{"solver.method": "euler"}, ""},
		{"generic4w", map[string]string{"solver.method": "heun"}, ""},
		{"generic4w", map[string]string{"solver.method": "rk4"}, ""},
		{"generic4w", map[string]string{"solver.method": "linearly-implicit"}, ""},
		{"skidder", nil, ""},
		{"generic4w_carcass", map[string]string{"solver.method": "rk4"}, ""},
		{"truck3", map[string]string{"solver.method": "linearly-implicit"}, ""},
		{"passenger_car", nil, "terrain"},
		{"generic4w", map[string]string{"solver.method": "adams-bashforth"}, "adams-bashforth"},
		{"generic4w", map[string]string{"solver.code": "portable"}, "machine code"},
		{"generic4w", map[string]string{"energy.record": "true"}, "works are recorded"},
		{"partial_vehicle2d", map[string]string{"solver.method": "rk4"}, "wheel contacts"},
		{"point_pendulum", nil, "dlmm"},
	} {
		plan, why := initialised(t, c.model, c.texts).Plan()
		if !canPlan && c.why == "" {
			c.why = "machine code" // of a kind that C cannot call
		}
		if (plan == nil) != (why != "") || (c.why == "") != (why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s with %v: %q, want %q", c.model, c.texts, why, c.why)
		}
	}
}

// A plan stays what it is while nothing is replaced, and is another one afterwards.
func TestPlansStayUntilSomethingIsReplaced(t *testing.T) {
	if !canPlan {
		t.Skip("C cannot call machine code here")
	}
	in := initialised(t, "generic4w", nil)
	first, _ := in.Plan()
	state := make([]byte, in.StateSize())
	if err := in.Save(state); err != nil {
		t.Fatal(err)
	}
	if err := in.Step(0.001); err != nil {
		t.Fatal(err)
	}
	if err := in.Restore(state); err != nil {
		t.Fatal(err)
	}
	if again, _ := in.Plan(); again != first {
		t.Error("a restored state of the same functions has replaced the plan")
	}
	in.Reset()
	if none, why := in.Plan(); none != nil || why == "" {
		t.Error("a reset instance has a plan")
	}
	if err := in.SetText("solver.method", "euler"); err != nil {
		t.Fatal(err)
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	if other, _ := in.Plan(); other == first || other.Method != "euler" {
		t.Error("another method has the same plan")
	}
}

// Inputs have the signs of zeros that were set last, whatever was set before.
func TestSignsOfZerosAreTakenOver(t *testing.T) {
	in := initialised(t, "generic4w", nil)
	inputs := make([]float64, in.System().First(cosim.Output)-in.System().First(cosim.Input))
	in.SetInputs(inputs)
	for i := range inputs {
		inputs[i] = math.Copysign(0, -1)
	}
	in.SetInputs(inputs)
	in.Inputs(inputs)
	for i, v := range inputs {
		if v != 0 || !math.Signbit(v) {
			t.Errorf("input %d is %g, want -0", i, v)
		}
	}
}

// A vehicle on level ground goes on from a state that it has saved after steps.
func TestStatesOnLevelGroundAreRestored(t *testing.T) {
	in := initialised(t, "passenger_car", nil)
	if err := in.Step(0.005); err != nil {
		t.Fatal(err)
	}
	state := make([]byte, in.StateSize())
	if err := in.Save(state); err != nil {
		t.Fatal(err)
	}
	if err := in.Restore(state); err != nil {
		t.Error(err)
	}
}
