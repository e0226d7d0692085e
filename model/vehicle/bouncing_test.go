package vehicle_test

import (
	"slices"
	"strings"
	"testing"
)

// Zero is not silent where a small number is a warning: a corner without spring or damper, axles of which one wheel is
// missing, a centre of mass outside axles that are near each other.
func TestNothingWhereSomethingIsMeant(t *testing.T) {
	const one, two = `["tire_FL", "tire_FR"], `, `["tire_RL", "tire_RR"]]`
	arm := []string{"type = \"prismatic\"\nfrom = \"place\"\nto = \"hub\"\naxis = \"z\"\nstart = { s = 0.0 }",
		"type = \"revolute\"\nfrom = \"place\"\nto = \"swing\"\naxis = \"y\"\n[component.swing]\ntype = \"rigid-arm\"\n" +
			"from = \"swing\"\nto = \"hub\"\ntranslation = [-0.4, 0, 0]",
		"stiffness = 25000\nfree_length = -0.1177", "stiffness = 4000\nfree_length = -0.294", "damping = 2000",
		"damping = 0"}
	motor := "[component.motor]\ntype = \"torque-driver\"\nfrom = \"place\"\nto = \"hub\"\naxis = \"y\"\n[component.tire]"
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
			"[component.spring_FR]\ndamping = 2000\n[use.R]", "x = -1.3 }", "x = -1.3 }\n[use.R.component.spring]\n" +
				"damping = 2000"}, "corner.toml:24:11: nothing damps susp_FL"},
		{"a bar that damps", []string{"damping = 2000", "damping = 0", "gravity = 9.81", bar("1000\ndamping = 500"),
			"x = -1.3 }", "x = -1.3 }\n[use.R.component.spring]\ndamping = 2000"}, ""},
		{"a quadratic damper", []string{"damping = 2000", "quadratic_damping = 2000"}, ""},
		{"a damper of its own on the joint", []string{"damping = 2000",
			"[component.damper]\ntype = \"spring-damper\"\njoint = " +
				"\"susp\"\ndamping = 2000"}, ""},
		{"a damper between points", []string{"damping = 2000", "[component.damper]\ntype = \"spring-damper\"\nfrom = " +
			"\"place\"\nto = \"hub\"\ndamping = 2000"}, ""},
		{"a damper above the joint", []string{"damping = 2000", "[component.seat]\ntype = \"spring-damper\"\nfrom = " +
			"\"place\"\nto = \"chassis\"\ndamping = 2000"}, "nothing damps susp_FL"},
		{"a brake beyond the joint", []string{"damping = 2000", "", "[component.tire]", driver}, "nothing damps susp_FL"},
		{"a differential on the body", []string{"damping = 2000", "damping = 0", "gravity = 9.81", "gravity = 9.81\n" +
			differential("body")}, "(use R: spring_RL, spring_RR)"},
		{"a damper by a surface", []string{"damping = 2000",
			"damper_force = { points = [[-1, 0, -900], [-1, 1, -950], [1, 0, 900], [1, 1, 950]] }"}, ""},
		{"a spring that damps", []string{"damping = 2000",
			"spring_force = { points = [[-1, -1, -1], [-1, 1, 1], [1, -1, -1], [1, 1, 1]] }"}, ""},
		{"a swinging arm", arm, "corner.toml:28:11: nothing damps susp_FL"},
		{"a swinging arm with a motor", append(slices.Clone(arm), "[component.tire]", motor), ""},
		{"no springs", []string{"[component.spring]\ntype = \"spring-damper\"\njoint = \"susp\"\nstiffness = 25000\n" +
			"free_length = -0.1177\ndamping = 2000\n", ""},
			"corner.toml:13:12: no spring acts on susp_FL, along which wheels move up and down: the vehicle sinks; give it a " +
				"spring-damper with joint = \"susp_FL\""},
		{"dampers alone", []string{"stiffness = 25000\nfree_length = -0.1177\n", ""}, "no spring acts on susp_FL"},
		{"springs between points", []string{"joint = \"susp\"\nstiffness = 25000\nfree_length = -0.1177\n",
			"from = \"place\"\n" +
				"to = \"hub\"\nstiffness = 25000\n"}, ""},
		{"a rig that bears the body", []string{"stiffness = 25000\nfree_length = -0.1177\n", "", "gravity = 9.81",
			"gravity = 9.81\n[component.rig]\ntype = \"prismatic\"\nfrom = \"ground\"\nto = \"body\"\naxis = \"z\""}, ""},
		{"near axles behind", []string{"gravity = 9.81", axles, "x = 1.2", "x = -1.1"},
			"the centre of mass of body is not between the axles: seen from it the wheels are at x = -1.3 to -1.1 m"},
		{"wheels abreast without roles", []string{"x = 1.2", "x = -1.1"}, ""},
		{"a tire twice", []string{"gravity = 9.81", strings.Replace(axles, `"tire_RR"`, `"tire_RL"`, 1)},
			"plain.toml:4:46: the roles list the tire tire_RL twice, the second time in axle 2"},
		{"a tire alone", []string{"gravity = 9.81", strings.Replace(axles, `, "tire_RR"`, ``, 1)},
			"plain.toml:4:35: axle 2 lists tire_RL alone, and tire_RR is beside it"},
		{"a rear wheel alone", []string{"gravity = 9.81", strings.Replace(axles, two, `["tire_RL"]]`, 1),
			"at = [\"L\", \"R\"]\nframes = { chassis = \"body\", road = \"road\" }\nparameters = { x = -1.3 }",
			"at = [\"L\"]\n" +
				"frames = { chassis = \"body\", road = \"road\" }\nparameters = { x = -1.3, half_track = -0.05 }",
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
