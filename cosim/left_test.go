package cosim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/vehicle"
)

// glider moves at a constant 1 m/s along a table that must not be left.
const glider = `name = "Glider"
gravity = 0
[component.slide]
type = "prismatic"
from = "ground"
to = "mass"
axis = "x"
start = { s_dot = 1 }
[component.mass]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring]
type = "spring-damper"
joint = "slide"
spring_force = { points = [[-0.1, 0], [0, 0], [0.25, 0]], outside = "error" }
`

// With all methods, a step that ends beyond a table fails, reports place and time, and keeps the state before the step.
// A step that ends at the last point succeeds. Longer communication steps fail as a whole.
func TestStepsThatLeaveATableFail(t *testing.T) {
	for _, method := range []string{"euler", "heun", "rk4", "linearly-implicit", "adams-bashforth"} {
		for _, text := range []string{glider, strings.Replace(glider, `[[-0.1, 0], [0, 0], [0.25, 0]]`,
			"[[-0.1, -3, 0], [-0.1, 3, 0], [0.25, -3, 0], [0.25, 3, 0]]", 1)} {
			r := fromText(t, text, "")
			if err := r.in.SetText("solver.method", method); err != nil {
				t.Fatal(err)
			}
			r.set("solver.step", 0x1p-7)
			r.start(noInput)
			for range 32 { // to 0.25 s, exactly
				r.step(0x1p-7)
			}
			err := r.in.Step(0x1p-7)
			want := "spring.spring_force: its argument is 0.00781 m outside of the points, which go from -0.1 to 0.25 m, at " +
				"t = 0.257812 s"
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("%s: %v", method, err)
			}
			if r.in.Time() != 0.25 || r.get("slide.s") != 0.25 {
				t.Errorf("%s: after the failure %g m at %g s", method, r.get("slide.s"), r.in.Time())
			}
			r.in.Reset()
			r.start(noInput)
			r.step(0x1p-5)
			if err := r.in.Step(1); err == nil || r.get("slide.s") != 0x1p-5 {
				t.Errorf("%s: a long step: %v, %g m", method, err, r.get("slide.s"))
			}
		}
	}
}

// The other variable of a surface and the other end are checked, too, with their own unit, and so is the start.
func TestBothVariablesOfATableAreChecked(t *testing.T) {
	surface := strings.Replace(glider, `[[-0.1, 0], [0, 0], [0.25, 0]]`,
		"[[-9, 0, 0], [-9, 2, 0], [9, 0, 0], [9, 2, 0]]", 1)
	r := fromText(t, surface, "")
	r.set("slide.s_dot", -0.5)
	err := r.in.Initialise()
	want := "its argument is 0.5 m/s outside of the points, which go from 0 to 2 m/s"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("start: %v", err)
	}
	r = fromText(t, strings.Replace(glider, "s_dot = 1", "s_dot = -1", 1), "")
	r.start(noInput)
	for err = error(nil); err == nil && r.in.Time() < 1; {
		err = r.in.Step(0.001)
	}
	if at := r.in.Time(); err == nil || math.Abs(at-0.1) > 0.0011 {
		t.Errorf("the lower end: %v at %g s", err, at)
	}
}

// In a fleet, vehicles that leave their table fail as they do alone, and the other vehicles continue.
func TestLanesFailOnTablesLikeSingleVehicles(t *testing.T) {
	m, err := vehicle.Parse([]byte(glider), "glider.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var together, alone []*cosim.Instance
	for i := range 6 {
		for _, list := range []*[]*cosim.Instance{&together, &alone} {
			r := instance(t, s, "rk4", 0.001)
			r.set("slide.s_dot", 0.3+0.2*float64(i))
			r.start(noInput)
			*list = append(*list, r.in)
		}
	}
	f, err := cosim.NewFleet(together)
	if err != nil {
		t.Fatal(err)
	}
	failures := 0
	for range 30 {
		for i, err := range f.Step(0.01, 2) {
			own := alone[i].Step(0.01)
			if fmt.Sprint(own) != fmt.Sprint(err) || alone[i].Time() != together[i].Time() {
				t.Fatalf("vehicle %d: %v at %g s in lanes, %v at %g s alone", i, err, together[i].Time(), own, alone[i].Time())
			}
			if own != nil {
				failures++
			}
		}
	}
	if failures < 10 {
		t.Errorf("%d failures", failures)
	}
}

// C code that steps by a plan checks tables after the conditions that end runs. It continues to check tables when an
// end condition has become true.
func TestPlansCheckTables(t *testing.T) {
	r := fromText(t, glider, "")
	r.start(noInput)
	plan, why := r.in.Plan()
	if !canPlan {
		return
	}
	if plan == nil || len(plan.Watched) != 1 || plan.Watched[0] != 0 || plan.Ends == nil || !r.in.Watching() {
		t.Errorf("plan %+v, %s", plan, why)
	}
}

// Checks of tables allocate nothing.
func TestStepsWithinATableAllocateNothing(t *testing.T) {
	r := fromText(t, glider, "")
	r.set("slide.s_dot", 1e-3)
	r.start(noInput)
	if n := testing.AllocsPerRun(100, func() { r.step(0.001) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
