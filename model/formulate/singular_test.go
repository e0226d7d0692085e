package formulate_test

import (
	"fmt"
	"strings"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// Rates of angles are not allowed as speeds where the first and the last axis of the sequence coincide: at a second
// angle of 90 deg, with 313 at 0. The message names the place of the angle, or of the component where the angle has its
// default. Other speeds, and starts beside the singular one, are accepted.
func TestRatesOfAnglesNeedARegularStart(t *testing.T) {
	const body = `name = "Stone"
[component.stone]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 2, zz = 2.5 }
sequence = %q
speeds = %q
%s
`
	for _, c := range []struct{ sequence, speeds, start, want string }{
		{"321", "rates", `start = { angles = [0.3, "90 deg", 0] }`, "stone.toml:8:26: stone starts with stone.pitch = 1.570"},
		{"312", "rates", `start = { angles = [0.3, "-90 deg", 0] }`, "stone.toml:8:26: stone starts with stone.angle2 = -1"},
		{"313", "rates", ``, "stone.toml:2:12: stone starts with stone.angle2 = 0 rad"},
		{"313", "rates", `start = { angles = [0.3, 0.5, 0] }`, ""},
		{"321", "rates", `start = { angles = [0.3, "89 deg", 0] }`, ""},
		{"313", "rates", `start = { angles = [0.3, "90 deg", 0] }`, ""},
		{"321", "ground", `start = { angles = [0.3, "90 deg", 0] }`, ""},
	} {
		m, err := vehicle.Parse(fmt.Appendf(nil, body, c.sequence, c.speeds, c.start), "stone.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = formulate.New(m, formulate.Options{})
		if c.want == "" && err == nil {
			continue
		}
		if c.want == "" || err == nil || !strings.HasPrefix(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "choose another sequence") {
			t.Errorf("%s, %s, %s: %v, want %q", c.sequence, c.speeds, c.start, err, c.want)
		}
	}
}
