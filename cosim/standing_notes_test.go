package cosim_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// heldVariable names the environment variable of the stage "standing" of build.sh. That stage holds all vehicles for a
// minute with every method.
const heldVariable = "SKIDPAD_HELD"

// heldFor returns how long vehicles are held on their brakes [s].
func heldFor(t *testing.T) float64 {
	text := os.Getenv(heldVariable)
	if text == "" {
		return 6
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return seconds
}

// settling is how long a stopped vehicle may rock on its tires [s].
const settling = 20

// stopAndHold stops a vehicle from 2 m/s with a deceleration request of 17 m/s2, and waits. It reports whether the
// vehicle then drifts: the vehicle moves by 1 mm, or its forces change by 10 N.
func (r *run) stopAndHold(body string, mass, seconds float64) (drifts bool) {
	r.Helper()
	r.set(body+".vx", 2)
	r.start(noInput)
	var brakes, forces []string
	for _, v := range r.in.System().Variables() {
		switch {
		case v.Kind == cosim.Input && strings.HasPrefix(v.Name, "brake"):
			brakes = append(brakes, v.Name)
		case v.Kind == cosim.Output && strings.HasPrefix(v.Name, "tire_") && strings.HasSuffix(v.Name, ".Fx"):
			forces = append(forces, v.Name)
		}
	}
	for _, name := range brakes {
		r.set(name, 17*mass*0.4/float64(len(brakes)))
	}
	to := func(end float64) {
		for r.in.Time() < end-1e-9 {
			r.step(0.01)
		}
	}
	to(settling)
	x, y := r.get(body+".x"), r.get(body+".y")
	before, moved, changed := make([]float64, len(forces)), 0.0, 0.0
	for i, name := range forces {
		before[i] = r.get(name)
	}
	for part := 1.0; part <= seconds; part++ {
		to(settling + part)
		for range 5 { // single steps: alternating forces alternate from step to step
			r.step(0.001)
			moved = max(moved, math.Hypot(r.get(body+".x")-x, r.get(body+".y")-y))
			for i, name := range forces {
				changed = max(changed, math.Abs(r.get(name)-before[i]))
			}
		}
	}
	r.Logf("%s: moves %.3g mm, forces change by %.3g N", r.in.System().Model().Name, 1e3*moved, changed)
	return moved > 1e-3 || changed > 10
}

// A vehicle drifts on its brakes exactly if a note at the start says so.
func TestDriftingVehiclesAreNoted(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	seconds := heldFor(t)
	for i, c := range []struct {
		vehicle, body string
		mass          float64 // kg
	}{
		{"generic4w", "body", 2229}, {"skidder", "front", 16788}, {"passenger_car", "body", 1600},
		{"truck3", "body", 16600}, {"car_trailer", "body", 2980}, {"tractor_semitrailer", "tractor", 40000},
		{"generic4w_carcass", "body", 2229}, {"skidder_carcass", "front", 16788},
	} {
		s := load(t, c.vehicle, "")
		for j, method := range []string{"euler", "heun", "rk4", "adams-bashforth", "linearly-implicit"} {
			if os.Getenv(heldVariable) == "" && !cosim.Picked(5, i, j) { // each vehicle, and each method
				continue
			}
			r := instance(t, s, method, 0.001)
			if err := r.in.Initialise(); err != nil {
				t.Fatal(err)
			}
			notes := r.in.Notes()
			noted := len(notes) > 0
			if noted && !strings.Contains(notes[0], "it stands with ") {
				t.Errorf("%s, %s: %q", c.vehicle, method, notes)
			}
			r.in.Reset()
			r.text("solver.method", method)
			r.set("solver.step", 0.001)
			// the note assumes the strongest brakes, which these heavy wheels do not need
			anyway := c.vehicle == "skidder_carcass" && method == "adams-bashforth"
			if drifts := r.stopAndHold(c.body, c.mass, seconds); drifts != noted && !anyway {
				t.Errorf("%s, %s: drifts %v, noted %v %q", c.vehicle, method, drifts, noted, notes)
			}
			if late := r.in.Notes(); late != nil {
				t.Errorf("%s, %s: a note after steps: %q", c.vehicle, method, late)
			}
		}
	}
}

// The rate is sum K (dS/dV)/m. With kinematic slip the rate halves when the minimum speed doubles, and Fiala tires have
// the slip stiffness CS at every load. The limit of the step follows from the method.
func TestTheRateOfSlipAtStandstill(t *testing.T) {
	s := load(t, "skidder", "")
	noted := func(method string, step, speed, height float64) bool {
		r := instance(t, s, method, step)
		r.set("front.z", 1.403775+height)
		for _, v := range s.Variables() {
			if strings.HasSuffix(v.Name, ".minimum_speed") {
				r.set(v.Name, speed)
			}
		}
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		return len(r.in.Notes()) > 0
	}
	const (
		front, rear = 153890.0, 238220.0 // CS of the tires' files, N
		mass        = 2*7280 + 4*557     // kg
	)
	for method, limit := range map[string]float64{"euler": 2, "heun": 2, "rk4": 2.785} {
		for _, speed := range []float64{0.005, 0.05, 0.5} {
			rate := 2 * (front + rear) * 2 / speed / mass
			for _, height := range []float64{0, 0.0785, 2} { // on the road, just above it, and in the air
				if noted(method, 0.99*limit/rate, speed, height) || !noted(method, 1.01*limit/rate, speed, height) {
					t.Errorf("%s, %g m/s, %g m above the road: the limit of the step is not %g s", method, speed, height,
						limit/rate)
				}
			}
		}
	}
	if noted("linearly-implicit", 0.01, 0.005, 0) {
		t.Error("linearly-implicit is noted")
	}
}

// A vehicle that starts in the air is judged as if its tires shared its weight evenly, and the note says so. A tire
// with the stiffness of the Magic Formula, nearly in proportion to its load, has nearly the same rate on the road.
func TestVehiclesInTheAirAreNoted(t *testing.T) {
	s := load(t, "generic4w", "")
	// largestStep returns the largest step that lets the vehicle stand
	largestStep := func(height float64) (step float64, note string) {
		low, high := 0.0, 1.0
		for range 30 {
			step = (low + high) / 2
			r := instance(t, s, "rk4", step)
			for _, c := range corners { // the damper limits the step, not strong brakes
				r.set("tire_"+c+".low_speed_damping", 2)
			}
			r.set("body.z", 0.8995+height)
			if err := r.in.Initialise(); err != nil {
				t.Fatal(err)
			}
			if notes := r.in.Notes(); len(notes) == 0 {
				low = step
			} else {
				high, note = step, notes[0]
			}
		}
		return step, note
	}
	road, note := largestStep(0)
	if strings.Contains(note, "shared") {
		t.Errorf("on the road: %s", note)
	}
	for _, height := range []float64{0.03, 5} {
		air, note := largestStep(height)
		if !strings.Contains(note, "weight shared by its tires evenly") {
			t.Errorf("%g m above: %s", height, note)
		}
		if math.Abs(air-road) > 0.02*road {
			t.Errorf("%g m above: stands in steps of %g s, on the road of %g s", height, air, road)
		}
	}
}
