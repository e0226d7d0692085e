package tire

import (
	"fmt"
	"math"

	"skidpad/tire/formula"
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
// (Allen, Szostak and Rosenthal 1987). The publication uses the length of the contact patch for stiffnesses per area;
// this length cancels in the forces. Inclination and aligning moment are left out.
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
	mostBraking  = 0.99            // largest slip of braking, with a finite 1/(1 - slip)
)

// calspanCoefficients are the parameters, in their order and in SI units.
type calspanCoefficients[N any] struct{ a0, a1, a2, longitudinal, mu0, loss, c1, c2, c3, c4, cr N }

type calspanTire struct {
	calspanCoefficients[float64]
	formulas
}

func newCalspan(p []float64) (Function, error) {
	if err := check("Calspan", calspanParameters, p, []string{"A0", "A1", "A2", "CS_FZ", "mu0", "C1"},
		[]string{"K_mu", "C2", "C3", "C4", "Cr"}); err != nil {
		return nil, err
	}
	t := &calspanTire{calspanCoefficients: calspanCoefficients[float64]{
		p[0] * pound, p[1], p[2] * pound, p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10],
	}}
	if t.loss > 1 {
		return nil, &parameterError{"K_mu", fmt.Sprintf("parameter K_mu of Calspan is %g; it must be at most 1, because "+
			"friction is never negative", t.loss)}
	}
	t.formulas = newFormulas(calspanText{}, numbersOf(&t.calspanCoefficients))
	return t, nil
}

// calspanText is the law of calspan: Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes of Fz [N], S, alpha [rad], Omega
// [rad/s], VCx [m/s] and mu. Slip refers to the speed of travel: braking is slip against it.
type calspanText struct{}

func (calspanText) shape() lawShape { return shapeOf[calspanCoefficients[float64]](6) }

func (calspanText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t := named[calspanLaw](coefficients)
	c := in[0].Constant
	bounded = []formula.Number{
		in[0].NotAbove(c(crushing)), in[1].Within(extreme), in[2].Within(math.Pi / 2), in[3].Within(extreme),
		in[4].Within(extreme), in[5].Bounded(c(slippery), c(extreme)),
	}
	fz, lifted := onGround(bounded[0], airborne)
	slip, alpha, omega, vcx, mu := bounded[1], bounded[2], bounded[3], bounded[4], bounded[5]
	forward := vcx.By(1 / creeping).SmoothSign()
	slip = forward.Times(slip).IsBelow(-mostBraking).Choose(c(-mostBraking).Over(forward), slip)
	tread := forward.Times(slip).And(1)

	cornering := calspanCornering(t, fz)
	longitudinal := fz.Times(t.longitudinal)
	across, along := cornering.Times(alpha.Tan()), longitudinal.Times(slip)
	friction := mu.Times(t.mu0).Times(fz)
	saturation := calspanSaturation(t, across.Norm(along.Over(tread)).Over(friction).By(math.Pi/4))

	sliding := alpha.Sin().Norm(slip.Times(alpha.Cos())).AtMost(c(1)) // 1 is full sliding
	along = longitudinal.Plus(cornering.Minus(longitudinal).Times(sliding)).Times(slip)
	total := across.Norm(along)
	force := friction.Times(sliding.Line(c(1), t.loss.Neg())).Times(saturation)
	slips := total.IsAbove(0)
	fx := slips.Choose(force.Times(along.Over(total)), along)
	fy := slips.Choose(force.Times(across.Over(total)), across).Neg()
	return bounded, unlessLifted(lifted, fx, fy, c(0), t.cr.Neg().Times(fz).Times(omega.SignUp()), c(0))
}

// calspanLaw are the coefficients as formulas have them.
type calspanLaw = calspanCoefficients[formula.Number]

// calspanCornering is the cornering stiffness [N/rad] at a load [N].
func calspanCornering(t *calspanLaw, fz formula.Number) formula.Number {
	return fz.AtMost(t.a2).Square(t.a0, t.a1, t.a1.Neg().Over(t.a2))
}

// calspanSaturation is the force by the friction at a composite slip, at most 1. From a slip of 1 on it is computed by
// the reciprocal, whose powers are finite.
func calspanSaturation(t *calspanLaw, slip formula.Number) formula.Number {
	small, rest := slip.IsBelow(math.Nextafter(1, 2)), slip.Constant(1).Over(slip)
	above := small.Choose(slip.Times(slip.Times(slip.Line(t.c2, t.c1)).And(calspanSlope)),
		rest.Square(t.c1, t.c2, slip.Constant(calspanSlope)))
	below := small.Choose(slip.Times(slip.Times(slip.Line(t.c3, t.c1)).Plus(t.c4)).And(1),
		rest.Times(rest.Times(rest.Plus(t.c4)).Plus(t.c3)).Plus(t.c1))
	return above.Over(below).LimitedTo1()
}

// grip implements gripText.
func (calspanText) grip(in, coefficients []formula.Number) (stiffness, most [2]formula.Number) {
	t := named[calspanLaw](coefficients)
	fz, mu := in[0], in[2]
	d := fz.Times(mu.AtLeast(mu.Constant(slippery))).Times(t.mu0)
	return [2]formula.Number{fz.Times(t.longitudinal), calspanCornering(t, fz)}, [2]formula.Number{d, d}
}
