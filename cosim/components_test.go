package cosim_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// fromText instantiates a model written in the test. Equal texts are one system.
func fromText(t *testing.T, text, tree string) *run {
	t.Helper()
	return instance(t, made(t, text+"\n"+tree, func() (*cosim.System, error) {
		m, err := vehicle.Parse([]byte(text), "test.toml", func(_ bounded.Kind, name string) ([]byte, error) {
			return os.ReadFile(filepath.Join("../resources/models", name))
		})
		if err != nil {
			return nil, err
		}
		return cosim.New(m, cosim.Options{Tree: tree})
	}), "rk4", 0.001)
}

func (r *run) near(name string, want, tolerance float64) {
	r.Helper()
	if got := r.get(name); !(math.Abs(got-want) <= tolerance) {
		r.Errorf("%s = %.12g, want %.12g", name, got, want)
	}
}

// Two masses on a spring in free space: they swing about their common centre
// with omega^2 = k (1/m1 + 1/m2).
func TestSpringBetweenPointMasses(t *testing.T) {
	r := fromText(t, `name = "Dumbbell"
gravity = [0, 0, 0]
[component.a]
type = "point-mass"
mass = 2
start = { velocity = [0, 1, 0] }
[component.b]
type = "point-mass"
mass = 3
start = { position = [1.1, 0, 0], velocity = [0, 1, 0] }
[component.spring]
type = "spring-damper"
from = "a"
to = "b"
stiffness = 30
free_length = 1
`, "")
	r.start(noInput)
	r.near("spring.force", 3, 1e-12)
	omega := math.Sqrt(30 * (1.0/2 + 1.0/3))
	r.drive(noInput, 0.001, 0.7)
	r.near("spring.length", 1+0.1*math.Cos(omega*0.7), 1e-8)
	// the common centre moves on straight ahead
	if x := (2*r.get("a.x") + 3*r.get("b.x")) / 5; !(math.Abs(x-0.66) <= 1e-12) {
		t.Errorf("centre at x = %g", x)
	}
	r.near("a.y", 0.7, 1e-12)
}

// A mass on a rod is a pendulum: l theta” = -g sin theta; energy and length stay.
func TestRodHoldsItsLength(t *testing.T) {
	const l, theta = 0.8, 0.5
	r := fromText(t, fmt.Sprintf(`name = "Plumb"
[component.anchor]
type = "point-mass"
mass = 1e9
[component.bob]
type = "point-mass"
mass = 2
start = { position = [%.17g, 0, %.17g] }
[component.rod]
type = "rod"
from = "anchor"
to = "bob"
length = %g
`, l*math.Sin(theta), -l*math.Cos(theta), l), "")
	r.start(noInput)
	a := fromText(t, fmt.Sprintf(`name = "Angle"
[component.bob]
type = "rigid-body"
mass = 2
inertia = { xx = 1e-12, yy = 1e-12, zz = 1e-12 }
[component.hinge]
type = "revolute"
from = "ground"
to = "pivot"
axis = "y"
start = { phi = %.17g }
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "bob"
translation = [0, 0, %g]
`, -theta, -l), "")
	a.start(noInput)
	r.drive(noInput, 0.001, 1)
	a.drive(noInput, 0.001, 1)
	// both fall with the anchor's frame only if the anchor is held: the heavy
	// anchor falls freely, so compare in its frame, where the bob is weightless
	dx, dz := r.get("bob.x")-r.get("anchor.x"), r.get("bob.z")-r.get("anchor.z")
	if length := math.Hypot(dx, dz); !(math.Abs(length-l) <= 1e-9) {
		t.Errorf("the rod is %.12g m long, want %g", length, l)
	}
	if !(math.Abs(dx-l*math.Sin(theta)) <= 1e-9) {
		t.Errorf("in free fall the bob moves to %g m beside the anchor", dx)
	}
	// and a hinged bob follows the pendulum equation
	x, v := theta, 0.0
	const h = 1e-5
	for range 100000 { // leapfrog
		v -= h / 2 * 9.81 / l * math.Sin(x)
		x += h * v
		v -= h / 2 * 9.81 / l * math.Sin(x)
	}
	a.near("hinge.phi", -x, 1e-8)
}

// A slider pushed by a force driver on a free base: both move about the common centre.
func TestForceDriverReactsOnItsBase(t *testing.T) {
	r := fromText(t, `name = "Slider"
gravity = [0, 0, 0]
[component.base]
type = "rigid-body"
mass = 8
inertia = { xx = 1, yy = 1, zz = 1 }
[component.rail]
type = "prismatic"
from = "base"
to = "block"
axis = [3, 0, 4]
[component.block]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.push]
type = "force-driver"
from = "base"
to = "block"
axis = [3, 0, 4]
`, "")
	r.set("push.force", 10)
	r.start(noInput)
	// relative acceleration F (1/m1 + 1/m2), base -F/m1 along the axis
	r.drive(noInput, 0.001, 1)
	r.near("rail.s", 10*(1.0/8+1.0/2)/2, 1e-10)
	r.near("base.vx", -10.0/8*0.6, 1e-10)
	r.near("base.vz", -10.0/8*0.8, 1e-10)
	r.near("block.vx", 10.0/2*0.6, 1e-10)
}

// On a base that is driven up with acceleration a, a mass on a spring is heavier by m a.
func TestTranslatingDriverCarriesInertia(t *testing.T) {
	r := fromText(t, `name = "Lift"
[component.lift]
type = "motion-driver"
from = "ground"
to = "cabin"
axis = "z"
kind = "translation"
[component.guide]
type = "prismatic"
from = "cabin"
to = "load"
axis = "z"
[component.load]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring]
type = "spring-damper"
joint = "guide"
stiffness = 100
`, "")
	r.set("lift.rate", 0.5)
	r.set("lift.acceleration", 3)
	r.start(noInput)
	r.drive(noInput, 0.01, 1)
	// s'' = -g - a - k/m s from rest
	w := math.Sqrt(50.0)
	r.near("guide.s", -(9.81+3)/50*(1-math.Cos(w)), 1e-7)
	r.near("load.z", 0.5+1.5+r.get("guide.s"), 1e-9)
	r.near("load.az", 3+(-(9.81+3)*math.Cos(w)), 1e-5)
}

// The same rigid body, described in rotated axes through an arm with angles, moves the same; so does a weld.
func TestArmsWithAnglesAndWelds(t *testing.T) {
	const text = `name = "Tumbler"
gravity = [0, 0, 0]
[component.a]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 2, zz = 2.5 }
start = { angular_velocity = [0.5, 1, -0.7] }
`
	plain := fromText(t, text+`[component.b]
type = "rigid-body"
frame = "a"
mass = 1
inertia = { xx = 0.5, yy = 0.7, zz = 0.6 }
`, "")
	// b, turned by 90 degrees about z: its own x axis is a's y axis
	turned := fromText(t, text+`[component.arm]
type = "rigid-arm"
from = "a"
to = "elbow"
angles = ["pi/2", 0, 0]
[component.glue]
type = "weld"
from = "elbow"
to = "b"
[component.b]
type = "rigid-body"
mass = 1
inertia = { xx = 0.7, yy = 0.5, zz = 0.6 }
`, "")
	plain.start(noInput)
	turned.start(noInput)
	plain.drive(noInput, 0.001, 3)
	turned.drive(noInput, 0.001, 3)
	for _, q := range []string{"a.wx", "a.wy", "a.wz", "a.yaw", "a.pitch", "a.roll"} {
		turned.near(q, plain.get(q), 1e-9)
	}
	turned.near("b.wx", plain.get("a.wy"), 1e-9)
}

// A chain described from its far end, with edges that point towards the ground, moves like the chain described
// outwards.
func TestEdgesMayPointTowardsTheGround(t *testing.T) {
	const bodies = `[component.rod]
type = "rigid-body"
mass = 2
inertia = { xx = 0.4, yy = 0.5, zz = 0.3, xy = 0.05 }
[component.tip]
type = "rigid-body"
mass = 1
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
`
	outwards := fromText(t, `name = "Out"
`+bodies+`[component.hinge]
type = "revolute"
from = "ground"
to = "pivot"
axis = [1, 2, 2]
start = { phi = 0.7, omega = 1 }
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "rod"
translation = [0.1, 0.2, -0.6]
[component.slide]
type = "prismatic"
from = "rod"
to = "tip"
axis = "z"
start = { s = -0.4, s_dot = 0.3 }
[component.spring]
type = "spring-damper"
joint = "slide"
stiffness = 50
`, "")
	inwards := fromText(t, `name = "In"
`+bodies+`[component.hinge]
type = "revolute"
from = "pivot"
to = "ground"
axis = [1, 2, 2]
start = { phi = -0.7, omega = -1 }
[component.arm]
type = "rigid-arm"
from = "rod"
to = "pivot"
translation = [-0.1, -0.2, 0.6]
[component.slide]
type = "prismatic"
from = "tip"
to = "rod"
axis = "z"
start = { s = 0.4, s_dot = -0.3 }
[component.spring]
type = "spring-damper"
joint = "slide"
stiffness = 50
`, "")
	outwards.start(noInput)
	inwards.start(noInput)
	outwards.drive(noInput, 0.001, 2)
	inwards.drive(noInput, 0.001, 2)
	inwards.near("hinge.phi", -outwards.get("hinge.phi"), 1e-10)
	inwards.near("slide.s", -outwards.get("slide.s"), 1e-10)
	for _, q := range []string{"rod.x", "tip.z", "rod.wx", "tip.vy", "rod.az"} {
		inwards.near(q, outwards.get(q), 1e-9)
	}
}

// A spherical joint may be a branch or a chord.
func TestSphericalJointAsBranchAndAsConstraint(t *testing.T) {
	const text = `name = "Conical"
[component.bob]
type = "rigid-body"
mass = 2
inertia = { xx = 0.1, yy = 0.12, zz = 0.05 }
[component.ball]
type = "spherical"
from = "ground"
to = "hook"
sequence = "%s"
start = { angles = [0.3, 0.4, 0.2], angular_velocity = [0.5, 0.6, 0.7] }
[component.arm]
type = "rigid-arm"
from = "hook"
to = "bob"
translation = [0.1, 0, -0.8]
[[tree]]
name = "branch"
[[tree]]
name = "chord"
prefer = ["bob.T1", "bob.R1"]
forbid = ["ball.T1"]
`
	for _, sequence := range []string{"321", "312", "313", "123"} {
		a, b := fromText(t, fmt.Sprintf(text, sequence), "branch"), fromText(t, fmt.Sprintf(text, sequence), "chord")
		a.start(noInput)
		b.start(noInput)
		for _, at := range []float64{0, 1} {
			a.drive(noInput, 0.001, at)
			b.drive(noInput, 0.001, at)
			for _, q := range []string{"bob.x", "bob.y", "bob.z", "bob.wx", "bob.wy", "bob.wz", "bob.roll"} {
				b.near(q, a.get(q), 1e-7)
			}
		}
	}
}

// vehicleOn is the skidder on a road of the given pose, with gravity g.
func vehicleOn(t *testing.T, gravity, road, start string) *run {
	t.Helper()
	data, err := os.ReadFile("../resources/models/skidder.toml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, edit := range [][2]string{
		{"gravity = 9.81", "gravity = " + gravity},
		{"[component.road]\ntype = \"road\"", `[component.road]
type = "road"
` + road},
		{"start = { position = [0, 0, 1.403775], velocity = [10, 0, 0], angular_velocity = [0, 0, 0.0235] }",
			"start = { " + start + " }"},
	} {
		if !strings.Contains(text, edit[0]) {
			t.Fatal(errors.New(edit[0] + " is not in the model"))
		}
		text = strings.Replace(text, edit[0], edit[1], 1)
	}
	return fromText(t, text, "")
}

// A vehicle on a slope under vertical gravity is the same vehicle on level
// ground under slanting gravity.
func TestInclinedRoadEqualsInclinedGravity(t *testing.T) {
	const slope = 0.12 // downhill ahead: positive about y
	g := 9.81
	level := vehicleOn(t, fmt.Sprintf("[%.17g, 0, %.17g]", g*math.Sin(slope), -g*math.Cos(slope)), "",
		"position = [0, 0, 1.4], velocity = [8, 0, 0], angular_velocity = [0, 0, 0.05]")
	hill := vehicleOn(t, "9.81", fmt.Sprintf("angles = [0, %g, 0]\nsequence = \"321\"", slope),
		fmt.Sprintf("position = [%.17g, 0, %.17g], angles = [0, %g, 0], velocity = [8, 0, 0], angular_velocity = "+
			"[0, 0, 0.05]", 1.4*math.Sin(slope), 1.4*math.Cos(slope), slope))
	level.start(skidderSine)
	hill.start(skidderSine)
	level.drive(skidderSine, 0.001, 1.5)
	hill.drive(skidderSine, 0.001, 1.5)
	for _, q := range []string{"front.vx", "front.vy", "front.wz", "tire_FL.Fz", "tire_RR.Fy", "tire_RL.alpha",
		"wheel_FR.omega"} {
		want := level.get(q)
		hill.near(q, want, 1e-8*max(1, math.Abs(want)))
	}
}

// A road that rises lifts the vehicle: once settled, the loads are the weight
// again and the height has followed; while it rises the damper sees its rate.
func TestMovingRoadCarriesTheVehicle(t *testing.T) {
	r := vehicleOn(t, "9.81", "", "position = [0, 0, 1.403755], velocity = [10, 0, 0]")
	r.start(noInput)
	before := r.get("tire_FL.Fz")
	r.set("road.z", 0.01)
	r.near("tire_FL.Fz", before+5e5*0.01, 1e-6*before)
	r.set("road.z_dot", 0.2)
	r.near("tire_FL.Fz", before+5e5*0.01+5e3*0.2, 1e-6*before)
	r.set("road.z_dot", 0)
	r.drive(noInput, 0.001, 16)
	r.near("tire_FL.Fz", before, 20)
	r.near("front.z", 1.413755, 1e-4)
	r.set("road.mu", 0.3)
	r.set("brake_FL.torque", 3e4)
	r.drive(noInput, 0.001, 16.5)
	if fx := math.Abs(r.get("tire_FL.Fx")); !(fx <= 0.31*r.get("tire_FL.Fz")) {
		t.Errorf("on a slippery road the tire brakes with %g N under %g N", fx, r.get("tire_FL.Fz"))
	}
}

func TestEngineReportsModelFaults(t *testing.T) {
	for name, c := range map[string]struct{ text, tree, want string }{
		"no inertia": {`name = "Massless"
[component.joint]
type = "revolute"
from = "ground"
to = "end"
axis = "y"
[component.motor]
type = "torque-driver"
from = "ground"
to = "end"
axis = "y"
`, "", "nothing has inertia in the direction of the speed joint.omega"},
		"no such tree": {`name = "P"
[component.p]
type = "point-mass"
mass = 1
`, "other",
			`no tree "other"; it has default`},
		"no such output": {`name = "P"
outputs = ["p.yaw"]
[component.p]
type = "point-mass"
mass = 1
`, "",
			`"p.yaw", which no component publishes`},
		"spring without length": {`name = "P"
[component.p]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.hinge]
type = "revolute"
from = "ground"
to = "p"
axis = "y"
[component.s]
type = "spring-damper"
from = "ground"
to = "p"
stiffness = 1
`, "", "test.toml:11:12: spring-damper s acts along the line between"},
		"suspension out of the tree": {`name = "P"
[[tree]]
name = "bad"
prefer = ["q.R1", "link.R2"]
[component.p]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.q]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.s]
type = "suspension"
from = "p"
to = "q"
[component.link]
type = "weld"
from = "ground"
to = "p"
`, "",
			`test.toml:13:12: suspension s: its edge s.R2 is not a branch of the tree "bad"`},
		"what a suspension follows out of the tree": {`name = "P"
[[tree]]
name = "bad"
forbid = ["rack.T1"]
[component.wheel]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.bar]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.rail]
type = "prismatic"
from = "ground"
to = "bar"
axis = "y"
[component.rack]
type = "prismatic"
from = "ground"
to = "bar"
axis = "y"
[component.s]
type = "suspension"
from = "ground"
to = "wheel"
steer = "rack"
toe = [[-1, -1, 0], [-1, 1, 0.1], [1, -1, 0], [1, 1, 0.2]]
`, "", `test.toml:23:12: suspension s follows rack, which is not a branch of the tree "bad"`},
		"tree does not span": {`name = "P"
[[tree]]
name = "bad"
forbid = ["p.T1"]
[component.p]
type = "point-mass"
mass = 1
`, "", `does not reach frame "p"`},
	} {
		m, err := vehicle.Parse([]byte(c.text), "test.toml", bounded.Kind.Read)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err = cosim.New(m, cosim.Options{Tree: c.tree}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one about %q", name, err, c.want)
		}
	}
}

// Quantities of a model file cannot have names of variables that the engine adds to the file.
func TestQuantitiesNamedLikeTextsAreRefused(t *testing.T) {
	for name, file := range map[string]string{"tire.contact": "wheel", "tire.model": "wheel", "tire.file": "wheel",
		"terrain.kind": "motorcycle2d"} {
		text, err := os.ReadFile("../resources/models/" + file + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		m, err := vehicle.Parse([]byte(fmt.Sprintf(`%s
[quantities]
%q = { value = "1", unit = "1" }
`, text,
			name)), "odd.toml",
			func(_ bounded.Kind, name string) ([]byte, error) {
				return os.ReadFile(filepath.Join("../resources/models", name))
			})
		if err != nil {
			t.Fatal(err)
		}
		position := fmt.Sprintf("odd.toml:%d:", bytes.Count(text, []byte("\n"))+3)
		if _, err := cosim.New(m, cosim.Options{}); err == nil || !strings.HasPrefix(err.Error(), position) ||
			!strings.Contains(err.Error(), "quantity "+name+": there is a variable of that name already") {
			t.Errorf("%s: error %v at %s expected", name, err, position)
		}
	}
}
