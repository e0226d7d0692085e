package tire

import (
	"math"

	"skidpad/tire/formula"
)

// mfRelaxation is the relaxation of Magic Formula 6.1 and 6.2: the lengths are the stiffnesses of
// slip by those of the carcass.
var mfRelaxation = Kind{
	Name: "MFRelaxation",
	Text: "delayed slip with the lengths Kx/Cx and |Ky|/Cy of Magic Formula 6.1 (Besselink, Schmeitz and " +
		"Pacejka 2010)",
	Inputs:     stringInputs,
	Parameters: mfLengthParameters,
	Outputs:    []string{"q1dot", "q2dot"},
	keys:       true,
	New: func(p []float64) (Function, error) {
		if err := check("MFRelaxation", mfLengthParameters, p, []string{"Fz0", "P0", "Pressure", "LFz0", "PKy2", "Cx",
			"Cy"}, nil); err != nil {
			return nil, err
		}
		return newMFLengths(p), nil
	},
}

func init() { builtin(4, &mfRelaxation) }

// mfLengthCoefficients holds the parameters by name, in their order; what depends on parameters only is
// computed once.
type mfLengthCoefficients[N any] struct {
	Fz0, P0, Pressure, LFz0, LKx, LKy,
	PKx1, PKx2, PKx3, PPx1, PPx2, PKy1, PKy2, PKy3, PKy4, PKy5, PPy1, PPy2,
	Cx, PCfx1, PCfx2, PCfx3, Cy, PCfy1, PCfy2, PCfy3 N

	fn, invFn      N // nominal load and its inverse
	stiffX, stiffY N // factors of Kx, and Ky [N/rad], by pressure
	bodyX, bodyY   N // stiffnesses of the carcass by pressure [N/m]
	peakY          N // pressure factor of the load of the largest Ky

	longestX, longestY N // relaxation lengths [m]

	leastKx, leastPeak N // Kx/Fz and load of the peak of Ky at any load and inclination
}

type mfLengths struct {
	mfLengthCoefficients[float64]
	formulas
}

var mfLengthParameters = exported[mfLengthCoefficients[float64]]()

func newMFLengths(p []float64) *mfLengths {
	t := &mfLengths{}
	copy(numbersOf(&t.mfLengthCoefficients), p[:len(mfLengthParameters)])
	dp := t.Pressure/t.P0 - 1
	t.fn = t.LFz0 * t.Fz0
	t.invFn = 1 / t.fn
	t.stiffX = (1 + dp*(t.PPx1+t.PPx2*dp)) * t.LKx
	t.stiffY = t.PKy1 * t.fn * (1 + t.PPy1*dp) * t.LKy
	t.bodyX, t.bodyY = t.Cx*(1+t.PCfx3*dp), t.Cy*(1+t.PCfy3*dp)
	t.peakY = 1 + t.PPy2*dp
	t.leastKx, t.leastPeak = leastShare*t.PKx1, leastShare*t.PKy2*t.peakY
	t.longestX, t.longestY = math.Inf(1), math.Inf(1)
	t.formulas = newFormulas(mfLengthText{}, numbersOf(&t.mfLengthCoefficients))
	var at [lengthsTold]float64
	t.lengths().Eval([]float64{t.fn, 0}, at[:])
	t.longestX, t.longestY = mostLonger*at[0], mostLonger*at[1]
	t.formulas = newFormulas(mfLengthText{}, numbersOf(&t.mfLengthCoefficients))
	return t
}

// mfLengthText is the law of mfRelaxation: the rates of q1, q2 [1/s] of Fz [N], gamma [rad], VPy, VEx, V*Px, V*Ex
// [m/s], q1, q2:
//
//	dq1/dt = (-VEx - |V*Ex| q1) Cx/Kx,  dq2/dt = (VPy - |V*Px| q2) Cy/|Ky|
//
// with the lengths Kx/Cx and |Ky|/Cy.
type mfLengthText struct{}

// mfLengthLaw are the coefficients as formulas have them.
type mfLengthLaw = mfLengthCoefficients[formula.Number]

func (mfLengthText) shape() lawShape { return shapeOf[mfLengthCoefficients[float64]](8) }

func (mfLengthText) write(in, coefficients []formula.Number) (bounded, results []formula.Number) {
	t := named[mfLengthLaw](coefficients)
	b := allWithin(in, extreme)
	b[0] = in[0].NotAbove(t.fn.By(heaviest))
	fz, lifted := onGround(b[0], airborne)
	lengths := mfLengthsOf(t, fz, b[1])
	return b, unlessLifted(lifted, b[3].Neg().Minus(b[5].Abs().Times(b[6])).Over(lengths[0]),
		b[2].Minus(b[4].Abs().Times(b[7])).Over(lengths[1]))
}

// lengths implements lengthText.
func (mfLengthText) lengths(in, coefficients []formula.Number) [2]formula.Number {
	t := named[mfLengthLaw](coefficients)
	return mfLengthsOf(t, in[0].AtMost(t.fn.By(heaviest)), in[1])
}

// mfLengthsOf are Kx/Cx and |Ky|/Cy with Kx by (4.E15), Ky by (4.E25), and C = C0 (1 + PCf1 df + PCf2 df^2)(1 + PCf3
// dp). They are at least a millimetre, and at most mostLonger times those of an upright wheel at the nominal load.
func mfLengthsOf(t *mfLengthLaw, fz, gamma formula.Number) [2]formula.Number {
	c := fz.Constant
	lean := gamma.Sin()
	df := fz.Line(c(-1), t.invFn)
	kx := slipStiffness(fz, df, t.PKx1, t.PKx2, t.PKx3, t.leastKx).Times(t.stiffX)
	ky := corneringStiffness(fz.Times(t.invFn), lean, t.PKy2.Times(t.peakY), t.PKy5.Times(t.peakY), t.PKy4, t.stiffY,
		t.PKy3, t.leastPeak)
	by := func(k, linear, square, body, longest formula.Number) formula.Number {
		carcass := df.Square(c(1), linear, square).AtLeast(c(leastShare)).Times(body).AwayFromZero(c(softest))
		return k.Over(carcass).Abs().AtLeast(c(shortest)).AtMost(longest)
	}
	return [2]formula.Number{by(kx, t.PCfx1, t.PCfx2, t.bodyX, t.longestX), by(ky, t.PCfy1, t.PCfy2, t.bodyY, t.longestY)}
}

func (t *mfLengths) nominalLoad() float64 { return t.fn }

// softest is the least stiffness of a carcass [N/m].
const softest = 1
