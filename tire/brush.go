package tire

import (
	"math"

	"skidpad/tire/formula"
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

// brushCoefficients are the parameters, in their order.
type brushCoefficients[N any] struct{ ck, ca, cm, camber, cr, mu0 N }

// brushTire is brush or brushTurnSlip.
type brushTire struct {
	brushCoefficients[float64]
	formulas
}

func newBrush(name string, delayed bool, p []float64) (Function, error) {
	if err := check(name, brushParameters, p, []string{"Ck", "Ca"}, []string{"CM", "Cr", "mu0"}); err != nil {
		return nil, err
	}
	t := &brushTire{brushCoefficients: brushCoefficients[float64]{p[0], p[1], p[2], p[3], p[4], p[5]}}
	t.formulas = newFormulas(brushText{delayed}, numbersOf(&t.brushCoefficients))
	return t, nil
}

// standing keeps the steady turn slip finite at standstill [m/s].
const standing = 1e-3

// brushText is the law of brush: Fx, Fy [N], Mx, My, Mz [N m] in ISO tire axes of Fz [N], S, alpha [rad], gamma [rad],
// Omega [rad/s], mu, wn [rad/s] and V*Px [m/s], or, delayed, the turn slip [rad/m]:
//
//	Fx = Ck S,  Fy = -Ca tan(alpha) - camber Fz sin(gamma),  Mz = CM phit,
//	phit = -wn/(|V*Px| + standing) unless it is delayed
//
// My = -Cr Fz sgn(Omega) is an addition: the wheels of the publication roll freely. With mu0 the force of both slips
// together is bounded by mu0 mu Fz.
type brushText struct{ delayed bool }

func (brushText) shape() lawShape { return shapeOf[brushCoefficients[float64]](8) }

func (text brushText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t := named[brushCoefficients[formula.Number]](coefficients)
	c := in[0].Constant
	bounded = []formula.Number{
		in[0].NotAbove(c(crushing)), in[1].Within(extreme), in[2].Within(math.Pi / 2), in[3].Within(math.Pi / 2), in[4],
		in[5].Bounded(c(0), c(extreme)), in[6].Within(extreme), in[7].Within(extreme),
	}
	fz, lifted := onGround(bounded[0], 0)
	s, alpha, gamma, omega, surface := bounded[1], bounded[2], bounded[3], bounded[4], bounded[5]
	x, y := t.ck.Times(s), t.ca.Neg().Times(alpha.Tan())
	force, most := x.Length(y), t.mu0.Times(surface).Times(fz)
	slides := t.mu0.IsAbove(0).And(force.Above(most))
	x, y = slides.Choose(most.Times(x.Over(force)), x), slides.Choose(most.Times(y.Over(force)), y)
	phit := bounded[7]
	if !text.delayed {
		phit = bounded[6].Neg().Over(phit.Abs().And(standing))
	}
	return bounded, unlessLifted(lifted, x, y.Minus(t.camber.Times(fz).Times(gamma.Sin())), c(0),
		t.cr.Neg().Times(fz).Times(omega.SignUp()), t.cm.Times(phit))
}

// grip implements gripText.
func (brushText) grip(in, coefficients []formula.Number) (stiffness, most [2]formula.Number) {
	t := named[brushCoefficients[formula.Number]](coefficients)
	bound := t.mu0.IsAbove(0)
	d := in[0].Times(in[2]).Times(t.mu0)
	for i, k := range [...]formula.Number{t.ck, t.ca} {
		stiffness[i], most[i] = k, bound.Choose(d, k.By(unlimited))
	}
	return stiffness, most
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
		return newBrushLengths(max(p[0], shortest)), nil
	},
}

func init() {
	builtin(8, &brush)
	builtin(9, &brushTurnSlip)
	builtin(10, &brushRelaxation)
}

type brushLengthCoefficients[N any] struct{ sigma N }

type brushLengths struct {
	brushLengthCoefficients[float64]
	formulas
}

func newBrushLengths(sigma float64) *brushLengths {
	t := &brushLengths{brushLengthCoefficients: brushLengthCoefficients[float64]{sigma}}
	t.formulas = newFormulas(brushLengthText{}, numbersOf(&t.brushLengthCoefficients))
	return t
}

// brushLengthText is the law of brushRelaxation: the rates of q1, q2, q3 [rad/m] of VPx, VPy, V*Px [m/s], wn [rad/s],
// q1, q2, q3:
//
//	dq1/dt = (-VPx - |V*Px| q1)/sigma,  dq2/dt = (VPy - |V*Px| q2)/sigma,  dq3/dt = (-wn - |V*Px| q3)/sigma
type brushLengthText struct{}

func (brushLengthText) shape() lawShape { return shapeOf[brushLengthCoefficients[float64]](7) }

func (brushLengthText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t := named[brushLengthCoefficients[formula.Number]](coefficients)
	b := allWithin(in, extreme)
	v := b[2].Abs()
	return b, []formula.Number{
		b[0].Neg().Minus(v.Times(b[4])).Over(t.sigma),
		b[1].Minus(v.Times(b[5])).Over(t.sigma),
		b[3].Neg().Minus(v.Times(b[6])).Over(t.sigma),
	}
}

// lengths implements lengthText.
func (brushLengthText) lengths(_, coefficients []formula.Number) [2]formula.Number {
	t := named[brushLengthCoefficients[formula.Number]](coefficients)
	return [2]formula.Number{t.sigma, t.sigma}
}
