package kc

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, name string, of Number, want float64) {
	t.Helper()
	got := of.V
	if !(math.Abs(got-want) <= 1e-14*(1+math.Abs(want))) {
		t.Errorf("%s is %.15g, not %.15g", name, got, want)
	}
}

// turned is a spin axis, outward, of a wheel with toe-in and camber.
func turned(toe, camber float64) Vector {
	return At(math.Cos(camber)*math.Sin(toe), math.Cos(camber)*math.Cos(toe), -math.Sin(camber))
}

func TestAnglesOfTheSpinAxis(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		toe, camber := r.NormFloat64()/5, r.NormFloat64()/5
		w := Wheel{Spin: turned(toe, camber)}
		near(t, "toe", w.Toe(), toe)
		near(t, "camber", w.Camber(), camber)
		near(t, "camber from the front", w.CamberFrontView(), math.Atan(math.Tan(camber)/math.Cos(toe)))
	}
}

// The contact is in the wheel's plane, at the radius, and lowest of all such points.
func TestContactIsLowest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		w := Wheel{At(1, 0.7, 0.3), turned(r.NormFloat64()/5, r.NormFloat64()/5), 0.31}
		d := w.Contact().Minus(w.Centre)
		near(t, "distance", d.Size(), w.Radius)
		near(t, "distance from the plane", d.Dot(w.Spin), 0)
		e := w.Spin.Cross(At(1, 0, 0))
		e = e.Times(Of(1).By(e.Size()))
		f := w.Spin.Cross(e)
		for i := range 36 {
			a := float64(i) * math.Pi / 18
			if p := e.Scaled(math.Cos(a)).Plus(f.Scaled(math.Sin(a))); w.Radius*p[2].V < d[2].V-1e-15 {
				t.Fatalf("%v is below the contact", p)
			}
		}
	}
	leaning := Wheel{At(0, 0.7, 0.3), turned(0, 0.1), 0.3}
	near(t, "contact of positive camber, inward", leaning.Contact()[1], 0.7-0.3*math.Sin(0.1))
	near(t, "its height", leaning.Contact()[2], 0.3-0.3*math.Cos(0.1))
}

// A wheel that stands upright on flat ground, with an axis through given places.
func TestSteeringAxis(t *testing.T) {
	w := Wheel{At(0, 0.7, 0.3), At(0, 1, 0), 0.3}
	// castor and inclination of 1 to 10 and 2 to 10; it meets the ground 40 mm ahead and 30 mm inside
	a := Between(At(0.04, 0.67, 0), At(0.04-0.05, 0.67-0.1, 0.5))
	near(t, "castor", a.Castor(), math.Atan(0.1))
	near(t, "inclination", a.Inclination(), math.Atan(0.2))
	trail, scrub := a.Trail(&w)
	near(t, "trail", trail, 0.04)
	near(t, "scrub radius", scrub, 0.03)
	trail, scrub = a.HubTrail(&w)
	near(t, "hub trail", trail, 0.01)
	near(t, "hub offset", scrub, 0.09)
	// toed in by a right angle the wheel points inward: the axis is 30 mm ahead, and the contact 40 mm behind
	w.Spin = At(1, 0, 0)
	trail, scrub = a.Trail(&w)
	near(t, "trail of the turned wheel", trail, 0.03)
	near(t, "scrub radius of the turned wheel", scrub, -0.04)
}

func numbers(list ...float64) (n []Number) {
	for _, x := range list {
		n = append(n, Of(x))
	}
	return n
}

func TestSlopes(t *testing.T) {
	x := numbers(-2, -1, 0, 1, 2)
	near(t, "slope of a line", Slope(x, numbers(-5, -3, -1, 1, 3)), 2)
	// of the cube over -2 ... 2: sum x^4 / sum x^2
	near(t, "slope of the cube", Slope(x, numbers(-8, -1, 0, 1, 8)), 3.4)
	near(t, "springs in series", InSeries(Of(3), Of(6)), 2)
}

// A rigid axle that turns about a point on the middle: the contacts move about this point, which is the roll centre.
func TestRollOfARigidAxle(t *testing.T) {
	const half, radius, centre, rate, steer = 0.75, 0.3, 0.42, 2e4, 0.05
	at := func(roll float64) *Axle {
		a := &Axle{}
		for side := range 2 {
			// the axle turns by -roll against the chassis, and steers to the left
			outward := [3]float64{0, half, radius - centre}
			if side == 1 {
				outward[1] = -half
			}
			y := outward[1]*math.Cos(roll) + outward[2]*math.Sin(roll)
			z := outward[2]*math.Cos(roll) - outward[1]*math.Sin(roll)
			u := At(-steer*roll, math.Cos(roll), -math.Sin(roll))
			if side == 1 {
				y, u = -y, At(steer*roll, math.Cos(roll), math.Sin(roll))
			}
			a.Wheels[side] = Wheel{At(0, y, centre+z), u.Times(Of(1).By(u.Size())), radius}
			a.Pads[side] = Of(3000 + rate*z)
		}
		return a
	}
	const h = 1e-4
	f := Roll(at(h), at(-h))
	for _, c := range []struct {
		name string
		got  Number
		want float64
	}{
		{"roll centre", f.Centre, centre}, {"stiffness", f.Stiffness, 2 * rate * half * half}, {"steer", f.Steer, steer},
		{"camber relative to the chassis", f.Camber[0], 1}, {"the right one", f.Camber[1], 1},
	} {
		if math.Abs(c.got.V/c.want-1) > 1e-7 {
			t.Errorf("%s is %.10g, not %.10g", c.name, c.got.V, c.want)
		}
	}
}

// A lateral force at the ground tilts the chassis about the height at which it would act on it.
func TestRollCentreByForce(t *testing.T) {
	upright := Wheel{At(0, 0.8, 0.3), At(0, 1, 0), 0.3}
	free := &Axle{Wheels: [2]Wheel{upright, upright}}
	loaded := *free
	const height, force = 0.1, 1000
	// of both forces, to the left: the chassis bears their moment 2 F h, and the pads (dFz_r - dFz_l) 1.6/2
	loaded.Pads = [2]Number{Of(-force * height / 0.8), Of(force * height / 0.8)}
	near(t, "roll centre", RollCentreByForce(&loaded, free, force), height)
	near(t, "anti-dive", Anti(Of(0.08), 0.66, Of(2.6), Of(0.55)), 0.66*0.08*2.6/0.55)
	near(t, "of one wheel", RollCentreOfOneWheel(numbers(0.7, 0.72), numbers(0, 0.1), Of(0.71)), 0.71*0.2)
}

// Wheels whose axes meet on the line of the other axle have 100 %, parallel wheels none.
func TestAckermann(t *testing.T) {
	const width, base, radius = 1.4, 2.6, 8.0 // of the turn, to the middle of the other axle
	inner, outer := math.Atan(base/(radius-width/2)), math.Atan(base/(radius+width/2))
	of := func(inner, outer float64) Number { return Ackermann(Of(inner), Of(outer), Of(width), Of(base)) }
	near(t, "of wheels about one point", of(inner, outer), 1)
	near(t, "of parallel wheels", of(inner, inner), 0)
	near(t, "half of it", of(inner, (inner+outer)/2), 0.5)
	near(t, "turning circle", TurningCircle(Of(outer), Of(base)), 2*math.Hypot(base, radius+width/2))
}

// Derivatives of all figures equal differences of the figures.
func TestDerivativesOfFigures(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	random := func(x, y, z float64) Vector {
		v := At(x, y, z)
		for i := range v {
			v[i] = Number{v[i].V + 0.1*r.NormFloat64(), r.NormFloat64()}
		}
		return v
	}
	shift := func(n Number, h float64) Number { return Of(n.V + h*n.D) }
	moved := func(v Vector, h float64) Vector { return Vector{shift(v[0], h), shift(v[1], h), shift(v[2], h)} }
	for range 20 {
		wheel := func() Wheel {
			u := random(0, 1, 0)
			return Wheel{random(0, 0.7, 0.3), u.Times(Of(1).By(u.Size())), 0.3}
		}
		var axles [2]Axle
		for i := range axles {
			axles[i] = Axle{[2]Wheel{wheel(), wheel()}, [2]Number{{3000, r.NormFloat64()}, {2500, r.NormFloat64()}}}
		}
		axles[0].Wheels[1].Centre[2].V += 0.4 // so that they roll apart
		low, high := random(0, 0.6, 0.1), random(0, 0.5, 0.5)
		all := func(h float64) (list []Number) {
			a := axles
			for i := range a {
				for k := range 2 {
					w := &a[i].Wheels[k]
					w.Centre, w.Spin, a[i].Pads[k] = moved(w.Centre, h), moved(w.Spin, h), shift(a[i].Pads[k], h)
				}
			}
			return figuresOf(&a[0], &a[1], Between(moved(low, h), moved(high, h)))
		}
		exact := figuresOf(&axles[0], &axles[1], Between(low, high))
		const h = 1e-5
		above, below := all(h), all(-h)
		for i, f := range exact {
			if d := (above[i].V - below[i].V) / (2 * h); math.Abs(d-f.D) > 1e-6*(1+math.Abs(d)) {
				t.Errorf("figure %d: %v, by differences %v", i, f.D, d)
			}
		}
	}
}

func figuresOf(a, b *Axle, axis Axis) []Number {
	w := &a.Wheels[0]
	roll := Roll(a, b)
	trail, scrub := axis.Trail(w)
	hub, offset := axis.HubTrail(w)
	contact := w.Contact()
	return []Number{w.Toe(), w.Camber(), w.CamberFrontView(), contact[0], contact[1], contact[2], axis.Castor(),
		axis.Inclination(), trail, scrub, hub, offset, roll.Stiffness.Scaled(1e-4), roll.Steer, roll.Camber[0],
		roll.Camber[1], roll.Centre, RollCentreByForce(a, b, 1000), Anti(a.Pads[0], 1e-3, w.Centre[1], w.Centre[2]),
		InSeries(a.Pads[0], b.Pads[1]), Ackermann(w.Centre[2], w.Centre[2].Scaled(0.9), w.Centre[1], Of(2.5)),
		TurningCircle(w.Centre[2], w.Centre[1]),
		Slope([]Number{a.Pads[0], a.Pads[1], b.Pads[0]}, []Number{w.Toe(), w.Camber(), contact[1]}),
		RollCentreOfOneWheel([]Number{contact[1], Of(0)}, []Number{contact[2], Of(1)}, w.Centre[1])}
}
