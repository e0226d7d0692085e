package tire

import (
	"fmt"
	"math"
)

var tmeasyParameters = []ParameterInfo{
	{"FzN", "N", "payload, the load of the values ..._N; those of ..._2N hold for twice the payload"},
	{"dFx_N", "N", "longitudinal force by slip, without slip"},
	{"dFx_2N", "N", "longitudinal force by slip, without slip"},
	{"sMx_N", "1", "slip of the largest longitudinal force"},
	{"sMx_2N", "1", "slip of the largest longitudinal force"},
	{"FMx_N", "N", "largest longitudinal force"},
	{"FMx_2N", "N", "largest longitudinal force"},
	{"sSx_N", "1", "longitudinal slip from which on the whole patch slides"},
	{"sSx_2N", "1", "longitudinal slip from which on the whole patch slides"},
	{"FSx_N", "N", "longitudinal force of the sliding patch"},
	{"FSx_2N", "N", "longitudinal force of the sliding patch"},
	{"dFy_N", "N", "lateral force by slip, without slip"},
	{"dFy_2N", "N", "lateral force by slip, without slip"},
	{"sMy_N", "1", "slip of the largest lateral force"},
	{"sMy_2N", "1", "slip of the largest lateral force"},
	{"FMy_N", "N", "largest lateral force"},
	{"FMy_2N", "N", "largest lateral force"},
	{"sSy_N", "1", "lateral slip from which on the whole patch slides"},
	{"sSy_2N", "1", "lateral slip from which on the whole patch slides"},
	{"FSy_N", "N", "lateral force of the sliding patch"},
	{"FSy_2N", "N", "lateral force of the sliding patch"},
	{"trail_N", "1", "pneumatic trail without slip, by the length of the contact patch"},
	{"trail_2N", "1", "pneumatic trail without slip, by the length of the contact patch"},
	{"s0_N", "1", "lateral slip at which the trail is zero"},
	{"s0_2N", "1", "lateral slip at which the trail is zero"},
	{"sE_N", "1", "lateral slip from which on the trail is zero"},
	{"sE_2N", "1", "lateral slip from which on the trail is zero"},
	{"R0", "m", "unloaded radius, of which the length of the contact patch follows"},
	{"cz", "N/m", "vertical stiffness, of which the length of the contact patch follows"},
	{"Cr", "m", "rolling resistance"},
}

// tmeasy is the handling tire model of Rill (2012, section 3.3), without inclination and bore torque. Its parameters
// are points of measured curves.
var tmeasy = Kind{
	Name:       "TMeasy",
	Text:       "TMeasy, steady-state forces by points of measured curves at two loads (Rill 2012, section 3.3)",
	Inputs:     []string{"Fz", "S", "alpha", "Omega", "VCx", "mu"},
	Parameters: tmeasyParameters,
	Outputs:    []string{"Fx", "Fy", "Mx", "My", "Mz"},
	New:        newTMeasy,
}

func init() { builtin(12, &tmeasy) }

// degressive is a force or a stiffness at a load in payloads: the parabola through zero with these values at the
// payload and twice the payload. From its vertex on it is constant.
func degressive(load dual, one, two float64) dual {
	linear, square := 2*one-two/2, two/2-one
	if square < 0 {
		if most := -linear / (2 * square); load.v > most {
			load = dual{most, 0}
		}
	}
	return load.times(load.line(linear, square))
}

// lineOfLoad is a slip or a trail at a load in payloads: the straight line through both values, up to twice the
// payload.
func lineOfLoad(load dual, one, two float64) dual {
	if load.v > 2 {
		load = dual{2, 0}
	}
	return load.line(2*one-two, two-one)
}

// tmeasyTire has the parameters in their order.
type tmeasyTire struct {
	payload                                              float64
	riseX1, riseX2, atMostX1, atMostX2, mostX1, mostX2   float64
	atSlideX1, atSlideX2, slideX1, slideX2               float64
	riseY1, riseY2, atMostY1, atMostY2, mostY1, mostY2   float64
	atSlideY1, atSlideY2, slideY1, slideY2               float64
	trail1, trail2, atZero1, atZero2, without1, without2 float64
	radius, stiffness, cr                                float64
}

// newTMeasy checks that all curves exist at every load: parabolas rise from zero, slips are positive at the load zero,
// too, and in their order.
func newTMeasy(p []float64) (Function, error) {
	var names []string
	for _, info := range tmeasyParameters[:len(tmeasyParameters)-1] {
		names = append(names, info.Name)
	}
	if err := check("TMeasy", tmeasyParameters, p, names, []string{"Cr"}); err != nil {
		return nil, err
	}
	for i := 1; i < 26; i += 2 {
		most, why := 2.0, "so that it is positive without load, too"
		if tmeasyParameters[i].Unit == "N" {
			most, why = 4, "so that it rises with the load"
		}
		if name := tmeasyParameters[i+1].Name; p[i+1] >= most*p[i] {
			return nil, &parameterError{name, fmt.Sprintf("parameter %s of TMeasy is %g; it must be below %g %s = %g, %s",
				name, p[i+1], most, tmeasyParameters[i].Name, most*p[i], why)}
		}
	}
	for _, order := range [...][2]int{{3, 7}, {13, 17}, {23, 25}} {
		first, second := order[0], order[1]
		low, high := lineOfLoad(dual{}, p[first], p[first+1]), lineOfLoad(dual{}, p[second], p[second+1])
		if name := tmeasyParameters[second].Name; low.v >= high.v || p[first+1] >= p[second+1] {
			return nil, &parameterError{name, fmt.Sprintf("parameters %s and %s of TMeasy are %g and %g; their line must "+
				"be above that of %s = %g and %s = %g from no load to twice the payload", name,
				tmeasyParameters[second+1].Name, p[second], p[second+1], tmeasyParameters[first].Name, p[first],
				tmeasyParameters[first+1].Name, p[first+1])}
		}
	}
	for _, at := range [...]int{5, 6, 15, 16} {
		if name := tmeasyParameters[at+4].Name; p[at+4] > p[at] {
			return nil, &parameterError{name, fmt.Sprintf("parameter %s of TMeasy is %g; it must be at most %s = %g",
				name, p[at+4], tmeasyParameters[at].Name, p[at])}
		}
	}
	return &tmeasyTire{
		p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15], p[16], p[17],
		p[18], p[19], p[20], p[21], p[22], p[23], p[24], p[25], p[26], p[27], p[28], p[29],
	}, nil
}

// bounded are the inputs limited to what the model has meaning for.
func (t *tmeasyTire) bounded(in []float64, b *[6]float64) {
	b[0] = min(in[0], heaviest*t.payload)
	b[1] = clampAbs(in[1], extreme)
	b[2] = clampAbs(in[2], math.Pi/2)
	b[3] = clampAbs(in[3], extreme)
	b[4] = clampAbs(in[4], extreme)
	b[5] = max(slippery, min(in[5], extreme))
}

// Eval maps Fz [N], S, alpha [rad], Omega [rad/s], VCx [m/s], mu to Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes.
func (t *tmeasyTire) Eval(in, out []float64) {
	var b [6]float64
	t.bounded(in, &b)
	if b[0] <= airborne {
		clear(out[:5])
		return
	}
	var still [6]float64
	f := t.forces(b, still)
	for i := range f {
		out[i] = f[i].v
	}
}

// Jacobian of Eval.
func (t *tmeasyTire) Jacobian(in, jac []float64) {
	clear(jac[:30])
	var b [6]float64
	t.bounded(in, &b)
	if b[0] <= airborne {
		return
	}
	for k := range 6 {
		var one [6]float64
		one[k] = 1
		f := t.forces(b, one)
		for i := range f {
			jac[6*i+k] = f[i].d
		}
	}
	zeroClampedColumns(jac[:30], in[:6], b[:])
}

// spinning is the least speed of the tread by the speed of the contact point: under it a locked wheel slides, whatever
// its slip.
const spinning = 0.01

// forces maps inputs, and a direction in which they vary, to Eval's outputs and their derivatives in that direction.
// Slips of the model refer to the speed of the tread, R |Omega|. mu scales the forces FM, FS and the slips sM, sS, s0,
// sE: with less friction the curves become similar ones that begin with the same slope.
func (t *tmeasyTire) forces(b, direction [6]float64) [5]dual {
	fz, kappa, alpha := dual{b[0], direction[0]}, dual{b[1], direction[1]}, dual{b[2], direction[2]}
	omega, vcx, mu := dual{b[3], direction[3]}, dual{b[4], direction[4]}, dual{b[5], direction[5]}
	forward := vcx.by(1 / creeping).smoothSign()
	tread := forward.times(kappa).and(1).abs().atLeast(spinning)
	sx, sy := kappa.over(tread), alpha.tan().by(-1).over(tread)

	load := fz.by(1 / t.payload)
	riseX, riseY := degressive(load, t.riseX1, t.riseX2), degressive(load, t.riseY1, t.riseY2)
	atMostX := lineOfLoad(load, t.atMostX1, t.atMostX2).times(mu)
	atMostY := lineOfLoad(load, t.atMostY1, t.atMostY2).times(mu)
	mostX := degressive(load, t.mostX1, t.mostX2).times(mu)
	mostY := degressive(load, t.mostY1, t.mostY2).times(mu)
	// slips by which the curves of both axes are alike
	atMost := atMostX.plus(atMostY)
	fullX, fullY := mostX.over(riseX), mostY.over(riseY)
	full := fullX.plus(fullY)
	unitX, unitY := atMostX.over(atMost).plus(fullX.over(full)), atMostY.over(atMost).plus(fullY.over(full))
	nx, ny := sx.over(unitX), sy.over(unitY)
	slip := nx.norm(ny)

	fx, fy := riseX.times(sx), riseY.times(sy)
	if slip.v > 0 {
		cos, sin := nx.over(slip), ny.over(slip)
		force := tmeasyForce(slip,
			cos.times(riseX.times(unitX)).norm(sin.times(riseY.times(unitY))),
			cos.times(atMostX.over(unitX)).norm(sin.times(atMostY.over(unitY))),
			cos.times(mostX).norm(sin.times(mostY)),
			cos.times(lineOfLoad(load, t.atSlideX1, t.atSlideX2).times(mu).over(unitX)).
				norm(sin.times(lineOfLoad(load, t.atSlideY1, t.atSlideY2).times(mu).over(unitY))),
			cos.times(degressive(load, t.slideX1, t.slideX2).times(mu)).
				norm(sin.times(degressive(load, t.slideY1, t.slideY2).times(mu))))
		fx, fy = cos.times(force), sin.times(force)
	}
	trail := tmeasyTrail(sy.abs(), lineOfLoad(load, t.trail1, t.trail2),
		lineOfLoad(load, t.atZero1, t.atZero2).times(mu), lineOfLoad(load, t.without1, t.without2).times(mu))
	length := fz.by(8 * t.radius / t.stiffness).root()
	mz := length.times(trail).times(fy).times(forward).by(-1)
	my := fz.by(-t.cr * rollingSign(omega.v))
	return [5]dual{fx, fy, {}, my, mz}
}

// tmeasyForce is the force by slip: a rational function up to the largest force, a cubic one to the force of sliding.
func tmeasyForce(slip, rise, atMost, most, atSlide, slide dual) dual {
	if slip.v >= atSlide.v {
		return slide
	}
	if slip.v >= atMost.v {
		x := slip.minus(atMost).over(atSlide.minus(atMost))
		return most.minus(most.minus(slide).times(x.times(x)).times(x.line(3, -2)))
	}
	x := slip.over(atMost)
	steep := rise.times(atMost).over(most)
	return rise.times(slip).over(x.times(x.plus(steep).and(-2)).and(1))
}

// tmeasyTrail is the trail by the length of the contact patch. It falls from its value without slip to zero at atZero,
// is a little negative from there to without, and zero beyond. The closer both slips, the more its fall is a cubic.
func tmeasyTrail(slip, trail, atZero, without dual) dual {
	if slip.v >= without.v {
		return dual{}
	}
	cubic := atZero.over(without)
	straight := cubic.line(1, -1)
	x := slip.over(atZero)
	if slip.v > atZero.v {
		rest := without.minus(slip).over(without.minus(atZero))
		return trail.times(straight).times(x.line(1, -1)).times(rest.times(rest))
	}
	fall := straight.times(x).plus(cubic.times(x.times(x)).times(x.line(3, -2)))
	return trail.times(fall.line(1, -1))
}

// norm is sqrt(a^2 + b^2). Where both vanish its slope is zero.
func (a dual) norm(b dual) dual {
	norm := math.Sqrt(a.v*a.v + b.v*b.v)
	slope := 0.0
	if norm > 0 {
		slope = 1 / norm
	}
	return dual{norm, slope * (a.v*a.d + b.v*b.d)}
}
