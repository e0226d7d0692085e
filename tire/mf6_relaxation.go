package tire

import "math"

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

// mfLengths holds the parameters by name, in their order; what depends on parameters only is
// computed once.
type mfLengths struct {
	Fz0, P0, Pressure, LFz0, LKx, LKy,
	PKx1, PKx2, PKx3, PPx1, PPx2, PKy1, PKy2, PKy3, PKy4, PKy5, PPy1, PPy2,
	Cx, PCfx1, PCfx2, PCfx3, Cy, PCfy1, PCfy2, PCfy3 float64

	fn, invFn      float64 // nominal load and its inverse
	stiffX, stiffY float64 // factors of Kx, and Ky [N/rad], by pressure
	bodyX, bodyY   float64 // stiffnesses of the carcass by pressure [N/m]
	peakY          float64 // pressure factor of the load of the largest Ky

	longestX, longestY float64 // relaxation lengths [m]

	leastKx, leastPeak float64 // Kx/Fz and load of the peak of Ky at any load and inclination
}

var mfLengthParameters = exported[mfLengths]()

func newMFLengths(p []float64) *mfLengths {
	t := &mfLengths{}
	fill(t, p)
	dp := t.Pressure/t.P0 - 1
	t.fn = t.LFz0 * t.Fz0
	t.invFn = 1 / t.fn
	t.stiffX = (1 + dp*(t.PPx1+t.PPx2*dp)) * t.LKx
	t.stiffY = t.PKy1 * t.fn * (1 + t.PPy1*dp) * t.LKy
	t.bodyX, t.bodyY = t.Cx*(1+t.PCfx3*dp), t.Cy*(1+t.PCfy3*dp)
	t.peakY = 1 + t.PPy2*dp
	t.leastKx, t.leastPeak = leastShare*t.PKx1, leastShare*t.PKy2*t.peakY
	t.longestX, t.longestY = math.Inf(1), math.Inf(1)
	long, lat := t.lengthsOf(dual{v: t.fn}, dual{})
	t.longestX, t.longestY = mostLonger*long.v, mostLonger*lat.v
	return t
}

// bounded are the inputs limited to what a wheel can reach.
func (t *mfLengths) bounded(in []float64, b *[8]float64) {
	for i := range b {
		b[i] = clampAbs(in[i], extreme)
	}
	b[0] = min(in[0], heaviest*t.fn)
}

// Eval maps Fz [N], gamma [rad], VPy, VEx, V*Px, V*Ex [m/s], q1, q2 to dq1/dt, dq2/dt [1/s].
func (t *mfLengths) Eval(in, out []float64) {
	var b [8]float64
	t.bounded(in, &b)
	if b[0] <= airborne {
		out[0], out[1] = 0, 0
		return
	}
	var still [8]float64
	rates := t.rates(b, still)
	out[0], out[1] = rates[0].v, rates[1].v
}

// Jacobian of Eval, input by input.
func (t *mfLengths) Jacobian(in, jac []float64) {
	clear(jac[:16])
	var b [8]float64
	t.bounded(in, &b)
	if b[0] <= airborne {
		return
	}
	for k := range 8 {
		var one [8]float64
		one[k] = 1
		rates := t.rates(b, one)
		jac[k], jac[8+k] = rates[0].d, rates[1].d
	}
	zeroClampedColumns(jac[:16], in[:8], b[:])
}

// rates maps inputs, and a direction in which they vary, to Eval's outputs and their derivatives in
// that direction:
//
//	dq1/dt = (-VEx - |V*Ex| q1) Cx/Kx,  dq2/dt = (VPy - |V*Px| q2) Cy/|Ky|
//
// with the lengths Kx/Cx and |Ky|/Cy.
func (t *mfLengths) rates(b, direction [8]float64) [2]dual {
	fz, gamma := dual{b[0], direction[0]}, dual{b[1], direction[1]}
	across, along := dual{b[2], direction[2]}, dual{b[3], direction[3]}
	vpx, vex := dual{b[4], direction[4]}.abs(), dual{b[5], direction[5]}.abs()
	q1, q2 := dual{b[6], direction[6]}, dual{b[7], direction[7]}
	long, lat := t.lengthsOf(fz, gamma)
	return [2]dual{
		along.by(-1).minus(vex.times(q1)).over(long),
		across.minus(vpx.times(q2)).over(lat),
	}
}

// lengthsOf are Kx/Cx and |Ky|/Cy with Kx by (4.E15), Ky by (4.E25), and C = C0 (1 + PCf1 df + PCf2 df^2)(1 + PCf3 dp).
// They are at least a millimetre, and at most mostLonger times those of an upright wheel at the nominal load.
func (t *mfLengths) lengthsOf(fz, gamma dual) (long, lat dual) {
	lean := gamma.sin()
	df := fz.line(-1, t.invFn)
	kx := slipStiffness(fz, df, t.PKx1, t.PKx2, t.PKx3, t.leastKx).by(t.stiffX)
	ky := corneringStiffness(fz.by(t.invFn), lean, t.PKy2*t.peakY, t.PKy5*t.peakY, t.PKy4, t.stiffY, t.PKy3, t.leastPeak)
	long = kx.over(df.square(1, t.PCfx1, t.PCfx2).atLeast(leastShare).by(t.bodyX).awayFromZero(softest)).abs().
		atLeast(shortest).atMost(t.longestX)
	lat = ky.over(df.square(1, t.PCfy1, t.PCfy2).atLeast(leastShare).by(t.bodyY).awayFromZero(softest)).abs().
		atLeast(shortest).atMost(t.longestY)
	return long, lat
}

// softest is the least stiffness of a carcass [N/m].
const softest = 1
