package vehicle_test

import (
	"slices"
	"strings"
	"testing"
)

// A value of 0 gives a warning like a small number does: a corner without spring or damper, axles without one of their
// wheels, a centre of mass outside axles that are near each other.
func TestMissingPartsAreWarnings(t *testing.T) {
	const one, two = `["tire_FL", "tire_FR"], `, `["tire_RL", "tire_RR"]]`
	arm := []string{`type = "prismatic"
from = "place"
to = "hub"
axis = "z"
start = { s = 0.0 }`,
		`type = "revolute"
from = "place"
to = "swing"
axis = "y"
[component.swing]
type = "rigid-arm"
from = "swing"
to = "hub"
translation = [-0.4, 0, 0]`,
		"stiffness = 25000\nfree_length = -0.1177", "stiffness = 4000\nfree_length = -0.294", "damping = 2000",
		"damping = 0"}
	motor := `[component.motor]
type = "torque-driver"
from = "place"
to = "hub"
axis = "y"
[component.tire]`
	for _, c := range []struct {
		name    string
		changes []string
		want    string // the only warning holds it; "" where there is none
	}{
		{"damping of 0", []string{"damping = 2000", "damping = 0"},
			"corner.toml:24:11: nothing damps susp_FL, on which a spring acts: its corner swings on and on; give " +
				"damping = 1.7e+03"},
		{"no damping", []string{"damping = 2000\n", ""}, "corner.toml:19:12: nothing damps susp_FL"},
		{"no damping, with a bar", []string{"damping = 2000", "damping = 0", "gravity = 9.81", bar("1000"), "[use.R]",
			`[component.spring_FR]
damping = 2000
[use.R]`, "x = -1.3 }", `x = -1.3 }
[use.R.component.spring]
damping = 2000`}, "corner.toml:24:11: nothing damps susp_FL"},
		{"a bar that damps", []string{"damping = 2000", "damping = 0", "gravity = 9.81", bar("1000\ndamping = 500"),
			"x = -1.3 }", `x = -1.3 }
[use.R.component.spring]
damping = 2000`}, ""},
		{"a quadratic damper", []string{"damping = 2000", "quadratic_damping = 2000"}, ""},
		{"a damper of its own on the joint", []string{"damping = 2000",
			`[component.damper]
type = "spring-damper"
joint = "susp"
damping = 2000`}, ""},
		{"a damper between points", []string{"damping = 2000", `[component.damper]
type = "spring-damper"
from = "place"
to = "hub"
damping = 2000`}, ""},
		{"a damper above the joint", []string{"damping = 2000", `[component.seat]
type = "spring-damper"
from = "place"
to = "chassis"
damping = 2000`}, "nothing damps susp_FL"},
		{"a brake beyond the joint", []string{"damping = 2000", "", "[component.tire]", driver}, "nothing damps susp_FL"},
		{"a differential on the body", []string{"damping = 2000", "damping = 0", "gravity = 9.81", "gravity = 9.81\n" +
			differential("body")}, "(use R: spring_RL, spring_RR)"},
		{"a damper by a surface", []string{"damping = 2000",
			"damper_force = { points = [[-1, 0, -900], [-1, 1, -950], [1, 0, 900], [1, 1, 950]] }"}, ""},
		{"a spring that damps", []string{"damping = 2000",
			"spring_force = { points = [[-1, -1, -1], [-1, 1, 1], [1, -1, -1], [1, 1, 1]] }"}, ""},
		{"a swinging arm", arm, "corner.toml:28:11: nothing damps susp_FL"},
		{"a swinging arm with a motor", append(slices.Clone(arm), "[component.tire]", motor), ""},
		{"no springs", []string{`[component.spring]
type = "spring-damper"
joint = "susp"
stiffness = 25000
free_length = -0.1177
damping = 2000
`, ""},
			"corner.toml:13:12: no spring acts on susp_FL, along which wheels move up and down: the vehicle sinks; give it a " +
				"spring-damper with joint = \"susp_FL\""},
		{"dampers alone", []string{"stiffness = 25000\nfree_length = -0.1177\n", ""}, "no spring acts on susp_FL"},
		{"springs between points", []string{`joint = "susp"
stiffness = 25000
free_length = -0.1177
`,
			`from = "place"
to = "hub"
stiffness = 25000
`}, ""},
		{"a rig that bears the body", []string{"stiffness = 25000\nfree_length = -0.1177\n", "", "gravity = 9.81",
			`gravity = 9.81
[component.rig]
type = "prismatic"
from = "ground"
to = "body"
axis = "z"`}, ""},
		{"near axles behind", []string{"gravity = 9.81", axles, "x = 1.2", "x = -1.1"},
			"the centre of mass of body is not between the axles: seen from it the wheels are at x = -1.3 to -1.1 m"},
		{"wheels abreast without roles", []string{"x = 1.2", "x = -1.1"}, ""},
		{"a tire twice", []string{"gravity = 9.81", strings.Replace(axles, `"tire_RR"`, `"tire_RL"`, 1)},
			"plain.toml:4:46: the roles list the tire tire_RL twice, the second time in axle 2"},
		{"a tire alone", []string{"gravity = 9.81", strings.Replace(axles, `, "tire_RR"`, ``, 1)},
			"plain.toml:4:35: axle 2 lists tire_RL alone, and tire_RR is beside it"},
		{"a rear wheel alone", []string{"gravity = 9.81", strings.Replace(axles, two, `["tire_RL"]]`, 1),
			`at = ["L", "R"]
frames = { chassis = "body", road = "road" }
parameters = { x = -1.3 }`,
			`at = ["L"]
frames = { chassis = "body", road = "road" }
parameters = { x = -1.3, half_track = -0.05 }`,
			"half_track = { value = 0.75", "half_track = { value = 0.8", "free_length = -0.1177", "free_length = -0.15"}, ""},
		{"a trailer behind the axles that roles list", []string{"gravity = 9.81", strings.Replace(axles, one+two,
			`["tire_FL", "tire_FR"]]`, 1)}, ""},
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
