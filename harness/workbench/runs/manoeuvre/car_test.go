package manoeuvre

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/results/figures"
	"skidpad/model/document"
)

// shipped is a vehicle of the repository.
func shipped(t testing.TB, name string) Target {
	t.Helper()
	file := built.Path("resources", "models", name+".toml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := document.Parse(text, file)
	if err != nil {
		t.Fatal(err)
	}
	return Target{Model: root.Field("name").Text, File: file, Roles: root.Field("roles")}
}

// toyCars writes a manoeuvre for any car and the file of the toy, and returns the manoeuvre's path.
func toyCars(t *testing.T, manoeuvre, car string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"straight.toml": manoeuvre, "cars/toy.toml": car,
		"cars/other.toml": `models = ["Other"]`} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "straight.toml")
}

const toyCarFile = `models = ["Toy"]
[constants]
width = 1.5
wide = "2*width"
[roles]
chassis = "body"
axles = [["tire_F"], ["tire_R"]]
throttle = { input = "engine.throttle" }
brake = [{ input = "brake.torque", factor = 3 }]
steering = { drivers = ["steer"], ratio = 16 }
[start]
"body.y" = "speed*wide"
[[stop]]
verdict = "spun"
when = { formula = "body.vx", below = -1.0 }
`

const forAnyCar = `name = "straight"
title = "Straight"
cars = "cars"
step = 0.01
[constants]
speed = 20
side = "wide/3"
[[phase]]
name = "track"
duration = 6.0
steering = { kind = "constant", value = 0.0 }
[[phase.input]]
variables = ["@brake"]
signal = { kind = "constant", value = 200.0 }
[figures]
kind = "lane-change"
body_front = 2
body_rear = 2
body_width = "width"
[track]
start = 10
[[track.section]]
length = 80
left = 0.75
right = -0.75
`

// What a car's file says counts where the manoeuvre is silent, and formulas of both know the constants of both.
func TestManoeuvresForAnyCar(t *testing.T) {
	path := toyCars(t, forAnyCar, toyCarFile)
	m, err := ReadFor(Target{Model: "Toy"}, path, ConstantValue{Name: "width", Value: 3})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Constants; got[len(got)-1] != (ConstantValue{Name: "side", Value: 2}) ||
		m.Start[0] != (StartValue{Variable: "body.vx", Value: 20}) ||
		m.Start[1] != (StartValue{Variable: "body.y", Value: 120}) || m.Models[0] != "Toy" {
		t.Errorf("constants %v, start %v, models %v", got, m.Start, m.Models)
	}
	if value, _, _ := m.Phases[0].Inputs[0].Signal.At(1); value != 200*3 {
		t.Errorf("the brake is set to %g; the signal is 200, the factor 3", value)
	}
	if len(m.Stops) != 1 || m.Steering.Ratio != 16 || m.Phases[0].Inputs[0].Variables[0] != "brake.torque" ||
		m.SpeedControl.Torques[0] != "engine.throttle" || m.SpeedControl.Limit != 1 {
		t.Errorf("stops %v, steering %v, inputs %v", m.Stops, m.Steering, m.Phases[0].Inputs)
	}
	for _, c := range []struct{ manoeuvre, car, model, says string }{
		{forAnyCar, toyCarFile, "Fish", "Fish lacks roles that straight needs: chassis, axles, steering, brake. Write " +
			"them into [roles] of its model file, or give --car FILE"},
		{forAnyCar, toyCarFile, "", `no model is named`},
		{strings.Replace(forAnyCar, `"@brake"`, `"@brak"`, 1), toyCarFile, "Toy",
			`straight.toml:13:14: @brak names no role; did you mean @brake?`},
		{strings.Replace(forAnyCar, `"@brake"`, `"@clutch", "@wind"`, 1), toyCarFile, "Toy",
			"Toy lacks roles that straight needs: clutch, wind"},
		{forAnyCar, strings.Replace(toyCarFile, `speed*wide`, `speed*wid`, 1), "Toy",
			`toy.toml:12:12: there is no constant "wid"`},
		{forAnyCar, strings.Replace(toyCarFile, `factor = 3`, `factor = -3`, 1), "Toy",
			`toy.toml:9:45: roles.brake.factor is -3; it must be above 0`},
		{forAnyCar, strings.Replace(toyCarFile, `, factor = 3`, ``, 1), "Toy",
			`Toy lacks roles that straight needs: brake.factor`},
		{strings.Replace(forAnyCar, "speed = 20\n", "", 1), toyCarFile, "Toy",
			`toy.toml:12:12: there is no constant "speed", which the formula "speed*wide" needs`},
		{strings.Replace(forAnyCar, `cars = "cars"`, "cars = \"cars\"\nmodels = [\"Toy\"]", 1), toyCarFile, "Toy",
			`both "models" and "cars"`},
		{forAnyCar, toyCarFile + "[brakes]\n", "Toy", `toy.toml:16:2: unknown key "brakes"`},
		{strings.Replace(forAnyCar, "right = -0.75", "right = 0.75", 1), toyCarFile, "Toy",
			`is not to the left of the right one`},
		{strings.Replace(forAnyCar, "left = 0.75\nright = -0.75\n", "aim = 1", 1), toyCarFile, "Toy",
			`an aim in a section without borders`},
		{forAnyCar + `[search]
constant = "speed"
unit = "m/s"
from = 20
to = 10
tolerance = 1
figure = "pass"
`, toyCarFile, "Toy", "a search from 20 to 10"},
		{forAnyCar + `[search]
constant = "spee"
unit = "m/s"
from = 20
to = 30
tolerance = 1
figure = "pass"
`, toyCarFile, "Toy", `there is no constant "spee"`},
	} {
		_, err := ReadFor(Target{Model: c.model}, toyCars(t, c.manoeuvre, c.car))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v\nwant ... %s", err, c.says)
		}
	}
}

// Beside car files may lie other files that name the model: a manoeuvre, a variant, a study. Without "cars" and
// "models" a manoeuvre is for any car that has the roles.
func TestOtherFilesBesideCarFiles(t *testing.T) {
	path := toyCars(t, strings.Replace(forAnyCar, `cars = "cars"`, `cars = "."`, 1), toyCarFile)
	for name, text := range map[string]string{
		"a.toml": `models = ["Toy"]
name = "a"
step = 0.01
`,
		"b.toml": "models = [\"Toy\"]\nbase = \"toy.toml\"\n",
		"c.toml": "models = [\"Toy\"]\nmanoeuvre = \"a.toml\"\n", "toy.toml": toyCarFile,
	} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := ReadFor(Target{Model: "Toy"}, path)
	if err != nil || filepath.Base(m.Car) != "toy.toml" {
		t.Errorf("%v, %+v", err, m)
	}
	path = toyCars(t, strings.NewReplacer("cars = \"cars\"\n", "", `"width"`, "1.5", `"wide/3"`, "1").Replace(forAnyCar),
		toyCarFile)
	_, err = ReadFor(Target{Model: "Toy"}, path)
	if err == nil ||
		!strings.Contains(err.Error(), "Toy lacks roles that straight needs: chassis, axles, steering, brake.") {
		t.Error(err)
	}
	root, err := document.Parse([]byte(toyCarFile), "toy.toml")
	if err != nil {
		t.Fatal(err)
	}
	m, err = ReadFor(Target{Model: "Toy", Roles: root.Field("roles")}, path)
	if err != nil || !m.ForAny || m.Phases[0].Inputs[0].Variables[0] != "brake.torque" {
		t.Errorf("%v, %+v", err, m)
	}
}

// Wheels that the role "spin" leaves out start as they roll at the speed of the manoeuvre, too, where the vehicle knows
// their variables. Where it does not, a note names them.
func TestWheelsStartRollingWithoutTheRoleSpin(t *testing.T) {
	car := strings.Replace(toyCarFile, "[start]", "rolling_radius = [0.3, 0.32]\n[start]", 1)
	said := `toy.toml: the roles have no "spin" for the wheels of `
	for _, c := range []struct {
		car   string
		spins map[string]string
		want  []StartValue
		says  string
	}{
		{car, map[string]string{"tire_F": "front.omega", "tire_R": "rear.omega"},
			[]StartValue{{Variable: "front.omega", Value: 200}, {Variable: "rear.omega", Value: 187.5}}, ""},
		{strings.Replace(car, "rolling", "spin = [[\"stated.omega\"], [\"wheel.omega\"]]\nrolling", 1),
			map[string]string{"tire_F": "front.omega"},
			[]StartValue{{Variable: "stated.omega", Value: 200}, {Variable: "wheel.omega", Value: 187.5}}, ""},
		{car, map[string]string{"tire_R": "rear.omega"}, []StartValue{{Variable: "rear.omega", Value: 187.5}},
			said + "tire_F, which do not start at the 60 m/s"},
		{car, nil, nil, said + "tire_F, tire_R, which"},
	} {
		m, err := ReadFor(Target{Model: "Toy", Spins: func() (map[string]string, error) { return c.spins, nil }},
			toyCars(t, forAnyCar, c.car), ConstantValue{Name: "speed", Value: 60})
		if err != nil {
			t.Fatal(err)
		}
		var spins []StartValue
		for _, s := range m.Start {
			if strings.HasSuffix(s.Variable, ".omega") {
				spins = append(spins, s)
			}
		}
		if notes := strings.Join(m.CarNotes(), "\n"); !slices.Equal(spins, c.want) ||
			(c.says == "") == strings.Contains(notes, "spin") || !strings.Contains(notes, c.says) {
			t.Errorf("%v: start %v, want %v; notes %s, want %s", c.spins, spins, c.want, notes, c.says)
		}
	}
}

// The tracks are as long as the standards say.
func TestTracksHaveTheLengthsOfTheStandards(t *testing.T) {
	for name, length := range map[string]float64{"double_lane_change": 125, "obstacle_avoidance": 61} {
		m, err := ReadFor(shipped(t, "generic4w"), built.Manoeuvre(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := figures.Length(m.Track); math.Abs(got-length) > 1e-9 {
			t.Errorf("%s: %g m, the track of the standard has %g", name, got, length)
		}
	}
}

// Each missing constant is named once, with the first formula that needs it, and without consequential errors.
func TestMissingConstantsAreNamedOnce(t *testing.T) {
	car := strings.Replace(toyCarFile, "width = 1.5\nwide = \"2*width\"\n", "wide = 3\n", 1)
	manoeuvre := strings.NewReplacer("left = 0.75", `left = "width/2"`, "right = -0.75",
		`right = "width/2 - gap"`).Replace(forAnyCar)
	_, err := ReadFor(Target{Model: "Toy"}, toyCars(t, manoeuvre, car))
	if err == nil {
		t.Fatal("there are no borders")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0]+lines[1], `there is no constant "width"`) ||
		!strings.Contains(lines[0]+lines[1], `there is no constant "gap"`) ||
		!strings.Contains(lines[0], "toy.toml") || !strings.Contains(err.Error(), "(and ") {
		t.Errorf("%v", err)
	}
}

// The chassis of a manoeuvre for any car is the one that roles name, in formulas, start values and drivers alike.
func TestTheChassisIsTheCars(t *testing.T) {
	car := strings.NewReplacer(`chassis = "body"`, `chassis = "chassis"`).Replace(toyCarFile)
	manoeuvre := strings.Replace(forAnyCar, "[[phase]]\n",
		`[start]
"@chassis.y" = 1
[[feedback]]
variables = ["push.force"]
law = "-@chassis.vx + 0*bodywork.x"
[[phase]]
`, 1)
	m, err := ReadFor(Target{Model: "Toy"}, toyCars(t, manoeuvre, car))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Feedback[0].Law.Reads; len(got) != 2 || got[0] != "chassis.vx" || got[1] != "bodywork.x" {
		t.Errorf("the law reads %q", got)
	}
	if m.KeyFigures.Body != "chassis" || m.Start[len(m.Start)-1].Variable != "chassis.y" {
		t.Errorf("figures of %q, start %v", m.KeyFigures.Body, m.Start)
	}
}
