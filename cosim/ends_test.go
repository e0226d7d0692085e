package cosim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/program"
)

// ended is the number of the condition that has ended the run, and when.
func (r *run) ended() (number, at float64) { return r.get("solver.ended"), r.get("solver.ended_at") }

// step makes one communication step.
func (r *run) step(h float64) {
	r.Helper()
	if err := r.in.Step(h); err != nil {
		r.Fatal(err)
	}
}

// until steps by h until the vehicle's condition is true, but not beyond a time, and returns the time before that step.
func (r *run) until(h, end float64, holds func() bool) (before float64) {
	r.Helper()
	for r.in.Time() < end {
		before = r.in.Time()
		if number, _ := r.ended(); number != 0 {
			r.Fatalf("condition %g is true at %g s, before it is", number, before)
		}
		if err := r.in.Step(h); err != nil {
			r.Fatal(err)
		}
		if holds() {
			return before
		}
	}
	r.Fatalf("the condition has not become true by %g s", end)
	return before
}

// spinning is the generic vehicle as it rolls over: 25 m/s and 2.5 rad/s.
func spinning(t *testing.T, s *cosim.System) *run {
	r := instance(t, s, "rk4", 0.001)
	r.set("body.vx", 25)
	r.set("body.wz", 2.5)
	return r
}

// The run ends after the solver step that tilts the body's z axis more than 80 degrees from the road's normal. The
// number stays, stepping continues, the warning is reported once, and longer communication steps find the same time.
func TestARollOverEndsARun(t *testing.T) {
	s := load(t, "generic4w", "")
	r := spinning(t, s)
	r.start(noInput)
	limit := math.Cos(80 * math.Pi / 180)
	before := r.until(0.001, 3, func() bool { return math.Cos(r.get("body.roll"))*math.Cos(r.get("body.pitch")) < limit })
	at := r.in.Time()
	if number, when := r.ended(); number != 1 || when != at {
		t.Fatalf("condition %g at %g s; the body has rolled over between %g and %g s", number, when, before, at)
	}
	if v := s.Variables()[r.variable("solver.ended")]; !strings.Contains(v.Text, "1 rolled-over body,") {
		t.Errorf("solver.ended: %s", v.Text)
	}
	if w := r.in.RangeWarnings(); !slices.ContainsFunc(w, func(text string) bool {
		return strings.HasPrefix(text, "body: rolled-over at ")
	}) {
		t.Errorf("warnings %q", w)
	}
	for range 300 {
		if err := r.in.Step(0.001); err != nil {
			t.Fatal(err)
		}
		if w := r.in.RangeWarnings(); slices.ContainsFunc(w, func(text string) bool {
			return strings.Contains(text, "rolled-over")
		}) {
			t.Fatalf("warned again: %q", w)
		}
	}
	if number, when := r.ended(); number != 1 || when != at {
		t.Errorf("later: condition %g at %g s", number, when)
	}
	long := spinning(t, s)
	long.start(noInput)
	for range 60 {
		if err := long.in.Step(0.05); err != nil {
			t.Fatal(err)
		}
	}
	if number, when := long.ended(); number != 1 || math.Abs(when-at) > 1e-12 {
		t.Errorf("steps of 50 ms: condition %g at %.17g s, want %.17g s", number, when, at)
	}
	long.in.Reset()
	long.start(noInput)
	if number, when := long.ended(); number != 0 || when != 0 {
		t.Errorf("after a reset: condition %g at %g s", number, when)
	}
}

// After a drop a tire is crushed if its deflection exceeds 0.18 of the radius.
// A tire is below the road if the height of its centre is negative.
func TestADropCrushesTires(t *testing.T) {
	s := load(t, "generic4w", "")
	const radius = 0.355
	height := func(r *run, c string) float64 { return r.get("tire_"+c+".R_l") * math.Cos(r.get("tire_"+c+".gamma")) }
	for _, c := range []struct {
		name  string
		fall  float64 // m
		first float64 // number of the first of the conditions
		holds func(r *run, corner string) bool
	}{
		{"crushed", 3, 6, func(r *run, c string) bool {
			return radius*math.Cos(r.get("tire_"+c+".gamma"))-height(r, c) > 0.18*radius
		}},
		{"below-road", 60, 2, func(r *run, c string) bool { return height(r, c) < 0 }},
	} {
		r := instance(t, s, "rk4", 0.001)
		r.text("solver.end_at", c.name)
		r.set("body.z", 0.9+c.fall)
		r.set("body.pitch", 0.05)
		r.start(noInput)
		r.until(0.001, 6, func() bool {
			return slices.ContainsFunc(corners, func(corner string) bool { return c.holds(r, corner) })
		})
		k := slices.IndexFunc(corners, func(corner string) bool { return c.holds(r, corner) })
		if number, at := r.ended(); number != c.first+float64(k) || at != r.in.Time() {
			t.Errorf("%s: condition %g at %g s; tire %s is first, at %g s", c.name, number, at, corners[k], r.in.Time())
		}
	}
}

// Conditions become true at their limits: crushed at a deflection of 0.18 of the radius and below the road at a
// height of 0 of the wheel centre, both to 0.1 mm. A vehicle has rolled over at 80 degrees to 0.01 degrees, to any
// side.
func TestConditionsBeginAtTheirLimits(t *testing.T) {
	const (
		radius  = 0.355
		crushed = 6 // of the left front tire
		below   = 2
	)
	for _, model := range []string{"generic4w", "generic4w_carcass"} {
		r := instance(t, load(t, model, ""), "rk4", 0.001)
		r.in.SetExternalIntegration(true) // conditions follow from the present state
		r.text("solver.end_at", "rolled-over, below-road, crushed")
		r.start(noInput)
		first := r.states()
		at := func(state string, x float64) float64 {
			t.Helper()
			moved := slices.Clone(first)
			moved[slices.IndexFunc(r.sys.Program().States, func(v program.Variable) bool { return v.Name == state })] = x
			if err := r.in.SetStates(moved); err != nil {
				t.Fatal(err)
			}
			number, _ := r.ended()
			return number
		}
		lowest := math.Inf(1) // of the wheel centres
		for _, c := range corners {
			lowest = min(lowest, r.get("tire_"+c+".R_l"))
		}
		body := r.get("body.z")
		for _, c := range []struct {
			height, off float64
			number      float64
		}{{0.82 * radius, 1e-4, 0}, {0.82 * radius, -1e-4, crushed}, {0, 1e-4, crushed}, {0, -1e-4, below}} {
			number := at("body.z", body-lowest+c.height+c.off)
			if number > below { // of the tires that are equally low
				number -= math.Mod(number-below, float64(len(corners)))
			}
			if number != c.number {
				t.Errorf("%s, wheel centre at %g m: condition %g, want %g", model, c.height+c.off, number, c.number)
			}
		}
		for _, angle := range []float64{80, -80} {
			for _, state := range []string{"body.roll", "body.pitch"} {
				inside := at(state, (angle-math.Copysign(0.01, angle))*math.Pi/180)
				outside := at(state, (angle+math.Copysign(0.01, angle))*math.Pi/180)
				if inside == 1 || outside != 1 {
					t.Errorf("%s, %s of %g degrees: condition %g below, %g above", model, state, angle, inside, outside)
				}
			}
		}
	}
}

// Of a vehicle on two wheels the heaviest body falls: the frame with the rider, unless the front is heavier.
func TestTheHeaviestBodyFalls(t *testing.T) {
	for mass, want := range map[float64]string{30: "1 fallen rear_frame", 200: "1 fallen front_frame"} {
		r := fromText(t, fmt.Sprintf(`base = "bicycle.toml"
name = "HeavyFront"
title = "Bicycle with a heavy front"
[component.front_frame]
mass = %g
`, mass), "")
		v := r.sys.Variables()[r.variable("solver.ended")]
		if !strings.Contains(v.Text, want) {
			t.Errorf("%g kg in front: %s, want %s", mass, v.Text, want)
		}
	}
}

// A bicycle and a disc fall; a lean of 1.5 rad ends the run.
func TestTwoWheelersFall(t *testing.T) {
	for _, c := range []struct{ model, lean string }{
		{"bicycle", "rear_frame.angle2"}, {"bicycle_rolling", "rear_frame.angle2"}, {"disc", "wheel.angle2"},
		{"wheel", "wheel.angle2"},
	} {
		for _, side := range []float64{0.2, -0.2} {
			r := instance(t, load(t, c.model, ""), "rk4", 0.001)
			r.set("speed", 0)
			r.set("lean", side)
			r.start(noInput)
			r.until(0.001, 20, func() bool { return math.Abs(math.Sin(r.get(c.lean))) > math.Sin(1.5) })
			if number, at := r.ended(); number != 1 || at != r.in.Time() {
				t.Errorf("%s: condition %g at %g s, fallen at %g s", c.model, number, at, r.in.Time())
			}
		}
	}
}

// By default a run ends where the model is no longer valid: the contact of tires, or a fall.
func TestDefaultEndConditions(t *testing.T) {
	const loaded = "rolled-over, below-road, crushed"
	for model, want := range map[string]string{
		"generic4w": loaded, "skidder": loaded, "truck3": loaded, "generic4w_fourpost": loaded,
		"bicycle": "fallen", "bicycle_rolling": "fallen", "disc": "fallen", "wheel": "fallen", "bicycle_trailer": "none",
		"tricycle": "none", "tilting_three_wheeler": "none",
	} {
		if got, err := instance(t, load(t, model, ""), "rk4", 0.001).in.Text("solver.end_at"); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", model, got, err, want)
		}
	}
	// tractor and trailer are bodies, hubs and axles are none
	v := load(t, "tractor_semitrailer", "").Variables()
	i := slices.IndexFunc(v, func(v cosim.Variable) bool { return v.Name == "solver.ended" })
	if text := v[i].Text; !strings.Contains(text, ": 1 rolled-over tractor, 2 rolled-over trailer, 3 below-road") {
		t.Error(text)
	}
	if _, there := load(t, "double_pendulum", "").Find("solver.ended"); there {
		t.Error("a pendulum has conditions that end runs")
	}
}

// Valid texts of end conditions. A condition that is not named ends nothing.
func TestTextOfEndConditions(t *testing.T) {
	s := load(t, "generic4w", "")
	r := spinning(t, s)
	for _, wrong := range []string{"", "fallen", "rolled-over,", "none, crushed", "Crushed"} {
		if err := r.in.SetText("solver.end_at", wrong); err == nil || !strings.Contains(err.Error(), "below-road") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	r.text("solver.end_at", "none")
	r.start(noInput)
	for range 300 {
		if err := r.in.Step(0.01); err != nil {
			t.Fatal(err)
		}
	}
	if number, at := r.ended(); number != 0 || at != 0 {
		t.Errorf("none: condition %g at %g s", number, at)
	}
}

// A saved state contains the end of the run. A run from an earlier state ends at the same time again.
func TestSavedStatesContainEnds(t *testing.T) {
	s := load(t, "generic4w", "")
	r := spinning(t, s)
	r.start(noInput)
	for range 100 {
		r.step(0.01)
	}
	before := r.save()
	for range 100 {
		r.step(0.01)
	}
	number, at := r.ended()
	after := r.save()
	if number != 1 {
		t.Fatalf("condition %g", number)
	}
	other := instance(t, s, "rk4", 0.001)
	if err := other.in.Restore(after); err != nil {
		t.Fatal(err)
	}
	if n, when := other.ended(); n != number || when != at {
		t.Errorf("restored: condition %g at %g s, want %g at %g s", n, when, number, at)
	}
	for _, again := range []*run{r, other} {
		if err := again.in.Restore(before); err != nil {
			t.Fatal(err)
		}
		if n, when := again.ended(); n != 0 || when != 0 {
			t.Errorf("before: condition %g at %g s", n, when)
		}
		again.in.RangeWarnings()
		for range 100 {
			again.step(0.01)
		}
		if n, when := again.ended(); n != number || when != at {
			t.Errorf("again: condition %g at %g s, want %g at %g s", n, when, number, at)
		}
		if w := again.in.RangeWarnings(); !slices.ContainsFunc(w, func(text string) bool {
			return strings.Contains(text, "rolled-over")
		}) {
			t.Errorf("again: no warning among %q", w)
		}
	}
}

// A failed step keeps the state before it, although the vehicle has rolled over within the step.
func TestFailedStepEndsNoRun(t *testing.T) {
	r := spinning(t, load(t, "generic4w", ""))
	r.text("solver.method", "euler")
	r.set("solver.step", 0.05)
	r.set("body.wx", 3)
	r.start(noInput)
	reached := 0.0 // in solver steps, where the vehicle has rolled over
	for n := 1; r.in.Step(0.05) == nil; n++ {
		if _, reached = r.ended(); n > 1000 {
			t.Fatal("no step has failed")
		}
	}
	if reached == 0 {
		t.Fatal("the step failed before the vehicle had rolled over")
	}
	r.in.Reset()
	r.text("solver.method", "euler")
	r.set("solver.step", 0.05)
	r.set("body.vx", 25)
	r.set("body.wz", 2.5)
	r.set("body.wx", 3)
	r.start(noInput)
	if err := r.in.Step(100); err == nil {
		t.Fatal("the step has not failed")
	}
	if number, at := r.ended(); number != 0 || at != 0 || len(r.in.RangeWarnings()) != 0 {
		t.Errorf("condition %g at %g s", number, at)
	}
}

// Vehicles in lanes end as they do alone, each at its own time.
func TestLanesEndLikeSingleVehicles(t *testing.T) {
	s := load(t, "generic4w", "")
	var together, alone []*run
	var instances []*cosim.Instance
	for i := range 5 {
		for _, list := range []*[]*run{&together, &alone} {
			r := spinning(t, s)
			r.set("body.wz", 2.5+0.1*float64(i))
			if i == 3 {
				r.set("body.wz", 0) // the vehicle stays on its wheels
			}
			r.start(noInput)
			*list = append(*list, r)
		}
		instances = append(instances, together[i].in)
	}
	f, err := cosim.NewFleet(instances)
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		for i, err := range f.Step(0.05, 2) { // motion after an end is meaningless, and the step may fail
			if own := alone[i].in.Step(0.05); fmt.Sprint(own) != fmt.Sprint(err) {
				t.Fatalf("vehicle %d: %v in lanes, %v alone", i, err, own)
			}
		}
	}
	times := map[float64]bool{}
	for i := range alone {
		n, at := alone[i].ended()
		if number, when := together[i].ended(); number != n || when != at {
			t.Errorf("vehicle %d: condition %g at %g s in a fleet, %g at %g s alone", i, number, when, n, at)
		}
		if (n != 0) != (i != 3) {
			t.Errorf("vehicle %d: condition %g", i, n)
		}
		times[at] = true
	}
	if len(times) < 4 {
		t.Errorf("times %v", times)
	}
}

// Looking for what ends a run allocates nothing.
func TestStepsWithEndConditionsAllocateNothing(t *testing.T) {
	r := spinning(t, load(t, "generic4w", ""))
	r.start(noInput)
	if n := testing.AllocsPerRun(100, func() { r.step(0.001) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
