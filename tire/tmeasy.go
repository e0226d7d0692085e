package tire

import (
	"fmt"
	"math"

	"skidpad/tire/formula"
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

// tmeasyCoefficients has the parameters in their order.
type tmeasyCoefficients[N any] struct {
	payload                                              N
	riseX1, riseX2, atMostX1, atMostX2, mostX1, mostX2   N
	atSlideX1, atSlideX2, slideX1, slideX2               N
	riseY1, riseY2, atMostY1, atMostY2, mostY1, mostY2   N
	atSlideY1, atSlideY2, slideY1, slideY2               N
	trail1, trail2, atZero1, atZero2, without1, without2 N
	radius, stiffness, cr                                N
}

type tmeasyTire struct {
	tmeasyCoefficients[float64]
	formulas
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
		atNone := func(i int) float64 { return 2*p[i] - p[i+1] }
		if name := tmeasyParameters[second].Name; atNone(first) >= atNone(second) || p[first+1] >= p[second+1] {
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
	t := &tmeasyTire{}
	copy(numbersOf(&t.tmeasyCoefficients), p)
	t.formulas = newFormulas(tmeasyText{}, numbersOf(&t.tmeasyCoefficients))
	return t, nil
}

// spinning is the least speed of the tread by the speed of the contact point: under it a locked wheel slides, whatever
// its slip.
const spinning = 0.01

// tmeasyText is the law of tmeasy: Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes of Fz [N], S, alpha [rad], Omega
// [rad/s], VCx [m/s] and mu. Slips of the model refer to the speed of the tread, R |Omega|. mu scales the forces FM, FS
// and the slips sM, sS, s0, sE: less friction gives similar curves with the same initial slope.
type tmeasyText struct{}

// tmeasyLaw are the coefficients as formulas have them.
type tmeasyLaw = tmeasyCoefficients[formula.Number]

func (tmeasyText) shape() lawShape { return shapeOf[tmeasyCoefficients[float64]](6) }

func (tmeasyText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t := named[tmeasyLaw](coefficients)
	c := in[0].Constant
	bounded = []formula.Number{
		in[0].NotAbove(t.payload.By(heaviest)), in[1].Within(extreme), in[2].Within(math.Pi / 2), in[3].Within(extreme),
		in[4].Within(extreme), in[5].Bounded(c(slippery), c(extreme)),
	}
	fz, lifted := onGround(bounded[0], airborne)
	kappa, alpha, omega, vcx, mu := bounded[1], bounded[2], bounded[3], bounded[4], bounded[5]
	forward := vcx.By(1 / creeping).SmoothSign()
	tread := forward.Times(kappa).And(1).Abs().AtLeast(c(spinning))
	sx, sy := kappa.Over(tread), alpha.Tan().Neg().Over(tread)

	load := fz.Times(c(1).Over(t.payload))
	x, y := tmeasyAxis(load, mu, t.riseX1, t.riseX2, t.atMostX1, t.atMostX2, t.mostX1, t.mostX2),
		tmeasyAxis(load, mu, t.riseY1, t.riseY2, t.atMostY1, t.atMostY2, t.mostY1, t.mostY2)
	// Divided by these units of slip, the curves of both axes are alike.
	atMost := x.atMost.Plus(y.atMost)
	fullX, fullY := x.most.Over(x.rise), y.most.Over(y.rise)
	full := fullX.Plus(fullY)
	unitX, unitY := x.atMost.Over(atMost).Plus(fullX.Over(full)), y.atMost.Over(atMost).Plus(fullY.Over(full))
	nx, ny := sx.Over(unitX), sy.Over(unitY)
	slip := nx.Norm(ny)

	cos, sin := nx.Over(slip), ny.Over(slip)
	force := tmeasyForce(slip,
		cos.Times(x.rise.Times(unitX)).Norm(sin.Times(y.rise.Times(unitY))),
		cos.Times(x.atMost.Over(unitX)).Norm(sin.Times(y.atMost.Over(unitY))),
		cos.Times(x.most).Norm(sin.Times(y.most)),
		cos.Times(lineOfLoad(load, t.atSlideX1, t.atSlideX2).Times(mu).Over(unitX)).
			Norm(sin.Times(lineOfLoad(load, t.atSlideY1, t.atSlideY2).Times(mu).Over(unitY))),
		cos.Times(degressive(load, t.slideX1, t.slideX2).Times(mu)).
			Norm(sin.Times(degressive(load, t.slideY1, t.slideY2).Times(mu))))
	slips := slip.IsAbove(0)
	fx, fy := slips.Choose(cos.Times(force), x.rise.Times(sx)), slips.Choose(sin.Times(force), y.rise.Times(sy))
	trail := tmeasyTrail(sy.Abs(), lineOfLoad(load, t.trail1, t.trail2),
		lineOfLoad(load, t.atZero1, t.atZero2).Times(mu), lineOfLoad(load, t.without1, t.without2).Times(mu))
	length := fz.Times(t.radius.By(8).Over(t.stiffness)).Sqrt()
	mz := length.Times(trail).Times(fy).Times(forward).Neg()
	my := fz.Times(t.cr.Neg().Times(omega.SignUp()))
	return bounded, unlessLifted(lifted, fx, fy, c(0), my, mz)
}

// tmeasyCurve is the curve of an axis at a load: its slope without slip [N], the slip of its largest force, that force
// [N].
type tmeasyCurve struct{ rise, atMost, most formula.Number }

func tmeasyAxis(load, mu, rise1, rise2, atMost1, atMost2, most1, most2 formula.Number) tmeasyCurve {
	return tmeasyCurve{degressive(load, rise1, rise2), lineOfLoad(load, atMost1, atMost2).Times(mu),
		degressive(load, most1, most2).Times(mu)}
}

// degressive is a force or a stiffness at a load in payloads: the parabola through zero with these values at the
// payload and twice the payload. From its vertex on it is constant.
func degressive(load, one, two formula.Number) formula.Number {
	linear, square := one.By(2).Minus(two.By(0.5)), two.By(0.5).Minus(one)
	vertex := linear.Neg().Over(square.By(2))
	load = square.IsBelow(0).Choose(load.AtMost(vertex), load)
	return load.Times(load.Line(linear, square))
}

// lineOfLoad is a slip or a trail at a load in payloads: the straight line through both values, up to twice the
// payload.
func lineOfLoad(load, one, two formula.Number) formula.Number {
	return load.AtMost(load.Constant(2)).Line(one.By(2).Minus(two), two.Minus(one))
}

// tmeasyForce is the force by slip: a rational function up to the largest force, a cubic one to the force of sliding.
func tmeasyForce(slip, rise, atMost, most, atSlide, slide formula.Number) formula.Number {
	c := slip.Constant
	x := slip.Minus(atMost).Over(atSlide.Minus(atMost))
	falling := most.Minus(most.Minus(slide).Times(x.Times(x)).Times(x.Line(c(3), c(-2))))
	x = slip.Over(atMost)
	steep := rise.Times(atMost).Over(most)
	rising := rise.Times(slip).Over(x.Times(x.Plus(steep).And(-2)).And(1))
	return slip.Below(atSlide).Choose(slip.Below(atMost).Choose(rising, falling), slide)
}

// tmeasyTrail is the trail by the length of the contact patch. It falls from its value without slip to zero at atZero,
// is a little negative from there to without, and zero beyond. The closer both slips, the more its fall is a cubic.
func tmeasyTrail(slip, trail, atZero, without formula.Number) formula.Number {
	c := slip.Constant
	cubic := atZero.Over(without)
	straight := cubic.Line(c(1), c(-1))
	x := slip.Over(atZero)
	rest := without.Minus(slip).Over(without.Minus(atZero))
	negative := trail.Times(straight).Times(x.Line(c(1), c(-1))).Times(rest.Times(rest))
	fall := straight.Times(x).Plus(cubic.Times(x.Times(x)).Times(x.Line(c(3), c(-2))))
	inside := slip.Above(atZero).Choose(negative, trail.Times(fall.Line(c(1), c(-1))))
	return slip.Below(without).Choose(inside, c(0))
}

// grip implements gripText.
func (tmeasyText) grip(in, coefficients []formula.Number) (stiffness, most [2]formula.Number) {
	t := named[tmeasyLaw](coefficients)
	c := in[0].Constant
	load, mu := in[0].AtMost(t.payload.By(heaviest)).Times(c(1).Over(t.payload)), in[2].AtLeast(c(slippery))
	return [2]formula.Number{degressive(load, t.riseX1, t.riseX2), degressive(load, t.riseY1, t.riseY2)},
		[2]formula.Number{degressive(load, t.mostX1, t.mostX2).Times(mu), degressive(load, t.mostY1, t.mostY2).Times(mu)}
}

func (t *tmeasyTire) nominalLoad() float64 { return t.payload }
