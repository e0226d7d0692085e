package reference

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// standing is the pose and the motion of a wheel relative to its road; the road can move. All vectors are resolved in
// ground.
type standing struct {
	centre         r3.Vec // from the origin of the road to the wheel centre
	velocity, spin r3.Vec // relative to the surface of the road
	symmetry       r3.Vec // axis of the wheel
	axes           axes   // ISO axes of the contact
}

// touch finds how a wheel touches the road, and returns the way from its centre to the contact point and to where slip
// is measured.
func (w *wheel) touch(s standing) (toP, toE r3.Vec) {
	t := &w.at
	uz := s.axes[2]
	t.inclination = math.Asin(max(-1, min(1, r3.Dot(r3.Cross(s.axes[1], s.symmetry), s.axes[0]))))
	t.gamma, t.upright, t.missing = t.inclination, 1, 0
	sin, cos := math.Sincos(t.inclination)
	if w.component.Contact.Method == component.ContactConservative {
		toP, toE = w.touchByEnergy(s)
		t.Omega = r3.Dot(s.spin, s.axes[1]) / max(cos, 0.5)
	} else {
		toP, toE = w.touchAsDisc(s)
		t.Omega = (r3.Dot(s.spin, s.symmetry) - r3.Dot(s.spin, uz)*sin) / (cos * cos)
	}
	t.Fz = max(t.FzSigned, 0)
	return toP, toE
}

// touchAsDisc is the contact of a thin disc on a plane, along its radius (Morency 2007, chapter 3).
func (w *wheel) touchAsDisc(s standing) (toP, toE r3.Vec) {
	p, t, uz := w.component, &w.at, s.axes[2]
	free := p.UnloadedRadius.Value
	sin, cos := math.Sincos(t.inclination)
	t.Rl = r3.Dot(s.centre, uz) / cos
	t.FzSigned = p.VerticalStiffness.Value*(free-t.Rl)*cos - p.VerticalDamping.Value*r3.Dot(s.velocity, uz)
	t.Reff = w.effectiveRadius(free, t.Rl, free-t.Rl)
	toP = r3.Sub(r3.Scale(t.Rl*sin, s.axes[1]), r3.Scale(t.Rl*cos, uz))
	return toP, r3.Scale(t.Reff/t.Rl, toP)
}

// touchByEnergy is the contact whose normal force and moment are the gradient of kz/2 (P - h)^2 (specification of
// standstill and energy, 5).
func (w *wheel) touchByEnergy(s standing) (toP, toE r3.Vec) {
	p, t := w.component, &w.at
	uy, uz := s.axes[1], s.axes[2]
	height := r3.Dot(s.centre, uz)
	lowest, side := w.lowest(t.inclination)
	deflection := lowest - height
	toP = r3.Sub(r3.Scale(side, uy), r3.Scale(height, uz))
	sinking := -r3.Dot(r3.Add(s.velocity, r3.Cross(s.spin, toP)), uz)
	t.deflection = deflection
	t.FzSigned = p.VerticalStiffness.Value * deflection
	if deflection > 0 {
		t.FzSigned += p.VerticalDamping.Value * min(1, deflection/1e-3) * sinking
	}
	// arms of a force along ux about the axis of symmetry
	arm := func(way r3.Vec) float64 { return r3.Dot(r3.Cross(s.axes[0], way), s.symmetry) }
	t.Rl = arm(toP)
	free := arm(r3.Sub(toP, r3.Scale(deflection, uz)))
	t.Reff = w.effectiveRadius(free, t.Rl, free-t.Rl)
	toE = r3.Sub(toP, r3.Scale(t.Reff-t.Rl, r3.Cross(s.axes[0], s.symmetry)))
	if p.Contact.Power {
		t.missing = t.Reff - t.Rl
	}
	const rolls, lies = math.Sqrt2 / 2, 0.5
	x := max(0, min(1, (math.Cos(t.inclination)-lies)/(rolls-lies)))
	t.upright = x * x * (3 - 2*x)
	t.gamma = t.upright * max(-math.Pi/4, min(math.Pi/4, t.inclination))
	return toP, toE
}

// lowest is the lowest point P of the free tire below its centre, and its place Y to the left.
func (w *wheel) lowest(inclination float64) (down, left float64) {
	p := w.component
	free, crown := p.UnloadedRadius.Value, p.Contact.CrownRadius.Value
	blend, ring, half := min(0.02, free/10), 0.82*free, 0.28*free
	if p.Contact.Width != nil {
		half = p.Contact.Width.Value / 2
	}
	half = max(half, crown+blend-0.05*ring)
	sin, cos := math.Sincos(math.Abs(inclination))
	root := math.Hypot(cos, 0.05)
	disc, discSide := (free-crown)*cos+crown, (free-crown)*sin
	side, sideSide := ring*root+half*sin, ring*cos*sin/root-half*cos
	switch ahead := disc - side; {
	case ahead >= blend:
		down, left = disc, discSide
	case ahead <= -blend:
		down, left = side, sideSide
	default:
		down = (disc+side)/2 + ahead*ahead/(4*blend) + blend/4
		left = (discSide+sideSide)/2 + ahead*(discSide-sideSide)/(2*blend)
	}
	return down, math.Copysign(left, inclination)
}
