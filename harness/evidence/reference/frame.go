package reference

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// axes are the unit vectors of a frame, resolved in a base frame: the columns of the rotation matrix from components in
// the frame to components in the base frame.
type axes [3]r3.Vec

var identity = axes{{X: 1}, {Y: 1}, {Z: 1}}

// out returns the vector that has the components v in the frame.
func (a *axes) out(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: a[0].X*v.X + a[1].X*v.Y + a[2].X*v.Z,
		Y: a[0].Y*v.X + a[1].Y*v.Y + a[2].Y*v.Z,
		Z: a[0].Z*v.X + a[1].Z*v.Y + a[2].Z*v.Z,
	}
}

// in returns the components of v in the frame.
func (a *axes) in(v r3.Vec) r3.Vec {
	return r3.Vec{X: r3.Dot(a[0], v), Y: r3.Dot(a[1], v), Z: r3.Dot(a[2], v)}
}

// times returns the axes of a frame that has axes b in the frame a.
func (a *axes) times(b *axes) axes { return axes{a.out(b[0]), a.out(b[1]), a.out(b[2])} }

// transposed are the axes of the base frame in this frame.
func (a *axes) transposed() axes {
	return axes{
		{X: a[0].X, Y: a[1].X, Z: a[2].X},
		{X: a[0].Y, Y: a[1].Y, Z: a[2].Y},
		{X: a[0].Z, Y: a[1].Z, Z: a[2].Z},
	}
}

// turned are the axes of a frame that is turned by angle about axis, a unit vector.
func turned(angle float64, axis r3.Vec) axes {
	s, c := math.Sincos(angle)
	var a axes
	for i, e := range identity {
		along := r3.Scale(r3.Dot(axis, e), axis)
		a[i] = r3.Add(along, r3.Add(r3.Scale(c, r3.Sub(e, along)), r3.Scale(s, r3.Cross(axis, e))))
	}
	return a
}

// sequence are the axes after three turns, each about an axis of the frame that the
// preceding ones turned; "321" is yaw, pitch, roll.
func sequence(order string, angles [3]float64) axes {
	a := identity
	for i, angle := range angles {
		turn := turned(angle, identity[order[i]-'1'])
		a = a.times(&turn)
	}
	return a
}

// turns returns the angles of a sequence of turns that leads to axes: the inverse of
// sequence.
func (a *axes) turns(order string) [3]float64 {
	i, j, k := int(order[0]-'1'), int(order[1]-'1'), int(order[2]-'1')
	m := func(row, column int) float64 { return components(a[column])[row] }
	third := 3 - i - j
	sign := -1.0
	if (i+1)%3 == j {
		sign = 1
	}
	if i == k {
		return [3]float64{math.Atan2(m(j, i), -sign*m(third, i)), math.Acos(max(-1, min(1, m(i, i)))),
			math.Atan2(m(i, j), sign*m(i, third))}
	}
	return [3]float64{math.Atan2(-sign*m(j, k), m(k, k)), math.Asin(max(-1, min(1, sign*m(i, k)))),
		math.Atan2(-sign*m(i, j), m(i, i))}
}

// normalTo returns a unit vector that is normal to a unit vector.
func normalTo(u r3.Vec) r3.Vec {
	e := identity[0]
	if math.Abs(u.X) > 0.6 {
		e = identity[1]
	}
	return r3.Unit(r3.Cross(u, e))
}

// ofQuaternion returns the axes of the unit quaternion e/|e|.
func ofQuaternion(e quat.Number) axes {
	s := 2 / (e.Real*e.Real + e.Imag*e.Imag + e.Jmag*e.Jmag + e.Kmag*e.Kmag)
	xx, yy, zz := s*e.Imag*e.Imag, s*e.Jmag*e.Jmag, s*e.Kmag*e.Kmag
	xy, xz, yz := s*e.Imag*e.Jmag, s*e.Imag*e.Kmag, s*e.Jmag*e.Kmag
	wx, wy, wz := s*e.Real*e.Imag, s*e.Real*e.Jmag, s*e.Real*e.Kmag
	return axes{
		{X: 1 - yy - zz, Y: xy + wz, Z: xz - wy},
		{X: xy - wz, Y: 1 - xx - zz, Z: yz + wx},
		{X: xz + wy, Y: yz - wx, Z: 1 - xx - yy},
	}
}

// quaternion returns the unit quaternion of axes, by the largest of its elements
// (Shepperd 1978).
func (a *axes) quaternion() quat.Number {
	x, y, z := a[0].X, a[1].Y, a[2].Z
	switch {
	case x+y+z > max(x, y, z):
		s := 2 * math.Sqrt(1+x+y+z)
		return quat.Number{Real: s / 4, Imag: (a[1].Z - a[2].Y) / s, Jmag: (a[2].X - a[0].Z) / s, Kmag: (a[0].Y - a[1].X) / s}
	case x >= y && x >= z:
		s := 2 * math.Sqrt(1+x-y-z)
		return quat.Number{Real: (a[1].Z - a[2].Y) / s, Imag: s / 4, Jmag: (a[1].X + a[0].Y) / s, Kmag: (a[2].X + a[0].Z) / s}
	case y >= z:
		s := 2 * math.Sqrt(1-x+y-z)
		return quat.Number{Real: (a[2].X - a[0].Z) / s, Imag: (a[1].X + a[0].Y) / s, Jmag: s / 4, Kmag: (a[2].Y + a[1].Z) / s}
	}
	s := 2 * math.Sqrt(1-x-y+z)
	return quat.Number{Real: (a[0].Y - a[1].X) / s, Imag: (a[2].X + a[0].Z) / s, Jmag: (a[2].Y + a[1].Z) / s, Kmag: s / 4}
}

// motion is how a frame moves against ground: its axes, and position, velocity,
// angular velocity and their derivatives, all resolved in ground.
type motion struct {
	axes
	r, v, a, w, dw r3.Vec
}

// carried returns the motion of a frame that is fixed in a frame with the motion m: offset is its origin and turn its
// axes, both in m's frame.
func (m *motion) carried(offset r3.Vec, turn *axes) motion {
	arm := m.out(offset)
	whirl := r3.Cross(m.w, arm)
	return motion{
		axes: m.times(turn),
		r:    r3.Add(m.r, arm),
		v:    r3.Add(m.v, whirl),
		a:    r3.Add(m.a, r3.Add(r3.Cross(m.dw, arm), r3.Cross(m.w, whirl))),
		w:    m.w, dw: m.dw,
	}
}

// driven returns the motion of a frame that is turned against a frame with the motion m, about axis, a unit vector in
// m's frame, by a given angle with its derivatives.
func (m *motion) driven(axis r3.Vec, angle, rate, acceleration float64) motion {
	turn := turned(angle, axis)
	u := m.out(axis)
	d := *m
	d.axes = m.times(&turn)
	d.w = r3.Add(m.w, r3.Scale(rate, u))
	d.dw = r3.Add(m.dw, r3.Add(r3.Scale(acceleration, u), r3.Scale(rate, r3.Cross(m.w, u))))
	return d
}

// shifted returns the motion of a frame that is moved along axis by a given distance
// with its derivatives.
func (m *motion) shifted(axis r3.Vec, distance, rate, acceleration float64) motion {
	d := m.carried(r3.Scale(distance, axis), &identity)
	u := m.out(axis)
	d.v = r3.Add(d.v, r3.Scale(rate, u))
	d.a = r3.Add(d.a, r3.Add(r3.Scale(acceleration, u), r3.Scale(2*rate, r3.Cross(m.w, u))))
	return d
}
