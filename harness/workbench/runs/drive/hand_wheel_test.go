package drive

import (
	"math"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/runs/manoeuvre"
)

const throughABend = `name = "bend"
title = "Step of the steering wheel, then a bend"
models = ["GenericVehicle"]
step = 0.01

[steering]
drivers = DRIVERS
RATIO

[path_follower]
body = "body"
preview = 0.5
proportional = 2.0
integral = 1.0
lag = 0.1
rate = 10.0
limit = 8.0

[[phase]]
name = "step"
duration = 0.6
steering = { kind = "piecewise-linear", time = [0.1, 0.2], value = [0.0, 0.4] }

[[phase]]
name = "bend"
duration = 0.6
path = { kind = "circle", radius = 150.0, laps = 1 }
`

// bends makes the manoeuvre with a vehicle.
func bends(t *testing.T) func(path, drivers, ratio string) (*Result, error) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	return func(path, drivers, ratio string) (*Result, error) {
		vehicle, err := library.Load(path, "")
		if err != nil {
			t.Fatal(err)
		}
		defer vehicle.Close()
		m, err := manoeuvre.Parse("bend.toml",
			[]byte(strings.NewReplacer("DRIVERS", drivers, "RATIO", ratio).Replace(throughABend)))
		if err != nil {
			return nil, err
		}
		return Simulate(vehicle, Plan{Manoeuvre: m})
	}
}

// A manoeuvre steers a car with a steering component like a car without. It turns the steering wheel of the first by
// the angle, and the motion drivers of the second by the angle divided by the ratio.
func TestHandWheelsOfVehiclesAreTurnedThemselves(t *testing.T) {
	with := built.WithMore(t,
		`[component.steering]
type = "steering"
ratio = 16
wheels = [{ driver = "steer_FL" }, { driver = "steer_FR" }]
`)
	run := bends(t)
	plain, err := run(built.Model("generic4w"), `["steer_FL", "steer_FR"]`, "ratio = 16")
	if err != nil {
		t.Fatal(err)
	}
	steered, err := run(with, `["steering"]`, "")
	if err != nil {
		t.Fatal(err)
	}
	if plain.Turns != 16 || plain.Ratio != 16 || steered.Turns != 1 || steered.Ratio != 16 {
		t.Errorf("the steering wheel turns %g and %g times what is driven, ratios are %g and %g", plain.Turns,
			steered.Turns, plain.Ratio, steered.Ratio)
	}
	for _, name := range []string{"body.wz", "body.y", "tire_FL.Fy"} {
		a, b := plain.Trace.Column(name), steered.Trace.Column(name)
		for i := range a {
			if !(math.Abs(a[i]-b[i]) <= 1e-7*(1+math.Abs(a[i]))) {
				t.Errorf("%s at %g s is %g without a steering, %g with one", name, plain.Trace.Time[i], a[i], b[i])
				break
			}
		}
	}
	if largest := max(steered.Trace.Column("body.wz")[60], 0); !(largest > 0.05) {
		t.Errorf("after the step the car turns with %g rad/s only", largest)
	}
	for _, c := range [][3]string{
		{`["steer_FL", "steer_FR"]`, "ratio = 16", "steer_FL.angle is an output"},
		{`["steering"]`, "ratio = 16", "steering has a steering wheel with its own ratio"},
		{`["steering", "steer_FR"]`, "", "steer_FR has no steering ratio"},
	} {
		if _, err := run(with, c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: error %v does not say %q", c[0], err, c[2])
		}
	}
}

// A rack takes the angle of the steering wheel divided by a ratio in rad/m, by the manoeuvre or by a steering. The
// ratio of road wheels is not known then.
func TestRacksAreShifted(t *testing.T) {
	const slide = `[component.rack]
type = "motion-driver"
kind = "translation"
from = "body"
to = "bar"
axis = "y"
[component.bar]
type = "rigid-body"
mass = 2
inertia = { xx = 0.1, yy = 0.01, zz = 0.1 }
`
	run := bends(t)
	plain := built.WithMore(t, slide)
	given, err := run(plain, `["rack"]`, `ratio = "125 rad/m"`)
	if err != nil {
		t.Fatal(err)
	}
	led, err := run(built.WithMore(t, slide+`[component.steering]
type = "steering"
rack = { driver = "rack", travel_per_turn = 0.008 }
`), `["steering"]`, "")
	if err != nil {
		t.Fatal(err)
	}
	if given.Turns != 125 || led.Turns != 1 || !math.IsNaN(given.Ratio) || !math.IsNaN(led.Ratio) {
		t.Errorf("the steering wheel turns %g and %g times what is driven, ratios are %g and %g", given.Turns, led.Turns,
			given.Ratio, led.Ratio)
	}
	if x := led.Trace.Column("rack.position")[50]; math.Abs(x-0.0032) > 1e-12 {
		t.Errorf("the rack is at %g m, want 3.2 mm", x)
	}
	for _, name := range []string{"body.vy", "body.wz"} {
		a, b := given.Trace.Column(name)[50], led.Trace.Column(name)[50]
		if !(math.Abs(a-b) <= 1e-9) || a == 0 {
			t.Errorf("%s is %g with the rack given, %g with a steering", name, a, b)
		}
	}
	for _, c := range [][2]string{
		{"ratio = 16", "rack is a rack, and the ratio 16 is that of road wheels; give the steering-wheel angle by the " +
			"travel"},
		{`ratio = "16 m"`, `ratio is "16 m": m is not a unit for what must be in rad/m, nor in 1`},
	} {
		if _, err := run(plain, `["rack"]`, c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: error %v does not say %q", c[0], err, c[1])
		}
	}
	const turned = "steer_FL turns, and the ratio, 16 rad/m, belongs to the travel of a rack"
	if _, err := run(plain, `["steer_FL"]`, `ratio = "16 rad/m"`); err == nil || !strings.Contains(err.Error(), turned) {
		t.Errorf("error %v does not say %q", err, turned)
	}
}
