package kc

// Vector is a vector with y outward.
type Vector [3]Number

// At is a vector that does not change.
func At(x, y, z float64) Vector { return Vector{Of(x), Of(y), Of(z)} }

// Wheel is the pose of a wheel.
type Wheel struct {
	Centre Vector  // m
	Spin   Vector  // unit vector along the spin axis, outward
	Radius float64 // from the spin axis to the contact [m]
}

// Toe is positive where the wheel points inward in front [rad].
func (w *Wheel) Toe() Number { return atan2(w.Spin[0], w.Spin[1]) }

// Camber after ISO 8855: positive where the wheel leans outward at the top [rad].
func (w *Wheel) Camber() Number { return asin(w.Spin[2]).Negative() }

// CamberFrontView is the camber as seen from the front, of the projected spin axis [rad]. It equals Camber at toe 0.
func (w *Wheel) CamberFrontView() Number { return atan2(w.Spin[2], w.Spin[1]).Negative() }

// Contact is the lowest point of the circle of the radius in the wheel's plane, where a level pad touches it.
func (w *Wheel) Contact() Vector {
	u := w.Spin
	down := Vector{u[2].Times(u[0]), u[2].Times(u[1]), u[2].Times(u[2]).Minus(Of(1))} // -z + (u.z) u
	return w.Centre.Plus(down.Times(Of(w.Radius).By(down.Size())))
}

// heading and outward are level unit vectors along and across the wheel.
func (w *Wheel) heading() (along, outward Vector) {
	level := Vector{w.Spin[0], w.Spin[1], Of(0)}
	outward = level.Times(Of(1).By(level.Size()))
	return Vector{outward[1], outward[0].Negative(), Of(0)}, outward
}

// Axis is a steering axis through a point.
type Axis struct{ Point, Direction Vector }

// Between is the axis through two points.
func Between(a, b Vector) Axis { return Axis{a, b.Minus(a)} }

// Castor is positive where the axis leans rearward at the top [rad].
func (a *Axis) Castor() Number { return atan(a.Direction[0].By(a.Direction[2])).Negative() }

// Inclination is positive where the axis leans inward at the top [rad].
func (a *Axis) Inclination() Number { return atan(a.Direction[1].By(a.Direction[2])).Negative() }

// At is the axis's point at a height.
func (a *Axis) At(z Number) Vector {
	return a.Point.Plus(a.Direction.Times(z.Minus(a.Point[2]).By(a.Direction[2])))
}

// Trail is how far the axis meets the ground ahead of the contact, along the wheel; scrub is how far the contact is
// outside of it [m].
func (a *Axis) Trail(w *Wheel) (trail, scrub Number) { return a.beside(w, w.Contact()) }

// HubTrail and its offset are the same at the height of the wheel's centre, from the centre [m].
func (a *Axis) HubTrail(w *Wheel) (trail, offset Number) { return a.beside(w, w.Centre) }

func (a *Axis) beside(w *Wheel, p Vector) (ahead, outside Number) {
	along, outward := w.heading()
	d := a.At(p[2]).Minus(p)
	return d.Dot(along), d.Dot(outward).Negative()
}

// Plus is the sum.
func (v Vector) Plus(w Vector) Vector {
	return Vector{v[0].Plus(w[0]), v[1].Plus(w[1]), v[2].Plus(w[2])}
}

// Minus is the difference.
func (v Vector) Minus(w Vector) Vector {
	return Vector{v[0].Minus(w[0]), v[1].Minus(w[1]), v[2].Minus(w[2])}
}

// Times is a multiple.
func (v Vector) Times(k Number) Vector { return Vector{v[0].Times(k), v[1].Times(k), v[2].Times(k)} }

// Scaled is a multiple.
func (v Vector) Scaled(k float64) Vector { return v.Times(Of(k)) }

// Dot is the scalar product.
func (v Vector) Dot(w Vector) Number {
	return v[0].Times(w[0]).Plus(v[1].Times(w[1])).Plus(v[2].Times(w[2]))
}

// Cross is the vector product.
func (v Vector) Cross(w Vector) Vector {
	of := func(i, k int) Number { return v[i].Times(w[k]).Minus(v[k].Times(w[i])) }
	return Vector{of(1, 2), of(2, 0), of(0, 1)}
}

// Size is the length.
func (v Vector) Size() Number { return sqrt(v.Dot(v)) }
