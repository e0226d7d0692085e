package cosim_test

import (
	"bytes"
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

// An instance has a plan if all of its steps are straight-line code; otherwise a reason names the obstacle.
func TestPlansExistOrGiveAReason(t *testing.T) {
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
		{"passenger_car", nil, ""},
		{"passenger_car", map[string]string{"road.kind": "plane"}, ""},
		{"passenger_car", map[string]string{"road.kind": "iso8608"}, ""},
		{"tractor_semitrailer", nil, ""},
		{"generic4w", map[string]string{"solver.method": "adams-bashforth"}, "adams-bashforth"},
		{"generic4w", map[string]string{"solver.code": "portable"}, "machine code"},
		{"generic4w", map[string]string{"energy.record": "true"}, "works are recorded"},
		{"partial_vehicle2d", map[string]string{"solver.method": "rk4"}, ""},
		{"fourwheel_pointmass", map[string]string{"solver.method": "linearly-implicit"}, ""},
		{"point_pendulum", nil, "dlmm"},
	} {
		plan, why := initialised(t, c.model, c.texts).Plan()
		if !canPlan && c.why == "" {
			c.why = "machine code" // C cannot call this kind of machine code
		}
		if (plan == nil) != (why != "") || (c.why == "") != (why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s with %v: %q, want %q", c.model, c.texts, why, c.why)
		}
	}
}

// A plan keeps its address while nothing is replaced, and changes afterwards.
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

// Inputs keep the signs of zeros of the latest call, whatever was set before.
func TestSignsOfZeroInputsAreKept(t *testing.T) {
	in := initialised(t, "generic4w", nil)
	inputs := make([]float64, in.System().First(cosim.Output)-in.System().First(cosim.Input))
	all := bytes.Repeat([]byte{1}, len(inputs))
	in.SetInputs(inputs, all)
	for i := range inputs {
		inputs[i] = math.Copysign(0, -1)
	}
	in.SetInputs(inputs, all)
	in.Inputs(inputs)
	for i, v := range inputs {
		if v != 0 || !math.Signbit(v) {
			t.Errorf("input %d is %g, want -0", i, v)
		}
	}
}

// A vehicle on level ground continues from a state that it saved after steps.
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

// A plan contains the ground of the present parameters, also after a state with other parameters is restored.
func TestPlansHaveTheGroundOfRestoredStates(t *testing.T) {
	if !canPlan {
		t.Skip("C cannot call machine code here")
	}
	ground := func(set map[string]float64) (*cosim.Instance, []byte) {
		in, err := load(t, "passenger_car", "").Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(in.Close)
		for name, value := range set {
			i, ok := in.System().Find(name)
			if !ok {
				t.Fatalf("there is no %s", name)
			}
			if err := in.Set(i, value); err != nil {
				t.Fatal(err)
			}
		}
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		state := make([]byte, in.StateSize())
		if err := in.Save(state); err != nil {
			t.Fatal(err)
		}
		return in, state
	}
	in, own := ground(nil)
	_, low := ground(map[string]float64{"road.height": -0.01, "road.friction_left": 0.5, "road.friction_right": 0.5})
	_, split := ground(map[string]float64{"road.friction_left": 0.5, "road.friction_right": 0.7})
	for _, c := range []struct {
		name   string
		state  []byte
		want   cosim.Level
		uneven bool
	}{
		{"the same", own, cosim.Level{Left: 1, Right: 1}, false},
		{"lower ground", low, cosim.Level{Height: -0.01, Left: 0.5, Right: 0.5}, false},
		{"split friction", split, cosim.Level{Left: 0.5, Right: 0.7}, true},
		{"the first again", own, cosim.Level{Left: 1, Right: 1}, false},
	} {
		if err := in.Restore(c.state); err != nil {
			t.Fatal(err)
		}
		plan, why := in.Plan()
		if plan == nil {
			t.Fatalf("%s: %s", c.name, why)
		}
		if plan.Levels[0] != c.want || (plan.Wheels != nil) != c.uneven {
			t.Errorf("%s: the road is %v, uneven: %v; want %v, %v", c.name, plan.Levels[0], plan.Wheels != nil, c.want,
				c.uneven)
		}
	}
}

// A plan gives the places of the numbers that are checked after a step: ranged inputs of tire functions, and lengths of
// springs. In a braked and steered passenger car, load and slip angle at these places equal the tires' values.
func TestPlanRangesFollowTheTires(t *testing.T) {
	if !canPlan {
		t.Skip("C cannot call machine code here")
	}
	in := initialised(t, "passenger_car", nil)
	plan, why := in.Plan()
	if plan == nil {
		t.Fatal(why)
	}
	if err := in.Step(0.01); err != nil {
		t.Fatal(err)
	}
	in.RangeWarnings()
	value := func(name string) float64 {
		i, ok := in.System().Find(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		v, err := in.Get(i)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	at := func(place cosim.Place) float64 { return *plan.At(place) }
	perTire := (len(plan.Rows) - 3*4) / 4 // before the rows of leaning, lying and crushed tires
	for i, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
		ranges, limits := plan.Rows[i*perTire:][:perTire], plan.Watch.Limits[i*perTire:][:perTire]
		for k, name := range []string{"Fz", "kappa", "alpha", "gamma"} {
			if got, want := at(ranges[k].At), value(tire+"."+name); got != want {
				t.Errorf("%s.%s is %g, and %g at the place of the plan", tire, name, want, got)
			}
			if l := limits[k]; !(l.Low < l.High) || at(ranges[k].Touching) != value(tire+".Fz") {
				t.Errorf("%s.%s has a range from %g to %g, and a load of %g N", tire, name, l.Low, l.High,
					at(ranges[k].Touching))
			}
		}
		contact := plan.Rows[4*perTire+3*i:][:3]
		if at(contact[0].At) != value(tire+".gamma") || at(contact[2].At) != value(tire+".deflection") {
			t.Errorf("%s leans by %g rad and is deflected by %g m at the places of the plan, not by %g and %g", tire,
				at(contact[0].At), at(contact[2].At), value(tire+".gamma"), value(tire+".deflection"))
		}
	}
	for i, x := range plan.Watch.Numbers {
		if x != 0 {
			t.Errorf("number %d of the rows is %g at the start", i, x)
		}
	}
}
