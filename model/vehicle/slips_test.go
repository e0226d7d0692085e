package vehicle_test

import (
	"strings"
	"testing"
)

// Slips that no reader of keys sees: wheels that turn about another axis than across, and two joints along or about one
// axis with nothing heavy between them.
func TestSlipsOfAxes(t *testing.T) {
	joints := func(first, second, more string) []string {
		return []string{"[use.F]", "[component.extra]\n" + first + `
from = "body"
to = "mid"
[component.other]
` +
			second + `
from = "mid"
to = "load"
[component.load]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 1, zz = 1 }
` + more + "[use.F]"}
	}
	const slide, hinge = "type = \"prismatic\"\naxis = \"z\"", "type = \"revolute\"\naxis = \"z\""
	const down, across = "type = \"prismatic\"\naxis = [0, 0, -1]", "type = \"prismatic\"\naxis = \"x\""
	const driven = `type = "motion-driver"
kind = "translation"
axis = "z"`
	const mass = `[component.ballast]
type = "rigid-body"
frame = "mid"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`
	const arm = `[component.bracket]
type = "rigid-arm"
from = "mid"
to = "end"
[component.weight]
type = "rigid-body"
frame = "end"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`
	for name, c := range map[string]struct {
		changes []string
		want    string // "" for none
	}{
		"a wheel about x": {[]string{"to = \"tire\"\naxis = \"y\"", "to = \"tire\"\naxis = \"x\""},
			"corner.toml:44:8: the wheel " +
				"tire_FL turns about an axis that does not point across the vehicle, [1, 0, 0]: it slides where it should roll; " +
				"the axis of a wheel is axis = \"y\""},
		"a wheel with a camber of 40 degrees": {[]string{"to = \"tire\"\naxis = \"y\"",
			"to = \"tire\"\naxis = [0, 0.77, 0.64]"}, ""},
		"two slides": {joints(slide, slide, ""),
			"extra and other slide along one axis, and mid between them has no mass"},
		"two slides of opposite axes":      {joints(slide, down, ""), "extra and other slide along one axis"},
		"two hinges":                       {joints(hinge, hinge, ""), "extra and other turn about one axis"},
		"a slide and a hinge":              {joints(slide, hinge, ""), ""},
		"two slides across":                {joints(slide, across, ""), ""},
		"a slide that is driven":           {joints(slide, driven, ""), ""},
		"two slides with a body between":   {joints(slide, slide, mass), ""},
		"two slides with a body on an arm": {joints(slide, slide, arm), ""},
	} {
		m, err := parsePlain(t, c.changes...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := strings.Join(m.Warnings, "\n")
		if (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: %q is not in: %s", name, c.want, text)
		}
	}
}
