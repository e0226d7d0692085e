package tire

import (
	"math"

	"skidpad/tire/elementary"
)

var fialaParameters = []ParameterInfo{
	{"D2", "m", "width of the tire"},
	{"CS", "N", "longitudinal stiffness"},
	{"Calpha", "N/rad", "lateral stiffness, positive"},
	{"Cr", "m", "rolling resistance"},
	{"mu0", "1", "friction without slip"},
	{"mu1", "1", "friction at full slip"},
}

// Fiala tire model (Morency 2007, equations 3.31 to 3.37, corrected; tire
// specification section 9).
var fiala = Kind{
	Name:       "Fiala",
	Text:       "Fiala tire, six parameters (Morency 2007, section 3.4)",
	Inputs:     []string{"Fz", "S", "alpha", "Omega", "mu", "direction"},
	Parameters: fialaParameters,
	Outputs:    []string{"Fx", "Fy", "Mx", "My", "Mz"},
	New: func(p []float64) (Function, error) {
		if err := check("Fiala", fialaParameters, p, []string{"CS", "Calpha"},
			[]string{"D2", "Cr", "mu0", "mu1"}); err != nil {
			return nil, err
		}
		return &fialaTire{p[0], p[1], p[2], p[3], p[4], p[5]}, nil
	},
}

func init() { builtin(0, &fiala) }

type fialaTire struct{ d2, cs, calpha, cr, mu0, mu1 float64 }

// bounded are the inputs limited to what the model has meaning for.
func (t *fialaTire) bounded(in []float64) (fz, s, alpha, omega, mu, direction float64) {
	direction, mu, omega = clampAbs(in[5], 1), max(0, notAbove(in[4], extreme)), in[3]
	alpha, s, fz = clampAbs(in[2], math.Pi/2), clampAbs(in[1], extreme), notAbove(in[0], crushing)
	return fz, s, alpha, omega, mu, direction
}

// Eval maps Fz [N], S, alpha [rad], Omega [rad/s], mu and the direction of travel to Fx, Fy [N], Mx, My, Mz
// [N m] in ISO tire axes. In reverse the trail is on the other side of the wheel centre. The friction mu(Sc) falls
// linearly with the comprehensive slip, which is limited to 1 because beyond it friction would turn negative.
func (t *fialaTire) Eval(in, out []float64) {
	fz, s, alpha, omega, surface, direction := t.bounded(in)
	if fz <= airborne {
		clear(out[:5])
		return
	}
	tan := elementary.Tan(alpha)
	n := surface * (t.mu0 - notAbove(math.Sqrt(s*s+tan*tan), 1)*(t.mu0-t.mu1)) * fz
	out[0] = t.cs * s
	if abs := math.Abs(s); 2*abs*t.cs > n {
		out[0] = math.Copysign(n*(1-n/(4*abs*t.cs)), s)
	}
	h := 0.0 // from the angle arctan(3 n/Calpha) on the whole contact slides
	if lateral := t.calpha * math.Abs(tan); lateral < 3*n {
		h = 1 - lateral/(3*n)
	}
	cube := h * h * h
	side := sign(alpha)
	out[1] = -n * (1 - cube) * side
	out[2] = 0
	out[3] = -t.cr * fz * rollingSign(omega)
	out[4] = n * t.d2 * (1 - h) * cube * side * direction
}

// Jacobian of Eval.
func (t *fialaTire) Jacobian(in, jac []float64) {
	clear(jac[:30])
	fz, s, alpha, omega, surface, direction := t.bounded(in)
	if fz <= airborne {
		return
	}
	tan := elementary.Tan(alpha)
	tanSlope := 1 + tan*tan
	slip := math.Sqrt(s*s + tan*tan)
	fall := t.mu0 - t.mu1
	base := t.mu0 - min(slip, 1)*fall
	// derivatives of n by Fz, S, alpha, mu
	n := surface * base * fz
	nFz, nMu := surface*base, base*fz
	var nS, nAlpha float64
	if slip < 1 && slip > 0 {
		nS = -surface * fz * fall * s / slip
		nAlpha = -surface * fz * fall * tan * tanSlope / slip
	}
	abs := math.Abs(s)
	if 2*abs*t.cs <= n {
		jac[1] = t.cs
	} else {
		sg := math.Copysign(1, s)
		q := n / (2 * abs * t.cs)
		byN := sg * (1 - q)
		jac[0], jac[1], jac[2], jac[4] = byN*nFz, byN*nS+t.cs*q*q, byN*nAlpha, byN*nMu
	}
	sg := sign(alpha)
	var h, byFriction, byAngle float64 // h, n dh/dn, n dh/dalpha
	if lateral := t.calpha * math.Abs(tan); lateral < 3*n {
		byFriction = lateral / (3 * n)
		h, byAngle = 1-byFriction, -t.calpha*sg*tanSlope/3
	}
	cube, square := h*h*h, h*h
	fyN := sg * (-(1 - cube) + 3*square*byFriction)
	mzN := sg * t.d2 * ((1-h)*cube + (3*square-4*cube)*byFriction)
	for i, by := range [...]float64{nFz, nS, nAlpha, 0, nMu} {
		jac[6+i], jac[24+i] = fyN*by, mzN*by*direction
	}
	if alpha == 0 && n > 0 { // both sides of the origin have this slope
		jac[6+2], jac[24+2] = -t.calpha, t.d2*t.calpha/3*direction
	} else {
		jac[6+2] += sg * 3 * square * byAngle
		jac[24+2] += sg * t.d2 * (3*square - 4*cube) * byAngle * direction
	}
	jac[18] = -t.cr * rollingSign(omega)
	jac[24+5] = n * t.d2 * (1 - h) * cube * sg
	b := [...]float64{fz, s, alpha, omega, surface, direction}
	zeroClampedColumns(jac[:30], in[:6], b[:])
}
