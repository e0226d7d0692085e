package manoeuvre

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/model/document"
)

// All drivers of the passenger car follow from roles. The speed control opens the throttle by 2 for each m/s below the
// target, with the opposite sign in reverse gear. Stops and figures use the parts of the car, and its wheels roll at
// the start.
func TestDriversFollowFromRoles(t *testing.T) {
	file, err := Open(shipped(t, "passenger_car"), built.Manoeuvre("brake"))
	if err != nil {
		t.Fatal(err)
	}
	for gear, gain := range map[float64]float64{1: 2, -3.5: -2} {
		m, err := file.With(ConstantValue{Name: "gear", Value: gear}, ConstantValue{Name: "speed", Value: 20})
		if err != nil {
			t.Fatal(err)
		}
		c := m.SpeedControl
		if c.Variable != "body.vx" || c.Proportional != gain || c.Integral != gain || c.Least != 0 || c.Limit != 1 {
			t.Errorf("gear %g: speed control %+v", gear, c)
		}
		start := map[string]float64{}
		for _, s := range m.Start {
			start[s.Variable] = s.Value
		}
		if start["body.vx"] != 20 || start["engine.ratio"] != gear ||
			math.Abs(start["wheel_FL.omega"]*0.3053-20) > 1e-12 || math.Abs(start["wheel_RR.omega"]*0.305-20) > 1e-12 {
			t.Errorf("start %v", start)
		}
		verdicts := map[string]ConditionKind{"rolled over": Above, "spun": Below, "left the ground": Below}
		for _, stop := range m.Stops {
			if kind, known := verdicts[stop.Verdict]; !known || stop.When.Kind != kind {
				t.Errorf("stop %q by kind %d", stop.Verdict, stop.When.Kind)
			}
		}
		if spun := m.Stops[1].When; spun.Law.Value([]float64{-2 * gear}) >= spun.Bound {
			t.Errorf("gear %g: a car that goes backwards has not spun", gear)
		}
		if !slices.Equal(m.KeyFigures.Front, []string{"tire_FL", "tire_FR"}) ||
			!slices.Equal(m.KeyFigures.Rear, []string{"tire_RL", "tire_RR"}) {
			t.Errorf("front %q, rear %q", m.KeyFigures.Front, m.KeyFigures.Rear)
		}
		if m.Steering.Ratio != 0 || m.PathFollower.Body != "body" || m.PathFollower.Preview != 0.8 {
			t.Errorf("steering %+v, path follower %+v", m.Steering, m.PathFollower)
		}
	}
}

// The driver turns a direct steering of a short car less, by its ratio and wheelbase over 15 and 2.6 m. Below 7.8 m/s
// he turns the steering wheel by the angle that leads without side slip through the point ahead, down to standstill.
func TestDriversOfDirectSteering(t *testing.T) {
	for model, share := range map[string]float64{"passenger_car": 1, "formula_student": 4.86 * 1.55 / (15 * 2.6)} {
		file, err := Open(shipped(t, model), built.Manoeuvre("brake"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := file.With()
		if err != nil {
			t.Fatal(err)
		}
		f := m.PathFollower
		if math.Abs(f.Proportional-2*share) > 1e-12 || math.Abs(f.Integral-share) > 1e-12 {
			t.Errorf("%s: path follower %+v, not with %v of the usual angles", model, f, share)
		}
		// on a circle that begins at the preview point, the angle is the kinematic one, or the usual driver's
		const radius = 50.0
		for _, speed := range []float64{0, 1, 3.74, 3.76, 6, 7, 7.8, 8, 30} {
			offAhead := math.Pow(max(0.8*speed, 3), 2) / (2 * radius)
			want, got := share*15*2.6/radius, f.Gain(speed)*f.Proportional*math.Pow(f.Ahead(speed), 2)/(2*radius)
			if speed > 7.807 {
				want = 2 * share * offAhead
			}
			if !(math.Abs(got-want) < 1e-9) {
				t.Errorf("%s at %g m/s: %g rad, want %g", model, speed, got, want)
			}
		}
	}
}

// Roles of the vehicle take precedence over a car file found by the name of the model, and a car file named by the user
// takes precedence over both.
func TestTheOrderOfRoles(t *testing.T) {
	path := toyCars(t, forAnyCar, toyCarFile)
	own := shipped(t, "generic4w").Roles
	body := func(target Target) string {
		r, err := target.open(path, "cars")
		if err != nil {
			t.Fatal(err)
		}
		return r.roles.Axles[0].Wheels()[0].Tire
	}
	named := Target{Model: "Toy", Roles: own, Car: filepath.Join(filepath.Dir(path), "cars", "toy.toml")}
	for want, target := range map[string]Target{"tire_FL": {Model: "Toy", Roles: own}, "tire_F": {Model: "Toy"}} {
		if got := body(target); got != want {
			t.Errorf("the first tire is %s, want %s", got, want)
		}
	}
	plain, err := document.Parse([]byte("[roles]\naxles = [[\"tire_O\"], [\"tire_P\"]]\n"), "own.toml")
	if err != nil {
		t.Fatal(err)
	}
	named.Roles = plain.Field("roles")
	if got := body(named); got != "tire_F" {
		t.Errorf("the first tire of a car file that is named is %s", got)
	}
}
