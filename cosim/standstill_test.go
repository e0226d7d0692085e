package cosim_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// standing is a generic vehicle for low speed: linearly implicit, 1 ms.
func standing(t *testing.T, grade float64, function, slip string) *run {
	t.Helper()
	text, err := os.ReadFile("../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	edited := string(text)
	replace := func(old, new string, n int) {
		if strings.Count(edited, old) != n {
			t.Fatalf("the generic vehicle does not hold %d times %s", n, old)
		}
		edited = strings.ReplaceAll(edited, old, new)
	}
	angle := math.Atan(grade) // of a road that rises ahead
	replace("gravity = 9.81", fmt.Sprintf("gravity = [%g, 0, %g]", -9.81*math.Sin(angle), -9.81*math.Cos(angle)), 1)
	replace(`method = "rk4"`, `method = "linearly-implicit"`, 1)
	if function == "Fiala" {
		replace("function = \"Pacejka02\"\nfile = \"../tires/pacejka2002.toml\"",
			"function = \"Fiala\"\nfile = \"../tires/fiala_generic4w.toml\"", 4)
	}
	if slip == "carcass" {
		replace("method = \"delayed\"\nrelaxation", "method = \"carcass\"\nrelaxation", 4)
	}
	if method, ok := map[string]string{"kinematic": `method = "kinematic"`,
		"creeping": "method = \"kinematic\"\nminimum_speed = 0.005"}[slip]; ok {
		replace("method = \"delayed\"\nrelaxation = { function = \"StretchedString\", file = "+
			"\"../tires/stretched_string.toml\" }", method, 4)
	}
	r := fromText(t, edited, "")
	if err := r.in.SetText("solver.method", "linearly-implicit"); err != nil {
		t.Fatal(err)
	}
	return r
}

// braked sets the same torque on all wheels.
func braked(torque float64) input {
	return func(r *run, _ float64) {
		for _, c := range corners {
			r.set("brake_"+c+".torque", torque)
		}
	}
}

const generic4wWeight = (2077 + 4*(28+10)) * 9.81 // N

var tireForces = []string{"Fx", "Fy", "Fz"}

// hold checks a braked vehicle for a minute, or in thinned runs for a quarter of a minute: it neither creeps nor
// chatters.
func (r *run) hold(what string, torque, from float64) {
	r.Helper()
	seconds := testrun.Either(15, 60)
	x, y := r.get("body.x"), r.get("body.y")
	lowest, highest := map[string]float64{}, map[string]float64{}
	for _, c := range corners {
		for _, f := range tireForces {
			lowest[c+f], highest[c+f] = math.Inf(1), math.Inf(-1)
		}
	}
	for second := range seconds {
		for part := range 20 { // 50 ms, and once per second the single steps
			end := from + float64(second) + float64(part+1)*0.05
			r.drive(braked(torque), 0.001, end)
			for _, c := range corners {
				for _, f := range tireForces {
					v := r.get("tire_" + c + "." + f)
					lowest[c+f], highest[c+f] = min(lowest[c+f], v), max(highest[c+f], v)
				}
			}
		}
	}
	creep := math.Hypot(r.get("body.x")-x, r.get("body.y")-y)
	jitter := 0.0
	for name := range lowest {
		jitter = max(jitter, highest[name]-lowest[name])
	}
	r.Logf("%s: creeps %.2g mm in %d s, forces change by %.2g %% of the weight", what, 1e3*creep,
		seconds, 100*jitter/generic4wWeight)
	if !(creep < 1e-3*float64(seconds)/60) {
		r.Errorf("%s: creeps %g mm in %d s", what, 1e3*creep, seconds)
	}
	if !(jitter < 0.01*generic4wWeight) {
		r.Errorf("%s: forces change by %g %% of the weight", what, 100*jitter/generic4wWeight)
	}
}

// TestBrakesHoldOnASlope: braking to a stop on a slope of 10 %, uphill and downhill, and
// standing for a minute.
func TestBrakesHoldOnASlope(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	for i, function := range []string{"Pacejka02", "Fiala"} {
		for j, slip := range []string{"delayed", "kinematic"} {
			for k, grade := range []float64{0.1, -0.1} {
				if !cosim.Picked(2, i, j, k) {
					continue
				}
				r := standing(t, grade, function, slip)
				r.set("body.vx", 5)
				r.start(noInput)
				r.drive(braked(1500), 0.001, 8)
				r.hold(fmt.Sprintf("%s, %s slip, grade %g", function, slip, grade), 1500, 8)
			}
		}
	}
}

// TestPullingAway: released on a slope the vehicle rolls backwards according to its mass and the slope, is stopped
// again, and holds.
func TestPullingAway(t *testing.T) {
	testrun.Slow(t)
	for _, slip := range []string{"delayed", "kinematic"} {
		r := standing(t, 0.1, "Pacejka02", slip)
		r.set("body.vx", 2)
		r.start(noInput)
		r.drive(braked(1500), 0.001, 6)
		v := r.get("body.vx")
		r.drive(braked(0), 0.001, 8)
		const rolling, wheels = 0.01, 4 * 1.56 / (0.35 * 0.35) // QSy1; inertia of the wheels, kg
		angle := math.Atan(0.1)
		want := -2 * generic4wWeight * (math.Sin(angle) - rolling*math.Cos(angle)) / (generic4wWeight/9.81 + wheels)
		if got := r.get("body.vx") - v; !(math.Abs(got-want) < 0.02*-want) {
			t.Errorf("%s: 2 s after the brakes are off the speed is %g m/s, want about %g", slip, got, want)
		}
		r.drive(braked(1500), 0.001, 12)
		r.hold(slip+" slip, stopped rolling backwards", 1500, 12)
	}
}

// TestLockedWheelsSlideToAStop: brakes far stronger than the friction of the road.
func TestLockedWheelsSlideToAStop(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	for _, slip := range []string{"delayed", "kinematic"} {
		r := standing(t, 0, "Pacejka02", slip)
		r.set("road.mu", 0.5)
		r.start(noInput)
		for at := 0.5; at <= 3; at += 0.5 {
			r.drive(braked(6000), 0.001, at)
			for _, c := range corners {
				if w := r.get("wheel_" + c + ".omega"); !(math.Abs(w) < 1) {
					t.Errorf("%s: wheel %s turns with %g rad/s at %g s", slip, c, w, at)
				}
			}
		}
		// sliding friction of Table A.4 is about 0.9 of its peak
		if v := r.get("body.vx"); !(v > 3 && v < 12) {
			t.Errorf("%s: after 3 s of locked wheels the speed is %g m/s", slip, v)
		}
		r.drive(braked(6000), 0.001, 10)
		r.hold(slip+" slip, stopped with locked wheels", 6000, 10)
	}
}

// TestLiftOffAndLanding: dropped from 30 cm at 10 m/s, the vehicle lands and settles.
func TestLiftOffAndLanding(t *testing.T) {
	for _, slip := range []string{"delayed", "kinematic"} {
		r := standing(t, 0, "Pacejka02", slip)
		r.set("body.vx", 10)
		r.set("body.z", 0.8995+0.3)
		r.start(noInput)
		r.drive(noInput, 0.001, 0.1)
		for _, c := range corners {
			r.near("tire_"+c+".Fz", 0, 0)
		}
		r.near("body.z", 0.8995+0.3-9.81/2*0.01, 0.02)
		r.drive(noInput, 0.001, 8)
		sum := 0.0
		for _, c := range corners {
			sum += r.get("tire_" + c + ".Fz")
		}
		if !(math.Abs(sum-generic4wWeight) <= 0.002*generic4wWeight) {
			t.Errorf("%s: landed, the tires bear %g N of %g N", slip, sum, generic4wWeight)
		}
		if v := r.get("body.vx"); !(v > 8 && v < 10) {
			t.Errorf("%s: landed, the speed is %g m/s of 10", slip, v)
		}
	}
}

// From 1 m/s on, kinematic slip follows from the velocities alone, with or without a carcass to stand on. The results
// agree to rounding, because the programs sum velocities in different orders.
func TestKinematicSlipAtSpeed(t *testing.T) {
	t.Parallel()
	var ends [2][]float64
	for i, slip := range []string{"kinematic", "creeping"} {
		r := standing(t, 0, "Pacejka02", slip)
		if err := r.in.SetText("solver.method", "rk4"); err != nil {
			t.Fatal(err)
		}
		r.set("body.vx", 20)
		for _, c := range corners {
			r.set("wheel_"+c+".omega", 20/0.35)
		}
		r.start(noInput)
		for k := range 30 {
			r.drive(func(r *run, time float64) {
				r.set("steer_FL.angle", 0.05*math.Sin(6*time))
				r.set("steer_FR.angle", 0.05*math.Sin(6*time))
				for _, c := range corners {
					r.set("brake_"+c+".torque", 400)
				}
			}, 0.001, 0.1*float64(k+1))
			for _, name := range []string{"body.x", "body.y", "body.yaw", "body.vx", "tire_FL.kappa", "tire_FR.alpha",
				"tire_RR.Fy", "wheel_RL.omega"} {
				ends[i] = append(ends[i], r.get(name))
			}
		}
		if v := r.get("body.vx"); !(v > 2 && v < 19) {
			t.Errorf("%s: %g m/s at the end", slip, v)
		}
	}
	for k, with := range ends[0] {
		if without := ends[1][k]; !(math.Abs(with-without) <= 1e-12*max(1, math.Abs(without))) {
			t.Errorf("value %d: with a carcass %.17g, without one %.17g", k, with, without)
		}
	}
}
