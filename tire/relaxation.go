package tire

import (
	"math"

	"skidpad/tire/elementary"
)

// shortest is the least relaxation length [m]: as the load vanishes the lengths
// do, and without it a slip would relax infinitely fast. With Table A.6 it acts
// on loads under 26 N.
const shortest = 1e-3

// Limits of relaxation lengths, of which exponential functions of the load make kilometres: by the unloaded radius, or,
// where that is not known, by the length at the nominal load.
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
		return newString(p), nil
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
		t := newString(p)
		t.limited, t.vlow, t.shigh, t.qhigh = true, p[10], p[11], math.Tan(p[12])
		return t, nil
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
		return &constantLengths{max(p[0], shortest), max(p[1], shortest)}, nil
	},
}

func init() {
	builtin(5, &stretchedString)
	builtin(6, &stretchedStringLimited)
	builtin(7, &constantLength)
}

type stringTire struct {
	fz0, long, x1, x2, x3 float64
	lat, y2fz0, k3        float64
	limited               bool
	vlow, shigh, qhigh    float64 // qhigh is the tangent of alphahigh
	longest               float64 // relaxation length [m]
}

func newString(p []float64) *stringTire {
	return &stringTire{
		fz0: p[0], long: p[2] * p[1], x1: p[4], x2: p[5], x3: p[6],
		lat: p[3] * p[7] * p[1], y2fz0: p[8] * p[0], k3: p[9],
		longest: mostRadii * p[1],
	}
}

// bounded are the inputs limited to what a wheel can reach.
func (t *stringTire) bounded(in []float64) (fz, gamma, vpy, vex, vpx, along, q1, q2 float64) {
	q2, q1, along = clampAbs(in[7], extreme), clampAbs(in[6], extreme), clampAbs(in[5], extreme)
	vpx, vex, vpy = clampAbs(in[4], extreme), clampAbs(in[3], extreme), clampAbs(in[2], extreme)
	gamma = clampAbs(in[1], extreme)
	fz = notAbove(in[0], heaviest*t.fz0)
	return fz, gamma, vpy, vex, vpx, along, q1, q2
}

// lengthsAt returns the relaxation lengths [m] at a load [N] and inclination [rad], the exponential function and the
// factor of the inclination in them:
//
//	Blong = LSkappa R0 (Fz/Fz0)(PTx1 + PTx2 dFz) exp(PTx3 dFz)            (3.27)
//	Blat  = LSalpha PTy1 sin(2 arctan(Fz/(PTy2 Fz0)))(1 - PKy3|gamma|) R0 (3.28, corrected)
//
// Both are from a millimetre to thirty unloaded radii.
func (t *stringTire) lengthsAt(fz, gamma float64) (long, lat, e, camber float64) {
	r := fz / t.fz0
	d := r - 1
	e = t.long * elementary.Exp(t.x3*d)
	p := t.x1 + t.x2*d
	x := fz / t.y2fz0
	camber = 1 - t.k3*math.Abs(gamma)
	long = notAbove(notBelow(r*p*e, shortest), t.longest)
	lat = notAbove(notBelow(t.lat*2*x/(1+x*x)*camber, shortest), t.longest)
	return long, lat, e, camber
}

// lengthsWithSlopes returns the lengths with their derivatives by the load, and of Blat by |gamma|.
func (t *stringTire) lengthsWithSlopes(fz, gamma float64) (long, longFz, lat, latFz, latGamma float64) {
	long, lat, e, camber := t.lengthsAt(fz, gamma)
	r := fz / t.fz0
	p := t.x1 + t.x2*(r-1)
	x := fz / t.y2fz0
	q := 1 + x*x
	longFz = (p + r*t.x2 + r*p*t.x3) * e / t.fz0
	latFz = t.lat * 2 * (1 - x*x) / (q * q) / t.y2fz0 * camber
	latGamma = -t.k3 * t.lat * 2 * x / q
	if r*p*e < shortest || r*p*e > t.longest {
		longFz = 0
	}
	if free := t.lat * 2 * x / q * camber; free < shortest || free > t.longest {
		latFz, latGamma = 0, 0
	}
	return long, longFz, lat, latFz, latGamma
}

// Eval maps Fz [N], gamma [rad], VPy, VEx, V*Px, V*Ex [m/s], q1, q2 to dq1/dt,
// dq2/dt [1/s] (3.22, 3.23).
func (t *stringTire) Eval(in, out []float64) {
	fz, gamma, vpy, vex, vpx, along, q1, q2 := t.bounded(in)
	if fz <= 0 {
		out[0], out[1] = 0, 0
		return
	}
	long, lat, _, _ := t.lengthsAt(fz, gamma)
	out[0] = (-vex - q1*math.Abs(along)) / long
	out[1] = (vpy - q2*math.Abs(vpx)) / lat
	if t.limited {
		t.limit(vpx, along, q1, q2, out)
	}
}

// limit freezes a slip that is too large and still growing at low speed.
func (t *stringTire) limit(vpx, along, q1, q2 float64, out []float64) {
	if math.Abs(along) < t.vlow && math.Abs(q1) > t.shigh && out[0]*q1 > 0 {
		out[0] = 0
	}
	if math.Abs(vpx) < t.vlow && math.Abs(q2) > t.qhigh && out[1]*q2 > 0 {
		out[1] = 0
	}
}

// Jacobian of Eval.
func (t *stringTire) Jacobian(in, jac []float64) {
	clear(jac[:16])
	fz, gamma, vpy, vex, vpx, along, q1, q2 := t.bounded(in)
	if fz <= 0 {
		return
	}
	long, longFz, lat, latFz, latGamma := t.lengthsWithSlopes(fz, gamma)
	free := [2]float64{(-vex - q1*math.Abs(along)) / long, (vpy - q2*math.Abs(vpx)) / lat}
	out := free
	if t.limited {
		t.limit(vpx, along, q1, q2, out[:])
	}
	if out[0] == free[0] {
		jac[0] = -free[0] * longFz / long
		jac[3], jac[5], jac[6] = -1/long, -q1*sign(along)/long, -math.Abs(along)/long
	}
	if out[1] == free[1] {
		jac[8], jac[9] = -free[1]*latFz/lat, -free[1]*latGamma*sign(gamma)/lat
		jac[10], jac[12], jac[15] = 1/lat, -q2*sign(vpx)/lat, -math.Abs(vpx)/lat
	}
	b := [...]float64{fz, gamma, vpy, vex, vpx, along, q1, q2}
	zeroClampedColumns(jac[:16], in[:8], b[:])
}

type constantLengths struct{ long, lat float64 }

// bounded are the inputs limited to what a wheel can reach.
func (t *constantLengths) bounded(in []float64, b *[6]float64) {
	for i := range b {
		b[i] = clampAbs(in[i], extreme)
	}
}

// Eval maps VPy, VEx, V*Px, V*Ex [m/s], q1, q2 to dq1/dt, dq2/dt [1/s] (3.22, 3.23).
func (t *constantLengths) Eval(in, out []float64) {
	var b [6]float64
	t.bounded(in, &b)
	out[0] = (-b[1] - b[4]*math.Abs(b[3])) / t.long
	out[1] = (b[0] - b[5]*math.Abs(b[2])) / t.lat
}

// Jacobian of Eval.
func (t *constantLengths) Jacobian(in, jac []float64) {
	clear(jac[:12])
	var b [6]float64
	t.bounded(in, &b)
	jac[1], jac[3], jac[4] = -1/t.long, -b[4]*sign(b[3])/t.long, -math.Abs(b[3])/t.long
	jac[6], jac[8], jac[11] = 1/t.lat, -b[5]*sign(b[2])/t.lat, -math.Abs(b[2])/t.lat
	zeroClampedColumns(jac[:12], in[:6], b[:])
}
