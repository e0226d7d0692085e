package tire

import (
	"math"

	"skidpad/tire/formula"
)

// shortest is the least relaxation length [m]: as the load vanishes the lengths
// do, and without it a slip would relax infinitely fast. With Table A.6 it acts
// on loads under 26 N.
const shortest = 1e-3

// Limits of relaxation lengths, because exponential functions of the load can reach kilometres: relative to the
// unloaded radius or, if it is unknown, to the length at the nominal load.
const (
	mostRadii  = 30.0
	mostLonger = 10.0
)

var stringParameters = []ParameterInfo{
	{"Fz0", "N", "nominal load"}, {"R0", "m", "unloaded radius of the formulas"},
	{"LSkappa", "1", "scale of the longitudinal relaxation length"},
	{"LSalpha", "1", "scale of the lateral relaxation length"},
	{"PTx1", "1", "longitudinal relaxation length at nominal load"}, {"PTx2", "1", "its variation with load"},
	{"PTx3", "1", "its exponent with load"},
	{"PTy1", "1", "peak of the lateral relaxation length"}, {"PTy2", "1", "load of the peak over the nominal load"},
	{"PKy3", "1", "variation with inclination"},
}

var limitedParameters = append(append([]ParameterInfo(nil), stringParameters...),
	ParameterInfo{"Vlow", "m/s", "speed below which slip may be frozen"},
	ParameterInfo{"Shigh", "1", "longitudinal slip above which it may be frozen"},
	ParameterInfo{"alphahigh", "rad", "slip angle above which it may be frozen"})

var lengthParameters = []ParameterInfo{{"Blong", "m", "longitudinal relaxation length"},
	{"Blat", "m", "lateral relaxation length"}}

var stringPositive = []string{"Fz0", "R0", "LSkappa", "LSalpha", "PTy2"}

var stringInputs = []string{"Fz", "gamma", "VPy", "VEx", "VPxs", "VExs", "q1", "q2"}

var stretchedString = Kind{
	Name:       "StretchedString",
	Text:       "delayed slip with load-dependent relaxation lengths (Morency 2007, equations 3.22 to 3.28, corrected)",
	Inputs:     stringInputs,
	Parameters: stringParameters,
	Outputs:    []string{"q1dot", "q2dot"},
	keys:       true,
	New: func(p []float64) (Function, error) {
		if err := check("StretchedString", stringParameters, p, stringPositive, nil); err != nil {
			return nil, err
		}
		return newString(false, p), nil
	},
}

var stretchedStringLimited = Kind{
	Name:       "StretchedStringLimited",
	Text:       "the same with Pacejka's limiting algorithm for low speed (Morency 2007, Figure 3.5)",
	Inputs:     stringInputs,
	Parameters: limitedParameters,
	Outputs:    []string{"q1dot", "q2dot"},
	keys:       true,
	New: func(p []float64) (Function, error) {
		if err := check("StretchedStringLimited", limitedParameters, p, stringPositive,
			[]string{"Vlow", "Shigh", "alphahigh"}); err != nil {
			return nil, err
		}
		return newString(true, p), nil
	},
}

var constantLength = Kind{
	Name:       "ConstantLength",
	Text:       "delayed slip with constant relaxation lengths (Morency 2007, equations 3.22, 3.23)",
	Inputs:     []string{"VPy", "VEx", "VPxs", "VExs", "q1", "q2"},
	Parameters: lengthParameters,
	Outputs:    []string{"q1dot", "q2dot"},
	New: func(p []float64) (Function, error) {
		if err := check("ConstantLength", lengthParameters, p, []string{"Blong", "Blat"}, nil); err != nil {
			return nil, err
		}
		return newConstantLengths(max(p[0], shortest), max(p[1], shortest)), nil
	},
}

func init() {
	builtin(5, &stretchedString)
	builtin(6, &stretchedStringLimited)
	builtin(7, &constantLength)
}

// stringCoefficients has the numbers of a stretched string; qhigh is the tangent of alphahigh, longest a relaxation
// length [m].
type stringCoefficients[N any] struct {
	fz0, long, x1, x2, x3, lat, y2fz0, k3, vlow, shigh, qhigh, longest N
}

type stringTire struct {
	stringCoefficients[float64]
	formulas
}

func newString(limited bool, p []float64) *stringTire {
	t := &stringTire{stringCoefficients: stringCoefficients[float64]{
		fz0: p[0], long: p[2] * p[1], x1: p[4], x2: p[5], x3: p[6],
		lat: p[3] * p[7] * p[1], y2fz0: p[8] * p[0], k3: p[9],
		longest: mostRadii * p[1],
	}}
	if limited {
		t.vlow, t.shigh, t.qhigh = p[10], p[11], math.Tan(p[12])
	}
	t.formulas = newFormulas(stringText{limited}, numbersOf(&t.stringCoefficients))
	return t
}

// stringText is the law of stretchedString, or, limited, of stretchedStringLimited: the rates of q1, q2 [1/s] as
// functions of Fz [N], gamma [rad], VPy, VEx, V*Px, V*Ex [m/s], q1, q2 (3.22, 3.23).
type stringText struct{ limited bool }

// stringLaw are the coefficients as formulas have them.
type stringLaw = stringCoefficients[formula.Number]

func (stringText) shape() lawShape { return shapeOf[stringCoefficients[float64]](8) }

func (text stringText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t := named[stringLaw](coefficients)
	b := allWithin(in, extreme)
	b[0] = in[0].NotAbove(t.fz0.By(heaviest))
	fz, lifted := onGround(b[0], 0)
	across, along := b[4].Abs(), b[5].Abs()
	q1, q2 := b[6], b[7]
	lengths := stringLengths(t, fz, b[1])
	q1dot := b[3].Neg().Minus(q1.Times(along)).Over(lengths[0])
	q2dot := b[2].Minus(q2.Times(across)).Over(lengths[1])
	if text.limited {
		q1dot = frozen(q1, q1dot, along, t.vlow, t.shigh)
		q2dot = frozen(q2, q2dot, across, t.vlow, t.qhigh)
	}
	return b, unlessLifted(lifted, q1dot, q2dot)
}

// frozen is the rate of a slip, 0 where the slip is too large and still growing at low speed.
func frozen(q, rate, speed, low, high formula.Number) formula.Number {
	return speed.Below(low).And(q.Abs().Above(high)).And(rate.Times(q).IsAbove(0)).Without(rate)
}

// stringLengths are the relaxation lengths [m] at a load [N] and inclination [rad]:
//
//	Blong = LSkappa R0 (Fz/Fz0)(PTx1 + PTx2 dFz) exp(PTx3 dFz)            (3.27)
//	Blat  = LSalpha PTy1 sin(2 arctan(Fz/(PTy2 Fz0)))(1 - PKy3|gamma|) R0 (3.28, corrected)
//
// Both are from a millimetre to thirty unloaded radii.
func stringLengths(t *stringLaw, fz, gamma formula.Number) [2]formula.Number {
	c := fz.Constant
	r := fz.Over(t.fz0)
	d := r.Minus(c(1))
	long := r.Times(d.Line(t.x1, t.x2)).Times(t.long.Times(t.x3.Times(d).Exp()))
	x := fz.Over(t.y2fz0)
	lat := t.lat.By(2).Times(x).Over(x.Times(x).And(1)).Times(c(1).Minus(t.k3.Times(gamma.Abs())))
	return [2]formula.Number{long.AtLeast(c(shortest)).AtMost(t.longest), lat.AtLeast(c(shortest)).AtMost(t.longest)}
}

// lengths implements lengthText.
func (stringText) lengths(in, coefficients []formula.Number) [2]formula.Number {
	t := named[stringLaw](coefficients)
	return stringLengths(t, in[0].AtMost(t.fz0.By(heaviest)), in[1])
}

func (t *stringTire) nominalLoad() float64 { return t.fz0 }

type constantLengthCoefficients[N any] struct{ long, lat N }

type constantLengths struct {
	constantLengthCoefficients[float64]
	formulas
}

func newConstantLengths(long, lat float64) *constantLengths {
	t := &constantLengths{constantLengthCoefficients: constantLengthCoefficients[float64]{long, lat}}
	t.formulas = newFormulas(constantLengthText{}, numbersOf(&t.constantLengthCoefficients))
	return t
}

// constantLengthText is the law of constantLength: the rates of q1, q2 [1/s] of VPy, VEx, V*Px, V*Ex [m/s], q1, q2
// (3.22, 3.23).
type constantLengthText struct{}

func (constantLengthText) shape() lawShape { return shapeOf[constantLengthCoefficients[float64]](6) }

func (constantLengthText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t := named[constantLengthCoefficients[formula.Number]](coefficients)
	b := allWithin(in, extreme)
	return b, []formula.Number{
		b[1].Neg().Minus(b[4].Times(b[3].Abs())).Over(t.long),
		b[0].Minus(b[5].Times(b[2].Abs())).Over(t.lat),
	}
}

// lengths implements lengthText.
func (constantLengthText) lengths(_, coefficients []formula.Number) [2]formula.Number {
	t := named[constantLengthCoefficients[formula.Number]](coefficients)
	return [2]formula.Number{t.long, t.lat}
}
