package manoeuvre

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/fuzzinputs"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
)

// valid is a manoeuvre file that the broken ones below are made of.
const valid = `name = "test"
title = "Test"
source = "nowhere"
models = ["M"]
duration = 10
step = 0.001

[start]
"front.wz" = 0.0235

[[input]]
drivers = ["steer"]
signal = { kind = "sine", amplitude = 0.1, period = 10.0 }

[[input]]
variables = ["brake.torque", "other.torque"]
[input.signal]
kind = "piecewise-linear"
time = [0.0, 2.0]
value = [0.0, 1.0]
`

func TestAManoeuvreFileMeansWhatItSays(t *testing.T) {
	m, err := Parse("test.toml", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	want := &Manoeuvre{
		Name: "test", Title: "Test", Source: "nowhere", Models: []string{"M"}, Duration: 10, Step: 0.001,
		Start: []StartValue{{Variable: "front.wz", Value: 0.0235}},
		Inputs: []InputSignal{
			{Drivers: []string{"steer"}, Signal: signal.Sine{Amplitude: 0.1, Period: 10}},
			{Variables: []string{"brake.torque", "other.torque"},
				Signal: signal.PiecewiseLinear{Time: []float64{0, 2}, Value: []float64{0, 1}}},
		},
	}
	if !reflect.DeepEqual(m, want) {
		t.Errorf("read %+v, want %+v", m, want)
	}
}

func TestABrokenManoeuvreFileSaysWhereAndWhy(t *testing.T) {
	for _, test := range []struct{ old, new, position, says string }{
		{`name = "test"`, ``, "1:1",
			`lacks the key "name": identifier of the manoeuvre (a string)`},
		{`name = "test"`, `name = 3`, "1:8", "name is 3; it must be a string"},
		{`name = "test"`, `name = "test`, "1:", "toml"},
		{`title = "Test"`, "title = \"Test\"\ntitle = \"T\"", "3:", "title"},
		{`models = ["M"]`, `models = "M"`, "4:10", "must be a list"},
		{`models = ["M"]`, `models = ["M", 7]`, "4:16", "models[1] is 7; it must be a string"},
		{`models = ["M"]`, `models = []`, "4:1", "at least one"},
		{`duration = 10`, `duration = -1`, "5:1", "above 0"},
		{`duration = 10`, `duration = inf`, "5:1", "finite"},
		{`duration = 10`, `duration = "long"`, "5:12", "must be a number"},
		{`step = 0.001`, `step = 0`, "6:8", "above 0"},
		{`step = 0.001`, "step = 0.001\nstepp = 1", "7:9", `unknown key "stepp"`},
		{`"front.wz" = 0.0235`, `"front.wz" = nan`, "9:1", "finite"},
		{`[start]`, `[begin]`, "8:2", `unknown key "begin"`},
		{`"front.wz" = 0.0235`, `front.wz = 0.0235`, "9:1", "must be a number"},
		{`drivers = ["steer"]`, `drivers = ["steer", "steer"]`, "12:21", "driven twice"},
		{`variables = ["brake.torque", "other.torque"]`, `drivers = ["steer"]`, "16:12", "driven twice"},
		{`drivers = ["steer"]`, "drivers = [\"steer\"]\nvariables = [\"x\"]", "11:3", "either"},
		{`drivers = ["steer"]`, ``, "11:3", `input[0] lacks the key "variables"`},
		{`signal = { kind = "sine", amplitude = 0.1, period = 10.0 }`, ``, "11:3", `input[0] lacks the key "signal"`},
		{`signal = { kind = "sine", amplitude = 0.1, period = 10.0 }`, `signal = 3`, "13:1", "must be a table"},
		{`kind = "sine"`, `kind = "square"`, "13:19", `"square"`},
		{`kind = "sine", amplitude = 0.1, period = 10.0`, `kind = "formula"`, "13:10",
			`input[0].signal lacks the key "formula"`},
		{`kind = "sine", amplitude = 0.1, period = 10.0`, `kind = "formula", formula = "sin(t)"`, "13:40",
			`unknown name "t"; names are time and constants`},
		{`kind = "sine", amplitude = 0.1, period = 10.0`, `kind = "formula", formula = "sin(time"`, "13:40",
			"closing parenthesis missing"},
		{`kind = "sine", amplitude = 0.1`, `kind = "formula", formula = "time"`, "13:57", `unknown key "period"`},
		{`amplitude = 0.1, `, ``, "13:10", `input[0].signal lacks the key "amplitude"`},
		{`period = 10.0`, `period = 0.0`, "13:53", "above 0"},
		{`period = 10.0`, `period = 10.0, phase = 1`, "13:67", `unknown key "phase"`},
		{`time = [0.0, 2.0]`, `time = [0.0, 0.0]`, "19:14", "must increase"},
		{`time = [0.0, 2.0]`, `time = [0.0, 2.0, 3.0]`, "20:1", "2 values for 3 times"},
		{`value = [0.0, 1.0]`, `value = [0.0, true]`, "20:15",
			"input[1].signal.value[1] is true; it must be a number or a formula"},
	} {
		broken := strings.Replace(valid, test.old, test.new, 1)
		if broken == valid {
			t.Fatalf("%q is not in the valid file", test.old)
		}
		_, err := Parse("test.toml", []byte(broken))
		if err == nil {
			t.Errorf("%q instead of %q is accepted", test.new, test.old)
			continue
		}
		first, _, _ := strings.Cut(err.Error(), "\n")
		if !strings.HasPrefix(first, "test.toml:"+test.position) || !strings.Contains(first, test.says) {
			t.Errorf("%q instead of %q: %s\nwant %s: ... %s", test.new, test.old, first, test.position, test.says)
		}
	}
}

func TestAllFaultsAreReportedTogether(t *testing.T) {
	_, err := Parse("test.toml", []byte(`models = []
duration = -1
step = 0
colour = 3
`))
	if err == nil {
		t.Fatal("accepted")
	}
	if n := len(strings.Split(err.Error(), "\n")); n != 6 { // 2 texts, 1 list, 2 numbers, 1 unknown key
		t.Errorf("%d faults, want 6:\n%v", n, err)
	}
}

// The manoeuvres of Morency (2007), sections 5.3.2 and 5.4.2: what each file
// gives at some instants, worked out by hand.
func TestShippedManoeuvresEqualThePublication(t *testing.T) {
	const deg = math.Pi / 180
	for _, test := range []struct {
		file   string
		driver string
		time   float64
		motion [3]float64 // angle, rate, acceleration
		torque float64
	}{
		{"generic4w_sine", "steer_FL", 0, [3]float64{0, 0.010966, 0}, 0},
		{"generic4w_sine", "steer_FR", 2.5, [3]float64{1 * deg, 0, -6.8903e-3}, 0},
		{"generic4w_braking", "steer_FL", 2.25, [3]float64{}, 500},
		{"generic4w_braking", "steer_FR", 4.5, [3]float64{}, 1000},
		{"generic4w_braking", "steer_FR", 4.75, [3]float64{}, 500},
		{"generic4w_braking", "steer_FR", 7, [3]float64{}, 0},
		{"skidder_sine", "articulation", 0, [3]float64{0, 0.05483, 0}, 0},
		{"skidder_sine", "articulation", 7.5, [3]float64{-5 * deg, 0, 0.034451}, 0},
		{"skidder_braking", "articulation", 2.1, [3]float64{}, 4000},
		{"skidder_braking", "articulation", 3.5, [3]float64{}, 20000},
		{"skidder_braking", "articulation", 3.75, [3]float64{}, 10000},
	} {
		m, err := Read(built.Manoeuvre(test.file))
		if err != nil {
			t.Error(err)
			continue
		}
		if m.Name != test.file || m.Duration != 10 || m.Step != 0.001 {
			t.Errorf("%s: name %s, %g s at %g s", test.file, m.Name, m.Duration, m.Step)
		}
		brakes, steered := 0, false
		for _, input := range m.Inputs {
			value, rate, acceleration := input.Signal.At(test.time)
			for _, name := range input.Drivers {
				if name == test.driver {
					steered = true
					for i, x := range [3]float64{value, rate, acceleration} {
						if !(math.Abs(x-test.motion[i]) <= 1e-5) {
							t.Errorf("%s at %g s: motion[%d] %g, want %g", test.file, test.time, i, x, test.motion[i])
						}
					}
				}
			}
			for range input.Variables {
				brakes++
				if !(math.Abs(value-test.torque) <= 1e-9) {
					t.Errorf("%s at %g s: torque %g, want %g", test.file, test.time, value, test.torque)
				}
			}
		}
		if brakes != 4 || !steered {
			t.Errorf("%s: %d brakes, %s driven: %v", test.file, brakes, test.driver, steered)
		}
	}
}

func FuzzParseManoeuvre(f *testing.F) {
	files, _ := filepath.Glob(built.Path("resources", "manoeuvres", "*.toml"))
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		fuzzinputs.Add(f, data)
	}
	fuzzinputs.Add(f, []byte(valid))
	fuzzinputs.Add(f, []byte(built.Phased))
	target := shipped(f, "generic4w")
	f.Fuzz(func(t *testing.T, data []byte) {
		var m *Manoeuvre
		root, err := document.Parse(data, "fuzz.toml")
		if err == nil {
			m, err = build("fuzz.toml", root, nil, nil, func(string) (*car, error) { return target.open("", "") }, nil)
		}
		if (m == nil) == (err == nil) {
			t.Fatal("neither a manoeuvre nor an error, or both")
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.toml:") && !strings.HasPrefix(err.Error(), target.File+":") &&
				!strings.Contains(err.Error(), " lacks roles that ") {
				t.Fatalf("no place in %q", err)
			}
			return
		}
		for _, input := range m.Inputs {
			if input.Signal == nil || len(input.Variables)+len(input.Drivers) == 0 {
				t.Fatalf("accepted an input that drives nothing: %#v", input)
			}
			input.Signal.At(m.Duration / 3)
		}
		for _, p := range m.Phases {
			for _, input := range p.Inputs {
				input.Signal.At(m.Duration / 3)
			}
			if p.Path != nil {
				p.Path.Offset(1, 2, 0)
			}
		}
	})
}
