package tire

import (
	"math"

	"skidpad/tire/elementary"
)

var brushParameters = []ParameterInfo{
	{"Ck", "N", "longitudinal stiffness"},
	{"Ca", "N/rad", "lateral stiffness, positive"},
	{"CM", "N.m2/rad", "moment against turn slip"},
	{"camber", "1", "camber thrust by load and sine of the inclination"},
	{"Cr", "m", "rolling resistance"},
	{"mu0", "1", "friction that bounds the slip force; 0: none does"},
}

// brush is the brush tire whose patch is a point (Afzal 2018, chapters 3 and 4; two-wheeler
// specification, section 3.4): forces are linear in the slips. Its turn slip is the steady one.
var brush = Kind{
	Name: "Brush",
	Text: "brush tire, linear in the slips, with camber thrust and steady turn slip (Afzal 2018, equations " +
		"3.22, 4.35 to 4.43)",
	Inputs:     []string{"Fz", "S", "alpha", "gamma", "Omega", "mu", "wn", "VPxs"},
	Parameters: brushParameters,
	Outputs:    []string{"Fx", "Fy", "Mx", "My", "Mz"},
	New:        func(p []float64) (Function, error) { return newBrush("Brush", false, p) },
}

// brushTurnSlip is brush with the delayed turn slip of brushRelaxation.
var brushTurnSlip = Kind{
	Name:       "BrushTurnSlip",
	Text:       "Brush with the delayed turn slip of BrushRelaxation",
	Inputs:     []string{"Fz", "S", "alpha", "gamma", "Omega", "mu", "wn", "q3"},
	Parameters: brushParameters,
	Outputs:    []string{"Fx", "Fy", "Mx", "My", "Mz"},
	New:        func(p []float64) (Function, error) { return newBrush("BrushTurnSlip", true, p) },
}

// brushTire is brush, or with delayed brushTurnSlip, which has the turn slip as its last input
// where brush has the speed V*Px.
type brushTire struct {
	ck, ca, cm, camber, cr, mu0 float64
	delayed                     bool
}

func newBrush(name string, delayed bool, p []float64) (Function, error) {
	if err := check(name, brushParameters, p, []string{"Ck", "Ca"}, []string{"CM", "Cr", "mu0"}); err != nil {
		return nil, err
	}
	return &brushTire{p[0], p[1], p[2], p[3], p[4], p[5], delayed}, nil
}

// bounded are the inputs limited to what the model has meaning for.
func (t *brushTire) bounded(in []float64, b *[8]float64) {
	b[0] = min(in[0], crushing)
	b[1] = clampAbs(in[1], extreme)
	b[2] = clampAbs(in[2], math.Pi/2)
	b[3] = clampAbs(in[3], math.Pi/2)
	b[4] = in[4]
	b[5] = max(0, min(in[5], extreme))
	b[6] = clampAbs(in[6], extreme)
	b[7] = clampAbs(in[7], extreme)
}

// standing keeps the steady turn slip finite at standstill [m/s].
const standing = 1e-3

// Eval maps Fz [N], S, alpha [rad], gamma [rad], Omega [rad/s], mu, wn [rad/s] and V*Px [m/s], or
// the turn slip [rad/m], to Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes:
//
//	Fx = Ck S,  Fy = -Ca tan(alpha) - camber Fz sin(gamma),  Mz = CM phit,
//	phit = -wn/(|V*Px| + standing) unless it is delayed
//
// My = -Cr Fz sgn(Omega) is not the source's, whose wheels roll freely. With mu0 the force
// of both slips together is bounded by mu0 mu Fz.
func (t *brushTire) Eval(in, out []float64) {
	var b [8]float64
	t.bounded(in, &b)
	fz, s, alpha, gamma, omega, surface, wn := b[0], b[1], b[2], b[3], b[4], b[5], b[6]
	if fz <= 0 {
		clear(out[:5])
		return
	}
	x, y := t.ck*s, -t.ca*elementary.Tan(alpha)
	share := 1.0
	force := math.Sqrt(x*x + y*y)
	if most := t.mu0 * surface * fz; t.mu0 > 0 && force > most {
		share = most / force
	}
	phit := b[7]
	if !t.delayed {
		phit = -wn / (math.Abs(b[7]) + standing)
	}
	out[0] = share * x
	out[1] = share*y - t.camber*fz*elementary.Sin(gamma)
	out[2] = 0
	out[3] = -t.cr * fz * rollingSign(omega)
	out[4] = t.cm * phit
}

// Jacobian of Eval.
func (t *brushTire) Jacobian(in, jac []float64) {
	clear(jac[:40])
	var b [8]float64
	t.bounded(in, &b)
	fz, s, alpha, gamma, omega, surface, wn := b[0], b[1], b[2], b[3], b[4], b[5], b[6]
	if fz <= 0 {
		return
	}
	tan := elementary.Tan(alpha)
	x, y := t.ck*s, -t.ca*tan
	byAlpha := -t.ca * (1 + tan*tan)
	force := math.Sqrt(x*x + y*y)
	jac[1], jac[10] = t.ck, byAlpha
	if most := t.mu0 * surface * fz; t.mu0 > 0 && force > most {
		// on the circle: the component across the force stays, shrunk
		cx, cy := x/force, y/force
		share := most / force
		jac[0], jac[8] = t.mu0*surface*cx, t.mu0*surface*cy
		jac[5], jac[13] = t.mu0*fz*cx, t.mu0*fz*cy
		jac[1], jac[9] = share*t.ck*cy*cy, -share*t.ck*cx*cy
		jac[2], jac[10] = -share*byAlpha*cx*cy, share*byAlpha*cx*cx
	}
	jac[8] -= t.camber * elementary.Sin(gamma)
	jac[11] = -t.camber * fz * elementary.Cos(gamma)
	jac[24] = -t.cr * rollingSign(omega)
	if t.delayed {
		jac[39] = t.cm
	} else {
		speed := math.Abs(b[7]) + standing
		jac[38] = -t.cm / speed
		jac[39] = t.cm * wn / (speed * speed) * sign(b[7])
	}
	zeroClampedColumns(jac[:40], in[:8], b[:])
}

var brushRelaxationParameters = []ParameterInfo{{"sigma", "m", "relaxation length"}}

// brushRelaxation is the relaxation of the slips of Brush, turn slip included.
var brushRelaxation = Kind{
	Name: "BrushRelaxation",
	Text: "delayed slip and turn slip with one relaxation length (Afzal 2018, equations 3.24, 4.25 to 4.33, " +
		"corrected)",
	Inputs:     []string{"VPx", "VPy", "VPxs", "wn", "q1", "q2", "q3"},
	Parameters: brushRelaxationParameters,
	Outputs:    []string{"q1dot", "q2dot", "q3dot"},
	New: func(p []float64) (Function, error) {
		if err := check("BrushRelaxation", brushRelaxationParameters, p, []string{"sigma"}, nil); err != nil {
			return nil, err
		}
		return &brushLengths{max(p[0], shortest)}, nil
	},
}

func init() {
	builtin(8, &brush)
	builtin(9, &brushTurnSlip)
	builtin(10, &brushRelaxation)
}

type brushLengths struct{ sigma float64 }

// bounded are the inputs limited to what a wheel can reach.
func (t *brushLengths) bounded(in []float64, b *[7]float64) {
	for i := range b {
		b[i] = clampAbs(in[i], extreme)
	}
}

// Eval maps VPx, VPy, V*Px [m/s], wn [rad/s], q1, q2, q3 [rad/m] to their rates:
//
//	dq1/dt = (-VPx - |V*Px| q1)/sigma,  dq2/dt = (VPy - |V*Px| q2)/sigma,  dq3/dt = (-wn - |V*Px| q3)/sigma
func (t *brushLengths) Eval(in, out []float64) {
	var b [7]float64
	t.bounded(in, &b)
	v := math.Abs(b[2])
	out[0] = (-b[0] - v*b[4]) / t.sigma
	out[1] = (b[1] - v*b[5]) / t.sigma
	out[2] = (-b[3] - v*b[6]) / t.sigma
}

// Jacobian of Eval.
func (t *brushLengths) Jacobian(in, jac []float64) {
	clear(jac[:21])
	var b [7]float64
	t.bounded(in, &b)
	v, side := math.Abs(b[2]), sign(b[2])
	jac[0], jac[2], jac[4] = -1/t.sigma, -side*b[4]/t.sigma, -v/t.sigma
	jac[8], jac[9], jac[12] = 1/t.sigma, -side*b[5]/t.sigma, -v/t.sigma
	jac[17], jac[16], jac[20] = -1/t.sigma, -side*b[6]/t.sigma, -v/t.sigma
	zeroClampedColumns(jac[:21], in[:7], b[:])
}
