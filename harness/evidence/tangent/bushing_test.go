package tangent_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/harness/evidence/tangent"
	"skidpad/model/vehicle"
)

// mounted is a block on two bushings of a base that moves. The first bushing is displaced and rotated; preloads of the
// second, whose frames coincide at the start, hold the block. The last five values are axes and law of the first, and
// preloads of the second.
const mounted = `name = "Mounted"
gravity = 10
[[tree]]
name = "relative"
prefer = ["mount.T1", "mount.R2"]
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
mass = 12
inertia = { xx = 1.1, yy = 1.7, zz = 2.1, xz = 0.3, xy = 0.1 }
[component.skid]
type = "side-force"
frame = "base"
coefficient = 7
[component.block]
type = "rigid-body"
mass = 3
inertia = { xx = 0.2, yy = 0.3, zz = 0.4, yz = 0.05 }
start = { position = [0.3, 0.1, 0.5], velocity = ["speed", 0, 0] }
[component.mount]
type = "free"
from = "base"
to = "block"
[component.tail_arm]
type = "rigid-arm"
from = "base"
to = "tail"
translation = [0.1, 0.3, 0.4]
angles = [0.4, -0.3, %[1]g]
[component.head_arm]
type = "rigid-arm"
from = "block"
to = "head"
translation = [-0.25, 0.15, -0.05]
angles = [0.1, 0.2, -0.5]
[component.first]
type = "bushing"
from = "tail"
to = "head"
%[2]s
[component.foot_arm]
type = "rigid-arm"
from = "base"
to = "foot"
translation = [0.2, 0.2, 0.6]
[component.knee_arm]
type = "rigid-arm"
from = "block"
to = "knee"
translation = [-0.1, 0.1, 0.1]
[component.second]
type = "bushing"
from = "foot"
to = "knee"
rotational_stiffness = [20, 30, 40]
stiffness = [500, 600, 700]
damping = [5, 4, 3]
rotational_damping = [0.3, 0.2, 0.1]
preload = [%.17[3]g, %.17[4]g, %.17[5]g]
preload_moment = [%.17[6]g, %.17[7]g, %.17[8]g]
[component.pusher]
type = "force-driver"
from = "base"
to = "block"
axis = [1, 2, 2]
[component.twister]
type = "torque-driver"
from = "base"
to = "block"
axis = [2, 1, 2]
`

// Bushings under load, displaced and rotated, small angles included, have the same linear equations by both
// formulations.
func TestBushingsAgreeInBothFormulations(t *testing.T) {
	for name, c := range map[string]struct {
		roll float64
		law  string
	}{
		"numbers": {0.6, `along = ["0.3*cos(0)", "-sqrt(1)", 0.5]
stiffness = [900, 700, 400]
rotational_stiffness = [40, 30, 20]
damping = [9, 7, 5]
rotational_damping = [0.4, 0.3, 0.2]
preload = [20, -30, 40]
preload_moment = [2, 1, -3]`},
		"matrix": {0, `axes = ["z", [0.6, 0.8, 0]]
matrix = [[900, 50, 0, 0, 100, 0], [50, 800, 0, 30, 0, 0], [0, 0, 500, 0, 0, 20], [0, 30, 0, 60, 0, 5],
  [100, 0, 0, 0, 70, 0], [0, 0, 20, 5, 0, 50]]
loss = 0.3
frequency = 5
preload = [20, -30, 40]`},
		"curves": {-1.5, `spring_force_x = [[-1, -200], [0, 0], [1, 500]]
damper_force_z = [[-1, -2], [0, 0], [1, 5]]
spring_moment_y = [[-3, -80], [-0.5, -20], [0, 0], [3, 60]]
damper_moment_x = [[-1, -0.5], [0, 0], [1, 0.3]]`},
	} {
		t.Run(name, func(t *testing.T) {
			with := func(p, q r3.Vec) *vehicle.Model {
				m, err := vehicle.Parse(fmt.Appendf(nil, mounted, c.roll, c.law, p.X, p.Y, p.Z, q.X, q.Y, q.Z), "mounted.toml",
					nil)
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
			v, err := tangent.Translate(with(r3.Vec{}, r3.Vec{}), nil)
			if err != nil {
				t.Fatal(err)
			}
			first, second := &v.Bushings[0], &v.Bushings[1]
			weight, centre := r3.Vec{Z: -30}, r3.Vec{X: 0.3, Y: 0.1, Z: 0.5}
			preload := r3.Add(first.Force, weight)
			moment := r3.Add(first.Moment, r3.Add(r3.Cross(r3.Sub(first.At, second.At), first.Force),
				r3.Cross(r3.Sub(centre, second.At), weight)))
			var speeds []map[string]float64
			for _, speed := range []float64{0.5, 3, 20} {
				speeds = append(speeds, map[string]float64{"speed": speed})
			}
			formulationsAgree(t, with(preload, moment), []string{"pusher.force", "twister.torque"},
				[]string{"first.dx", "first.dy", "first.dz", "first.rx", "first.ry", "first.rz", "second.dz", "heading.phi",
					"block.wx", "block.z"}, speeds)
		})
	}
}

// A bushing between bodies that move against each other has no steady state.
func TestBushingRefusesBodiesInRelativeMotion(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Turning"
gravity = 0
[component.spin]
type = "revolute"
from = "ground"
to = "disc"
axis = "z"
start = { omega = 2 }
[component.disc]
type = "rigid-body"
mass = 1
inertia = { axial = 1, transverse = 1, axis = "z" }
[component.bush]
type = "bushing"
from = "ground"
to = "disc"
stiffness = [1, 1, 1]
`), "turning.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := tangent.Translate(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = "bush: its bodies move with 0 m/s and 2 rad/s against each other, which is not a steady state"
	if _, err := v.Linearise(); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
