package formulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

const unicycle = `name = "Unicycle"

[parameters]
gamma = { value = 12, unit = "1/s" }
slope = { value = 0.2, unit = "rad" }

[[tree]]
name = "default"
formulation = "udwadia-kalaba"
baumgarte = { alpha = "gamma/2", beta = 0 }

[component.road]
type = "road"
angles = [0, "slope", 0]

[component.forward]
type = "prismatic"
from = "ground"
to = "carriage"
axis = "x"

[component.upward]
type = "prismatic"
from = "carriage"
to = "axle"
axis = "z"

[component.load]
type = "rigid-body"
frame = "axle"
mass = 90
inertia = { xx = 1, yy = 1, zz = 1 }

[component.spin]
type = "revolute"
from = "axle"
to = "wheel"
axis = "y"
torque = "input"

[component.disc]
type = "rigid-body"
frame = "wheel"
mass = 10
inertia = { axial = 0.3, transverse = 0.2 }

[component.motor]
type = "torque-driver"
from = "axle"
to = "wheel"
axis = "y"

[component.retarder]
type = "torque-driver"
from = "wheel"
to = "axle"
axis = "y"

[component.brake]
type = "brake"
from = "axle"
to = "wheel"
axis = "y"

[component.jack]
type = "force-driver"
from = "ground"
to = "axle"
axis = "z"

[component.contact]
type = "relaxed-wheel"
frame = "wheel"
road = "road"
radius = 0.25
stiction_factor = 1.2
friction_factor = 1.5
sliding_speed = 0.7
`

// quantities that the closed form of the unicycle gives
type unicycleMotion struct{ vx, vz, omega, traction, stabilisation, sliding, force, load, stiction, slip float64 }

// closed is the unicycle by hand. Its two constraints do not see each other: along the path the wheel
// has the compliance S = 1/m + r^2/J, and across it 1/m. With h = v - omega r, what slides along is
//
//	h' = (1 - D) (h'_free + c F) - D gamma h,  c = S
//
// (half-car specification, 3.2, 3.3); the load N is the load of the normal constraint, including its stabilisation.
// Friction as printed acts on the carriage, which moves along x only. The path gets F cos of it, so c is cos^2/m; the
// normal gets F sin cos/m, which the load has to bear.
func closed(place, z, vx, vz, omega, roadZ, roadRate, mu, torque, lift float64, elastic, printed bool) unicycleMotion {
	const m, inertia, g, slope, gamma, stictionFactor, frictionFactor, slidingSpeed = 100, 0.3, 9.81, 0.2, 12, 1.2, 1.5,
		0.7
	sin, cos := math.Sincos(slope) // downhill along x
	r := place*sin + z*cos - roadZ
	along, up := vx*cos-vz*sin, vx*sin+vz*cos-roadRate
	freeAlong, freeUp := (g-lift/m)*sin, -(g-lift/m)*cos
	h, compliance := along-omega*r, 1/float64(m)+r*r/inertia
	load := m * (-gamma*up - freeUp)
	if elastic {
		load = max(0, 15000*(0.25+900.0/15000-r)-300*up)
	}
	friction := func() (s, slides float64) {
		x := torque / (max(mu, 1e-6) * max(load, 1) * r)
		s = 1 - math.Pow(math.Tanh(stictionFactor*x/3), 2)
		if printed {
			return s, -mu * max(load, 0) * math.Tanh(frictionFactor*x/3) * math.Tanh((omega*r-vx*cos)/slidingSpeed)
		}
		return s, mu * max(load, 0) * math.Abs(math.Tanh(frictionFactor*x/3)) * math.Tanh(-h/slidingSpeed)
	}
	s, slides := friction()
	c, own, pushed, raised := compliance, 1.0, 0.0, 0.0
	if printed {
		for range 60 {
			if !elastic {
				load = m*(-gamma*up-freeUp) - slides*sin*cos
			}
			s, slides = friction()
		}
		c, own, pushed, raised = cos*cos/m, 0, slides*cos*cos, slides*sin*cos
	}
	d := s * s
	free := freeAlong - r*torque/inertia - omega*up
	force := own*slides - d*(free+c*slides+gamma*h)/compliance
	a, b := freeAlong+(force+pushed)/m, freeUp+(load+raised)/m
	return unicycleMotion{
		vx: a*cos + b*sin, vz: b*cos - a*sin, omega: (torque - r*force) / inertia,
		traction: -d * free / compliance, stabilisation: -d * gamma * h / compliance, sliding: slides, force: force,
		load: load, stiction: s, slip: -h,
	}
}

// A loaded wheel on an inclined, moving road, with drivers on either side and a brake. Cases: driving, braking,
// backwards, lifted, without friction; carried by a constraint or by a spring; on a joint that leads to the wheel or to
// the axle; friction on the wheel or, as printed, on the carriage.
func TestRelaxedWheelInClosedForm(t *testing.T) {
	const spring = `
vertical_stiffness = 15000
vertical_damping = 300
load = 900`
	for variant := range 8 {
		elastic, printed, direction := variant%2 == 1, variant >= 4, 1.0
		text := unicycle
		if elastic {
			text = strings.Replace(text, "radius = 0.25", "radius = 0.25"+spring, 1)
		}
		if printed {
			text += "friction_law = \"printed\"\nprinted_on = \"carriage\"\n"
		}
		if variant%4 >= 2 {
			const joint = `type = "revolute"
from = "axle"
to = "wheel"`
			text, direction = strings.Replace(text, joint, `type = "revolute"
from = "wheel"
to = "axle"`, 1), -1
		}
		m, err := vehicle.Parse([]byte(text), "unicycle.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		p, k := machine(t, m, formulate.Options{})
		u, x, dx, y := make([]float64, len(p.Inputs)), make([]float64, 6), make([]float64, 6), make([]float64, len(p.Outputs))
		r := rand.New(rand.NewPCG(85, 86))
		lifted, slippery, sliding := 0, 0, 0
		for range 300 {
			motor, retarder, brake, lift, mu := 60*r.NormFloat64(), 60*r.NormFloat64(), 40*r.Float64(),
				2000*max(0, r.NormFloat64()-0.5), max(0, 1.2*r.Float64()-0.2)
			roadZ, roadRate, joint := 0.05*r.NormFloat64(), 0.1*r.NormFloat64(), 20*r.NormFloat64()
			x = []float64{10 * r.NormFloat64(), 0.3 * r.NormFloat64(), 40 * r.NormFloat64(), 0.1 * r.NormFloat64(),
				0.35 + 0.03*r.NormFloat64(), r.NormFloat64()}
			x[2] += math.Copysign(1, x[2]) // beyond 1 rad/s the brake has all of its torque
			for i, v := range p.Inputs {
				u[i] = v.Start
				value, ok := map[string]float64{"motor.torque": motor, "retarder.torque": retarder, "spin.torque": joint,
					"brake.torque": brake, "jack.force": lift, "road.mu": mu, "road.z": roadZ, "road.z_dot": roadRate}[v.Name]
				if ok {
					u[i] = value
				}
			}
			k.Derivatives(0, x, u, dx)
			k.Outputs(y)
			omega := direction * x[2]
			torque := motor - retarder + direction*joint - math.Copysign(brake, omega)
			want := closed(x[3], x[4], x[0], x[1], omega, roadZ, roadRate, mu, torque, lift, elastic, printed)
			if want.load <= 0 {
				lifted++
			}
			if mu == 0 {
				slippery++
			}
			if want.stiction > 0.1 && want.stiction < 0.9 {
				sliding++
			}
			compare := func(name string, got, want float64) {
				if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
					t.Errorf("variant %d, %v, inputs %v: %s = %.12g, by hand %.12g", variant, x, u, name, got, want)
				}
			}
			compare("vx'", dx[0], want.vx)
			compare("vz'", dx[1], want.vz)
			compare("omega'", direction*dx[2], want.omega)
			for name, value := range map[string]float64{
				"traction": want.traction, "stabilisation": want.stabilisation, "sliding": want.sliding, "force": want.force,
				"Fz": want.load, "stiction": want.stiction, "slip_speed": want.slip, "grip": mu * max(want.load, 0),
			} {
				compare(name, y[output(p, "contact."+name)], value)
			}
		}
		if lifted < 20 || slippery < 20 || sliding < 20 {
			t.Errorf("variant %d: only %d states lifted, %d without friction, %d that slide", variant, lifted, slippery, sliding)
		}
	}
}

// A long chain that hangs on the axle does not change who solves the equations: all are at rest, and
// the road carries all of the weight.
func TestRelaxedWheelUnderALongChain(t *testing.T) {
	const links = 20
	var text strings.Builder
	text.WriteString(strings.Replace(unicycle, "slope = { value = 0.2", "slope = { value = 0", 1))
	from := "axle"
	for i := range links {
		fmt.Fprintf(&text,
			`
[component.joint_%[1]d]
type = "revolute"
from = %[2]q
to = "link_%[1]d"
axis = "y"
`, i, from)
		fmt.Fprintf(&text, `[component.arm_%[1]d]
type = "rigid-arm"
from = "link_%[1]d"
to = "end_%[1]d"
translation = [0, 0, -0.1]
`, i)
		fmt.Fprintf(&text, `[component.ball_%[1]d]
type = "rigid-body"
frame = "end_%[1]d"
mass = 0.5
inertia = { xx = 0.01, yy = 0.01, zz = 0.01 }
`, i)
		from = fmt.Sprintf("end_%d", i)
	}
	m, err := vehicle.Parse([]byte(text.String()), "chain.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, k := machine(t, m, formulate.Options{})
	x, dx, u, y := make([]float64, len(p.States)), make([]float64, len(p.States)), make([]float64, len(p.Inputs)),
		make([]float64, len(p.Outputs))
	for i, v := range p.Inputs {
		u[i] = v.Start
	}
	for i, v := range p.States {
		if v.Name == "upward.s" {
			x[i] = 0.25
		}
	}
	k.Derivatives(0, x, u, dx)
	k.Outputs(y)
	for i, rate := range dx {
		if !(math.Abs(rate) <= 1e-10) {
			t.Errorf("%s changes by %g at rest", p.States[i].Name, rate)
		}
	}
	if got, want := y[output(p, "contact.Fz")], 9.81*(100+0.5*links); !(math.Abs(got-want) <= 1e-9*want) {
		t.Errorf("the road carries %.12g N, expected %.12g", got, want)
	}
}

// The solver step is so short that the brake acts in full from 1 rad/s on.
const wheelOnPlatform = `name = "WheelOnPlatform"

[solver]
step = 1e-4

[parameters]
gamma = { value = 8, unit = "1/s" }

[[tree]]
name = "default"
formulation = "udwadia-kalaba"
baumgarte = { alpha = "gamma/2", beta = 3 }

[component.wheel]
type = "rigid-body"
mass = 20
inertia = { xx = 0.4, yy = 0.7, zz = 0.4 }

[component.platform]
type = "rigid-body"
mass = 300
inertia = { xx = 80, yy = 90, zz = 120 }

[component.motor]
type = "torque-driver"
from = "ground"
to = "wheel"
axis = "y"

[component.brake]
type = "brake"
from = "platform"
to = "wheel"
axis = "y"

[component.contact]
type = "relaxed-wheel"
frame = "wheel"
road = "platform"
radius = 0.3
`

// axes returns the axes of a frame after the rotations yaw, pitch and roll.
func axes(yaw, pitch, roll float64) *mat.Dense {
	sz, cz := math.Sincos(yaw)
	sy, cy := math.Sincos(pitch)
	sx, cx := math.Sincos(roll)
	var m mat.Dense
	m.Product(mat.NewDense(3, 3, []float64{cz, -sz, 0, sz, cz, 0, 0, 0, 1}),
		mat.NewDense(3, 3, []float64{cy, 0, sy, 0, 1, 0, -sy, 0, cy}),
		mat.NewDense(3, 3, []float64{1, 0, 0, 0, cx, -sx, 0, sx, cx}))
	return &m
}

func turned(m *mat.Dense, v r3.Vec) r3.Vec {
	return r3.Vec{X: m.At(0, 0)*v.X + m.At(0, 1)*v.Y + m.At(0, 2)*v.Z, Y: m.At(1, 0)*v.X + m.At(1, 1)*v.Y + m.At(1, 2)*v.Z,
		Z: m.At(2, 0)*v.X + m.At(2, 1)*v.Y + m.At(2, 2)*v.Z}
}

// free is the motion of a free body, in ground.
type free struct {
	axes                            *mat.Dense
	place, velocity, spin, momentum r3.Vec // the last angular, about the centre of mass
}

// freeBody reads it from six speeds in the body's axes and six coordinates.
func freeBody(speeds, coordinates []float64, inertia r3.Vec) free {
	b := free{axes: axes(coordinates[3], coordinates[4], coordinates[5]),
		place: r3.Vec{X: coordinates[0], Y: coordinates[1], Z: coordinates[2]}}
	own := r3.Vec{X: speeds[3], Y: speeds[4], Z: speeds[5]}
	b.velocity, b.spin = turned(b.axes, r3.Vec{X: speeds[0], Y: speeds[1], Z: speeds[2]}), turned(b.axes, own)
	b.momentum = turned(b.axes, r3.Vec{X: inertia.X * own.X, Y: inertia.Y * own.Y, Z: inertia.Z * own.Z})
	return b
}

// A free wheel on a free platform; both turn and lean in space. A torque from the ground drives the wheel and a torque
// from the platform brakes it. The road's force acts along the path and the normal, not across. It acts on the wheel at
// the road's distance below the centre in the wheel's plane. The platform bears the reaction, so that only gravity and
// the torque change momentum and angular momentum. Without a torque the slip dies out with gamma, and the height of the
// centre follows Baumgarte.
func TestRelaxedWheelOnAPlatformInSpace(t *testing.T) {
	const gamma, beta, wheelMass, platformMass, g, radius = 8.0, 3.0, 20.0, 300.0, 9.81, 0.3
	wheelInertia, platformInertia := r3.Vec{X: 0.4, Y: 0.7, Z: 0.4}, r3.Vec{X: 80, Y: 90, Z: 120}
	for _, elastic := range []bool{false, true} {
		text := wheelOnPlatform
		if elastic {
			text += `vertical_stiffness = 40000
vertical_damping = 500
load = 3000
`
		}
		m, err := vehicle.Parse([]byte(text), "platform.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		p, k := machine(t, m, formulate.Options{})
		r := rand.New(rand.NewPCG(87, 88))
		slipping := 0
		for n := range 40 {
			torque := 60 * r.NormFloat64()
			switch {
			case n%2 == 0:
				torque = 0
			case elastic:
				torque *= 20 // for the load of the spring
			}
			x, dx, y := make([]float64, 24), make([]float64, 24), make([]float64, len(p.Outputs))
			for i := range x {
				x[i] = 0.3 * r.NormFloat64()
			}
			x[0], x[4], x[15], x[21] = 3+x[0], 10+10*x[4], 3*x[15], 3*x[21]
			bodies := func(x []float64) (wheel, platform free) {
				return freeBody(x[0:6], x[12:18], wheelInertia), freeBody(x[6:12], x[18:24], platformInertia)
			}
			_, below := bodies(x)
			above := r3.Add(below.place,
				turned(below.axes, r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: radius + 0.02*r.NormFloat64()}))
			x[12], x[13], x[14] = above.X, above.Y, above.Z
			wheel, platform := bodies(x)
			hinge := turned(platform.axes, r3.Vec{Y: 1})
			brake := 0.0
			if spin := r3.Dot(hinge, r3.Sub(wheel.spin, platform.spin)); math.Abs(spin) > 1 { // all of its torque
				brake = -math.Copysign(torque/2, spin)
			}
			u := make([]float64, len(p.Inputs))
			for i, v := range p.Inputs {
				switch u[i] = v.Start; v.Name {
				case "motor.torque":
					u[i] = torque
				case "brake.torque":
					u[i] = math.Abs(brake)
				}
			}
			k.Derivatives(0, x, u, dx)
			k.Outputs(y)
			get := func(name string) float64 { return y[output(p, "contact."+name)] }

			// contact of the wheel with the road, at a state
			type contact struct {
				along, across, normal, arm r3.Vec
				height, rise, slip         float64
			}
			touch := func(x []float64) (c contact) {
				wheel, platform := bodies(x)
				axle := turned(wheel.axes, r3.Vec{Y: 1})
				c.normal = turned(platform.axes, r3.Vec{Z: 1})
				c.along = r3.Unit(r3.Cross(axle, c.normal))
				c.across = r3.Cross(c.normal, c.along)
				from := r3.Sub(wheel.place, platform.place)
				c.height = r3.Dot(c.normal, from)
				down := r3.Cross(axle, c.along)
				c.arm = r3.Scale(-c.height/r3.Dot(down, c.normal), down)
				centre := r3.Sub(wheel.velocity, r3.Add(platform.velocity, r3.Cross(platform.spin, from)))
				c.rise = r3.Dot(c.normal, centre)
				c.slip = -r3.Dot(c.along, r3.Add(centre, r3.Cross(r3.Sub(wheel.spin, platform.spin), c.arm)))
				return c
			}
			now := touch(x)
			near := func(what string, got, want, tolerance float64) {
				t.Helper()
				if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
					t.Errorf("elastic %v, state %v, torque %g: %s %.12g, expected %.12g", elastic, x, torque, what, got, want)
				}
			}
			near("slip", get("slip_speed"), now.slip, 1e-12)

			// rates of everything by differences of fourth order
			rate := func(of func(x []float64) float64) float64 {
				const h = 1e-3
				at := func(h float64) float64 {
					moved := make([]float64, len(x))
					for i := range x {
						moved[i] = x[i] + h*dx[i]/size(dx)
					}
					return of(moved)
				}
				return size(dx) * (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
			}
			vector := func(of func(wheel, platform free) r3.Vec) r3.Vec {
				part := func(which func(r3.Vec) float64) float64 {
					return rate(func(x []float64) float64 { return which(of(bodies(x))) })
				}
				return r3.Vec{X: part(func(v r3.Vec) float64 {
					return v.X
				}), Y: part(func(v r3.Vec) float64 { return v.Y }), Z: part(func(v r3.Vec) float64 { return v.Z })}
			}
			drive, braking := r3.Vec{Y: torque}, r3.Scale(brake, hinge)
			force := r3.Add(vector(func(w, _ free) r3.Vec { return r3.Scale(wheelMass, w.velocity) }), r3.Vec{Z: wheelMass * g})
			near("force along", r3.Dot(force, now.along), get("force"), 1e-6)
			near("force across", r3.Dot(force, now.across), 0, 1e-5)
			near("normal force", r3.Dot(force, now.normal), get("Fz"), 1e-6)
			moment := r3.Sub(vector(func(w, _ free) r3.Vec {
				return w.momentum
			}), r3.Add(r3.Add(drive, braking), r3.Cross(now.arm, r3.Scale(get("force"), now.along))))
			near("moment on the wheel beside that of the force", r3.Norm(moment), 0, 1e-5)
			momentum := vector(func(w, p free) r3.Vec {
				return r3.Add(r3.Scale(wheelMass, w.velocity), r3.Scale(platformMass, p.velocity))
			})
			near("change of momentum", r3.Norm(r3.Add(momentum, r3.Vec{Z: (wheelMass + platformMass) * g})), 0, 1e-5)
			turn := vector(func(w, p free) r3.Vec {
				moving := r3.Add(r3.Cross(w.place, r3.Scale(wheelMass, w.velocity)),
					r3.Cross(p.place, r3.Scale(platformMass, p.velocity)))
				return r3.Add(moving, r3.Add(w.momentum, p.momentum))
			})
			weight := r3.Cross(r3.Add(r3.Scale(wheelMass, wheel.place), r3.Scale(platformMass, platform.place)), r3.Vec{Z: -g})
			near("change of angular momentum", r3.Norm(r3.Sub(turn, r3.Add(weight, drive))), 0, 1e-5)

			if !elastic {
				want := -gamma*now.rise - beta*beta*(now.height-radius)
				near("rate of rise", rate(func(x []float64) float64 { return touch(x).rise }), want, 1e-6)
			}
			if torque == 0 {
				near("rate of slip", rate(func(x []float64) float64 { return touch(x).slip }), -gamma*now.slip, 1e-6)
			}
			axle := turned(wheel.axes, r3.Vec{Y: 1})
			share := r3.Dot(r3.Add(drive, braking), axle) / (max(1, get("Fz")) * r3.Norm(now.arm))
			near("stiction", get("stiction"), 1-math.Pow(math.Tanh(share/3), 2), 1e-9)
			if s := get("stiction"); s > 0.1 && s < 0.9 {
				slipping++
			}
		}
		if slipping < 5 {
			t.Errorf("elastic %v: the wheel slides in %d states only", elastic, slipping)
		}
	}
}

// size is the largest magnitude.
func size(list []float64) (most float64) {
	for _, v := range list {
		most = max(most, math.Abs(v))
	}
	return most
}

func TestInvalidRelaxedWheelsAreExplained(t *testing.T) {
	for _, c := range []struct{ was, is, says string }{
		{"formulation = \"udwadia-kalaba\"\n", "",
			"unicycle.toml:70:12: relaxed-wheel contact needs a tree with formulation = \"udwadia-kalaba\""},
		{`road = "road"`, `road = "axle"`, "the centre of wheel always lies in the plane of axle"},
		{`[component.contact]
type = "relaxed-wheel"
frame = "wheel"
road = "road"`, `[component.arm]
type = "rigid-arm"
from = "wheel"
to = "table"
translation = [0, 0, -0.3]
[component.contact]
type = "relaxed-wheel"
frame = "axle"
road = "table"
friction_law = "printed"
printed_on = "carriage"`,
			"relaxed-wheel contact: friction_law = \"printed\" needs a road that does not turn; table turns"},
	} {
		m, err := vehicle.Parse([]byte(strings.Replace(unicycle, c.was, c.is, 1)), "unicycle.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := formulate.New(m, formulate.Options{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %q", err, c.says)
		}
	}
}
