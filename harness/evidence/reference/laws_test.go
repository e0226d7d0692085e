package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/vehicle"
)

// parse makes a system of a model that stands in the test.
func parse(t testing.TB, text string) *System {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	return newSystem(t, m)
}

// simulate runs a system without inputs.
func simulate(t *testing.T, s *System, duration, tolerance float64, start map[string]float64) map[string][]float64 {
	t.Helper()
	r, err := s.Simulate(Experiment{Duration: duration, Sampling: duration / 20, Tolerance: tolerance, Start: start})
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string][]float64{"time": r.Time}
	for i, name := range r.Names {
		columns[name] = r.Values[i]
	}
	return columns
}

const massOnSpring = `
name = "MassOnSpring"
gravity = 0
[component.block]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.slider]
type = "prismatic"
from = "ground"
to = "block"
axis = [1, 2, -2]
start = { s = 0.3, s_dot = 0.5 }
[component.coil]
type = "spring-damper"
joint = "slider"
stiffness = 50
damping = 4
free_length = 0.1
`

// TestAMassOnASpringFollowsTheClosedSolution: m s” = -k (s - s0) - c s'.
func TestAMassOnASpringFollowsTheClosedSolution(t *testing.T) {
	got := simulate(t, parse(t, massOnSpring), 4, 1e-10, nil)
	decay, natural := 4.0/(2*2), math.Sqrt(50.0/2)
	w := math.Sqrt(natural*natural - decay*decay)
	for i, time := range got["time"] {
		want := 0.1 + math.Exp(-decay*time)*(0.2*math.Cos(w*time)+(0.5+decay*0.2)/w*math.Sin(w*time))
		if !near(got["slider.s"][i], want, 1e-8) {
			t.Errorf("s(%g) = %.12g, want %.12g", time, got["slider.s"][i], want)
		}
	}
}

// TestErrorsFallWithTheTolerance: a thousandth of the tolerance, at most a fiftieth of the error.
func TestErrorsFallWithTheTolerance(t *testing.T) {
	decay, natural := 1.0, 5.0
	w := math.Sqrt(natural*natural - decay*decay)
	last := math.Inf(1)
	for _, tolerance := range []float64{1e-3, 1e-6, 1e-9} {
		got := simulate(t, parse(t, massOnSpring), 4, tolerance, nil)
		worst := 0.0
		for i, time := range got["time"] {
			want := 0.1 + math.Exp(-decay*time)*(0.2*math.Cos(w*time)+(0.5+decay*0.2)/w*math.Sin(w*time))
			worst = max(worst, math.Abs(got["slider.s"][i]-want))
		}
		if !(worst <= last/50 && worst <= 20*tolerance) {
			t.Errorf("tolerance %g: error %g after %g", tolerance, worst, last)
		}
		last = worst
	}
}

// TestARevolutePendulumHasTheExactPeriod compares with the elliptic integral, by the
// arithmetic-geometric mean: T = 2 pi sqrt(J/(m g d))/agm(1, cos(phi0/2)).
func TestARevolutePendulumHasTheExactPeriod(t *testing.T) {
	a, b := 1.0, math.Cos(0.5)
	for range 8 {
		a, b = (a+b)/2, math.Sqrt(a*b)
	}
	period := 2 * math.Pi * math.Sqrt(1.5/(2*9.81*0.75)) / a // J = m l^2/3 about the joint
	s := newSystem(t, readModel(t, "pendulum"))
	got := simulate(t, s, 20*period, 1e-10, nil)
	for i := range got["time"] { // sampled once a period
		if !near(got["joint.phi"][i], 1, 1e-6) {
			t.Errorf("after %d periods phi = %.12g, want 1", i, got["joint.phi"][i])
		}
	}
}

// TestEnergyIsConservedWithoutDampers watches the double pendulum.
func TestEnergyIsConservedWithoutDampers(t *testing.T) {
	s := newSystem(t, readModel(t, "double_pendulum"))
	got := simulate(t, s, 10, 1e-10, nil)
	energy := func(i int) float64 {
		e := 0.0
		for body, p := range map[string][3]float64{"upper": {2, 0.24, 0.002}, "lower": {1.5, 0.18, 0.002}} {
			at := func(name string) float64 { return got[body+"."+name][i] }
			e += p[0]*(at("vx")*at("vx")+at("vy")*at("vy")+at("vz")*at("vz"))/2 + p[0]*9.81*at("z")
			e += p[1]*(at("wx")*at("wx")+at("wy")*at("wy"))/2 + p[2]*at("wz")*at("wz")/2
		}
		return e
	}
	for i := range got["time"] {
		if !near(energy(i), energy(0), 1e-8) {
			t.Errorf("energy %.12g J at %g s, %.12g J at the start", energy(i), got["time"][i], energy(0))
		}
	}
}

// TestAFreeBodyKeepsItsAngularMomentum spins a body about its middle axis, which is unstable.
func TestAFreeBodyKeepsItsAngularMomentum(t *testing.T) {
	s := parse(t, `
name = "Free"
gravity = 0
[component.block]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 2, zz = 2.5, xz = 0.1 }
start = { velocity = [1, 2, 3], angular_velocity = [0.01, 4, 0.02] }
`)
	y, err := s.start(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.updateMotions(0, y)
	momentum := func() r3.Vec {
		m, p := &s.motions[s.fixed], &s.parts[s.fixed]
		return m.out(p.inertia.out(m.in(m.w)))
	}
	want := momentum()
	got := simulate(t, s, 10, 1e-10, nil)
	last := len(got["time"]) - 1
	if h := momentum(); !(r3.Norm(r3.Sub(h, want)) <= 1e-7*r3.Norm(want)) {
		t.Errorf("angular momentum %v after 10 s, %v at the start", h, want)
	}
	for _, name := range []string{"x", "y", "z"} {
		speed := map[string]float64{"x": 1, "y": 2, "z": 3}[name]
		if !near(got["block."+name][last], 10*speed, 1e-8) {
			t.Errorf("%s = %.12g after 10 s, want %g", name, got["block."+name][last], 10*speed)
		}
	}
	tumbled := false
	for _, w := range got["block.wy"] {
		tumbled = tumbled || w < -3
	}
	if !tumbled {
		t.Error("the body did not tumble about its middle axis")
	}
}

// TestConicalPendulumsCircle: a point mass on a rod, and a slender body on a spherical
// joint, circle at a constant angle theta from the vertical with the rates
//
//	rod         W^2 = g/(l cos theta)
//	rigid body  W^2 = m g d/((Jt + m d^2 - Ja) cos theta)
func TestConicalPendulumsCircle(t *testing.T) {
	const theta = 0.6
	sin, cos := math.Sincos(theta)
	circles := func(name, model string, radius, rate float64) {
		got := simulate(t, parse(t, model), 5, 1e-10, nil)
		for i, time := range got["time"] {
			s, c := math.Sincos(rate * time)
			for axis, want := range map[string]float64{"x": radius * sin * s, "y": -radius * sin * c, "z": -radius * cos} {
				if !near(got["bob."+axis][i], want, 1e-7) {
					t.Errorf("%s: %s = %.12g at %g s, want %.12g", name, axis, got["bob."+axis][i], time, want)
				}
			}
		}
	}
	rate := math.Sqrt(9.81 / (2 * cos))
	circles("rod", fmt.Sprintf(`
name = "Rod"
[component.bob]
type = "point-mass"
mass = 1.5
start = { position = [0, %.17g, %.17g], velocity = [%.17g, 0, 0] }
[component.link]
type = "rod"
from = "ground"
to = "bob"
length = 2
`, -2*sin, -2*cos, rate*2*sin), 2, rate)
	rate = math.Sqrt(1.5 * 9.81 * 0.8 / ((0.3 + 1.5*0.8*0.8 - 0.02) * cos))
	for _, order := range []string{"123", "132"} {
		circles("joint "+order, fmt.Sprintf(`
name = "Ball"
[component.joint]
type = "spherical"
from = "ground"
to = "pivot"
sequence = "%s"
start = { angles = [%.17g, 0, 0], angular_velocity = [0, %.17g, %.17g] }
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "bob"
translation = [0, 0, -0.8]
[component.bob]
type = "rigid-body"
mass = 1.5
inertia = { axial = 0.02, transverse = 0.3, axis = "z" }
`, order, -theta, rate*math.Sin(-theta), rate*cos), 0.8, rate)
	}
}

// TestConstraintDerivativesAgree: rates are the derivatives of values, G is the derivative of rates by
// velocities, and bias is the rest of the second derivative.
func TestConstraintDerivativesAgree(t *testing.T) {
	angle := wave{0.3, 1.7}
	derivativesOfEachOther(t, newSystem(t, readModel(t, "generic4w")),
		Inputs{Drivers: map[string]Signal{"steer_FL": angle, "steer_FR": angle}})
	derivativesOfEachOther(t, parse(t, `
name = "Joints"
[component.a]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 2, zz = 3 }
[component.b]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.a_arm]
type = "rigid-arm"
from = "a"
to = "a_lug"
translation = [0.1, 0.2, 0.3]
angles = [0.4, 0.5, 0.6]
[component.b_arm]
type = "rigid-arm"
from = "b"
to = "b_lug"
translation = [-0.3, 0.1, 0.2]
[component.rod]
type = "rod"
from = "a_lug"
to = "b_lug"
length = 0.7
[component.lift]
type = "motion-driver"
from = "a_lug"
to = "c"
axis = [1, 2, 3]
kind = "translation"
[component.c]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.ball]
type = "spherical"
from = "b_lug"
to = "d"
[component.d]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.strut]
type = "suspension"
from = "a_lug"
to = "e"
side = "right"
x = [[-8, -2.6], [-3, -0.3], [0, 0], [2, 0.9], [8, 1]]
y = [[-8, -2.5], [-3, -0.3], [0, 0], [2, 0.9], [8, 0.3]]
z = [[-8, -5], [-3, -2], [0, 0], [2, 2.5], [8, 11]]
toe = [[-8, 1.5], [-3, 0.2], [0, 0], [2, -0.8], [8, -1]]
camber = [[-8, 1], [-3, 0.3], [0, 0], [2, -0.9], [8, -0.5]]
castor = [[-8, -1], [-3, -0.4], [0, 0], [2, 0.9], [8, 1]]
[component.e]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
`), Inputs{Drivers: map[string]Signal{"lift": angle}})
}

// A suspension in space starts at a travel with a rate, with springs on its travel and an anti-roll bar to a second
// suspension. Its energy stays constant while it swings.
func TestSuspensionsConserveEnergy(t *testing.T) {
	corner := func(side string) string {
		return strings.ReplaceAll(`
[component.SIDE]
type = "suspension"
from = "body"
to = "carrier_SIDE"
side = "SIDE"
x = [[-0.2, -0.06], [0, 0], [0.2, 0.1]]
y = [[-0.2, -0.05], [0, 0], [0.2, 0.03]]
z = [[-0.2, -0.15], [0, 0], [0.2, 0.25]]
toe = [[-0.2, 0.2], [0, 0], [0.2, -0.3]]
camber = [[-0.2, 0.5], [0, 0], [0.2, -0.4]]
castor = [[-0.2, -0.3], [0, 0], [0.2, 0.6]]
start = { travel = 0.05, travel_dot = 0.4 }
[component.carrier_SIDE]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
[component.spring_SIDE]
type = "spring-damper"
joint = "SIDE"
stiffness = 800
[component.coil_SIDE]
type = "spring-damper"
joint = "SIDE"
length = [[-0.2, 0.4], [0, 0.3], [0.2, 0.25]]
stiffness = 2000
free_length = 0.32
`, "SIDE", side)
	}
	// the natural spline through the three points of the lengths
	coil := func(q float64) float64 {
		const h, curvature = 0.2, 1.5 * (0.4 - 2*0.3 + 0.25) / (0.2 * 0.2)
		slope := (0.25-0.4)/(2*h) + 0.0
		a := math.Abs(q)
		length := 0.3 + slope*q + curvature*(q*q/2-a*a*a/(6*h))
		return 1000 * (length - 0.32) * (length - 0.32)
	}
	s := parse(t, `
name = "Space"
gravity = 0
[component.body]
type = "rigid-body"
mass = 10
inertia = { xx = 0.4, yy = 0.5, zz = 0.6 }
start = { angular_velocity = [0.5, 1, -0.4] }
`+corner("left")+strings.Replace(corner("right"), "travel = 0.05", "travel = -0.08", 1)+`
[component.bar]
type = "anti-roll-bar"
left = "left"
right = "right"
stiffness = 300
[component.lever_left]
type = "rocker"
joint = "left"
angle = [[-1, -3], [1, 3]]
[component.lever_right]
type = "rocker"
joint = "right"
angle = [[-1, -3], [1, 3]]
[component.torsion]
type = "anti-roll-bar"
left = "lever_left"
right = "lever_right"
stiffness = 20
`)
	got := simulate(t, s, 2, 1e-10, nil)
	energy := func(i int) float64 {
		left, right := got["left.travel"][i], got["right.travel"][i]
		e := 400*(left*left+right*right) + (150+10*3*3)*(left-right)*(left-right) + coil(left) + coil(right)
		for body, p := range map[string][4]float64{"body": {10, 0.4, 0.5, 0.6}, "carrier_left": {3, 0.1, 0.1, 0.1},
			"carrier_right": {3, 0.1, 0.1, 0.1}} {
			for k, axis := range []string{"x", "y", "z"} {
				v, w := got[body+".v"+axis][i], got[body+".w"+axis][i]
				e += (p[0]*v*v + p[k+1]*w*w) / 2
			}
		}
		return e
	}
	if first := got["left.travel_dot"][0]; !near(first, 0.4, 1e-9) || !near(got["right.travel"][0], -0.08, 1e-9) {
		t.Errorf("starts with %g m/s", first)
	}
	for i := range got["time"] {
		if !near(energy(i), energy(0), 1e-7) {
			t.Errorf("energy %.12g J at %g s, %.12g J at the start", energy(i), got["time"][i], energy(0))
		}
	}
}

func derivativesOfEachOther(t *testing.T, s *System, inputs Inputs) {
	r := rand.New(rand.NewPCG(1, 2))
	if err := s.inputs.connect(inputs); err != nil {
		t.Fatal(err)
	}
	y, acceleration := make([]float64, s.size), make([]float64, s.size)
	for i := range y {
		y[i], acceleration[i] = r.NormFloat64(), r.NormFloat64()
	}
	at := func(time float64) []equation { // on the parabola through y
		moved := append([]float64(nil), y...)
		for k := s.fixed; k < len(s.parts); k++ {
			p := &s.parts[k]
			v, a := vectorAt(y, p.v), vectorAt(acceleration, p.v)
			put(moved, p.q, r3.Add(vectorAt(y, p.q), r3.Add(r3.Scale(time, v), r3.Scale(time*time/2, a))))
			put(moved, p.v, r3.Add(v, r3.Scale(time, a)))
			w, dw := vectorAt(y, p.v+3), vectorAt(acceleration, p.v+3)
			put(moved, p.v+3, r3.Add(w, r3.Scale(time, dw)))
			e := quaternionAt(y, p.q+3)
			for range 200 { // e' = w e/2 by Heun's method
				h := time / 200
				first := spun(e, w)
				next := r3.Add(w, r3.Scale(h, dw))
				e = quat.Add(e, quat.Scale(h/2, quat.Add(first, spun(quat.Add(e, quat.Scale(h, first)), next))))
				w = next
			}
			putQuaternion(moved, p.q+3, e)
		}
		s.evaluate(time, moved)
		return append([]equation(nil), s.equations...)
	}
	const h = 1e-4
	before, now, after := at(-h), at(0), at(h)
	for i := range s.joints {
		j := &s.joints[i]
		for k := j.first; k < j.first+len(j.conditions); k++ {
			if d := (after[k].value - before[k].value) / (2 * h); !near(d, now[k].rate, 1e-5) {
				t.Errorf("%s, condition %d: rate %g, difference %g", j.name, k-j.first, now[k].rate, d)
			}
			second := now[k].bias
			for _, end := range []struct {
				part int
				g    gradient
			}{{j.from.part, now[k].from}, {j.to.part, now[k].to}} {
				if end.part >= s.fixed {
					p := &s.parts[end.part]
					second += r3.Dot(end.g.v, vectorAt(acceleration, p.v)) + r3.Dot(end.g.w, vectorAt(acceleration, p.v+3))
				}
			}
			if d := (after[k].rate - before[k].rate) / (2 * h); !near(d, second, 1e-5) {
				t.Errorf("%s, condition %d: second derivative %g, difference %g", j.name, k-j.first, second, d)
			}
		}
	}
}

// wave is a sin(b t).
type wave struct{ a, b float64 }

func (w wave) At(t float64) (value, rate, acceleration float64) {
	sin, cos := math.Sincos(w.b * t)
	return w.a * sin, w.a * w.b * cos, -w.a * w.b * w.b * sin
}

// TestTurnsAreUndone: angles of a sequence of turns are found again.
func TestTurnsAreUndone(t *testing.T) {
	for _, order := range []string{"321", "312", "313", "123", "132", "213", "231"} {
		want := [3]float64{0.4, 0.7, -1.1}
		a := sequence(order, want)
		e := a.quaternion()
		for _, b := range []axes{a, ofQuaternion(e), ofQuaternion(quat.Scale(-3, e))} {
			for i, angle := range b.turns(order) {
				if !near(angle, want[i], 1e-14) {
					t.Errorf("%s: angle %d is %g, want %g", order, i+1, angle, want[i])
				}
			}
		}
	}
	for _, half := range []axes{turned(math.Pi, identity[0]), turned(math.Pi, identity[1]), turned(math.Pi, identity[2])} {
		again := ofQuaternion(half.quaternion())
		if !(r3.Norm(r3.Sub(again[0], half[0]))+r3.Norm(r3.Sub(again[1], half[1])) <= 1e-14) {
			t.Errorf("half a turn %v became %v", half, again)
		}
	}
}

// TestSparseFactorsSolve compares with the product of random sparse matrices, also after
// values that need other pivots.
func TestSparseFactorsSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 60
	m := newSparse(n)
	for i := range n {
		m.entry(i, (i+7)%n)
		for range 3 {
			m.entry(i, r.IntN(n))
		}
	}
	solved := 0
	for trial := range 20 {
		for i := range n {
			for k := range m.values[i] {
				m.values[i][k] = r.NormFloat64()
			}
			if trial%2 == 1 {
				m.values[i][0] = 1e-14 // the entry that makes it regular is next to nothing
			}
		}
		if err := m.factor(); err != nil {
			continue // the pattern may be singular without the entries that make it regular
		}
		x, b := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for i := range n {
			for k, j := range m.rows[i] {
				b[i] += m.values[i][k] * x[j]
			}
		}
		want := append([]float64(nil), b...)
		m.solve(b)
		for i := range n {
			sum, size := 0.0, 0.0
			for k, j := range m.rows[i] {
				sum += m.values[i][k] * b[j]
				size += math.Abs(m.values[i][k] * b[j])
			}
			if !(math.Abs(sum-want[i]) <= n*0x1p-52/leastPivot*size) { // what pivots that small may cost
				t.Fatalf("trial %d: row %d leaves %g of %g", trial, i, sum-want[i], size)
			}
		}
		solved++
	}
	if solved < 10 {
		t.Errorf("%d of 20 systems were solved", solved)
	}
	for i := range m.values[5] {
		m.values[5][i] = 0
	}
	if err := m.factor(); err == nil {
		t.Error("a matrix with an empty row has factors")
	}
}

// TestErrorsNameTheirCause: errors say what is wrong.
func TestErrorsNameTheirCause(t *testing.T) {
	good := Experiment{Duration: 1, Sampling: 0.1, Tolerance: 1e-6}
	for name, c := range map[string]struct {
		model  string
		change func(*Experiment)
		want   string
	}{
		"tolerance": {massOnSpring, func(e *Experiment) { e.Tolerance = 0 }, "tolerance 0"},
		"samples":   {massOnSpring, func(e *Experiment) { e.Sampling = 0.3 }, "0.3"},
		"input": {massOnSpring, func(e *Experiment) {
			e.Inputs.Variables = map[string]Signal{"engine.torque": constant{}}
		}, "engine.torque"},
		"start": {massOnSpring, func(e *Experiment) { e.Start = map[string]float64{"slider.phi": 1} }, "slider.phi"},
		"loop": {`
name = "Loop"
[component.bob]
type = "point-mass"
mass = 1
start = { position = [0, 0, -1] }
[component.link]
type = "rod"
from = "ground"
to = "bob"
length = 1.5
`, func(*Experiment) {}, "link"},
		"twice": {`
name = "Twice"
[component.rod]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.one]
type = "revolute"
from = "ground"
to = "rod"
axis = "y"
[component.two]
type = "revolute"
from = "ground"
to = "rod"
axis = "y"
`, func(*Experiment) {}, "singular"},
	} {
		e := good
		c.change(&e)
		if _, err := parse(t, c.model).Simulate(e); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v does not name %q", name, err, c.want)
		}
	}
}

// TestAJointCanBeDefinedFromEitherSide: with the free body at its head, a joint places the
// body at its tail where the reversed joint, turned back, would.
func TestAJointCanBeDefinedFromEitherSide(t *testing.T) {
	evaluateJoint := func(joint string) map[string]float64 {
		values, _, err := parse(t, `
name = "Two"
[component.a]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 2, zz = 3 }
start = { position = [1, 2, 3], angles = [0.1, 0.2, 0.3], velocity = [4, 5, 6], angular_velocity = [0.5, 0.6, 0.7] }
[component.b_arm]
type = "rigid-arm"
from = "b_hub"
to = "b"
translation = [0.1, 0.2, 0.3]
[component.b]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
[component.joint]
`+joint).Evaluate(nil, Inputs{})
		if err != nil {
			t.Fatal(err)
		}
		return values
	}
	const forward, backward = "from = \"a\"\nto = \"b_hub\"\n", "from = \"b_hub\"\nto = \"a\"\n"
	for _, c := range []struct{ joint, start, negative string }{
		{"revolute", "phi = 0.7, omega = 1.1", "phi = -0.7, omega = -1.1"},
		{"prismatic", "s = 0.7, s_dot = 1.1", "s = -0.7, s_dot = -1.1"},
	} {
		joint := func(ends, start string) string {
			return "type = \"" + c.joint + "\"\n" + ends + "axis = [1, 2, 2]\nstart = { " + start + " }"
		}
		want, got := evaluateJoint(joint(forward, c.start)), evaluateJoint(joint(backward, c.negative))
		for name, value := range want {
			if strings.HasPrefix(name, "b.") && !near(got[name], value, 1e-12) {
				t.Errorf("%s = %.15g from one side, %.15g from the other", name, value, got[name])
			}
		}
	}
}

// TestABrakeStopsAndHolds: a disc of 2 kg m2 with a torque of 3 N m slows down with the brake's 5 N m by 1 rad/s2 until
// 2 s, and then comes to rest. Below 1 rad/s the rate of decay is at least 15/8 (5 - 3)/2 1/s towards the end, so less
// than exp(-15/8 5) remains after 8 s. (A viscous hold would let the disc creep with 0.33 rad/s.) A brake of 2 N m does
// not stop the disc.
func TestABrakeStopsAndHolds(t *testing.T) {
	const disc = `
name = "Disc"
gravity = 0
[component.disc]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 2, zz = 1 }
[component.axle]
type = "revolute"
from = "ground"
to = "disc"
axis = "y"
start = { omega = 3 }
[component.motor]
type = "torque-driver"
from = "ground"
to = "disc"
axis = "y"
[component.brake]
type = "brake"
from = "ground"
to = "disc"
axis = "y"
`
	for torque, want := range map[float64]float64{5: 0, 2: 3 + 8*0.5} {
		r, err := parse(t, disc).Simulate(Experiment{
			Duration: 8, Sampling: 1, Tolerance: 1e-9,
			Inputs: Inputs{Variables: map[string]Signal{"motor.torque": constant{3}, "brake.torque": constant{torque}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		omega := r.Values[slices.Index(r.Names, "axle.omega")]
		bound := map[float64]float64{5: math.Exp(-15. / 8 * 5), 2: 1e-6}[torque]
		if got := omega[len(omega)-1]; !(math.Abs(got-want) <= bound) {
			t.Errorf("with %g N m the disc turns with %g rad/s after 8 s, want %g", torque, got, want)
		}
		if torque == 5 && !(math.Abs(omega[1]-2) <= 1e-6) {
			t.Errorf("after 1 s it turns with %g rad/s, want 2", omega[1])
		}
	}
}

// A body on a damper, given by a table or quadratic, sinks with a constant speed: the damper force then bears the
// weight. It comes to rest where the force of a spring by table bears the weight.
func TestSpringsAndDampersBearAWeight(t *testing.T) {
	const falling = `
name = "Falling"
gravity = [0, 0, -10]
[component.rail]
type = "prismatic"
from = "ground"
to = "block"
axis = "z"
[component.block]
type = "rigid-body"
mass = 20
inertia = { xx = 1, yy = 1, zz = 1 }
[component.damper]
type = "spring-damper"
joint = "rail"
`
	last := func(law, name string) float64 {
		got := simulate(t, parse(t, falling+law), 8, 1e-10, nil)[name]
		return got[len(got)-1]
	}
	for law, want := range map[string]float64{
		"damper_force = [[-0.3, -260], [-0.2, -200], [0, 0]]": -0.2,
		"damper_force = [[-0.1, -100], [0, 0]]":               -0.2, // beyond the first point
		"quadratic_damping = 800":                             -0.5,
	} {
		if got := last(law, "rail.s_dot"); !near(got, want, 1e-8) {
			t.Errorf("%s: sinks with %.12g m/s, want %g", law, got, want)
		}
	}
	const spring = `damping = 400
free_length = 0.1
spring_force = [[-0.3, -500], [-0.2, -200], [0, 0]]`
	if got := last(spring, "rail.s"); !near(got, -0.1, 1e-8) {
		t.Errorf("rests at %.12g m, want -0.1", got)
	}
}

// Terrain is a plane here; what is not one is named.
func TestUnevenTerrainIsRejected(t *testing.T) {
	for _, terrain := range []string{"kind = \"plane\"\nslope_x = 0.1", "friction = { right = 0.5 }"} {
		m, err := vehicle.Parse([]byte(massOnSpring+`[component.hill]
type = "terrain"
`+terrain+"\n"), "test.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(m); err == nil || !strings.Contains(err.Error(), "hill: the reference solver knows flat terrain") {
			t.Errorf("%s: error %v", terrain, err)
		}
	}
}

// A differential with an efficiency passes this share of the input power to its wheels. Coasting, the input receives
// this share of the wheels' power.
func TestGearsLoseAShareOfTheirPower(t *testing.T) {
	const axle = `
name = "Axle"
gravity = 0
[component.left]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 2, zz = 1 }
[component.wheel_L]
type = "revolute"
from = "ground"
to = "left"
axis = "y"
start = { omega = 80 }
[component.right]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 2, zz = 1 }
[component.wheel_R]
type = "revolute"
from = "ground"
to = "right"
axis = "y"
start = { omega = 80 }
[component.drive]
type = "differential"
outputs = ["wheel_L", "wheel_R"]
ratio = 3
efficiency = 0.8
`
	for torque, through := range map[float64]float64{10: 0.8, -10: 1 / 0.8} {
		r, err := parse(t, axle).Simulate(Experiment{Duration: 2, Sampling: 1, Tolerance: 1e-10,
			Inputs: Inputs{Variables: map[string]Signal{"drive.torque": constant{torque}}}})
		if err != nil {
			t.Fatal(err)
		}
		omega, want := r.Values[slices.Index(r.Names, "wheel_L.omega")], 80+2*through*3*torque/2/2
		if got := omega[len(omega)-1]; !(math.Abs(got-want) <= 1e-6) {
			t.Errorf("with %g N m the wheels turn with %g rad/s after 2 s, want %g", torque, got, want)
		}
	}
}
