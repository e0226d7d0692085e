package cosim_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"skidpad/cosim"
	"skidpad/model/vehicle"
)

// twoBodies is a model of two tumbling bodies. A spring joins one body to a point of the other, and a free joint is
// between them.
const twoBodies = `name = "Two"
[solver]
method = "rk4"
step = 0.00025
[component.link]
type = "free"
from = "hook"
to = "b"
[component.hook]
type = "rigid-arm"
from = "a"
to = "hook"
translation = [0.1, 0.05, -0.1]
angles = [0.4, -0.3, 0.2]
[component.a]
type = "rigid-body"
mass = 1.3
inertia = { xx = 1, yy = 1.4, zz = 0.8, xy = 0.1 }
[component.a.start]
position = [0.2, 0.1, 0.5]
velocity = [0.3, -0.2, 0.5]
angles = [0.3, 0.2, -0.4]
angular_velocity = [1, -0.7, 2]
[component.b]
type = "rigid-body"
mass = 2
inertia = { xx = 0.5, yy = 0.6, zz = 0.7 }
[component.b.start]
position = [1, 0.2, 0.9]
velocity = [-0.3, 0.4, 0.1]
angles = [0.5, -0.3, 0.2]
angular_velocity = [-0.4, 0.9, 1.2]
[component.tip]
type = "rigid-arm"
from = "b"
to = "tip"
translation = [0.2, -0.1, 0.3]
[component.hinge]
type = "revolute"
from = "tip"
to = "disc"
axis = "x"
reactions = true
start = { omega = 3 }
[component.disc]
type = "rigid-body"
mass = 0.4
inertia = { xx = 0.02, yy = 0.011, zz = 0.012 }
[component.spring]
type = "spring-damper"
from = "a"
to = "tip"
stiffness = 40
free_length = 0.7
[[tree]]
name = "absolute"
[[tree]]
name = "indirect"
prefer = ["link.T1", "link.R2"]
[[tree]]
name = "turned"
prefer = ["link.R2"]
[[tree]]
name = "moved"
prefer = ["link.T1"]
[[tree]]
name = "reversed"
prefer = ["link.T1", "link.R2", "b.T1", "b.R1"]
`

// twoRods is a double pendulum of rods on spherical joints, the second rod measured against the ground.
const twoRods = `name = "Rods"
[solver]
method = "rk4"
step = 0.00025
[component.pivot]
type = "spherical"
from = "ground"
to = "upper"
start = { angles = [0.2, 0.3, 0.8], angular_velocity = [0.5, -1, 0.3] }
[component.upper_arm]
type = "rigid-arm"
from = "upper"
to = "first"
translation = [0, 0, -0.5]
[component.first]
type = "rigid-body"
mass = 1
inertia = { xx = 0.084, yy = 0.084, zz = 0.001 }
[component.elbow_arm]
type = "rigid-arm"
from = "first"
to = "elbow"
translation = [0, 0, -0.5]
[component.elbow]
type = "spherical"
from = "elbow"
to = "lower"
start = { angles = [-0.4, 0.6, -0.9], angular_velocity = [-0.2, 1.5, 0.4] }
[component.lower_arm]
type = "rigid-arm"
from = "lower"
to = "second"
translation = [0, 0, -0.4]
[component.second]
type = "rigid-body"
mass = 0.8
inertia = { xx = 0.043, yy = 0.043, zz = 0.0007 }
[component.above]
type = "free"
from = "ground"
to = "lower"
[[tree]]
name = "relative"
prefer = ["pivot.R2", "elbow.R2"]
[[tree]]
name = "measured"
prefer = ["pivot.R2", "above.R2"]
`

// freeChain is a chain of bodies with springs between neighbours; each body is measured against the previous one.
func freeChain() string {
	text := "name = \"Chain\"\n[solver]\nmethod = \"rk4\"\nstep = 0.00025\n"
	prefer := ""
	for i := range 6 {
		text += fmt.Sprintf("[component.b%[1]d]\ntype = \"rigid-body\"\nmass = 1.%[1]d\n"+
			"inertia = { xx = 0.2, yy = 0.3, zz = 0.25 }\n[component.b%[1]d.start]\nposition = [%[1]d, 0.1, 0.%[1]d]\n"+
			"velocity = [0.1, 0.%[1]d, 0]\nangles = [0.%[1]d, 0.1, -0.2]\nangular_velocity = [0.3, -0.%[1]d, 0.4]\n", i)
		if i > 0 {
			ends := fmt.Sprintf("from = \"b%d\"\nto = \"b%d\"\n", i-1, i)
			text += fmt.Sprintf("[component.link%d]\ntype = \"free\"\n%ssequence = \"312\"\n", i, ends)
			text += fmt.Sprintf("[component.spring%d]\ntype = \"spring-damper\"\n%sstiffness = 20\nfree_length = 1\n", i, ends)
			prefer += fmt.Sprintf("\"link%[1]d.T1\", \"link%[1]d.R2\", ", i)
		}
	}
	return text + "[[tree]]\nname = \"absolute\"\n[[tree]]\nname = \"indirect\"\nprefer = [" + prefer + "\"b0.T1\"]\n"
}

// TestFreeJointsGiveIndirectCoordinates: every tree gives the same motion, outputs, energy and derivatives.
func TestFreeJointsGiveIndirectCoordinates(t *testing.T) {
	for _, c := range []struct {
		text   string
		trees  []string
		always []string // outputs that every tree has
	}{
		{twoBodies, []string{"absolute", "indirect", "turned", "moved", "reversed"}, []string{"a.x", "a.y", "a.z", "a.vx",
			"a.wz", "a.yaw", "b.x", "b.y", "b.z", "b.wx", "b.roll", "b.ax", "link.x", "link.y", "link.z", "link.yaw",
			"link.pitch", "link.roll", "link.vx", "link.vz", "link.ay", "link.wx", "link.wy", "link.wz",
			"spring.force", "disc.wx", "hinge.Fx", "hinge.Fz", "hinge.My"}},
		{freeChain(), []string{"absolute", "indirect"}, []string{"b0.x", "b5.x", "b5.wz", "b3.roll", "link5.x", "link5.vy",
			"link2.yaw", "link3.wx", "spring4.force"}},
		{twoRods, []string{"relative", "measured"}, []string{"first.x", "first.z", "second.x", "second.y", "second.z",
			"second.wx", "second.az", "above.x", "above.yaw", "above.wy", "above.ax"}},
	} {
		m, err := vehicle.Parse([]byte(c.text), "free.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		var want []float64
		operations := map[string]int{}
		for _, tree := range c.trees {
			s, err := cosim.New(m, cosim.Options{Tree: tree})
			if err != nil {
				t.Fatal(err)
			}
			cost := s.Program().RateCost
			operations[tree] = cost.Additions + cost.Multiplications
			r := instance(t, s, "rk4", 0.00025)
			r.text("energy.record", "true")
			r.start(noInput)
			var got []float64
			for range 4 {
				for _, name := range c.always {
					got = append(got, r.get(name))
				}
				r.drive(noInput, 0.00025, r.in.Time()+0.25)
			}
			if want == nil {
				want = got
			}
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-10*max(1, math.Abs(want[i]))) {
					t.Errorf("%s, %s: %s is %.14g, want %.14g", m.Name, tree, c.always[i%len(c.always)], got[i], want[i])
				}
			}
			if e := r.get("energy.balance"); !(math.Abs(e) <= 1e-9) {
				t.Errorf("%s, %s: the balance of energy is %g J", m.Name, tree, e)
			}
			names := []string{}
			for _, v := range s.Program().States {
				names = append(names, v.Name)
			}
			if indirect := slices.Contains(names, "link.x") || slices.Contains(names, "link.wx") ||
				slices.Contains(names, "above.wx") || slices.Contains(names, "link5.wx"); indirect == (tree == c.trees[0]) {
				t.Errorf("%s, %s: the states are %v", m.Name, tree, names)
			}
		}
		if relative, measured := operations["relative"], operations["measured"]; measured > 9*relative/10 {
			t.Errorf("the second rod takes %d operations relative to the first, %d against the ground", relative, measured)
		}
	}
}
