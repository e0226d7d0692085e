package tire

import "math"

// Fiala tire model (Morency 2007, equations 3.31 to 3.37, corrected; tire
// specification section 9).
var fiala = Kind{
	Name:   "Fiala",
	Text:   "Fiala tire, six parameters (Morency 2007, section 3.4)",
	Inputs: []string{"Fz", "S", "alpha", "Omega", "mu"},
	Parameters: []ParameterInfo{
		{"D2", "m", "width of the tire"},
		{"CS", "N", "longitudinal stiffness"},
		{"Calpha", "N/rad", "lateral stiffness, positive"},
		{"Cr", "m", "rolling resistance"},
		{"mu0", "1", "friction without slip"},
		{"mu1", "1", "friction at full slip"},
	},
	Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
	New: func(p []float64) (Function, error) {
		if err := count("Fiala", p, 6); err != nil {
			return nil, err
		}
		return &fialaTire{p[0], p[1], p[2], p[3], p[4], p[5]}, nil
	},
}

type fialaTire struct{ d2, cs, calpha, cr, mu0, mu1 float64 }

// Eval maps Fz [N], S, alpha [rad], Omega [rad/s], mu to Fx, Fy [N], Mx, My, Mz
// [N m] in ISO tire axes. The friction mu(Sc) falls linearly with the comprehensive
// slip, which is limited to 1 because beyond it friction would turn negative.
func (t *fialaTire) Eval(in, out []float64) {
	fz, s, alpha, omega, surface := in[0], in[1], in[2], in[3], in[4]
	if fz <= 0 {
		clear(out[:5])
		return
	}
	tan := math.Tan(alpha)
	mu := surface * (t.mu0 - min(math.Sqrt(s*s+tan*tan), 1)*(t.mu0-t.mu1))
	n := mu * fz
	out[0] = t.cs * s
	if abs := math.Abs(s); abs > n/(2*t.cs) {
		out[0] = math.Copysign(n-n*n/(4*abs*t.cs), s)
	}
	h := 1 - t.calpha*math.Abs(tan)/(3*n)
	if math.Abs(alpha) >= math.Atan(3*n/t.calpha) || n == 0 {
		h = 0
	}
	cube := h * h * h
	out[1] = -n * (1 - cube) * sign(alpha)
	out[2] = 0
	out[3] = -t.cr * fz * rollingSign(omega)
	out[4] = n * t.d2 * (1 - h) * cube * sign(alpha)
}

// Jacobian of Eval.
func (t *fialaTire) Jacobian(in, jac []float64) {
	clear(jac[:25])
	fz, s, alpha, omega, surface := in[0], in[1], in[2], in[3], in[4]
	if fz <= 0 {
		return
	}
	tan := math.Tan(alpha)
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
	if abs <= n/(2*t.cs) {
		jac[1] = t.cs
	} else {
		sg := math.Copysign(1, s)
		byN := sg * (1 - n/(2*abs*t.cs))
		jac[0], jac[1], jac[2], jac[4] = byN*nFz, byN*nS+n*n/(4*s*s*t.cs), byN*nAlpha, byN*nMu
	}
	sg := sign(alpha)
	x := t.calpha * math.Abs(tan) / (3 * n)
	h, hN, hAlpha := 1-x, x/n, -t.calpha*sg*tanSlope/(3*n)
	if math.Abs(alpha) >= math.Atan(3*n/t.calpha) || n == 0 {
		h, hN, hAlpha = 0, 0, 0
	}
	cube, square := h*h*h, h*h
	fyN := sg * (-(1 - cube) + n*3*square*hN)
	mzN := sg * t.d2 * ((1-h)*cube + n*(3*square-4*cube)*hN)
	for i, by := range [...]float64{nFz, nS, nAlpha, 0, nMu} {
		jac[5+i], jac[20+i] = fyN*by, mzN*by
	}
	if alpha == 0 { // both sides of the origin have this slope
		sg, hAlpha = 1, -t.calpha/(3*n)
		jac[5+2], jac[20+2] = n*3*hAlpha, -n*t.d2*hAlpha
	} else {
		jac[5+2] += sg * n * 3 * square * hAlpha
		jac[20+2] += sg * n * t.d2 * (3*square - 4*cube) * hAlpha
	}
	jac[15] = -t.cr * rollingSign(omega)
	jac[15+3] = -t.cr * fz * rollingSignSlope(omega)
}

// sign returns -1, 0 or 1.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
