package vehicle_test

import (
	"math"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// On the right side, a rocker reads its surface at the opposite steering, and a joint whose coordinate changes its sign
// has the opposite ratio. A length over two travels stays.
func TestMirroredRockersAndLengths(t *testing.T) {
	const car = `name = "Car"
gravity = 9.81
[component.body]
type = "rigid-body"
mass = 900
inertia = { xx = 300, yy = 900, zz = 900 }
[component.slide]
type = "prismatic"
from = "body"
to = "rack"
axis = "y"
[component.rack]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 1, zz = 1 }
[use.F]
file = "corner.toml"
at = ["L", "R"]
frames = { chassis = "body", slide = "slide" }
`
	const corner = `kind = "subsystem"
title = "Corner"
frames = ["chassis", "slide"]
sides = "left"
[component]
susp = { type = "suspension", from = "chassis", to = "guided", steer = "slide", toe = [[-1, -1, 2], [-1, 1, 3], [1, -1, 4], [1, 1, 6]] }
turn = { type = "revolute", from = "guided", to = "between", axis = "z" }
shift = { type = "prismatic", from = "between", to = "hub", axis = "y" }
hub = { type = "rigid-body", mass = 9, inertia = { xx = 1, yy = 1, zz = 1 } }
arm = { type = "suspension", from = "chassis", to = "beam" }
beam = { type = "rigid-body", mass = 9, inertia = { xx = 1, yy = 1, zz = 1 } }
spring = { type = "spring-damper", joint = "susp", other = "arm", length = [[-1, -1, 1], [-1, 1, 2], [1, -1, 3], [1, 1, 5]], stiffness = 9 }
[component.lever]
type = "rocker"
joint = "susp"
angle = [[-1, -1, 1], [-1, 1, 2], [1, -1, 3], [1, 1, 5]]
also = [{ joint = "turn", ratio = 0.3 }, { joint = "shift", ratio = 0.4 }]
`
	m, err := vehicle.Parse([]byte(car), "car.toml", func(bounded.Kind, string) ([]byte, error) {
		return []byte(corner), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, sign := range map[string]float64{"FL": 1, "FR": -1} {
		lever, is := m.Scope().Find("lever_" + name).(*component.Rocker)
		if !is || len(lever.Also) != 2 {
			t.Fatalf("lever_%s is %v", name, lever)
		}
		if a, b := lever.Also[0].Ratio.Value, lever.Also[1].Ratio.Value; a != sign*0.3 || b != 0.4 {
			t.Errorf("lever_%s has the ratios %g and %g", name, a, b)
		}
		spring := m.Scope().Find("spring_" + name).(*component.SpringDamper)
		for _, p := range [][3]float64{{-1, -1, 1}, {-1, 1, 2}, {1, -1, 3}, {1, 1, 5}} {
			if angle, _, _ := lever.Surface.At(p[0], sign*p[1]); math.Abs(angle-p[2]) > 1e-12 {
				t.Errorf("lever_%s at %g and %g: %g", name, p[0], sign*p[1], angle)
			}
			if length, _, _ := spring.LengthSurface.At(p[0], p[1]); math.Abs(length-p[2]) > 1e-12 {
				t.Errorf("spring_%s at %g and %g: %g", name, p[0], p[1], length)
			}
		}
	}
}
