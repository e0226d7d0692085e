package cosim_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

var truckWheels = []string{"1L", "1R", "2L", "2R", "3L", "3R", "4L", "4R", "5L", "5R"}

// standingTruck is the combination at rest.
func standingTruck(t *testing.T) *run {
	t.Helper()
	r := instance(t, load(t, "tractor_semitrailer", ""), "rk4", 0.001)
	r.set("tractor.vx", 0)
	r.set("tractor.vz", 0)
	for _, w := range truckWheels {
		r.set("wheel_"+w+".omega", 0)
	}
	return r
}

// The combination stands on its wheels as statics predicts. Moments about the middle axle of the trailer give the load
// of the kingpin; moments about the steered axle give the other loads.
func TestTractorSemitrailerLoadsFollowStatics(t *testing.T) {
	const g, sprungTractor, sprungTrailer = 9.81, 5815., 30560.
	kingpin := sprungTrailer * 2.696 / (5.004 + 2.696)
	driven := (sprungTractor*0.767 + kingpin*3.1) / 3.7
	r := standingTruck(t)
	r.start(noInput)
	r.drive(noInput, 0.001, 10)
	for axles, mass := range map[string]float64{"1": sprungTractor + kingpin - driven + 540, "2": driven + 1045,
		"345": sprungTrailer - kingpin + 3*680} {
		load := 0.0
		for _, axle := range axles {
			load += r.get("tire_"+string(axle)+"L.Fz") + r.get("tire_"+string(axle)+"R.Fz")
		}
		if !(math.Abs(load-mass*g) <= 0.002*mass*g) {
			t.Errorf("axles %s stand with %g N, want %g", axles, load, mass*g)
		}
	}
}

// With brakes the combination stands: on a grade of 15 % it moves by less than a micrometre in the last 5 of 20 s.
func TestBrakesHoldTheTractorSemitrailerOnAGrade(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	text, err := os.ReadFile("../resources/models/tractor_semitrailer.toml")
	if err != nil {
		t.Fatal(err)
	}
	sin, cos := math.Sincos(math.Atan(0.15))
	r := fromText(t, strings.Replace(string(text), "gravity = 9.81", fmt.Sprintf("gravity = [%g, 0, %g]", -9.81*sin,
		-9.81*cos), 1), "")
	r.set("tractor.vx", 0)
	r.set("tractor.vz", 0)
	for _, w := range truckWheels {
		r.set("wheel_"+w+".omega", 0)
	}
	r.set("brakes.torque", 90000)
	r.start(noInput)
	r.drive(noInput, 0.001, 15)
	x, y := r.get("tractor.x"), r.get("tractor.y")
	r.drive(noInput, 0.001, 20)
	if d := math.Hypot(r.get("tractor.x")-x, r.get("tractor.y")-y); !(d <= 1e-6) {
		t.Errorf("it creeps by %g m in 5 s, %g m have gone before", d, x)
	}
}
