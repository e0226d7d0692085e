package cosim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/vehicle"
)

// bodyWithFreeHandWheel is a model that flies in space. A steering wheel turns two carriers on the body about inclined
// axes, one after Ackermann and one by a curve. Arms lead off these axes, and a joint is behind the left arm.
const bodyWithFreeHandWheel = `name = "Steered"
gravity = 0
[component.steering]
type = "steering"
ratio = 3
wheelbase = 2.6
wheels = [
  { driver = "steer_L", lateral = 0.7 },
  { driver = "steer_R", angle_curve = [[-0.9, -0.5], [-0.3, -0.27], [0, 0], [0.2, 0.22], [0.9, 0.75]] },
]
%s
[component.body]
type = "rigid-body"
mass = 20
inertia = { xx = 3, yy = 5, zz = 6, xz = 0.4 }
start = { velocity = [1, -2, 0.5], angular_velocity = [0.3, -0.8, 0.9] }
[component.corner_L]
type = "rigid-arm"
from = "body"
to = "corner_L"
translation = [1, 0.7, -0.2]
angles = [0, -0.1, 0.2]
[component.steer_L]
type = "motion-driver"
from = "corner_L"
to = "carrier_L"
axis = "z"
[component.stub_L]
type = "rigid-arm"
from = "carrier_L"
to = "left"
translation = [0.2, 0.3, 0.1]
[component.left]
type = "rigid-body"
mass = 4
inertia = { xx = 0.5, yy = 0.6, zz = 0.7 }
[component.flap]
type = "revolute"
from = "left"
to = "end"
axis = [0.6, 0, 0.8]
start = { phi = 0.3, omega = 1.5 }
[component.end]
type = "rigid-body"
mass = 2
inertia = { xx = 0.2, yy = 0.3, zz = 0.4 }
[component.corner_R]
type = "rigid-arm"
from = "body"
to = "corner_R"
translation = [1, -0.7, -0.2]
[component.steer_R]
type = "motion-driver"
from = "corner_R"
to = "carrier_R"
axis = [0, 0.6, 0.8]
[component.stub_R]
type = "rigid-arm"
from = "carrier_R"
to = "right"
translation = [-0.1, -0.4, 0.2]
[component.right]
type = "rigid-body"
mass = 5
inertia = { xx = 0.4, yy = 0.8, zz = 0.5, xy = 0.1 }
`

var flyingBodies = []struct {
	name    string
	mass    float64
	inertia [3][3]float64
}{
	{"body", 20, [3][3]float64{{3, 0, -0.4}, {0, 5, 0}, {-0.4, 0, 6}}},
	{"left", 4, [3][3]float64{{0.5, 0, 0}, {0, 0.6, 0}, {0, 0, 0.7}}},
	{"end", 2, [3][3]float64{{0.2, 0, 0}, {0, 0.3, 0}, {0, 0, 0.4}}},
	{"right", 5, [3][3]float64{{0.4, -0.1, 0}, {-0.1, 0.8, 0}, {0, 0, 0.5}}},
}

// flying returns momentum and angular momentum of the bodies about the origin of ground, and their kinetic energy.
func (r *run) flying() (momentum, angular [3]float64, energy float64) {
	for _, b := range flyingBodies {
		get := func(names ...string) (v [3]float64) {
			for i, name := range names {
				v[i] = r.get(b.name + "." + name)
			}
			return v
		}
		x, v, w := get("x", "y", "z"), get("vx", "vy", "vz"), get("wx", "wy", "wz")
		a := rotation(r.get(b.name+".yaw"), r.get(b.name+".pitch"), r.get(b.name+".roll"))
		var h, p, l [3]float64
		for i := range 3 {
			for k := range 3 {
				h[i] += b.inertia[i][k] * w[k]
			}
			energy += (b.mass*v[i]*v[i] + h[i]*w[i]) / 2
		}
		for i := range 3 {
			for k := range 3 {
				p[i] += b.mass * a[i][k] * v[k]
				l[i] += a[i][k] * h[k]
			}
		}
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			momentum[i] += p[i]
			angular[i] += l[i] + x[j]*p[k] - x[k]*p[j]
		}
	}
	return momentum, angular, energy
}

// Without damping, friction and a driver's hands, momentum, angular momentum and energy are conserved. The energy
// includes the steering wheel, which swings to and fro with everything geared to it.
func TestFreeHandWheelKeepsMomentumAndEnergy(t *testing.T) {
	r := fromText(t, fmt.Sprintf(bodyWithFreeHandWheel, "hand_wheel = { inertia = 0.05, angle = 0.4, rate = 2 }"), "")
	r.set(cosim.StepVariable, 0.0005)
	r.start(noInput)
	total := func() (p, l [3]float64, e float64) {
		p, l, e = r.flying()
		rate := r.get("steering.wheel_rate")
		return p, l, e + 0.05*rate*rate/2
	}
	p0, l0, e0 := total()
	least, most := math.Inf(1), math.Inf(-1)
	for end := 0.1; end < 3; end += 0.1 {
		r.drive(noInput, 0.001, end)
		angle := r.get("steering.wheel_angle")
		least, most = min(least, angle), max(most, angle)
	}
	p, l, e := total()
	if !(math.Abs(e-e0) <= 1e-9*e0) {
		t.Errorf("energy %.12g J, %.12g J at the start", e, e0)
	}
	for i := range 3 {
		if !(math.Abs(p[i]-p0[i]) <= 1e-9*e0) || !(math.Abs(l[i]-l0[i]) <= 1e-8*e0) {
			t.Errorf("momentum %v, angular momentum %v; %v, %v at the start", p, l, p0, l0)
			break
		}
	}
	if !(most-least > 0.5) {
		t.Errorf("the steering wheel hardly turns, from %g to %g rad", least, most)
	}
}

// A steering wheel whose angle is an input, moved like the free one, gives the same motion of everything else.
func TestFreeAndPrescribedHandWheelsMoveTheVehicleAlike(t *testing.T) {
	free := fromText(t, fmt.Sprintf(bodyWithFreeHandWheel,
		"hand_wheel = { inertia = 0.05, damping = 0.1, angle = 0.4, rate = 2 }"), "")
	given := fromText(t, fmt.Sprintf(bodyWithFreeHandWheel, ""), "")
	free.start(noInput)
	const h = 1e-3
	type state struct{ angle, rate float64 }
	var passed []state
	for i := range 501 {
		free.drive(noInput, h, float64(i)*h)
		passed = append(passed, state{free.get("steering.wheel_angle"), free.get("steering.wheel_rate")})
	}
	given.set("steering.angle", passed[0].angle)
	given.set("steering.rate", passed[0].rate)
	given.start(noInput)
	for i := range 500 {
		a, b := passed[i], passed[i+1]
		given.set("steering.angle", a.angle)
		given.set("steering.rate", a.rate)
		given.set("steering.acceleration", (b.rate-a.rate)/h)
		given.drive(noInput, h, float64(i+1)*h)
	}
	for _, name := range []string{"body.x", "body.y", "body.z", "body.yaw", "body.pitch", "body.roll", "flap.phi",
		"end.x", "right.x", "right.y", "right.z", "steer_L.angle", "steer_R.angle"} {
		given.near(name, free.get(name), 2e-6) // with pieces of constant acceleration
	}
	if turned := math.Abs(passed[500].angle - passed[0].angle); !(turned > 0.1) {
		t.Errorf("the steering wheel has turned by %g rad only", turned)
	}
}

// A steering wheel on ground turns a flywheel by its ratio. With damping, friction and hands it obeys
//
//	(I + J/n^2) D" = T - c D' - F tanh(D'/s), T = torque + hold (k (angle - D) + d (rate - D') + I acceleration).
func TestHandWheelHasItsEquation(t *testing.T) {
	const text = `name = "Flywheel"
gravity = 0
[component.steering]
type = "steering"
ratio = 4
wheels = [{ driver = "steer" }]
hand_wheel = { inertia = 0.06, damping = 0.3, friction = 1.2, sliding_speed = 0.2, hold_stiffness = 50, hold_damping = 2, angle = 0.7, rate = -0.3 }
[component.steer]
type = "motion-driver"
from = "ground"
to = "wheel"
axis = "z"
[component.wheel]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 0.48 }
[component.arm]
type = "rigid-arm"
from = "wheel"
to = "tip"
translation = [1, 0, 0]
[component.tip]
type = "sensor"
to = "tip"
`
	for _, c := range []struct{ hold, torque, angle, rate, acceleration float64 }{
		{1, 0, 0, 0, 0}, {0, 0, 3, 4, 5}, {0, 2.5, 3, 4, 5}, {1, -0.4, 0.9, -0.1, 7}, {0.3, 1, 0.9, -0.1, 7},
	} {
		r := fromText(t, text, "")
		for name, v := range map[string]float64{"hold": c.hold, "torque": c.torque, "angle": c.angle, "rate": c.rate,
			"acceleration": c.acceleration} {
			r.set("steering."+name, v)
		}
		r.start(noInput)
		torque := c.torque + c.hold*(50*(c.angle-0.7)+2*(c.rate+0.3)+0.06*c.acceleration)
		r.near("steering.wheel_torque", torque, 1e-12)
		r.near("steer.angle", 0.7/4, 1e-15)
		want := (torque + 0.3*0.3 + 1.2*math.Tanh(0.3/0.2)) / (0.06 + 0.48/16)
		sin, cos := math.Sincos(0.7 / 4)
		if got := 4 * (cos*r.get("tip.ay") - sin*r.get("tip.ax")); !(math.Abs(got-want) <= 1e-11*(1+math.Abs(want))) {
			t.Errorf("%+v: the steering wheel is accelerated by %.12g rad/s2, want %.12g", c, got, want)
		}
	}
}

// Hands lead the steering wheel along a motion given with rate and acceleration, and then release it.
func TestHandWheelIsHeldAndReleased(t *testing.T) {
	r := fromText(t, fmt.Sprintf(bodyWithFreeHandWheel,
		"hand_wheel = { inertia = 0.05, damping = 0.1, hold_stiffness = 20000, hold_damping = 100 }"), "")
	r.start(noInput)
	for i := range 1000 {
		time := float64(i) / 1000
		r.set("steering.angle", 0.5*(1-math.Cos(2*time)))
		r.set("steering.rate", math.Sin(2*time))
		r.set("steering.acceleration", 2*math.Cos(2*time))
		r.drive(noInput, 0.001, time+0.001)
	}
	r.near("steering.wheel_angle", 0.5*(1-math.Cos(2)), 2e-3)
	away := func() float64 { return math.Abs(r.get("steering.wheel_angle") - r.get("steering.angle")) }
	if distance := away(); !(distance < 2e-3) {
		t.Errorf("hands hold the steering wheel %g rad away", distance)
	}
	r.set("steering.hold", 0)
	r.drive(noInput, 0.001, 1.5)
	r.near("steering.wheel_torque", 0, 0)
	if free := away(); !(free > 0.01) {
		t.Errorf("nobody holds the steering wheel, which is %g rad away", free)
	}
}

// solid is a body with mass and principal moments of inertia.
type solid struct {
	name             string
	mass, xx, yy, zz float64
}

// kinetic returns the energy of solids and of a steering wheel with an inertia.
func (r *run) kinetic(handWheel float64, solids ...solid) float64 {
	sum := handWheel / 2 * math.Pow(r.get("steering.wheel_rate"), 2)
	for _, b := range solids {
		for quantity, m := range map[string]float64{"vx": b.mass, "vy": b.mass, "vz": b.mass, "wx": b.xx,
			"wy": b.yy, "wz": b.zz} {
			sum += m / 2 * math.Pow(r.get(b.name+"."+quantity), 2)
		}
	}
	return sum
}

// A steered wheel can carry a second steered wheel: both rotations count, and energy is conserved.
func TestSteeredWheelsInSeriesConserveEnergy(t *testing.T) {
	r := fromText(t, `name = "Twice"
gravity = 0
[component.steering]
type = "steering"
ratio = 1
wheels = [{ driver = "first" }, { driver = "second", angle_curve = [[-4, -2], [0, 0.1], [1, 0.8], [4, 2.5]] }]
hand_wheel = { inertia = 0.1, rate = 3 }
[component.base]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 1, zz = 2 }
start = { angular_velocity = [0.2, 0.4, -0.6] }
[component.first]
type = "motion-driver"
from = "base"
to = "a"
axis = "z"
[component.a]
type = "rigid-body"
mass = 1
inertia = { xx = 0.1, yy = 0.2, zz = 0.3 }
[component.arm]
type = "rigid-arm"
from = "a"
to = "b"
translation = [0.5, 0.2, 0]
angles = [0, 0.4, 0]
[component.second]
type = "motion-driver"
from = "b"
to = "c"
axis = "x"
[component.out]
type = "rigid-arm"
from = "c"
to = "d"
translation = [0.1, 0.3, 0.4]
[component.d]
type = "rigid-body"
mass = 2
inertia = { xx = 0.2, yy = 0.3, zz = 0.4 }
`, "")
	r.set(cosim.StepVariable, 0.0002)
	r.start(noInput)
	energy := func() float64 {
		return r.kinetic(0.1, solid{"base", 3, 1, 1, 2}, solid{"a", 1, 0.1, 0.2, 0.3}, solid{"d", 2, 0.2, 0.3, 0.4})
	}
	before, rate := energy(), r.get("steering.wheel_rate")
	r.drive(noInput, 0.001, 1)
	if after := energy(); !(math.Abs(after-before) <= 1e-9*before) {
		t.Errorf("energy %.12g J, %.12g J at the start", after, before)
	}
	if changed := math.Abs(r.get("steering.wheel_rate") - rate); !(changed > 0.05) {
		t.Errorf("the rate of the steering wheel has changed by %g rad/s only", changed)
	}
}

// Trees that reach the body through a steered wheel, against its motion driver, give the same motion.
func TestFreeHandWheelDoesNotDependOnTheTree(t *testing.T) {
	const trees = `hand_wheel = { inertia = 0.05, damping = 0.1, angle = 0.4, rate = 2 }
[[tree]]
name = "body"
[[tree]]
name = "wheel"
prefer = ["left.T1", "left.R1"]
forbid = ["body.T1", "body.R1"]
`
	text := strings.Replace(fmt.Sprintf(bodyWithFreeHandWheel, ""), "ratio = 3\n",
		"ratio = 3\n"+strings.SplitAfterN(trees, "\n", 2)[0], 1) + strings.SplitAfterN(trees, "\n", 2)[1]
	body, wheel := fromText(t, text, "body"), fromText(t, text, "wheel")
	for _, r := range []*run{body, wheel} {
		r.set(cosim.StepVariable, 0.0005)
		r.start(noInput)
		r.drive(noInput, 0.001, 1)
	}
	for _, name := range []string{"steering.wheel_angle", "steering.wheel_rate", "body.x", "body.yaw", "body.wz",
		"left.x", "flap.phi", "right.z", "right.wx"} {
		wheel.near(name, body.get(name), 1e-8)
	}
}

// A chain of many bodies behind a steered wheel feels the steering wheel's inertia, too: energy is conserved.
func TestLongChainsBehindAFreeHandWheelKeepTheirEnergy(t *testing.T) {
	text := `name = "Chain"
gravity = 0
[component.steering]
type = "steering"
ratio = 2
wheels = [{ driver = "steer" }]
hand_wheel = { inertia = 0.7, angle = 0.4, rate = 3 }
[component.base]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 1, zz = 1 }
start = { angular_velocity = [0.2, 0.4, -0.6] }
[component.steer]
type = "motion-driver"
from = "base"
to = "frame0"
axis = "z"
`
	const links = 14
	for i := range links {
		text += fmt.Sprintf(`[component.arm%[1]d]
type = "rigid-arm"
from = "frame%[1]d"
to = "link%[1]d"
translation = [0.4, 0.1, 0]
[component.link%[1]d]
type = "rigid-body"
mass = 0.5
inertia = { xx = 0.02, yy = 0.03, zz = 0.04 }
[component.joint%[1]d]
type = "revolute"
from = "link%[1]d"
to = "frame%[2]d"
axis = %[3]q
start = { omega = 0.3 }
`, i, i+1, []string{"z", "y"}[i%2])
	}
	text += fmt.Sprintf(`[component.last]
type = "rigid-body"
frame = "frame%d"
mass = 1
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
`, links)
	r := fromText(t, text, "")
	r.start(noInput)
	solids := []solid{{"base", 3, 1, 1, 1}, {"last", 1, 0.1, 0.1, 0.1}}
	for i := range links {
		solids = append(solids, solid{fmt.Sprintf("link%d", i), 0.5, 0.02, 0.03, 0.04})
	}
	energy := func() float64 { return r.kinetic(0.7, solids...) }
	before, rate := energy(), r.get("steering.wheel_rate")
	r.drive(noInput, 0.001, 0.5)
	if after := energy(); !(math.Abs(after-before) <= 1e-8*before) {
		t.Errorf("energy %.12g J, %.12g J at the start", after, before)
	}
	if changed := math.Abs(r.get("steering.wheel_rate") - rate); !(changed > 0.1) {
		t.Errorf("the rate of the steering wheel has changed by %g rad/s only", changed)
	}
}

func TestTreesWithoutAFreeHandWheelAreRefused(t *testing.T) {
	const loop = `name = "Loop"
[[tree]]
name = "bad"
prefer = ["wheel.T1", "wheel.R1"]
[component.steering]
type = "steering"
wheels = [{ driver = "steer" }]
hand_wheel = { inertia = 0.1 }
[component.steer]
type = "motion-driver"
from = "ground"
to = "wheel"
axis = "z"
[component.wheel]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`
	m, err := vehicle.Parse([]byte(loop), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `test.toml:9:12: motion-driver steer: its edge steer.R2 is not a branch of the tree "bad"`
	if _, err = cosim.New(m, cosim.Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A constraint that holds the steered wheels, to ground or to each other, also holds the steering wheel: constraints
// act on everything that the steering wheel turns.
func TestFreeHandWheelIsHeldByConstraints(t *testing.T) {
	const text = `name = "Held"
[[tree]]
name = "default"
formulation = "udwadia-kalaba"
[component.steering]
type = "steering"
ratio = 1
wheels = [{ driver = "one" }, { driver = "two", angle_curve = [[-2, -4], [0, 0], [2, 4]] }]
hand_wheel = { inertia = 0.1 }
[component.one]
type = "motion-driver"
from = "ground"
to = "a"
axis = "z"
[component.two]
type = "motion-driver"
from = "ground"
to = "b"
axis = "z"
[component.a]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.b]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`
	free := fromText(t, text, "")
	free.set("steering.torque", 2)
	free.start(noInput)
	free.drive(noInput, 0.001, 0.5)
	free.near("steering.wheel_rate", 0.5*2/(0.1+1+4), 1e-12)
	for name, link := range map[string]string{
		"to ground": `type = "weld"
from = "a"
to = "ground"
`,
		"to each other": `type = "revolute"
from = "a"
to = "b"
axis = "y"
`,
	} {
		t.Run(name, func(t *testing.T) {
			locked := fromText(t, text+"[component.link]\n"+link, "")
			locked.set("steering.torque", 2)
			locked.start(noInput)
			locked.drive(noInput, 0.001, 0.5)
			locked.near("steering.wheel_angle", 0, 1e-12)
			locked.near("steering.wheel_rate", 0, 1e-12)
		})
	}
}
