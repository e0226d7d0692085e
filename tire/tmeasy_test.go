package tire_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// tmeasySet is the shipped parameter set by name, with some values replaced.
func tmeasySet(t *testing.T, replaced map[string]float64) (func(string) float64, tire.Function, error) {
	t.Helper()
	k := tiretest.Lookup(t, "TMeasy")
	p := slices.Clone(tiretest.Parameters(t, tires)["TMeasy"])
	at := func(name string) int {
		return slices.IndexFunc(k.Parameters, func(i tire.ParameterInfo) bool { return i.Name == name })
	}
	for name, value := range replaced {
		p[at(name)] = value
	}
	f, err := k.New(p)
	return func(name string) float64 { return p[at(name)] }, f, err
}

// tmeasyForces returns Fx, Fy and Mz at slips by the speed of the tread, rolling with the speed v.
func tmeasyForces(f tire.Function, fz, sx, sy, v, mu float64) (fx, fy, mz float64) {
	// sx = S/(1 + S), sy = -tan(alpha)/(1 + S), forward; in reverse S has the other sign
	s := sx / (1 - sx)
	out := make([]float64, 5)
	f.Eval([]float64{fz, math.Copysign(s, sx*v), math.Atan(-sy * (1 + s)), math.Copysign(60, v), v, mu}, out)
	return out[0], out[1], out[4]
}

// The parameters are points of the curves: slope at the origin, maximum, begin of sliding, at both loads.
func TestTMeasyRunsThroughItsPoints(t *testing.T) {
	value, f, err := tmeasySet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, suffix := range []string{"_N", "_2N"} {
		fz := float64(i+1) * value("FzN")
		for axis, force := range map[string]func(s float64) float64{
			"x": func(s float64) float64 { fx, _, _ := tmeasyForces(f, fz, s, 0, 20, 1); return fx },
			"y": func(s float64) float64 { _, fy, _ := tmeasyForces(f, fz, 0, s, 20, 1); return fy },
		} {
			near := func(what string, got, want float64) {
				if !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
					t.Errorf("%s%s of %s is %g; want %g", what, suffix, axis, got, want)
				}
			}
			most, slide := value("sM"+axis+suffix), value("sS"+axis+suffix)
			near("dF", force(1e-8)/1e-8, value("dF"+axis+suffix))
			near("FM", force(most), value("FM"+axis+suffix))
			near("FS", force(slide), value("FS"+axis+suffix))
			near("FS beyond", force(1.3*slide), value("FS"+axis+suffix))
			near("FM of braking or the right", -force(-most), value("FM"+axis+suffix))
			for s := 0.02; s < 0.6; s += 0.001 { // rises to the maximum, falls to the force of sliding
				rises := force(s+0.001) > force(s)
				if s+0.001 < most && !rises || s > most && rises {
					t.Fatalf("%s, load %g: the force is %g at slip %g, %g at %g", axis, fz, force(s), s, force(s+0.001),
						s+0.001)
				}
			}
			middle := (most + slide) / 2 // the cubic is antisymmetric to its middle
			near("mean", force(middle), (value("FM"+axis+suffix)+value("FS"+axis+suffix))/2)
		}
	}
}

// Combined slip, below the largest force: numbers of a program of its own after the algorithm of Project Chrono, which
// has the same equations there.
func TestTMeasyCombinesBothSlips(t *testing.T) {
	_, f, err := tmeasySet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][5]float64{
		{3500, 0.04, 0.05, 2307.25583, 2212.64908},
		{5000, -0.06, 0.03, -4382.24201, 1696.44465},
		{2000, 0.02, -0.09, 574.460384, -1959.01041},
	} {
		fx, fy, _ := tmeasyForces(f, c[0], c[1], c[2], 20, 1)
		if math.Abs(fx-c[3]) > 1e-5 || math.Abs(fy-c[4]) > 1e-5 {
			t.Errorf("%g N, slips %g and %g: %.9g, %.9g N; want %.9g, %.9g N", c[0], c[1], c[2], fx, fy, c[3], c[4])
		}
	}
}

// Without slip the derivatives equal the initial slopes of the curves.
func TestTMeasyHasItsStiffnessesWithoutSlip(t *testing.T) {
	value, f, err := tmeasySet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	jac := make([]float64, 30)
	f.(tire.Differentiable).Jacobian([]float64{value("FzN"), 0, 0, 60, 20, 0.7}, jac)
	if math.Abs(jac[1]-value("dFx_N")) > 1e-6 || math.Abs(jac[6+2]+value("dFy_N")) > 1e-6 {
		t.Errorf("dFx/dS %g, dFy/dalpha %g; want %g, %g", jac[1], jac[6+2], value("dFx_N"), -value("dFy_N"))
	}
}

// A locked wheel slides: its force does not depend on the amount of the slip.
func TestTMeasyIsContinuousThroughLocking(t *testing.T) {
	_, f, err := tmeasySet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	locked, near := make([]float64, 5), make([]float64, 5)
	f.Eval([]float64{4000, -1, 0.1, 0, 20, 1}, locked)
	for _, s := range []float64{-0.99, -0.9999, -1.0001, -1.01} {
		f.Eval([]float64{4000, s, 0.1, 0, 20, 1}, near)
		for i := range near {
			if !(math.Abs(near[i]-locked[i]) <= 0.02*math.Abs(locked[i])) {
				t.Errorf("result %d is %g locked, %g at the slip %g", i, locked[i], near[i], s)
			}
		}
	}
}

// Forces are parabolas of the load through zero and both values; beyond the vertex they stay.
func TestTMeasyForcesAreDegressive(t *testing.T) {
	value, f, err := tmeasySet(t, map[string]float64{"FMx_2N": 5600, "FSx_2N": 5000})
	if err != nil {
		t.Fatal(err)
	}
	one, two := value("FSx_N"), value("FSx_2N")
	for _, load := range []float64{0.01, 0.5, 1.5, 2, 2.1} {
		fx, _, _ := tmeasyForces(f, load*value("FzN"), 0.9, 0, 20, 1)
		// Lagrange through (0, 0), (1, one), (2, two)
		want := one*load*(2-load) + two*load*(load-1)/2
		if math.Abs(fx-want) > 1e-9*want {
			t.Errorf("load %g payloads: %g N, want %g N", load, fx, want)
		}
	}
	slide, _, _ := tmeasyForces(f, 2.9*value("FzN"), value("sSx_2N")-1e-3, 0, 20, 1)
	beyondSlide, _, _ := tmeasyForces(f, 2.9*value("FzN"), value("sSx_2N"), 0, 20, 1)
	if further, _, _ := tmeasyForces(f, 2.9*value("FzN"), 0.9, 0, 20, 1); beyondSlide != further || slide == further {
		t.Errorf("with 2.9 payloads the patch does not slide from the slip of two on: %g, %g, %g N", slide, beyondSlide,
			further)
	}
	vertex := (2*one - two/2) / (2*one - two)
	atVertex, _, _ := tmeasyForces(f, vertex*value("FzN"), 0.9, 0, 20, 1)
	beyond, _, _ := tmeasyForces(f, 2*vertex*value("FzN"), 0.9, 0, 20, 1)
	if math.Abs(atVertex-beyond) > 1e-9*atVertex {
		t.Errorf("%g N at the vertex, %g N beyond", atVertex, beyond)
	}
}

// With the friction mu all curves are similar ones: F(mu, mu s) = mu F(1, s).
func TestTMeasyFrictionScalesForcesAndSlips(t *testing.T) {
	_, f, err := tmeasySet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(71, 72))
	for range 500 {
		mu, fz := 0.2+0.8*r.Float64(), 500+9000*r.Float64()
		sx, sy := 0.9*(2*r.Float64()-1), 2*r.Float64()-1
		x, y, z := tmeasyForces(f, fz, sx, sy, 20, 1)
		xm, ym, zm := tmeasyForces(f, fz, mu*sx, mu*sy, 20, mu)
		if math.Abs(xm-mu*x)+math.Abs(ym-mu*y)+math.Abs(zm-mu*z) > 1e-9*fz {
			t.Fatalf("at %g N, slips %g, %g: %g, %g, %g; with mu = %g and slips by mu: %g, %g, %g", fz, sx, sy, x, y, z,
				mu, xm, ym, zm)
		}
	}
}

// A tire with equal curves along both axes knows no direction: its force is opposite to the sliding of the tread and
// depends on the amount of the slip alone.
func TestTMeasyOfEqualAxesKnowsNoDirection(t *testing.T) {
	value, _, _ := tmeasySet(t, nil)
	alike := map[string]float64{}
	for _, name := range []string{"dF", "sM", "FM", "sS", "FS"} {
		for _, suffix := range []string{"_N", "_2N"} {
			alike[name+"y"+suffix] = value(name + "x" + suffix)
		}
	}
	_, f, err := tmeasySet(t, alike)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(73, 74))
	for range 500 {
		s, fz := 0.8*r.Float64(), 500+9000*r.Float64()
		sin, cos := math.Sincos(2 * math.Pi * r.Float64())
		want, _, _ := tmeasyForces(f, fz, s, 0, 20, 1)
		fx, fy, _ := tmeasyForces(f, fz, s*cos, s*sin, 20, 1)
		if math.Hypot(fx-want*cos, fy-want*sin) > 1e-9*fz {
			t.Fatalf("slip %g along (%g, %g) at %g N: force %g, %g; want %g along it", s, cos, sin, fz, fx, fy, want)
		}
	}
}

// The trail begins with its part of the contact patch, is zero at s0, negative from there on, and zero from sE on.
func TestTMeasyTrail(t *testing.T) {
	value, f, err := tmeasySet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	trail := func(fz, s float64) float64 {
		_, fy, mz := tmeasyForces(f, fz, 0, s, 20, 1)
		return -mz / fy
	}
	for i, suffix := range []string{"_N", "_2N"} {
		fz := float64(i+1) * value("FzN")
		length := math.Sqrt(8 * value("R0") * fz / value("cz")) // chord of the circle, flattened by Fz/cz
		if got, want := trail(fz, 1e-9), value("trail"+suffix)*length; math.Abs(got-want) > 1e-7*want {
			t.Errorf("trail%s is %g m, want %g m", suffix, got, want)
		}
		zero, without := value("s0"+suffix), value("sE"+suffix)
		if got := trail(fz, zero); math.Abs(got) > 1e-12 {
			t.Errorf("at s0%s the trail is %g m", suffix, got)
		}
		if got := trail(fz, (zero+without)/2); !(got < 0 && got > -0.1*length) {
			t.Errorf("between s0%s and sE the trail is %g m", suffix, got)
		}
		if got := trail(fz, 1.001*without); got != 0 {
			t.Errorf("beyond sE%s the trail is %g m", suffix, got)
		}
		below, above := trail(fz, zero-1e-7)/1e-7, -trail(fz, zero+1e-7)/1e-7
		if math.Abs(below-above) > 1e-3*below {
			t.Errorf("s0%s: the trail falls by %g m before and %g m after", suffix, below, above)
		}
	}
}

// Turned over in the plane across, the wheel has -Fx, Fy, -My and -Mz.
func TestTMeasyIsSymmetricInReverse(t *testing.T) {
	_, f, err := tmeasySet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(75, 76))
	a, b := make([]float64, 5), make([]float64, 5)
	for range 300 {
		in := tiretest.Sample(r, []string{"Fz", "S", "alpha", "Omega", "VCx", "mu"})
		in[3] = 10
		f.Eval(in, a)
		in[1], in[3], in[4] = -in[1], -in[3], -in[4]
		f.Eval(in, b)
		for i, sign := range []float64{-1, 1, 1, -1, -1} {
			if math.Abs(b[i]-sign*a[i]) > 1e-9*in[0] {
				t.Fatalf("at %v: %v forward, %v turned over", in, a, b)
			}
		}
	}
}

// Parameters that make no curve are refused, by name and with what is allowed.
func TestTMeasyRejectsInvalidCurves(t *testing.T) {
	for _, c := range []struct {
		parameter string
		value     float64
		allowed   string
	}{
		{"FMx_2N", 15601, "rises with the load"},
		{"sMy_2N", 0.33, "positive without load"},
		{"sE_2N", 0.65, "positive without load"},
		{"sSx_N", 0.24, "above that of sMx_N = 0.11"}, // the lines cross under the payload
		{"sSx_2N", 0.6, "above that of sMx_N = 0.11"},
		{"sSy_2N", 0.2, "above that of sMy_N = 0.16"},
		{"sE_N", 0.24, "above that of s0_N = 0.24"},
		{"FSx_N", 4000, "at most FMx_N = 3900"},
		{"FSy_2N", 7000, "at most FMy_2N = 6935"},
		{"cz", 0, "positive"},
		{"Cr", -1, "zero or positive"},
	} {
		_, _, err := tmeasySet(t, map[string]float64{c.parameter: c.value})
		if err == nil || !strings.Contains(err.Error(), c.parameter) || !strings.Contains(err.Error(), c.allowed) {
			t.Errorf("%s = %g: %v", c.parameter, c.value, err)
		}
	}
}
