package cosim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// A trimmed vehicle continues as it starts: it carries its weight, and neither height, attitude nor yaw rate change,
// for any start of the search.
func TestTrimmedVehicleKeepsItsMotion(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	const generic, skidder, truck = 9.81 * (2077 + 4*38), 0, 9.81 * (14600 + 6*150 + 2*110 + 4*220)
	for _, c := range []struct {
		model, body string
		weight      float64 // N, 0: not checked
		start       map[string]float64
	}{
		{"generic4w", "body", generic, nil},
		{"generic4w", "body", generic, map[string]float64{"body.vx": 35}},
		{"generic4w", "body", generic, map[string]float64{"body.vx": -3}},
		{"generic4w_fiala", "body", generic, map[string]float64{"body.pitch": 0.01}},
		{"generic4w_fiala", "body", generic, map[string]float64{"body.pitch": 0.01, "body.roll": 0.01, "body.z": 0.88,
			"susp_FL.s": 0.55}},
		{"generic4w_fiala", "body", generic, map[string]float64{"steer_FL.angle": 0.01, "steer_FR.angle": 0.01}},
		{"skidder", "front", skidder, nil},
		{"skidder", "front", skidder, map[string]float64{"front.z": 1.38, "wheel_FL.omega": 3}},
		{"skidder", "front", skidder, map[string]float64{"articulation.angle": 0.05}},
		{"truck3", "body", truck, map[string]float64{"body.vx": 5}},
		// the air lifts it
		{"passenger_car", "body", 0, map[string]float64{"steering.angle": 0.38, "engine.throttle": 0.3}},
	} {
		r := instance(t, load(t, c.model, ""), "rk4", 0.001)
		for name, v := range c.start {
			r.set(name, v)
		}
		result, err := r.in.Trim()
		if err != nil {
			t.Errorf("%s %v: %v", c.model, c.start, err)
			continue
		}
		r.start(noInput)
		// a deceleration along the pitched axis of the vehicle has a vertical part
		pitch, roll := r.get(c.body+".pitch"), r.get(c.body+".roll")
		up := -math.Sin(pitch)*r.get(c.body+".ax") + math.Cos(pitch)*(math.Sin(roll)*r.get(c.body+".ay")+
			math.Cos(roll)*r.get(c.body+".az"))
		if load, want := r.load(), c.weight*(1+up/9.81); c.weight != 0 && !(math.Abs(load-want) <= 2e-5*want) {
			t.Errorf("%s %v: the wheels carry %g N, the vehicle weighs %g N and rises at %g m/s^2", c.model, c.start,
				load, c.weight, up)
		}
		quantities := []string{".z", ".pitch", ".roll", ".wz"}
		var first []float64
		for _, q := range quantities {
			first = append(first, r.get(c.body+q))
		}
		r.drive(noInput, 0.001, 0.5)
		// rolling resistance changes the speed slowly, and with it the other quantities
		for i, q := range quantities {
			if d := r.get(c.body+q) - first[i]; !(math.Abs(d) <= 5e-4) {
				t.Errorf("%s %v: %s%s moves by %g in 0.5 s (trim %+v)", c.model, c.start, c.body, q, d, result)
			}
		}
	}
}

// Trim finds rest if the speed of travel in the model file is set to 0, whatever other start values remain, and if all
// speeds are 0. The vehicle stands, also with brakes against its engine. With the engine driving it, there is no rest.
func TestTrimFindsRest(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	for _, c := range []struct {
		model, body string
		weight      float64 // N
		start       map[string]float64
		says        string
	}{
		{"passenger_car", "body", 9.81 * (965.7 + 4*31.9), map[string]float64{"body.vx": 0}, ""},
		{"passenger_car", "body", 9.81 * (965.7 + 4*31.9), map[string]float64{"body.vx": 0, "body.vz": 0, "body.z": 0.62,
			"wheel_FL.omega": 0, "wheel_FR.omega": 0, "wheel_RL.omega": 0, "wheel_RR.omega": 0}, ""},
		{"passenger_car", "body", 9.81 * (965.7 + 4*31.9), map[string]float64{"body.vx": 0, "engine.throttle": 0.5,
			"brakes.torque": 5000}, ""},
		{"passenger_car", "body", 0, map[string]float64{"body.vx": 0, "engine.throttle": 0.5},
			"iterations the rate of wheel_R"},
		{"passenger_car", "body", 0, map[string]float64{"body.vx": 0, "body.vz": -0.1},
			"no steady state found with body.vz = -0.1 m/s"},
		{"generic4w_carcass", "body", 9.81 * (2077 + 4*38), map[string]float64{"body.vx": 0}, ""},
		{"skidder_carcass", "front", 0, map[string]float64{"front.vx": 0}, ""},
	} {
		r := instance(t, load(t, c.model, ""), "rk4", 0.001)
		for name, v := range c.start {
			r.set(name, v)
		}
		_, err := r.in.Trim()
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s %v: %v; want %s", c.model, c.start, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %v: %v", c.model, c.start, err)
			continue
		}
		r.start(noInput)
		if load := r.load(); c.weight != 0 && !(math.Abs(load-c.weight) <= 1e-6*c.weight) {
			t.Errorf("%s %v: the wheels carry %g N, the vehicle weighs %g N", c.model, c.start, load, c.weight)
		}
		var first [4]float64
		quantities := [...]string{".x", ".z", ".pitch", ".roll"}
		for i, q := range quantities {
			first[i] = r.get(c.body + q)
		}
		r.drive(noInput, 0.001, 0.5)
		for i, q := range quantities {
			if d := r.get(c.body+q) - first[i]; !(math.Abs(d) <= 1e-6) {
				t.Errorf("%s %v: %s%s moves by %g in 0.5 s", c.model, c.start, c.body, q, d)
			}
		}
	}
}

// load sums the vertical forces of all tires [N].
func (r *run) load() float64 {
	sum := 0.0
	for _, v := range r.sys.Variables() {
		if strings.HasPrefix(v.Name, "tire_") && strings.HasSuffix(v.Name, ".Fz") {
			sum += r.get(v.Name)
		}
	}
	return sum
}

// The static state does not depend on the start of the search.
func TestTrimForgetsTheStart(t *testing.T) {
	sys := load(t, "generic4w_fiala", "")
	var first []float64
	for _, pitch := range []float64{0, 0.01, -0.02} {
		r := instance(t, sys, "rk4", 0.001)
		r.set("body.pitch", pitch)
		if _, err := r.in.Trim(); err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"body.z", "body.pitch", "body.vz", "susp_FL.s", "susp_RR.s",
			"wheel_FL.omega", "tire_FL.q1"} {
			if first = append(first, r.get(name)); !(math.Abs(r.get(name)-first[i]) <= 1e-6) {
				t.Errorf("from a pitch of %g: %s = %g, else %g", pitch, name, r.get(name), first[i])
			}
		}
	}
}

// Steady turns follow the front wheels: the yaw rate is between neutral steering, v delta / L, and zero, to the left
// for a positive angle. The wheelbase is 1.353 + 1.487 = 2.84 m.
func TestTrimFindsTheTurnOfTheFrontWheels(t *testing.T) {
	for _, angle := range []float64{0.01, -0.01} {
		r := instance(t, load(t, "generic4w_fiala", ""), "rk4", 0.001)
		r.set("steer_FL.angle", angle)
		r.set("steer_FR.angle", angle)
		if _, err := r.in.Trim(); err != nil {
			t.Fatal(err)
		}
		r.start(noInput)
		share := r.get("body.wz") / (r.get("body.vx") * angle / 2.84)
		if !(share >= 0.3 && share <= 1.2) {
			t.Errorf("at %g rad the yaw rate is %g rad/s, %.2f of that of rolling without slip", angle,
				r.get("body.wz"), share)
		}
		if ay, want := r.get("body.ay"),
			r.get("body.vx")*r.get("body.wz"); !(math.Abs(ay-want) <= 2e-2*math.Abs(want)+1e-9) {
			t.Errorf("lateral acceleration %g m/s^2, vx wz = %g m/s^2", ay, want)
		}
	}
}

func TestFailedTrimNamesTheReasonAndKeepsTheStart(t *testing.T) {
	for _, c := range []struct {
		what     string
		start    map[string]float64
		fragment string
	}{
		{"in the air", map[string]float64{"body.z": 1000}, "touch the road"},
		{"drive torque", map[string]float64{"drive_RL.torque": 1e6}, "(beside it "},
		{"no mass", map[string]float64{"body.mass": 0}, "no steady state"},
	} {
		r := instance(t, load(t, "generic4w_fiala", ""), "rk4", 0.001)
		for name, v := range c.start {
			r.set(name, v)
		}
		before := r.settable()
		if _, err := r.in.Trim(); err == nil || !strings.Contains(err.Error(), c.fragment) {
			t.Errorf("%s: error %v, want one about %q", c.what, err, c.fragment)
		}
		for i, v := range r.settable() {
			if v != before[i] {
				t.Errorf("%s: variable %d changed from %g to %g", c.what, i, before[i], v)
			}
		}
	}
	r := instance(t, load(t, "generic4w_fiala", ""), "rk4", 0.001)
	r.start(noInput)
	if _, err := r.in.Trim(); err == nil {
		t.Error("trim after initialisation was accepted")
	}
}

// settable lists the values that can be set before initialisation.
func (r *run) settable() []float64 {
	var list []float64
	for _, v := range r.sys.Variables() {
		if v.Kind <= cosim.Input || v.Initial {
			list = append(list, r.get(v.Name))
		}
	}
	return list
}

// Driving down a hill is as steady as driving on a level road under inclined gravity: position and height change
// together, which disturbs nothing.
func TestTrimFindsTheSteadyMotionOnAHill(t *testing.T) {
	const slope = 0.12 // downhill ahead: positive about y
	level := vehicleOn(t, fmt.Sprintf("[%.17g, 0, %.17g]", 9.81*math.Sin(slope), -9.81*math.Cos(slope)), "",
		"position = [0, 0, 1.4], velocity = [8, 0, 0]")
	hill := vehicleOn(t, "9.81", fmt.Sprintf("angles = [0, %g, 0]\nsequence = \"321\"", slope),
		fmt.Sprintf("position = [%.17g, 0, %.17g], angles = [0, %g, 0], velocity = [8, 0, 0]", 1.4*math.Sin(slope),
			1.4*math.Cos(slope), slope))
	for _, r := range []*run{level, hill} {
		if _, err := r.in.Trim(); err != nil {
			t.Fatal(err)
		}
		r.start(noInput)
	}
	for _, q := range []string{"front.vx", "front.vz", "tire_FL.Fz", "tire_RR.Fz", "wheel_FR.omega"} {
		want := level.get(q)
		hill.near(q, want, 1e-6*max(1, math.Abs(want)))
	}
	if pitch, want := hill.get("front.pitch"), level.get("front.pitch")+slope; !(math.Abs(pitch-want) <= 1e-7) {
		t.Errorf("pitch %g rad on the hill, want %g rad", pitch, want)
	}
}

// A model without states stands still with any inputs.
func TestTrimOfATireWithoutStatesHasNothingToDo(t *testing.T) {
	r := instance(t, load(t, "tire_pacejka2002", ""), "rk4", 0.001)
	if result, err := r.in.Trim(); err != nil || result.Residual != 0 {
		t.Errorf("%+v, %v", result, err)
	}
	r.start(noInput)
	if err := r.in.Step(0.1); err != nil {
		t.Error(err)
	}
}
