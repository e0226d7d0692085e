package tire

import (
	"fmt"
	"math"
)

// The publication has forces in pounds, and so have the parameters.
var calspanParameters = []ParameterInfo{
	{"A0", "lbf/rad", "cornering stiffness without load, A0 + A1 F - A1/A2 F^2 at the load F"},
	{"A1", "1/rad", "slope of the cornering stiffness over the load, without load"},
	{"A2", "lbf", "load from which on the cornering stiffness is A0 again"},
	{"CS_FZ", "1", "longitudinal stiffness by the load"},
	{"mu0", "1", "friction without sliding"},
	{"K_mu", "1", "share of the friction that full sliding takes"},
	{"C1", "1", "saturation: coefficient of the cube, above and below"},
	{"C2", "1", "saturation: coefficient of the square above"},
	{"C3", "1", "saturation: coefficient of the square below"},
	{"C4", "1", "saturation: linear coefficient below"},
	{"Cr", "m", "rolling resistance, which the publication has not"},
}

// calspan is the Calspan tire: stiffnesses by polynomials of the load and a rational saturation by the composite slip
// (Allen, Szostak and Rosenthal 1987). The length of the contact patch, of which the publication makes stiffnesses per
// area, cancels in the forces. Inclination and aligning moment are left out.
var calspan = Kind{
	Name:       "Calspan",
	Text:       "Calspan tire, stiffness polynomials and saturation, without aligning moment (Allen et al. 1987)",
	Inputs:     []string{"Fz", "S", "alpha", "Omega", "VCx", "mu"},
	Parameters: calspanParameters,
	Outputs:    []string{"Fx", "Fy", "Mx", "My", "Mz"},
	New:        newCalspan,
}

func init() { builtin(13, &calspan) }

const (
	pound        = 4.4482216152605 // N
	calspanSlope = 4 / math.Pi     // of the saturation, without slip
	mostBraking  = 0.99            // slip of braking, of which 1/(1 - slip) remains finite
)

type calspanTire struct{ a0, a1, a2, longitudinal, mu0, loss, c1, c2, c3, c4, cr float64 }

func newCalspan(p []float64) (Function, error) {
	if err := check("Calspan", calspanParameters, p, []string{"A0", "A1", "A2", "CS_FZ", "mu0", "C1"},
		[]string{"K_mu", "C2", "C3", "C4", "Cr"}); err != nil {
		return nil, err
	}
	t := &calspanTire{p[0] * pound, p[1], p[2] * pound, p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10]}
	if t.loss > 1 {
		return nil, &parameterError{"K_mu", fmt.Sprintf("parameter K_mu of Calspan is %g; it must be at most 1, because "+
			"friction is never negative", t.loss)}
	}
	return t, nil
}

// bounded are the inputs limited to what the model has meaning for.
func (t *calspanTire) bounded(in []float64, b *[6]float64) {
	b[0] = min(in[0], crushing)
	b[1] = clampAbs(in[1], extreme)
	b[2] = clampAbs(in[2], math.Pi/2)
	b[3] = clampAbs(in[3], extreme)
	b[4] = clampAbs(in[4], extreme)
	b[5] = max(slippery, min(in[5], extreme))
}

// Eval maps Fz [N], S, alpha [rad], Omega [rad/s], VCx [m/s], mu to Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes.
func (t *calspanTire) Eval(in, out []float64) {
	clear(out[:5])
	var b [6]float64
	t.bounded(in, &b)
	if b[0] <= airborne {
		return
	}
	fx, fy := t.forces(b, [6]float64{})
	out[0], out[1], out[3] = fx.v, fy.v, -t.cr*b[0]*rollingSign(b[3])
}

// Jacobian of Eval.
func (t *calspanTire) Jacobian(in, jac []float64) {
	clear(jac[:30])
	var b [6]float64
	t.bounded(in, &b)
	if b[0] <= airborne {
		return
	}
	for k := range 6 {
		var one [6]float64
		one[k] = 1
		fx, fy := t.forces(b, one)
		jac[k], jac[6+k] = fx.d, fy.d
	}
	jac[18] = -t.cr * rollingSign(b[3])
	zeroClampedColumns(jac[:30], in[:6], b[:])
}

// forces maps inputs, and a direction in which they vary, to Fx and Fy and their derivatives in that direction. Slip
// refers to the speed of travel: braking is slip against it.
func (t *calspanTire) forces(b, direction [6]float64) (fx, fy dual) {
	fz, slip, alpha := dual{b[0], direction[0]}, dual{b[1], direction[1]}, dual{b[2], direction[2]}
	vcx, mu := dual{b[4], direction[4]}, dual{b[5], direction[5]}
	forward := vcx.by(1 / creeping).smoothSign()
	if forward.times(slip).v < -mostBraking {
		slip = dual{-mostBraking, 0}.over(forward)
	}
	tread := forward.times(slip).and(1)

	load := fz
	if load.v > t.a2 {
		load = dual{t.a2, 0}
	}
	cornering := load.square(t.a0, t.a1, -t.a1/t.a2)
	longitudinal := fz.by(t.longitudinal)
	tan := alpha.tan()
	across, along := cornering.times(tan), longitudinal.times(slip)
	friction := mu.by(t.mu0).times(fz)
	saturation := t.saturation(across.norm(along.over(tread)).over(friction).by(math.Pi / 4))

	sliding := alpha.sin().norm(slip.times(alpha.cos()))
	if sliding.v > 1 { // beyond full sliding
		sliding = dual{1, 0}
	}
	along = longitudinal.plus(cornering.minus(longitudinal).times(sliding)).times(slip)
	total := across.norm(along)
	if total.v == 0 {
		return along, across.by(-1)
	}
	force := friction.times(sliding.line(1, -t.loss)).times(saturation)
	return force.times(along.over(total)), force.times(across.over(total)).by(-1)
}

// saturation is the force by the friction at a composite slip, at most 1. From a slip of 1 on it is computed by the
// reciprocal, whose powers are finite.
func (t *calspanTire) saturation(slip dual) dual {
	above, below := dual{}, dual{}
	if slip.v <= 1 {
		above = slip.times(slip.times(slip.line(t.c2, t.c1)).and(calspanSlope))
		below = slip.times(slip.times(slip.line(t.c3, t.c1)).and(t.c4)).and(1)
	} else {
		rest := dual{1, 0}.over(slip)
		above = rest.square(t.c1, t.c2, calspanSlope)
		below = rest.times(rest.times(rest.and(t.c4)).and(t.c3)).and(t.c1)
	}
	share := above.over(below)
	share.v, share.d = limitedTo1(share.v, share.d)
	return share
}
