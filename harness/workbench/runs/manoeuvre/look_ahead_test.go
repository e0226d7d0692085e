package manoeuvre

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

const withDriver = `name = "ahead"
title = "Ahead"
models = ["Car"]
step = 0.001
[steering]
drivers = ["steer"]
ratio = 16
[speed_control]
variable = "body.vx"
torques = ["drive.torque"]
proportional = 1
integral = 1
limit = 10
[driver]
body = "body"
slowest = 10
fastest = "144 km/h"
preview_factor = 0.9
nonlinear = false
delay = 0.15
lag = 0.1
rate = 14
angle = 9
[track]
start = 20
[[track.section]]
length = 20
left = 2
right = -2
[[track.section]]
length = 30
[[track.section]]
length = 20
left = 5
right = 1
[[phase]]
name = "track"
duration = 5
speed = { kind = "constant", value = 20 }
path = { kind = "least-curvature", margin = 0.2, body_front = 2, body_rear = 1.5, body_width = 1.8 }
`

// The table of a driver who adapts is read, with its defaults; what is wrong with it is told.
func TestTheTableOfADriver(t *testing.T) {
	m, err := Parse("ahead.toml", []byte(withDriver))
	if err != nil {
		t.Fatal(err)
	}
	want := Driver{"body", 10, 40, 0.9, false, 0.15, 0.1, 14, 9}
	if !reflect.DeepEqual(*m.Driver, want) || m.PathFollower != nil {
		t.Errorf("the driver is %+v; want %+v", *m.Driver, want)
	}
	if c := m.Phases[0].Path.Curvature; !(c > 0.0005 && c < 0.005) {
		t.Errorf("the path has a largest curvature of %g", c)
	}
	if !m.Drives("steer.angle") {
		t.Error("the driver does not drive the steering wheel")
	}
	cut := func(lines ...string) string {
		text := withDriver
		for _, line := range lines {
			text = strings.Replace(text, line+"\n", "", 1)
		}
		return text
	}
	m, err = Parse("ahead.toml", []byte(cut("preview_factor = 0.9", "nonlinear = false", "delay = 0.15", "lag = 0.1",
		"rate = 14", "angle = 9")))
	if err != nil || !reflect.DeepEqual(*m.Driver, Driver{Body: "body", Slowest: 10, Fastest: 40, Factor: 1,
		Nonlinear: true}) {
		t.Errorf("a driver of defaults is %+v, %v", m.Driver, err)
	}
	smooth, err := Parse("ahead.toml", []byte(strings.Replace(withDriver, "margin = 0.2",
		"margin = 0.2, transition = 4", 1)))
	if err != nil {
		t.Fatal(err)
	}
	y, jump := smooth.Phases[0].Path.Y, 0.0
	for i := 3; i < len(y); i++ { // the third difference
		jump = max(jump, math.Abs(y[i]-3*y[i-1]+3*y[i-2]-y[i-3]))
	}
	if most := 2 * smooth.Phases[0].Path.Curvature / 5; jump > most*(1+1e-6) || jump < most/4 {
		t.Errorf("with a transition of 4 m the curvature changes by %g in a metre; want at most %g", jump, most)
	}
	for want, text := range map[string]string{
		"the slowest speed, 50 m/s, is not below the fastest, 40 m/s": strings.Replace(withDriver, "slowest = 10",
			"slowest = 50", 1),
		"values": withDriver + "[constants]\nv = 1\nw = 2\n[search]\nconstant = \"v\"\nunit = \"m/s\"\nfrom = 1\nto = 2\n" +
			"tolerance = 0.1\nfigure = \"pass\"\nover = \"w\"\n[figures]\nkind = \"lane-change\"\n",
		"both [driver] and [path_follower]": withDriver + "[path_follower]\nbody = \"body\"\npreview = 1\n" +
			"proportional = 1\nintegral = 0\nlag = 0.1\nrate = 10\nlimit = 9\n",
		"does not fit into a lane of 4 m": strings.Replace(withDriver, "margin = 0.2", "margin = 1.2", 1),
		"no path leads the body":          strings.Replace(withDriver, "left = 5\nright = 1", "left = 2005\nright = 2001", 1),
		`needs a table [track]`: strings.Replace(strings.Replace(withDriver, "[track]", "[constants]", 1),
			"[[track.section]]\nlength = 20\nleft = 2\nright = -2\n[[track.section]]\nlength = 30\n"+
				"[[track.section]]\nlength = 20\nleft = 5\nright = 1\n", "", 1),
		`needs a table [speed_control]`: cut("[speed_control]", `variable = "body.vx"`, `torques = ["drive.torque"]`,
			"proportional = 1", "integral = 1", "limit = 10", "speed = { kind = \"constant\", value = 20 }"),
	} {
		if _, err := Parse("ahead.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}
