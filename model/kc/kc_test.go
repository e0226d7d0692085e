package kc

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, name string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-14*(1+math.Abs(want))) {
		t.Errorf("%s is %.15g, not %.15g", name, got, want)
	}
}

// turned is a spin axis, outward, of a wheel with toe-in and camber.
func turned(toe, camber float64) Vector {
	return Vector{math.Cos(camber) * math.Sin(toe), math.Cos(camber) * math.Cos(toe), -math.Sin(camber)}
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
		w := Wheel{Vector{1, 0.7, 0.3}, turned(r.NormFloat64()/5, r.NormFloat64()/5), 0.31}
		d := w.Contact().Plus(w.Centre.Times(-1))
		near(t, "distance", d.Size(), w.Radius)
		near(t, "distance from the plane", d.Dot(w.Spin), 0)
		e := w.Spin.Cross(Vector{1, 0, 0})
		e = e.Times(1 / e.Size())
		f := w.Spin.Cross(e)
		for i := range 36 {
			a := float64(i) * math.Pi / 18
			if p := e.Times(math.Cos(a)).Plus(f.Times(math.Sin(a))); w.Radius*p[2] < d[2]-1e-15 {
				t.Fatalf("%v is below the contact", p)
			}
		}
	}
	leaning := Wheel{Vector{0, 0.7, 0.3}, turned(0, 0.1), 0.3}
	near(t, "contact of positive camber, inward", leaning.Contact()[1], 0.7-0.3*math.Sin(0.1))
	near(t, "its height", leaning.Contact()[2], 0.3-0.3*math.Cos(0.1))
}

// A wheel that stands upright on flat ground, with an axis through given places.
func TestSteeringAxis(t *testing.T) {
	w := Wheel{Vector{0, 0.7, 0.3}, Vector{0, 1, 0}, 0.3}
	// castor and inclination of 1 to 10 and 2 to 10; it meets the ground 40 mm ahead and 30 mm inside
	a := Between(Vector{0.04, 0.67, 0}, Vector{0.04 - 0.05, 0.67 - 0.1, 0.5})
	near(t, "castor", a.Castor(), math.Atan(0.1))
	near(t, "inclination", a.Inclination(), math.Atan(0.2))
	trail, scrub := a.Trail(&w)
	near(t, "trail", trail, 0.04)
	near(t, "scrub radius", scrub, 0.03)
	trail, scrub = a.HubTrail(&w)
	near(t, "hub trail", trail, 0.01)
	near(t, "hub offset", scrub, 0.09)
	// toed in by a right angle the wheel points inward: the axis is 30 mm ahead, and the contact 40 mm behind
	w.Spin = Vector{1, 0, 0}
	trail, scrub = a.Trail(&w)
	near(t, "trail of the turned wheel", trail, 0.03)
	near(t, "scrub radius of the turned wheel", scrub, -0.04)
}

func TestSlopes(t *testing.T) {
	x := []float64{-2, -1, 0, 1, 2}
	near(t, "slope of a line", Slope(x, []float64{-5, -3, -1, 1, 3}), 2)
	// of the cube over -2 ... 2: sum x^4 / sum x^2
	near(t, "slope of the cube", Slope(x, []float64{-8, -1, 0, 1, 8}), 3.4)
	near(t, "springs in series", InSeries(3, 6), 2)
}

// A rigid axle that turns about a point on the middle: the contacts move about this point, which is the roll centre.
func TestRollOfARigidAxle(t *testing.T) {
	const half, radius, centre, rate, steer = 0.75, 0.3, 0.42, 2e4, 0.05
	at := func(roll float64) *Axle {
		a := &Axle{}
		for side := range 2 {
			// the axle turns by -roll against the chassis, and steers to the left
			outward := Vector{0, half, radius - centre}
			if side == 1 {
				outward[1] = -half
			}
			y := outward[1]*math.Cos(roll) + outward[2]*math.Sin(roll)
			z := outward[2]*math.Cos(roll) - outward[1]*math.Sin(roll)
			u := Vector{-steer * roll, math.Cos(roll), -math.Sin(roll)}
			if side == 1 {
				y, u = -y, Vector{steer * roll, math.Cos(roll), math.Sin(roll)}
			}
			a.Wheels[side] = Wheel{Vector{0, y, centre + z}, u.Times(1 / u.Size()), radius}
			a.Pads[side] = 3000 + rate*z
		}
		return a
	}
	const h = 1e-4
	f := Roll(at(h), at(-h))
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"roll centre", f.Centre, centre}, {"stiffness", f.Stiffness, 2 * rate * half * half}, {"steer", f.Steer, steer},
		{"camber relative to the chassis", f.Camber[0], 1}, {"the right one", f.Camber[1], 1},
	} {
		if math.Abs(c.got/c.want-1) > 1e-7 {
			t.Errorf("%s is %.10g, not %.10g", c.name, c.got, c.want)
		}
	}
}

// A lateral force at the ground tilts the chassis about the height at which it would act on it.
func TestRollCentreByForce(t *testing.T) {
	upright := Wheel{Vector{0, 0.8, 0.3}, Vector{0, 1, 0}, 0.3}
	free := &Axle{Wheels: [2]Wheel{upright, upright}}
	loaded := *free
	const height, force = 0.1, 1000
	// of both forces, to the left: the chassis bears their moment 2 F h, and the pads (dFz_r - dFz_l) 1.6/2
	loaded.Pads = [2]float64{-force * height / 0.8, force * height / 0.8}
	near(t, "roll centre", RollCentreByForce(&loaded, free, force), height)
	near(t, "anti-dive", Anti(0.08, 0.66, 2.6, 0.55), 0.66*0.08*2.6/0.55)
	near(t, "of one wheel", RollCentreOfOneWheel([]float64{0.7, 0.72}, []float64{0, 0.1}, 0.71), 0.71*0.2)
}

// Wheels whose axes meet on the line of the other axle have 100 %, parallel wheels none.
func TestAckermann(t *testing.T) {
	const width, base, radius = 1.4, 2.6, 8.0 // of the turn, to the middle of the other axle
	inner, outer := math.Atan(base/(radius-width/2)), math.Atan(base/(radius+width/2))
	near(t, "of wheels about one point", Ackermann(inner, outer, width, base), 1)
	near(t, "of parallel wheels", Ackermann(inner, inner, width, base), 0)
	near(t, "half of it", Ackermann(inner, (inner+outer)/2, width, base), 0.5)
	near(t, "turning circle", TurningCircle(outer, base), 2*math.Hypot(base, radius+width/2))
}
