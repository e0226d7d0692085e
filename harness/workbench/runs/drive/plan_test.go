package drive

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// reading is a listener whose variables can be read.
type reading struct{ listener }

func (r *reading) Get(references []uint32, values []float64) error {
	for i := range references {
		values[i] = r.values[r.inputs[references[i]]]
	}
	return nil
}

func (r *reading) References(names ...string) (list []uint32, err error) {
	for _, name := range names {
		v, err := r.Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, v.Reference)
	}
	return list, nil
}

// toy is a subject with motions, a road, inputs and two speeds.
func toy() *reading {
	return &reading{listener{inputs: []string{"steer.angle", "steer.rate", "steer.acceleration", "post.z", "post.z_dot",
		"a.torque", "b.torque", "c.torque", "throttle.position", "body.x", "body.y", "body.yaw", "body.vx"},
		values: map[string]float64{}, rates: map[string]float64{}}}
}

// shuffled are some of the names in a random order.
func shuffled(random *rand.Rand, names []string, n int) []string {
	list := slices.Clone(names)
	random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	return list[:n]
}

// Every input has the value of its one source in a phase, for any order of inputs in signals, drivers and laws, and for
// any inputs known before; inputs without a source keep their value. The record has what the vehicle was set to.
func TestInputsFollowTheirSourceInAnyOrder(t *testing.T) {
	names := []string{"steer.rate", "steer.acceleration", "post.z_dot", "steer.angle", "post.z", "a.torque", "b.torque",
		"c.torque", "throttle.position"}
	random := rand.New(rand.NewPCG(1, 2))
	const h, duration = 0.5, 1.0
	runs := 0
	for range 2000 {
		m := &manoeuvre.Manoeuvre{Steering: &manoeuvre.Steering{Drivers: []string{"steer"}, Ratio: 1},
			SpeedControl: &manoeuvre.SpeedControl{Variable: "body.vx", Torques: shuffled(random, names[5:], 2),
				Proportional: 0, Limit: 9, Least: -9},
			PathFollower: &manoeuvre.PathFollower{Body: "body", Preview: 1, Lag: 1, Rate: 1, Limit: 1}}
		want := make([]map[string]float64, 2) // of the phases
		sources := make([]map[string]int, 2)
		for i := range want {
			want[i], sources[i] = map[string]float64{}, map[string]int{}
		}
		value := 0.0
		target := func(phase int, name string, x float64) {
			want[phase][name] = x
			sources[phase][name]++
		}
		for phase := range want {
			p := manoeuvre.Phase{Name: string(rune('a' + phase)), Duration: duration}
			if random.IntN(2) == 0 {
				value++
				list := shuffled(random, names, 1+random.IntN(2))
				p.Inputs = append(p.Inputs, manoeuvre.InputSignal{Variables: list, Signal: signal.Constant(value)})
				for _, name := range list {
					target(phase, name, value)
				}
			}
			for _, driver := range [][]string{{"steer", ".angle", ".rate", ".acceleration"}, {"post", ".z", ".z_dot"}} {
				if random.IntN(3) > 0 {
					continue
				}
				value++
				p.Inputs = append(p.Inputs, manoeuvre.InputSignal{Drivers: driver[:1], Signal: signal.Constant(value)})
				for i, quantity := range driver[1:] {
					target(phase, driver[0]+quantity, map[bool]float64{true: value}[i == 0])
				}
			}
			if random.IntN(3) == 0 {
				p.Speed = signal.Constant(1)
				for _, name := range m.SpeedControl.Torques {
					target(phase, name, 0)
				}
			}
			m.Phases = append(m.Phases, p)
		}
		for range random.IntN(3) {
			value++
			law, err := signal.ParseLaw(fmt.Sprint(value), nil)
			if err != nil {
				t.Fatal(err)
			}
			list := shuffled(random, names, 1+random.IntN(3))
			m.Feedback = append(m.Feedback, manoeuvre.FeedbackLaw{Variables: list, Law: law, Factor: 2})
			for _, name := range list {
				target(0, name, 2*value)
				target(1, name, 2*value)
			}
		}
		twice := ""
		for phase := range sources {
			for name, n := range sources[phase] {
				if n > 1 {
					twice = name
				}
			}
		}
		s := toy()
		for _, name := range s.inputs {
			s.values[name] = 0
		}
		d, err := newInputDriver(s, m, nil)
		if twice != "" {
			if err == nil || !strings.Contains(err.Error(), "two sources at the same time") {
				t.Fatalf("%s has two sources: %v", twice, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		runs++
		if d.holding = holding(random.IntN(3)); d.holding == carriedByRates {
			d.ramped = s
		}
		last := map[string]float64{}
		for phase, at := range []float64{0.5, 1.5} {
			if phase == 1 {
				if err := d.At(1, h); err != nil {
					t.Fatal(err)
				}
			}
			if err := d.At(at, h); err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				x, driven := want[phase][name]
				if !driven {
					x = last[name]
				}
				if s.values[name] != x {
					t.Fatalf("phase %d: %s is %g, not %g, in %+v", phase, name, s.values[name], x, m)
				}
				last[name] = s.values[name]
				if at, placed := d.places[name]; placed && d.recorded()[at] != s.values[name] {
					t.Fatalf("phase %d: %s is %g, and recorded as %g", phase, name, s.values[name], d.recorded()[at])
				}
			}
		}
	}
	if runs < 300 {
		t.Errorf("%d runs only", runs)
	}
}

// An input with two sources is rejected before the run, with its name, the phase, and the position of the law. Cases: a
// law beside the speed control, the steering and the path follower of a phase, also if these name a driver and the law
// an input of it; two laws; a signal of a driver and of its rate.
func TestAnInputHasOneSource(t *testing.T) {
	const head = `name = "a"
title = "A"
models = ["A"]
step = 0.1
[steering]
drivers = ["steer"]
ratio = 16
[speed_control]
variable = "body.vx"
torques = ["a.torque", "b.torque"]
proportional = 1
integral = 1
limit = 1
[path_follower]
body = "body"
preview = 1
proportional = 1
integral = 1
lag = 1
rate = 1
limit = 1
`
	phase := func(keys string) string {
		return `[[phase]]
name = "p"
duration = 1
` + keys + "\n"
	}
	law := func(inputs string) string {
		return "[[feedback]]\nvariables = [" + inputs + `]
law = "1"
`
	}
	const constant = "{ kind = \"constant\", value = 1 }"
	const circle = `path = { kind = "circle", radius = 30, laps = 1 }`
	for _, test := range []struct{ tables, name, says string }{
		{phase("speed = "+constant) + law(`"b.torque"`), `"b.torque"`, "driven twice"},
		{phase("steering = "+constant) + law(`"steer.angle"`), "steer.angle", "phase p: steer.angle has two sources"},
		{phase("steering = "+constant) + law(`"c.torque", "steer.rate"`), "steer.rate", "[[feedback]] (a.toml:"},
		{phase(circle) + law(`"steer.angle"`), "steer.angle", "the path follower of the phase"},
		{law(`"c.torque"`) + law(`"c.torque"`) + phase(""), `"c.torque"`, "driven twice"},
		{phase(`[[phase.input]]
drivers = ["post"]
signal = ` + constant + `
[[phase.input]]
variables = ["post.z_dot"]
signal = ` + constant), "post.z_dot", "a signal of the phase"},
		{phase("steering = "+constant) + `[[input]]
variables = ["steer.angle"]
signal = ` + constant, "steer.angle",
			"a signal of [[input]]"},
		// in different phases, or at different inputs, there is one
		{phase("steering = "+constant) + phase(`[[phase.input]]
variables = ["steer.rate"]
signal = `+constant), "", ""},
		{phase("") + law(`"a.torque", "steer.angle"`), "", ""},
		{phase("steering = "+constant) + law(`"a.torque"`) + law(`"b.torque"`), "", ""},
	} {
		m, err := manoeuvre.Parse("a.toml", []byte(head+test.tables))
		if err == nil {
			_, err = newInputDriver(toy(), m, nil)
		}
		if (err == nil) != (test.says == "") ||
			err != nil && !(strings.Contains(err.Error(), test.says) && strings.Contains(err.Error(), test.name)) {
			t.Errorf("%s\n%v; want %q of %s", test.tables, err, test.says, test.name)
		}
	}
}

// A law on a role of several inputs sets all of them, one on the brakes by their input for a deceleration of 1 m/s2. A
// constant with a unit as a law must fit its input.
func TestLawsOnRoles(t *testing.T) {
	folder := t.TempDir()
	write := func(file, text string) string {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	car := write(filepath.Join(folder, "car.toml"), `models = ["A"]
[constants]
weak = "3 m/s2"
long = "3 m"
[roles]
chassis = "body"
throttle = { inputs = ["a.torque", "b.torque"], open = 1 }
brake = { input = "c.torque", per = "deceleration", factor = 100 }
steering = { input = "steer.angle" }
`)
	for _, test := range []struct {
		inputs, law string
		want        map[string]float64
		says        string
	}{
		{`"@throttle"`, "7", map[string]float64{"a.torque": 7, "b.torque": 7}, ""},
		{`"@brake"`, "weak", map[string]float64{"c.torque": 300}, ""},
		{`"@brake", "a.torque"`, "2", map[string]float64{"c.torque": 200, "a.torque": 2}, ""},
		{`"@brake"`, "long", nil, "m is not a unit for what must be in m/s2"},
		{`"@steering.angle"`, "@chassis.vx + 1", map[string]float64{"steer.angle": 1}, ""},
		{`"@steering.angle"`, "@wheel[9X].Fz", nil, "lacks roles that m needs: axles"},
		{`"@chassis.beta"`, "1", nil, "computed from several variables"},
		{`"@parking"`, "1", nil, "parking"},
		{`"@nothing"`, "1", nil, "names no role"},
		{`"a.torqe"`, "1", nil, "a.torqe"},
		{`"a.torque"`, "c.torqe", nil, "c.torqe"},
	} {
		file := write(filepath.Join(folder, "m.toml"), `name = "m"
title = "M"
cars = "."
step = 0.1
[[phase]]
name = "p"
duration = 1
[[feedback]]
variables = [`+test.inputs+`]
law = "`+test.law+"\"\n")
		m, err := manoeuvre.ReadFor(manoeuvre.Target{Model: "A", Car: car}, file)
		s := toy()
		s.inputs = append(s.inputs, "steer.ratio")
		if err == nil {
			var d *InputDriver
			if d, err = newInputDriver(s, m, nil); err == nil {
				err = d.At(0, 0.1)
			}
		}
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s = %s: %v; want %q", test.inputs, test.law, err, test.says)
		}
		for name, x := range test.want {
			if s.values[name] != x {
				t.Errorf("%s = %s: %s is %g, not %g", test.inputs, test.law, name, s.values[name], x)
			}
		}
	}
}

// A law on any variable of a vehicle either sets the variable or is rejected with its name before the first step, and
// so is a law over any variable; in the library and in FMUs, which have strings.
func TestALawOnAnyVariable(t *testing.T) {
	testrun.Slow(t)
	native, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := native.Load(built.Model("passenger_car"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer vehicle.Close()
	fmu, err := library.OpenFMU(built.FMU(t, built.Model("passenger_car"), 2))
	if err != nil {
		t.Fatal(err)
	}
	defer fmu.Close()
	instance, err := fmu.Instantiate("car", fmu.Token)
	if err != nil {
		t.Fatal(err)
	}
	defer instance.Close()
	laws := func(text string) *signal.Law {
		law, err := signal.ParseLaw(text, nil)
		if err != nil {
			return nil // no name of a formula, such as der(x)
		}
		return law
	}
	for of, s := range map[string]interface {
		Subject
		All() []library.Variable
	}{"library": vehicle, "FMU": instance} {
		if err := s.Initialise(); err != nil {
			t.Fatal(err)
		}
		var set, refused, read int
		for _, v := range s.All() {
			for _, f := range []manoeuvre.FeedbackLaw{
				{Variables: []string{v.Name, "brakes.torque"}, Law: laws("1 + time"), Factor: 1},
				{Variables: []string{"brakes.torque"}, Law: laws("0*" + v.Name), Factor: 1}} {
				if f.Law == nil || v.Name == "brakes.torque" {
					continue
				}
				d, err := newInputDriver(s, &manoeuvre.Manoeuvre{Feedback: []manoeuvre.FeedbackLaw{f}}, nil)
				if parameter := v.Causality == library.Parameter && len(f.Variables) == 2; err == nil && parameter {
					if of == "FMU" {
						continue // which an error ends
					}
					err = d.At(0, 0.001) // the vehicle itself refuses to set a parameter
				}
				allowed := v.Kind == library.Number && (len(f.Variables) == 1 || v.Causality == library.Input ||
					v.Causality == library.Tunable)
				switch {
				case err == nil && allowed:
					if err := d.At(0, 0.001); err != nil {
						t.Errorf("%s: %s: %v", of, v.Name, err)
					}
					if len(f.Variables) == 1 {
						read++
					} else {
						set++
					}
				case err == nil || allowed || !strings.Contains(err.Error(), v.Name),
					v.Kind != library.Number && !strings.Contains(err.Error(), "is not a number"):
					t.Errorf("%s: %s with causality %d and kind %d: %v", of, v.Name, v.Causality, v.Kind, err)
				default:
					refused++
				}
			}
		}
		if set < 5 || refused < 100 || read < 100 {
			t.Errorf("%s: laws on %d variables, %d refused, over %d", of, set, refused, read)
		}
	}
}
