package formulate_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"skidpad/model"
	"skidpad/model/formulate"
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
//	h' = (1 - D) (h'_free + S F) - D gamma h
//
// (half-car specification, 3.2, 3.3); the load N is that of the normal constraint, stabilised, too.
func closed(place, z, vx, vz, omega, roadZ, roadRate, mu, torque, lift float64, elastic bool) unicycleMotion {
	const m, inertia, g, slope, gamma, stictionFactor, frictionFactor, slidingSpeed = 100, 0.3, 9.81, 0.2, 12, 1.2, 1.5, 0.7
	sin, cos := math.Sincos(slope) // downhill along x
	r := place*sin + z*cos - roadZ
	along, up := vx*cos-vz*sin, vx*sin+vz*cos-roadRate
	freeAlong, freeUp := (g-lift/m)*sin, -(g-lift/m)*cos
	load := m * (-gamma*up - freeUp)
	if elastic {
		load = max(0, 15000*(0.25+900.0/15000-r)-300*up)
	}
	x := torque / (max(mu, 1e-6) * max(load, 1) * r)
	s := 1 - math.Pow(math.Tanh(stictionFactor*x/3), 2)
	d := s * s
	h := along - omega*r
	slides := mu * max(load, 0) * math.Abs(math.Tanh(frictionFactor*x/3)) * math.Tanh(-h/slidingSpeed)
	compliance := 1/float64(m) + r*r/inertia
	free := freeAlong - r*torque/inertia - omega*up
	force := ((1-d)*(free+compliance*slides) - d*gamma*h - free) / compliance
	a, b := freeAlong+force/m, freeUp+load/m
	return unicycleMotion{
		vx: a*cos + b*sin, vz: b*cos - a*sin, omega: (torque - r*force) / inertia,
		traction: -d * free / compliance, stabilisation: -d * gamma * h / compliance, sliding: slides, force: force,
		load: load, stiction: s, slip: -h,
	}
}

// A wheel under a load on an inclined road that moves, with drivers on either side and a brake:
// driving, braking, backwards, lifted, without friction, carried by a constraint or by a spring.
func TestRelaxedWheelInClosedForm(t *testing.T) {
	const spring = "\nvertical_stiffness = 15000\nvertical_damping = 300\nload = 900"
	for _, elastic := range []bool{false, true} {
		text := unicycle
		if elastic {
			text = strings.Replace(text, "radius = 0.25", "radius = 0.25"+spring, 1)
		}
		m, err := model.Parse([]byte(text), "unicycle.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		p, k := machine(t, m, formulate.Options{})
		u, x, dx, y := make([]float64, len(p.Inputs)), make([]float64, 6), make([]float64, 6), make([]float64, len(p.Outputs))
		r := rand.New(rand.NewPCG(85, 86))
		lifted, slippery, sliding := 0, 0, 0
		for range 300 {
			motor, retarder, brake, lift, mu := 60*r.NormFloat64(), 60*r.NormFloat64(), 40*r.Float64(), 2000*max(0, r.NormFloat64()-0.5), max(0, 1.2*r.Float64()-0.2)
			roadZ, roadRate := 0.05*r.NormFloat64(), 0.1*r.NormFloat64()
			x = []float64{10 * r.NormFloat64(), 0.3 * r.NormFloat64(), 40 * r.NormFloat64(), 0.1 * r.NormFloat64(), 0.35 + 0.03*r.NormFloat64(), r.NormFloat64()}
			x[2] += math.Copysign(1, x[2]) // beyond 1 rad/s the brake has all of its torque
			for i, v := range p.Inputs {
				u[i] = v.Start
				if value, ok := map[string]float64{"motor.torque": motor, "retarder.torque": retarder, "brake.torque": brake, "jack.force": lift, "road.mu": mu, "road.z": roadZ, "road.z_dot": roadRate}[v.Name]; ok {
					u[i] = value
				}
			}
			k.Derivatives(0, x, u, dx)
			k.Outputs(y)
			torque := motor - retarder - math.Copysign(brake, x[2])
			want := closed(x[3], x[4], x[0], x[1], x[2], roadZ, roadRate, mu, torque, lift, elastic)
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
					t.Errorf("elastic %v, %v, inputs %v: %s = %.12g, by hand %.12g", elastic, x, u, name, got, want)
				}
			}
			compare("vx'", dx[0], want.vx)
			compare("vz'", dx[1], want.vz)
			compare("omega'", dx[2], want.omega)
			for name, value := range map[string]float64{
				"traction": want.traction, "stabilisation": want.stabilisation, "sliding": want.sliding, "force": want.force,
				"Fz": want.load, "stiction": want.stiction, "slip_speed": want.slip,
			} {
				compare(name, y[output(p, "contact."+name)], value)
			}
		}
		if lifted < 20 || slippery < 20 || sliding < 20 {
			t.Errorf("elastic %v: only %d states lifted, %d without friction, %d that slide", elastic, lifted, slippery, sliding)
		}
	}
}

func TestRelaxedWheelsThatCannotBeAreExplained(t *testing.T) {
	for _, c := range []struct{ was, is, says string }{
		{"formulation = \"udwadia-kalaba\"\n", "", "unicycle.toml:69:12: relaxed-wheel contact needs a tree with formulation = \"udwadia-kalaba\""},
		{"road = \"road\"", "road = \"axle\"", "the centre of wheel always lies in the plane of axle"},
	} {
		m, err := model.Parse([]byte(strings.Replace(unicycle, c.was, c.is, 1)), "unicycle.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := formulate.New(m, formulate.Options{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %q", err, c.says)
		}
	}
}
