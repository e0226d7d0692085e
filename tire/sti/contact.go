package sti

import (
	"math"

	"skidpad/tire"
	"skidpad/tire/elementary"
)

// carcass has the properties of a tire that, in vehicles of package model, the tire component of the model file has.
type carcass struct {
	radius, stiffness, damping float64 // unloaded radius [m], vertical stiffness [N/m], damping [N s/m]
	width                      float64 // [m], for roads that sample a disc
	rolling                    rolling
	minimumSpeed               float64 // [m/s]; from this speed on, kinematic slip divides by the speed itself
}

// rolling gives the effective rolling radius: the loaded radius, the unloaded radius, or
// Ru - rhoN (D arctan(B rho/rhoN) + F rho/rhoN) with rho = Ru - Rl, rhoN = Fz0/kz (Morency 2007, 3.12, 3.13).
type rolling struct {
	method       string
	fz0, b, d, f float64
}

// variables are the intermediate variables of a tire in contact (Morency 2007, Table 4.3), by the indices below.
type variables [24]float64

// Indices of variables. Those up to vMu are the quantities that external tire functions can request, see contact.
const (
	vFz = iota
	vS
	vAlpha
	vOmega
	vGamma
	vReff
	vRl
	vVCx
	vVCy
	vVPx
	vVPy
	vVEx
	vVPxs
	vVExs
	vWn
	vMu
	vQ1
	vQ2
	vDirection
)

// names are the names of variables.
var names = append(append([]string(nil), contact...), "q1", "q2", "direction")

// frame has the axes W in earth axes, and the arm from the wheel's centre to the contact point.
type frame struct{ x, y, z, arm [3]float64 }

// contactOf computes the axes and the intermediate variables of a wheel in the same steps as the tire component of
// package model. If delayed is true, S and alpha follow from q1 and q2, else from the velocities.
func (c *carcass) contactOf(a *Arguments, v *variables, delayed bool) (f frame) {
	earth := func(u [3]float64) (e [3]float64) { // TRAMAT u: from axes C to earth axes
		for k := range 3 {
			e[k] = a.Axes[k]*u[0] + a.Axes[3+k]*u[1] + a.Axes[6+k]*u[2]
		}
		return e
	}
	axle := [3]float64{a.Axes[3], a.Axes[4], a.Axes[5]}
	f.z = a.Plane.Normal
	f.x = cross(axle, f.z)
	cosine := math.Sqrt(dot(f.x, f.x))
	f.x = plus([3]float64{}, 1/cosine, f.x)
	f.y = cross(f.z, f.x)
	sine := dot(axle, f.z)

	velocity := earth(a.Velocity)
	w := plus(earth(a.Rate), a.Spin, axle)
	wx, wy, wz := dot(w, f.x), dot(w, f.y), dot(w, f.z)
	height := dot(plus(a.Centre, -1, a.Plane.Point), f.z)
	loaded := height / cosine
	f.arm = plus(plus([3]float64{}, loaded*sine, f.y), -height, f.z)

	v[vGamma], v[vRl], v[vMu], v[vWn] = elementary.Asin(sine), loaded, a.Plane.Friction, wz
	v[vFz] = max(c.stiffness*(c.radius*cosine-height)-c.damping*dot(velocity, f.z), 0)
	if a.Plane.Ground == 0 {
		v[vFz] = 0
	}
	v[vReff] = c.effective(loaded)
	v[vVCx], v[vVCy], v[vOmega] = dot(velocity, f.x), dot(velocity, f.y), wy/cosine
	rim := sine*wz + cosine*wy
	v[vVPx] = v[vVCx] - loaded*rim
	v[vVPxs] = v[vVPx] + v[vOmega]*loaded
	v[vVPy] = v[vVCy] + height*wx
	v[vVEx] = v[vVCx] - v[vReff]*rim
	v[vVExs] = v[vVEx] + v[vOmega]*v[vReff]
	if delayed {
		v[vS], v[vAlpha] = v[vQ1], elementary.Atan(v[vQ2])
	} else {
		v[vS] = -v[vVEx] / c.divisor(v[vVExs])
		v[vAlpha] = elementary.Atan(v[vVPy] / c.divisor(v[vVPxs]))
	}
	return f
}

// effective returns the effective rolling radius [m] at a loaded radius [m].
func (c *carcass) effective(loaded float64) float64 {
	r := &c.rolling
	switch r.method {
	case "loaded":
		return loaded
	case "unloaded":
		return c.radius
	}
	nominal := r.fz0 / c.stiffness
	ratio := (c.radius - loaded) / nominal
	return c.radius - nominal*(r.d*elementary.Atan(r.b*ratio)+r.f*ratio)
}

// divisor returns the divisor of kinematic slip: |v|, continued smoothly below the minimum speed to half the minimum
// speed.
func (c *carcass) divisor(v float64) float64 {
	magnitude := math.Abs(v)
	low := min(magnitude, c.minimumSpeed)
	return magnitude - low + (low*low/c.minimumSpeed+c.minimumSpeed)/2
}

// give converts a wrench at the contact point, in axes W, to FORCES and TORQUE at the wheel's centre, in axes C.
func (f *frame) give(a *Arguments, w Wrench) {
	turned := func(v [3]float64) [3]float64 {
		return plus(plus(plus([3]float64{}, v[0], f.x), v[1], f.y), v[2], f.z)
	}
	force := turned(w.Force)
	torque := plus(turned(w.Moment), 1, cross(f.arm, force))
	for i := range 3 {
		axis := [3]float64(a.Axes[3*i : 3*i+3])
		a.Force[i], a.Torque[i] = dot(axis, force), dot(axis, torque)
	}
}

// call evaluates a tire function at intermediate variables.
type call struct {
	function tire.Function
	inputs   []int // indices of its inputs among the variables
	in, out  []float64
}

func (c *call) evaluate(v *variables) {
	for i, at := range c.inputs {
		c.in[i] = v[at]
	}
	c.function.Eval(c.in, c.out)
}

// Up to the speed creeping [m/s], the direction of travel is between -1 and 1. Between the spins -rollingWidth and 0
// [rad/s], the rolling resistance changes its sign.
const (
	creeping     = 0.1
	rollingWidth = 1e-3
)

// smoothSign is the sign of x with two continuous derivatives, 1 from 1 on.
func smoothSign(x float64) float64 {
	x = max(-1, min(1, x))
	s := x * x
	return x * (15 + s*(3*s-10)) / 8
}

// withoutJump removes the jump of the rolling resistance at standstill. Tire functions have this jump as their
// publications print it, sgn(0) = +1; in vehicles of package model a brake replaces the jump.
func withoutJump(moment, spin float64) float64 {
	if spin >= 0 {
		return moment
	}
	return -moment * smoothSign(2*spin/rollingWidth+1)
}
