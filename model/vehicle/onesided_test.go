package vehicle_test

import (
	"strings"
	"testing"
)

// A part on one side of an axle without a counterpart on the other side is a warning; a different counterpart is not.
func TestOneSideOfAnAxle(t *testing.T) {
	const brake = `[component.stop]
type = "brake"
from = "spindle"
to = "tire"
axis = "y"
[component.tire]`
	distribution := func(lists string) string {
		return `gravity = 9.81
[component.brakes]
type = "brake-distribution"
axles = [` + lists + "]"
	}
	roles := func(inputs string) string {
		return axles + "\nbrake = { inputs = [" + inputs + "], " +
			"factor = \"340 kg.m\" }"
	}
	diagonal := strings.Replace(bar("1000"), "susp_FR", "susp_RR", 1)
	for _, c := range []struct {
		name    string
		changes []string
		want    string // the only warning holds it; "" where there is none
	}{
		{"a brake on one side", []string{"[component.tire]", brake, "gravity = 9.81",
			distribution(`{ brakes = ["stop_FL", "stop_FR"], share = 0.6 }, { brakes = ["stop_RR"], share = 0.4 }`)},
			"plain.toml:5:62: the brakes slow down tire_RR and not tire_RL, the other wheel of the axle"},
		{"brakes of one axle", []string{"[component.tire]", brake, "gravity = 9.81",
			distribution(`{ brakes = ["stop_RL", "stop_RR"], share = 1 }`)}, ""},
		{"a brake of the roles on one side", []string{"[component.tire]", brake, "gravity = 9.81",
			roles(`"stop_FL.torque"`)},
			"plain.toml:5:21: the brakes slow down tire_FL and not tire_FR"},
		{"a brake of the roles beside a distribution", []string{"[component.tire]", brake, "gravity = 9.81",
			roles(`"stop_FL.torque"`) + strings.TrimPrefix(distribution(`{ brakes = ["stop_FR"], share = 1 }`),
				"gravity = 9.81")},
			""},
		{"one front wheel is steered", []string{"gravity = 9.81", steered("", `{ driver = "steer_FL" }`)},
			"plain.toml:7:22: steering turns the wheel tire_FL, and nothing turns tire_FR, the other wheel of the axle"},
		{"an axis that lies", []string{"gravity = 9.81", steered("", `{ driver = "steer_FL" }, { driver = "steer_FR" }`) +
			`
[component.steer_FR]
axis = [-1, 0, -0.3]`}, "steering turns the wheel tire_FL, and nothing turns tire_FR"},
		{"two steerings", []string{"gravity = 9.81", steered("", `{ driver = "steer_FL" }`) +
			strings.Replace(strings.TrimPrefix(steered("", `{ driver = "steer_FR" }`), "gravity = 9.81"), "component.steering",
				"component.other", 1)}, ""},
		{"a rod steers the other wheel", []string{"gravity = 9.81", steered("", `{ driver = "steer_FL" }`) +
			`
[component.steer_FR]
type = "revolute"
from = "hub_FR"
to = "knuckle_FR"
axis = "z"`}, ""},
		{"a single wheel is steered", []string{"gravity = 9.81", steered("", `{ driver = "steer_RL" }`), "[use.R]",
			"[use.none]", `[use.none]
file = "../subsystems/corner.toml"
at = ["L", "R"]`,
			`[use.R]
file = "../subsystems/corner.toml"
at = ["L"]`, "x = -1.3", "x = -1.3, half_track = -0.05",
			"half_track = { value = 0.75", "half_track = { value = 0.8", "free_length = -0.1177", "free_length = -0.15"}, ""},
		{"a bar across the vehicle", []string{"gravity = 9.81", diagonal},
			"plain.toml:6:9: the anti-roll bar bar joins the wheel tire_FL of one axle to tire_RR of another"},
		{"a spring of both axles on one side", []string{"gravity = 9.81", strings.Replace(diagonal, "_RR", "_RL", 1)}, ""},
		{"a tire of another mass", []string{"[use.R]", `[component.tire_FR]
mass = 27
[use.R]`},
			"plain.toml:16:8: tire_FL and tire_FR, the wheels of one axle, have not the same mass"},
		{"a larger tire", []string{"[use.R]", `[component.tire_FR]
unloaded_radius = 0.305
[use.R]`},
			"have not the same unloaded_radius"},
		{"a softer tire", []string{"[use.R]", `[component.tire_FR]
vertical_stiffness = 1.8e5
[use.R]`},
			"have not the same vertical_stiffness"},
		{"a tire of another function", []string{"[use.R]", `[component.tire_FR]
force = { function = "Fiala", parameters = { D2 = 0.1, CS = 1e5, Calpha = 8e4, Cr = 0, mu0 = 1, mu1 = 0.9 } }
[use.R]`}, "have not the " +
			"same force"},
		{"other tires in the rear", []string{"parameters = { x = -1.3 }",
			`parameters = { x = -1.3 }
[use.R.component.tire]
mass = 27`}, ""},
		{"other tires on one side", []string{"[use.R]", `[component.tire_FR]
mass = 27
[component.tire_RR]
mass = 27
[use.R]`}, ""},
		{"suspensions along y", []string{`axis = "z"`, `axis = "y"`},
			"corner.toml:17:8: the spring spring_FL acts on susp_FL, which does not move the wheel tire_FL up and down"},
		{"a spring that centres the steering of a kart", []string{`type = "prismatic"
from = "place"
to = "hub"
axis = "z"
start = { s = 0.0 }`, `type = "rigid-arm"
from = "place"
to = "hub"
translation = [0, 0, 0]`,
			`joint = "susp"`, `joint = "steer"`, `type = "motion-driver"`, `type = "revolute"`}, ""},
		{"a spring sideways on what moves up and down", []string{"[component.place]",
			`[component.slide]
type = "prismatic"
from = "chassis"
to = "slider"
axis = "y"
[component.side]
type = "spring-damper"
joint = "slide"
stiffness = 1e6
damping = 9e3
[component.place]`, "from = \"chassis\"\nto = \"place\"",
			"from = \"slider\"\nto = \"place\""}, ""},
	} {
		m, err := parsePlain(t, c.changes...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		said := strings.Join(m.Warnings, "\n")
		if !strings.Contains(said, c.want) || c.want == "" && said != "" || strings.Contains(said, "\n") {
			t.Errorf("%s: %s; want %s", c.name, said, c.want)
		}
	}
}
