package kc

import "math"

// Vector is a vector with y outward.
type Vector [3]float64

// Wheel is the pose of a wheel.
type Wheel struct {
	Centre Vector  // m
	Spin   Vector  // unit vector along the spin axis, outward
	Radius float64 // from the spin axis to the contact [m]
}

// Toe is positive where the wheel points inward in front [rad].
func (w *Wheel) Toe() float64 { return math.Atan2(w.Spin[0], w.Spin[1]) }

// Camber after ISO 8855: positive where the wheel leans outward at the top [rad].
func (w *Wheel) Camber() float64 { return -math.Asin(w.Spin[2]) }

// CamberFrontView is the camber as seen from the front, of the projected spin axis [rad]. It equals Camber at toe 0.
func (w *Wheel) CamberFrontView() float64 { return -math.Atan2(w.Spin[2], w.Spin[1]) }

// Contact is the lowest point of the circle of the radius in the wheel's plane, where a level pad touches it.
func (w *Wheel) Contact() Vector {
	u := w.Spin
	n := Vector{u[2] * u[0], u[2] * u[1], u[2]*u[2] - 1} // -z + (u.z) u
	return w.Centre.Plus(n.Times(w.Radius / n.Size()))
}

// heading and outward are level unit vectors along and across the wheel.
func (w *Wheel) heading() (along, outward Vector) {
	level := math.Hypot(w.Spin[0], w.Spin[1])
	outward = Vector{w.Spin[0] / level, w.Spin[1] / level, 0}
	return Vector{outward[1], -outward[0], 0}, outward
}

// Axis is a steering axis through a point.
type Axis struct{ Point, Direction Vector }

// Between is the axis through two points.
func Between(a, b Vector) Axis { return Axis{a, b.Plus(a.Times(-1))} }

// Castor is positive where the axis leans rearward at the top [rad].
func (a *Axis) Castor() float64 { return -math.Atan(a.Direction[0] / a.Direction[2]) }

// Inclination is positive where the axis leans inward at the top [rad].
func (a *Axis) Inclination() float64 { return -math.Atan(a.Direction[1] / a.Direction[2]) }

// at is the axis's point at a height.
func (a *Axis) at(z float64) Vector {
	return a.Point.Plus(a.Direction.Times((z - a.Point[2]) / a.Direction[2]))
}

// Trail is how far the axis meets the ground ahead of the contact, along the wheel; Scrub is how far the contact is
// outside of it [m].
func (a *Axis) Trail(w *Wheel) (trail, scrub float64) { return a.beside(w, w.Contact()) }

// HubTrail and its offset are the same at the height of the wheel's centre, from the centre [m].
func (a *Axis) HubTrail(w *Wheel) (trail, offset float64) { return a.beside(w, w.Centre) }

func (a *Axis) beside(w *Wheel, p Vector) (ahead, outside float64) {
	along, outward := w.heading()
	d := a.at(p[2]).Plus(p.Times(-1))
	return d.Dot(along), -d.Dot(outward)
}

// Plus is the sum.
func (v Vector) Plus(w Vector) Vector { return Vector{v[0] + w[0], v[1] + w[1], v[2] + w[2]} }

// Times is a multiple.
func (v Vector) Times(k float64) Vector { return Vector{k * v[0], k * v[1], k * v[2]} }

// Dot is the scalar product.
func (v Vector) Dot(w Vector) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

// Cross is the vector product.
func (v Vector) Cross(w Vector) Vector {
	return Vector{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

// Size is the length.
func (v Vector) Size() float64 { return math.Sqrt(v.Dot(v)) }
