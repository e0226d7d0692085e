package sti

import (
	"math"

	"skidpad/tire"
)

// Motion is how a wheel moves over the road it stands on, in axes W.
type Motion struct {
	Gamma         float64 // inclination [rad]
	VCx, VCy, VCz float64 // velocity of the wheel's centre [m/s]
	Wx, Wz        float64 // angular velocity of the wheel about x and z, its spin included [rad/s]
	Omega         float64 // spin: of the rim in axes C, about y_C [rad/s]
	Side, Depth   float64 // the contact point lies Side to the left of the wheel's centre and Depth below it [m]
}

// Wrench is the force [N] of the road on the tire and its moment [N m] about the contact point, in axes W.
type Wrench struct{ Force, Moment [3]float64 }

// lean turns a vector of W into C; lean with -sine turns it back.
func lean(v [3]float64, sine, cosine float64) [3]float64 {
	return [3]float64{v[0], cosine*v[1] + sine*v[2], cosine*v[2] - sine*v[1]}
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func plus(a [3]float64, k float64, b [3]float64) [3]float64 {
	return [3]float64{a[0] + k*b[0], a[1] + k*b[1], a[2] + k*b[2]}
}

// Put writes a motion and a pose as arguments. C is the frame of the wheel plane and the road, so that the rim turns in
// it about y_C only:
//
//	w = (Wx, 0, Wz - Omega sin gamma) + Omega y_C
//
// The earth axes are the axes of the pose. The plane lies Depth below the centre.
func (m *Motion) Put(a *Arguments, p *tire.Pose, friction float64) {
	sine, cosine := math.Sincos(m.Gamma)
	x, up := p.Heading, p.Normal
	left := cross(up, x)
	a.Centre = p.Centre
	for k := range 3 {
		a.Axes[k], a.Axes[3+k], a.Axes[6+k] = x[k], cosine*left[k]+sine*up[k], cosine*up[k]-sine*left[k]
	}
	a.Velocity = lean([3]float64{m.VCx, m.VCy, m.VCz}, sine, cosine)
	a.Rate = lean([3]float64{m.Wx, 0, m.Wz - m.Omega*sine}, sine, cosine)
	a.Spin = m.Omega
	a.Plane = Plane{Point: plus(p.Centre, -m.Depth, up), Normal: up, Friction: friction, Ground: 1}
}

// Take reads the wrench that a routine has returned:
//
//	F_W = Rx(gamma) FORCES,   M_W = Rx(gamma) TORQUE - r_P/C x F_W.
func (m *Motion) Take(a *Arguments) Wrench {
	sine, cosine := math.Sincos(m.Gamma)
	force := lean(a.Force, -sine, cosine)
	arm := [3]float64{0, m.Side, -m.Depth}
	return Wrench{force, plus(lean(a.Torque, -sine, cosine), -1, cross(arm, force))}
}
