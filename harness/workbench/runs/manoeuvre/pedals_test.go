package manoeuvre

import (
	"reflect"
	"strings"
	"testing"

	"skidpad/model/roles"
)

const withPedals = `name = "pedals"
title = "Pedals"
models = ["Car"]
step = 0.001
duration = 5
[speed_control]
variable = "body.vx"
torques = ["drive.torque"]
proportional = 1
integral = 1
limit = 10
least = -2
[pedals]
slowest = 10
fastest = "72 km/h"
frequency = 2
damping = 0.7
deceleration = 3
[[phase]]
name = "hold"
duration = 5
speed = { kind = "constant", value = 20 }
`

// The table of pedals is read, with its defaults; what is wrong with it is told.
func TestTheTableOfPedals(t *testing.T) {
	text := strings.Replace(withPedals, "duration = 5\n", "", 1)
	m, err := Parse("pedals.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Pedals{Slowest: 10, Fastest: 20, Closed: -2, Open: 10, Frequency: 2, Damping: 0.7,
		Deceleration: 3}); !reflect.DeepEqual(*m.Pedals, want) {
		t.Errorf("the pedals are %+v; want %+v", *m.Pedals, want)
	}
	cut := text
	for _, line := range []string{"frequency = 2", "damping = 0.7", "deceleration = 3"} {
		cut = strings.Replace(cut, line+"\n", "", 1)
	}
	if m, err = Parse("pedals.toml", []byte(cut)); err != nil || m.Pedals.Frequency != 1 || m.Pedals.Damping != 1 ||
		m.Pedals.Deceleration != 4 {
		t.Errorf("pedals of defaults are %+v, %v", m.Pedals, err)
	}
	for want, change := range map[string][2]string{
		"the slowest speed, 30 m/s, is not below the fastest, 20 m/s": {"slowest = 10", "slowest = 30"},
		"the slowest speed, 20 m/s, is not below the fastest, 20 m/s": {"slowest = 10", "slowest = 20"},
		"speeds from -1 to 20 m/s are partly backwards":               {"slowest = 10", "slowest = -1"},
		`pedals lacks the key "slowest"`:                              {"slowest = 10\n", ""},
		"pedals need a table [speed_control], which drives the runs": {text[strings.Index(text, "[speed"):strings.Index(
			text, "[pedals]")], ""},
		"pedals.damping": {"damping = 0.7", "damping = 0"},
	} {
		if _, err := Parse("pedals.toml", []byte(strings.Replace(text, change[0], change[1], 1))); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
}

// The pedals of a car have the throttle and the brakes of its roles, with a factor that the roles state or that is
// found. A signal for the brakes of a phase with a speed drives them twice.
func TestPedalsOfACar(t *testing.T) {
	const file = `name = "pedals"
title = "Pedals"
cars = "cars"
step = 0.001
[constants]
speed = 10
[pedals]
slowest = "speed"
fastest = 20
[[phase]]
name = "hold"
duration = 5
speed = { kind = "constant", value = 20 }
`
	read := func(brake, text string) (*Manoeuvre, error) {
		return ReadFor(Target{Model: "Toy", Find: func(*roles.Roles) (map[string]float64, error) {
			return map[string]float64{"brake_factor": 150}, nil
		}}, toyCars(t, text, `models = ["Toy"]
[roles]
chassis = "body"
axles = [["FL", "FR"]]
throttle = { input = "engine.throttle", closed = 0.1, open = 0.9, least = -1, limit = 2 }
`+brake+"\n[[stop]]\nverdict = \"stopped\"\nwhen = { formula = \"body.vx\", below = 0 }\n"))
	}
	want := Pedals{Slowest: 10, Fastest: 20, Closed: 0.1, Open: 0.9, Frequency: 1, Damping: 1, Deceleration: 4}
	for brake, sets := range map[string][]roles.Set{
		"": nil,
		`brake = [{ input = "front.torque", factor = 300 }, { input = "rear.torque", factor = 200 }]`: {
			{Inputs: []string{"front.torque"}, Factor: 300}, {Inputs: []string{"rear.torque"}, Factor: 200}},
		`brake = { input = "front.torque" }`: {{Inputs: []string{"front.torque"}, Factor: 150}},
	} {
		m, err := read(brake, file)
		if err != nil {
			t.Fatal(err)
		}
		if want.Brakes = sets; !reflect.DeepEqual(*m.Pedals, want) {
			t.Errorf("the pedals are %+v; want %+v", *m.Pedals, want)
		}
		for input, driven := range map[string]bool{"engine.throttle": true, "front.torque": sets != nil,
			"rear.torque": len(sets) == 2, "steer.torque": false} {
			if m.Drives(input) != driven {
				t.Errorf("%q: %s is driven: %v", brake, input, !driven)
			}
		}
	}
	_, err := read(`brake = { input = "front.torque", factor = 1 }`, file+`[[phase.input]]
variables = ["@brake"]
signal = { kind = "constant", value = 1 }
`)
	if err == nil || !strings.Contains(err.Error(), `"front.torque" is driven twice`) {
		t.Errorf("brakes that are driven twice: %v", err)
	}
}
