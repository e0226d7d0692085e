package vehicle_test

import (
	"strings"
	"testing"
)

// A message about an invalid name or value lists the valid ones, and a remedy.
func TestMessagesNameTheRemedy(t *testing.T) {
	engine := `[component.engine]
type = "engine"
drives = "final_drive"
full_load = [[0, 80], [600, 0]]
`
	rack := `[component.rack]
type = "motion-driver"
kind = "translation"
from = "body"
to = "rod"
axis = "y"
[component.rod]
type = "point-mass"
mass = 1
`
	for _, c := range []struct{ change, want string }{
		{steered("", `{ driver = "steer_F" }`), `steering steering names "steer_F", which does not exist; did you mean ` +
			`"steer_FL"? (there are steer_FL, steer_FR, steer_RL, steer_RR)`},
		{steered("", `{ driver = "rack_of_the_front_axle" }`), `names "rack_of_the_front_axle", which does not ` +
			`exist; it needs a motion-driver of a rotation (there are steer_FL, steer_FR, steer_RL, steer_RR)`},
		{steered("", `{ driver = "steering" }`), `names "steering", which is a steering; it needs a ` +
			`motion-driver of a rotation`},
		{`gravity = 9.81
[roles]
chassis = "body"
steering = { input = "rack.position", ratio = 80 }
` + rack,
			`plain.toml:5:22: roles.steering.input names "rack.position", the travel of a rack; it is the angle of a ` +
				`steering wheel. Give drivers = ["rack"] and the ratio, the steering-wheel angle by the travel, such as ` +
				`"131 rad/m"`},
		{`gravity = 9.81
[roles]
chassis = "body"
steering = { drivers = ["rack"], ratio = 80 }
` + rack, `plain.toml:5:25: roles.steering.drivers names "rack", a rack, and the ratio 80 is that of road wheels; give ` +
			`the steering-wheel angle by the travel, such as ratio = "80 rad/m"`},
		{`gravity = 9.81
[component.brakes]
type = "brake-distribution"
axles = [{ brakes = ["stop_FL"], share = 1 }]`,
			`names "stop_FL", which does not exist; it needs brakes`},
		{"gravity = 9.81\n" + differential("body") + engine + strings.Replace(engine, "[component.engine]",
			"[component.motor]", 1), `engine motor names "final_drive", on which engine acts already; name another ` +
			`one here, or remove engine or change what it names`},
		{`gravity = 9.81
[parameters]
sprung = "3.7 t"`, `plain.toml:4:10: parameter sprung is "3.7 t"; it must be a ` +
			`table: write sprung.value = "3.7 t"`},
	} {
		_, err := parsePlain(t, "gravity = 9.81", c.change)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %s", c.change, err, c.want)
		}
	}
}
