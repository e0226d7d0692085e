package tangent_test

import (
	"strings"
	"testing"

	"skidpad/harness/evidence/tangent"
	"skidpad/harness/tests/testrun"
	"skidpad/model/vehicle"
)

// strutted is a wheel carrier on an arm, a tie rod and a strut of a base that moves. In the design position the carrier
// can move along the line of the strut, which is vertical, so that the spring carries its weight and half of the weight
// of the arm. Weight and spring are not in line, so that the strut and the ball joint carry side forces.
const strutted = `name = "Strutted"
gravity = 10
[parameters]
speed = { value = 4, unit = "m/s" }
[component.advance]
type = "prismatic"
from = "ground"
to = "ahead"
axis = "x"
start = { s_dot = "speed" }
[component.drift]
type = "prismatic"
from = "ahead"
to = "aside"
axis = "y"
[component.heading]
type = "revolute"
from = "aside"
to = "base"
axis = "z"
[component.base]
type = "rigid-body"
mass = 40
inertia = { xx = 3, yy = 5, zz = 6 }
[component.skid]
type = "side-force"
frame = "base"
coefficient = 70
[component.hinge_place]
type = "rigid-arm"
from = "base"
to = "hinge_place"
translation = [0, 0.3, 0]
[component.hinge]
type = "revolute"
from = "hinge_place"
to = "hinge_end"
axis = "x"
[component.arm_centre]
type = "rigid-arm"
from = "hinge_end"
to = "arm"
translation = [0, 0.2, 0]
[component.arm]
type = "rigid-body"
mass = 2
inertia = { xx = 0.04, yy = 0.02, zz = 0.05 }
[component.arm_outer]
type = "rigid-arm"
from = "arm"
to = "arm_outer"
translation = [0, 0.2, 0]
[component.ball]
type = "spherical"
from = "arm_outer"
to = "carrier_lower"
[component.carrier_place]
type = "rigid-arm"
from = "carrier_lower"
to = "carrier"
translation = [0.03, 0.02, 0.1]
[component.carrier]
type = "rigid-body"
mass = 10
inertia = { xx = 0.3, yy = 0.5, zz = 0.4, yz = 0.05 }
[component.foot]
type = "rigid-arm"
from = "carrier"
to = "foot"
translation = [-0.01, -0.17, 0.1]
angles = [0, 0.3, 0]
[component.top]
type = "rigid-arm"
from = "base"
to = "top"
translation = [0.02, 0.55, 0.7]
[component.line]
type = "strut"
from = "top"
to = "foot"
axis = [-0.29552020666133957510532074568503, 0, 0.95533648912560601964231022756805]
[component.coil]
type = "spring-damper"
joint = "line"
stiffness = 3000
damping = 80
free_length = "0.5 - 110/3000"
[component.tie_inner]
type = "rigid-arm"
from = "base"
to = "tie_inner"
translation = [-0.15, 0.3, 0.1]
[component.tie_outer]
type = "rigid-arm"
from = "carrier_lower"
to = "tie_outer"
translation = [-0.15, 0, 0.1]
[component.tie]
type = "rod"
from = "tie_inner"
to = "tie_outer"
length = 0.4
[component.pusher]
type = "force-driver"
from = "base"
to = "carrier"
axis = [1, 2, 2]
`

// The symbolic equations and bodies with tangent stiffness agree about a loaded strut.
func TestBothFormulationsOfStrutsAgree(t *testing.T) {
	testrun.Slow(t)
	m, err := vehicle.Parse([]byte(strutted), "strutted.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	formulationsAgree(t, m, []string{"pusher.force"},
		[]string{"line.length", "line.length_dot", "carrier.wz", "base.yaw", "drift.s_dot", "coil.length"},
		[]map[string]float64{{"speed": 3}, {"speed": 8}})
}

// A strut whose point is off its line at the start is refused.
func TestStrutOffItsLine(t *testing.T) {
	text := strings.Replace(strutted, "translation = [0.02, 0.55, 0.7]", "translation = [0.02, 0.56, 0.7]", 1)
	m, err := vehicle.Parse([]byte(text), "strutted.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "line: the origin of top is 0.01 m off the line of foot at the start"
	if _, err := tangent.Translate(m, nil); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %s", err, want)
	}
}
