package tangent

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Matrix is a matrix of three rows.
type Matrix [3][3]float64

// Diagonal returns the matrix with the elements on its diagonal.
func Diagonal(x, y, z float64) Matrix { return Matrix{{x}, {0, y}, {0, 0, z}} }

var identity = Diagonal(1, 1, 1)

// tilde is the matrix of the cross product: tilde(a) b = a x b.
func tilde(a r3.Vec) Matrix { return Matrix{{0, -a.Z, a.Y}, {a.Z, 0, -a.X}, {-a.Y, a.X, 0}} }

// normalTo takes out what is along a unit vector: I - a a^T.
func normalTo(a r3.Vec) Matrix {
	m := identity
	u := components(a)
	for i := range m {
		for k := range m[i] {
			m[i][k] -= u[i] * u[k]
		}
	}
	return m
}

func (m Matrix) times(o Matrix) Matrix {
	var p Matrix
	for i := range p {
		for k := range p[i] {
			for j := range o {
				p[i][k] += m[i][j] * o[j][k]
			}
		}
	}
	return p
}

func (m Matrix) plus(o Matrix) Matrix {
	for i := range m {
		for k := range m[i] {
			m[i][k] += o[i][k]
		}
	}
	return m
}

func (m Matrix) scaled(s float64) Matrix {
	for i := range m {
		for k := range m[i] {
			m[i][k] *= s
		}
	}
	return m
}

func (m Matrix) transposed() Matrix {
	var t Matrix
	for i := range m {
		for k := range m[i] {
			t[k][i] = m[i][k]
		}
	}
	return t
}

func (m Matrix) of(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: m[0][0]*v.X + m[0][1]*v.Y + m[0][2]*v.Z,
		Y: m[1][0]*v.X + m[1][1]*v.Y + m[1][2]*v.Z,
		Z: m[2][0]*v.X + m[2][1]*v.Y + m[2][2]*v.Z,
	}
}

func (m Matrix) column(k int) r3.Vec { return r3.Vec{X: m[0][k], Y: m[1][k], Z: m[2][k]} }

func (m Matrix) largest() float64 {
	most := 0.0
	for i := range m {
		for _, v := range m[i] {
			most = max(most, math.Abs(v))
		}
	}
	return most
}

// turned is the rotation by an angle about a unit vector.
func turned(angle float64, axis r3.Vec) Matrix {
	s, c := math.Sincos(angle)
	return identity.plus(tilde(axis).scaled(s)).plus(tilde(axis).times(tilde(axis)).scaled(1 - c))
}

func components(v r3.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func vec(v [3]float64) r3.Vec { return r3.Vec{X: v[0], Y: v[1], Z: v[2]} }

// perpendicular returns two unit vectors that are normal to a unit vector and to each other.
func perpendicular(a r3.Vec) (r3.Vec, r3.Vec) {
	e := r3.Vec{X: 1}
	if math.Abs(a.X) > 0.6 {
		e = r3.Vec{Y: 1}
	}
	n := r3.Unit(r3.Cross(a, e))
	return n, r3.Cross(a, n)
}

// directions are axis alone, the two that are normal to it, or all three, the axis first.
func directions(axis r3.Vec, count int) []r3.Vec {
	if count == 0 {
		return nil
	}
	if axis == (r3.Vec{}) {
		axis = r3.Vec{X: 1}
	}
	n, b := perpendicular(axis)
	return [][]r3.Vec{{axis}, {n, b}, {axis, n, b}}[count-1]
}
