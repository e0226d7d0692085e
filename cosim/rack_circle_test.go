package cosim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// onCircle is the front of a car that a turntable carries along a circle. The wheels are steered by a rack behind the
// axle, and turned back by side forces behind their kingpins.
func onCircle(column string) string {
	var s strings.Builder
	s.WriteString(`name = "Circle"
[parameters]
radius = { value = 20, unit = "m" }
[component.turn]
type = "motion-driver"
from = "ground"
to = "table"
axis = "z"
[component.spoke]
type = "rigid-arm"
from = "table"
to = "chassis"
translation = [0, "-radius", 0]
[component.steering]
type = "steering"
rack = { driver = "rack", travel_per_turn = "-50 mm/rev" }
hand_wheel = { inertia = 0.05, damping = 0.3, hold_stiffness = 200, hold_damping = 5 }
` + column + `
[component.rack_place]
type = "rigid-arm"
from = "chassis"
to = "rack_place"
translation = [1.1, 0, 0.05]
[component.rack]
type = "motion-driver"
kind = "translation"
from = "rack_place"
to = "bar"
axis = "y"
[component.bar]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.01, zz = 0.1 }
`)
	for i, name := range []string{"L", "R"} {
		sign := float64(1 - 2*i)
		fmt.Fprintf(&s, `[component.pillar_%[1]s]
type = "rigid-arm"
from = "chassis"
to = "pillar_%[1]s"
translation = [1.3, %[2]g, 0]
[component.kingpin_%[1]s]
type = "revolute"
from = "pillar_%[1]s"
to = "upright_%[1]s"
axis = "z"
[component.upright_%[1]s]
type = "rigid-body"
mass = 10
inertia = { xx = 0.3, yy = 0.3, zz = 0.2 }
[component.trail_%[1]s]
type = "rigid-arm"
from = "upright_%[1]s"
to = "wheel_%[1]s"
translation = [-0.03, 0, 0]
[component.tire_%[1]s]
type = "side-force"
frame = "wheel_%[1]s"
coefficient = 3000
[component.lever_%[1]s]
type = "rigid-arm"
from = "upright_%[1]s"
to = "outer_%[1]s"
translation = [-0.15, %[3]g, 0]
[component.end_%[1]s]
type = "rigid-arm"
from = "bar"
to = "inner_%[1]s"
translation = [0, %[4]g, 0]
[component.tie_%[1]s]
type = "rod"
from = "inner_%[1]s"
to = "outer_%[1]s"
length = "sqrt(0.05^2 + 0.25^2 + 0.05^2)"
reactions = "chassis"
`, name, sign*0.6, -sign*0.05, sign*0.3)
	}
	return s.String()
}

// On a circle the torque of the hands that hold a free steering wheel does the work of the tie rods and of the inertia
// of the rack, for a small turn; and a turn to the left is the mirror image of a turn to the right.
func TestTorqueOfSteeringWheelOnCircle(t *testing.T) {
	testrun.Slow(t)
	for _, column := range []string{"", "column = { stiffness = 40, damping = 2 }"} {
		const rate = 0.5
		settle := func(sign float64) *run {
			r := fromText(t, onCircle(column), "")
			r.set("radius", 20*sign)
			r.set("turn.rate", rate*sign)
			r.set("steering.angle", 0.9*sign)
			r.start(noInput)
			if err := r.in.Step(8); err != nil {
				t.Fatal(err)
			}
			return r
		}
		left := settle(1)
		torque, position := left.get("steering.wheel_torque"), left.get("rack.position")
		force := 3 * rate * rate * (20 - position) // towards the middle of the circle
		for _, tie := range []string{"tie_L", "tie_R"} {
			force += left.get(tie + ".Fy")
		}
		if want := -0.05 / (2 * math.Pi) * force; !(math.Abs(torque-want) <= 1e-9*math.Abs(want)) || math.Abs(torque) < 1 {
			t.Errorf("%s: torque %.15g N m, by the force on the rack %.15g N m", column, torque, want)
		}
		if rate := left.get("steering.wheel_rate"); !(math.Abs(rate) < 1e-11) {
			t.Errorf("the steering wheel turns at %g rad/s", rate)
		}
		right := settle(-1)
		for _, name := range []string{"steering.wheel_torque", "rack.position", "steering.wheel_angle"} {
			if l, r := left.get(name), right.get(name); !(math.Abs(l+r) <= 1e-12*math.Abs(l)) {
				t.Errorf("%s: %s is %.17g to the left, %.17g to the right", column, name, l, r)
			}
		}
	}
}
