package vehicle_test

import (
	"fmt"
	"strings"
	"testing"

	"skidpad/model/component"
)

// Names added by the changes of a use belong to the instance: frames of components that the use adds or changes, and
// references to these components. Frames of the file and of the user do not change.
func TestNamesThatUsesAdd(t *testing.T) {
	const eye = "[component.eye]"
	hub := func(frame string) string {
		return `
[use.F.component.hub]
type = "rigid-body"
frame = "` + frame + `"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`
	}
	const steer = `
[use.F.component.steer]
type = "motion-driver"
from = "upright"
to = "knuckle"
axis = "z"
`
	free := strings.Replace(steer, "motion-driver", "revolute", 1)
	const pod = `[component.pod]
type = "rigid-arm"
from = "body"
to = "knuckle"
translation = [1, 0, 0]
[component.eye]`
	for name, c := range map[string]struct {
		changes []string // of the car, and of the axle behind "axle:"
		want    string   // component: its frames, some of them
	}{
		"a frame of a component": {[]string{eye, steer + hub("knuckle") + eye},
			"steer_FL: upright_FL knuckle_FL; steer_FR: upright_FR knuckle_FR; hub_FR: ground knuckle_FR"},
		"a frame of a change": {[]string{eye, `[use.F.component.susp]
to = "slider"
[use.F.component.pin]
type = "weld"
from = "slider"
to = "upright"
` + eye},
			"susp_FL: corner_FL slider_FL; pin_FL: slider_FL upright_FL; susp_FR: corner_FR slider_FR"},
		"a frame of changes alone": {[]string{eye + `
type = "sensor"
to = "upright_FL"
`,
			`[use.F.component.susp]
to = "slider"
[use.F.component.upright]
frame = "slider"
`}, "susp_FL: corner_FL slider_FL; upright_FR: ground slider_FR"},
		"of one side within an array, of changes alone": {[]string{eye, `[use.rear.component.susp_L]
to = "slider"
[use.rear.component.upright_L]
frame = "slider"
` + eye},
			"susp_2L: corner_2L slider_2; upright_3L: ground slider_3; susp_3R: corner_3R upright_3R"},
		"of a component that a nested use adds": {[]string{"axle:[component.link]",
			`[use.L.component.hub]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.link]`, eye, `[use.rear.component.hub_L]
frame = "slider"
` + eye}, "hub_2L: ground slider_2"},
		"a joint that the use adds": {[]string{eye, free + hub("knuckle") + `[use.F.component.twist]
type = "spring-damper"
joint = "steer"
stiffness = 100
` + eye}, "twist_FR: joint steer_FR"},
		"a frame of the model": {[]string{eye, `[use.F.component.tie]
type = "spring-damper"
from = "knuckle"
to = "upright"
stiffness = 100
` + pod}, "tie_FL: knuckle upright_FL; tie_FR: knuckle upright_FR"},
		"a body of the model": {[]string{eye, `[use.F.component.tie]
type = "spring-damper"
from = "body"
to = "upright"
stiffness = 100
` + eye}, "tie_FR: body upright_FR"},
		"a frame of the ground": {[]string{eye, `[use.F.component.tie]
type = "spring-damper"
from = "ground"
to = "chassis"
stiffness = 100
` + eye}, "tie_FR: ground body"},
		"a frame of another use": {[]string{eye, `[use.F.component.tie]
type = "spring-damper"
from = "corner_2L"
to = "upright"
stiffness = 100
` + eye}, "tie_FL: corner_2L upright_FL; tie_FR: corner_2L upright_FR"},
		"of a nested use": {[]string{`axle:[component.link]
type = "spring-damper"
from = "corner_L"`,
			`[use.L.component.steer]
type = "motion-driver"
from = "upright"
to = "knuckle"
axis = "z"
[use.L.component.hub]
type = "rigid-body"
frame = "knuckle"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.link]
type = "spring-damper"
from = "knuckle_L"`},
			"steer_2L: upright_2L knuckle_2L; link_2: knuckle_2L upright_2R; hub_3L: ground knuckle_3L"},
		"a change of a nested use": {[]string{`axle:[component.link]
type = "spring-damper"
from = "corner_L"`,
			`[use.L.component.susp]
to = "slider"
[use.L.component.pin]
type = "weld"
from = "slider"
to = "upright"
[component.link]
type = "spring-damper"
from = "slider_L"`},
			"susp_2L: corner_2L slider_2L; susp_2R: corner_2R upright_2R; link_2: slider_2L upright_2R"},
		"of one side within an array": {[]string{eye, `[use.rear.component.susp_L]
to = "slider"
[use.rear.component.pin]
type = "weld"
from = "slider"
to = "upright_L"
` + eye},
			"susp_2L: corner_2L slider_2; pin_2: slider_2 upright_2L; susp_3L: corner_3L slider_3"},
		"of both sides within an array": {[]string{eye, `[use.rear.component.susp]
to = "slider"
[use.rear.component.spring]
type = "weld"
from = "slider"
to = "upright"
` + eye},
			"susp_2L: corner_2L slider_2L; susp_2R: corner_2R slider_2R; spring_3R: slider_3R upright"},
	} {
		text, parts := strings.Replace(carOfStruts, "[component.spring_FR]\ndamping = 7\n", "", 1), axle
		if strings.HasPrefix(c.changes[0], "axle:") {
			parts = strings.Replace(axle, strings.TrimPrefix(c.changes[0], "axle:"), c.changes[1], 1)
			c.changes = c.changes[2:]
		}
		if len(c.changes) > 0 {
			text = strings.Replace(text, c.changes[0], c.changes[1], 1)
		}
		text = strings.Replace(text, "[component.link_3]\nremove = true\n", "", 1)
		m, err := subsystemModel(text, map[string]string{"parts/axle.toml": parts})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for wanted := range strings.SplitSeq(c.want, "; ") {
			of, _, _ := strings.Cut(wanted, ":")
			if got := of + framesOf(m.Scope().Find(of)); got != wanted {
				t.Errorf("%s: %s, want %s", name, got, wanted)
			}
		}
	}
}

// framesOf are the frames of a component, or its joint, behind a colon.
func framesOf(c component.Component) string {
	if s, is := c.(*component.SpringDamper); is && s.Joint != "" {
		return ": joint " + s.Joint
	}
	text, f := ":", c.Frames()
	for _, frame := range append(f.Joins[:], f.Uses...) {
		if frame != "" {
			text += " " + frame
		}
	}
	return text
}

// A name that a use adds belongs to one instance, like names of files.
func TestAddedNamesThatClash(t *testing.T) {
	const steer = `.component.steer]
type = "motion-driver"
from = "chassis"
to = "knuckle"
axis = "z"
`
	text := strings.Replace(carOfStruts, "[component.eye]", "[use.F"+steer+"[component.eye]", 1)
	const other = `kind = "subsystem"
[component.bracket]
type = "rigid-body"
frame = "knuckle"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`
	for _, c := range []struct{ use, other, want string }{
		{"FL", other, "car.toml:23:6: use FL makes knuckle_FL, which is a name of car.toml:9:6 (use F, at L), too; " +
			"give one of the uses another name"},
		{"G", other, ""},
		{"FL", strings.Replace(other, "knuckle", "chassis", 1), ""}, // which is a frame that the use gives
	} {
		_, err := subsystemModel(strings.Replace(text, "[component.eye]", "[use."+c.use+`]
file = "parts/other.toml"
[component.eye]`, 1), map[string]string{"parts/other.toml": c.other})
		if said := fmt.Sprint(err); c.want != "" && !strings.HasPrefix(said, c.want) ||
			c.want == "" && strings.Contains(said, "makes") {
			t.Errorf("%s: %v", c.use, err)
		}
	}
}
