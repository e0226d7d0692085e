package animation

import "math"

type vector [3]float64

// quaternion is w, x, y, z of a rotation.
type quaternion [4]float64

func (a quaternion) times(b quaternion) quaternion {
	return quaternion{
		a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3],
		a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
		a[0]*b[2] - a[1]*b[3] + a[2]*b[0] + a[3]*b[1],
		a[0]*b[3] + a[1]*b[2] - a[2]*b[1] + a[3]*b[0],
	}
}

func (a quaternion) conjugate() quaternion { return quaternion{a[0], -a[1], -a[2], -a[3]} }

func (a quaternion) rotate(v vector) vector {
	r := a.times(quaternion{0, v[0], v[1], v[2]}).times(a.conjugate())
	return vector{r[1], r[2], r[3]}
}

// turn is a rotation about a unit axis.
func turn(axis [3]float64, angle float64) quaternion {
	s, c := math.Sincos(angle / 2)
	return quaternion{c, s * axis[0], s * axis[1], s * axis[2]}
}

// euler is a rotation of three turns about the axes of a sequence, each about the axis turned by
// the ones before.
func euler(sequence string, angles [3]float64) quaternion {
	q := quaternion{1, 0, 0, 0}
	for i, a := range angles {
		var axis [3]float64
		axis[sequence[i]-'1'] = 1
		q = q.times(turn(axis, a))
	}
	return q
}

// then is a pose given in the frame of another.
func (a pose) then(b pose) pose {
	r := a.q.rotate(b.r)
	return pose{vector{a.r[0] + r[0], a.r[1] + r[1], a.r[2] + r[2]}, a.q.times(b.q)}
}

func (a pose) inverse() pose {
	q := a.q.conjugate()
	r := q.rotate(a.r)
	return pose{vector{-r[0], -r[1], -r[2]}, q}
}
