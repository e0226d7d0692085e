package manoeuvre

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/keys"
)

// measured is a manoeuvre whose numbers have units wherever they can.
const measured = `name = "measured"
title = "Units"
models = ["A"]
step = "1 ms"
[constants]
speed = "36 km/h"
half = "speed/2"
delta = "90 deg"
[parameters]
"body.mass" = "1.2 t"
"road.file" = "3 roads.csv"
[start]
"body.vx" = "speed"
"body.yaw" = "180 deg"
[sweep]
speed = [1, "36 km/h"]
[steering]
drivers = ["steering"]
[speed_control]
variable = "body.vx"
torques = ["drive.torque"]
proportional = "2 kN.s"
integral = 0
limit = "3 kN.m"
[path_follower]
body = "body"
preview = "800 ms"
proportional = "180 deg/m"
integral = "90 deg/m/s"
lag = 0.1
rate = "360 deg/s"
limit = "1 rev"
[[stop]]
verdict = "far"
when = { formula = "body.y", above = "2 km" }
[[phase]]
name = "first"
until = { formula = "body.vx", crosses = "72 km/h" }
timeout = "1 min"
steering = { kind = "steps", time = ["500 ms", 1], value = ["delta", "-90 deg"] }
speed = { kind = "constant", value = "speed" }
[[phase.input]]
variables = ["brake.torque"]
signal = { kind = "sine", amplitude = "2 kN.m", period = "0.5 min" }
[[phase]]
name = "second"
duration = 1
path = { kind = "points", x = [0, "2 km"], y = [0, "50 cm"] }
`

// Numbers with units are those in SI units, of keys, constants, signals, start values and parameters.
func TestManoeuvresHaveUnits(t *testing.T) {
	m, err := Parse("measured.toml", []byte(measured))
	if err != nil {
		t.Fatal(err)
	}
	first := m.Phases[0]
	steps := first.Inputs[1].Signal.(signal.Steps)
	values := map[string][2]float64{
		"step": {m.Step, 0.001}, "speed": {m.Constants[0].Value, 10}, "half": {m.Constants[1].Value, 5},
		"delta": {m.Constants[2].Value, math.Pi / 2}, "vx": {m.Start[0].Value, 10}, "yaw": {m.Start[1].Value, math.Pi},
		"swept": {m.Sweep[0].Values[1], 10}, "proportional": {m.SpeedControl.Proportional, 2000},
		"limit": {m.SpeedControl.Limit, 3000}, "preview": {m.PathFollower.Preview, 0.8},
		"gain": {m.PathFollower.Proportional, math.Pi}, "integral": {m.PathFollower.Integral, math.Pi / 2},
		"rate": {m.PathFollower.Rate, 2 * math.Pi}, "stop": {m.Stops[0].When.Bound, 2000},
		"crosses": {first.Until.Bound, 20}, "timeout": {first.Duration, 60}, "time": {steps.Time[0], 0.5},
		"left": {steps.Value[0], math.Pi / 2}, "right": {steps.Value[1], -math.Pi / 2},
		"amplitude": {first.Inputs[0].Signal.(signal.Sine).Amplitude, 2000},
		"period":    {first.Inputs[0].Signal.(signal.Sine).Period, 30},
		"x":         {m.Phases[1].Path.X[1], 2000}, "y": {m.Phases[1].Path.Y[1], 0.5},
	}
	for name, v := range values {
		if math.Abs(v[0]-v[1]) > 1e-12*math.Abs(v[1]) {
			t.Errorf("%s is %v, want %v", name, v[0], v[1])
		}
	}
	if s := m.Settings; s[0].Value != "1200" || !strings.HasSuffix(s[1].Value, "3 roads.csv") {
		t.Errorf("parameters %v", s)
	}
	if err := m.Start[1].Written.Fits("m/s"); err == nil || !strings.Contains(err.Error(),
		`measured.toml:14:14: "body.yaw" is "180 deg": deg is not a unit for what must be in m/s`) {
		t.Errorf("start value: %v", err)
	}
	if err := m.Settings[0].Written.Fits("N"); err == nil || !strings.Contains(err.Error(), "kgf") {
		t.Errorf("parameter: %v", err)
	}
	for _, fits := range []string{"kg", "?", "", "no unit of ours"} {
		if err := m.Settings[0].Written.Fits(fits); err != nil {
			t.Errorf("%q: %v", fits, err)
		}
	}
	if first.Inputs[0].Written.Fits("rad") == nil || first.Inputs[0].Written.Fits("N.m") != nil {
		t.Error("an input does not have the unit of its amplitude")
	}
}

// A wrong unit is one message with its position, also within a formula and for a constant that stands alone.
func TestWrongUnitsOfManoeuvres(t *testing.T) {
	for _, fault := range []struct{ old, by, want string }{
		{`step = "1 ms"`, `step = "1 mm"`, `:4:8: step is "1 mm": mm is not a unit for what must be in s`},
		{`"36 km/h"`, `"36km/h"`,
			`:6:9: constants.speed is "36km/h": between number and unit stands a blank: write "36 km/h"`},
		{`"36 km/h"`, `"36 kph"`, `:6:9: constants.speed is "36 kph": unit "kph" is not known`},
		{`"90 deg"`, `"1,5 rad"`, `:8:9: constants.delta is "1,5 rad": the decimal sign is a point: write "1.5 rad"`},
		{`"speed/2"`, `"speed + 3 km/h"`, `:7:8: constants.half is "speed + 3 km/h"; a unit stands behind a number alone`},
		{`"36 km/h"]`, `"36 deg"]`, `:16:13: sweep.speed is "36 deg": deg is not a unit for what must be in m/s`},
		{`"800 ms"`, `"800 m"`, `path_follower.preview is "800 m": m is not a unit for what must be in s`},
		{`"360 deg/s"`, `"60 Hz"`, `path_follower.rate is "60 Hz": Hz is not a unit for what must be in rad/s; write rev/s`},
		{`"-90 deg"`, `"-90 km/h"`, `phase[0].steering.value is "-90 km/h": km/h is not a unit for what must be in rad`},
		{`["delta"`, `["speed"`, `phase[0].steering.value is "speed": m/s is not a unit for what must be in rad`},
		{`value = "speed"`, `value = "delta"`, `phase[0].speed.value is "delta": rad is not a unit for what must be in m/s`},
		{`timeout = "1 min"`, `timeout = "delta"`, `phase[0].timeout is "delta": rad is not a unit for what must be in s`},
		{`"0.5 min"`, `"0.5 Hz"`, `phase[0].input[0].signal.period is "0.5 Hz": Hz is not a unit for what must be in s`},
		{`"2 km"]`, `"2 kg"]`, `phase[1].path.x[1] is "2 kg": kg is not a unit for what must be in m`},
		{`"3 kN.m"`, `"1e308 kN.m"`, `speed_control.limit is "1e308 kN.m", which is not a finite number`},
		{`"1.2 t"`, `"1.2 tons"`, `parameters.body.mass is "1.2 tons": unit "tons" is not known`},
	} {
		_, err := Parse("measured.toml", []byte(strings.Replace(measured, fault.old, fault.by, 1)))
		if err == nil || !strings.Contains(err.Error(), fault.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\nwant %s", fault.by, err, fault.want)
		}
	}
}

// Brakes of any car take a deceleration; options of characteristic values have units.
func TestUnitsOfRolesAndFigures(t *testing.T) {
	file := toyCars(t, `name = "b"
title = "B"
cars = "cars"
step = 0.001
duration = 1
[constants]
speed = 3
[[input]]
variables = ["@brake"]
signal = { kind = "constant", value = "0.5 g0" }
`, toyCarFile)
	m, err := ReadFor(Target{Model: "Toy"}, file)
	if err != nil {
		t.Fatal(err)
	}
	if v, _, _ := m.Inputs[0].Signal.At(0); math.Abs(v-3*0.5*9.80665) > 1e-12 {
		t.Errorf("the brake gets %v", v)
	}
	if m.Inputs[0].Written.Fits("N.m") != nil {
		t.Error("the deceleration is compared with the unit of the torque")
	}
	for option, kind := range map[string]string{"read_at": "snaking", "from": "coast-down"} {
		list := figureKeys(figures.Find(kind))
		i := slices.IndexFunc(list, func(k keys.Key) bool { return k.Name == option })
		if i < 0 || list[i].Unit != "m/s" {
			t.Errorf("%s of %s is in none of %+v", option, kind, list)
		}
	}
}

// A constant of the manoeuvre without a unit takes the place of one of the car that has one.
func TestUnitsOfReplacedConstants(t *testing.T) {
	file := toyCars(t, `name = "b"
title = "B"
cars = "cars"
step = 0.001
duration = "lasts"
[constants]
speed = 3
lasts = 2
`, strings.Replace(toyCarFile, "[constants]\n", "[constants]\nlasts = \"1 m\"\n", 1))
	if m, err := ReadFor(Target{Model: "Toy"}, file); err != nil || m.Duration != 2 {
		t.Errorf("%v", err)
	}
}

// A unit of --let must match the unit of the number in the file, of a role, or of a use; if the unit of the constant is
// unknown, --let takes none.
func TestUnitsOfLet(t *testing.T) {
	file := toyCars(t, strings.Replace(forAnyCar, "speed = 20\n", `speed = 20
lateral = "4 m/s2"
lasts = 1
`, 1),
		strings.Replace(toyCarFile, `"speed*wide"`, `"lasts"`, 1))
	for _, test := range []struct{ name, value, want string }{
		{"lateral", "0.4 g0", ""},
		{"lateral", "4 kg", `--let: "lateral" is "4 kg": kg is not a unit for what must be in m/s2`},
		{"lasts", "2 m", ""}, // the vehicle tells the unit of the start value
		{"steering_ratio", "15 m", `--let: "steering_ratio" is "15 m": m is not a unit for what must be in 1`},
		{"side", "1 m", `.toml:9:8: --let: "side" is "1 m": the constant is given without a unit, and no use tells it; ` +
			"give a number without a unit, in SI units, or write the unit behind the constant's number in its file"},
	} {
		x, written, _, err := constants.ParseWritten("--let", test.name, test.value)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ReadFor(Target{Model: "Toy"}, file, ConstantValue{Name: test.name, Value: x, Written: written})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s = %s: %v\nwant %s", test.name, test.value, err, test.want)
		}
	}
}
