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

// calspanSet is the shipped parameter set by name, with some values replaced.
func calspanSet(t *testing.T, replaced map[string]float64) (func(string) float64, tire.Function, error) {
	t.Helper()
	k := tiretest.Lookup(t, "Calspan")
	p := slices.Clone(tiretest.Parameters(t, tires)["Calspan"])
	at := func(name string) int {
		return slices.IndexFunc(k.Parameters, func(i tire.ParameterInfo) bool { return i.Name == name })
	}
	for name, value := range replaced {
		p[at(name)] = value
	}
	f, err := k.New(p)
	return func(name string) float64 { return p[at(name)] }, f, err
}

func calspanForces(f tire.Function, fz, s, alpha, v, mu float64) (fx, fy float64) {
	out := make([]float64, 5)
	f.Eval([]float64{fz, s, alpha, 60, v, mu}, out)
	return out[0], out[1]
}

func isNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
		t.Errorf("%s is %.9g; want %.9g", what, got, want)
	}
}

// Numbers of a program of its own, at 3000 N.
func TestCalspanForces(t *testing.T) {
	_, f, err := calspanSet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	const degree = math.Pi / 180
	for deg, want := range map[float64]float64{2: -1015.156, 4: -1815.771, 8: -2422.258, 15: -2462.292} {
		fx, fy := calspanForces(f, 3000, 0, deg*degree, 20, 1)
		isNear(t, "side force", fy, want)
		if fx != 0 {
			t.Errorf("without longitudinal slip Fx is %g N", fx)
		}
	}
	for _, c := range [][4]float64{
		{-0.05, 0, -2208.329, 0}, {0.05, 0, 2107.594, 0},
		{-0.05, 0.05, -2014.709, -1111.263}, {0.05, 0.05, 1957.811, -1079.880},
	} {
		fx, fy := calspanForces(f, 3000, c[0], c[1], 20, 1)
		isNear(t, "longitudinal force", fx, c[2])
		isNear(t, "side force", fy, c[3])
	}
	jac := make([]float64, 30)
	f.(tire.Differentiable).Jacobian([]float64{3000, 0, 0, 60, 20, 1}, jac)
	isNear(t, "longitudinal stiffness", jac[1], 56100)
	isNear(t, "cornering stiffness", -jac[6+2], 29897.29)
}

// Up to a load, the cornering stiffness is the polynomial of the load; at this load it has fallen to its value without
// load. The longitudinal stiffness is proportional to the load. The derivatives of the forces have these slopes, too.
func TestCalspanStiffnesses(t *testing.T) {
	value, f, err := calspanSet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	const pound = 0.45359237 * 9.80665 // N
	jac := make([]float64, 30)
	for _, fz := range []float64{100, 1000, 4511, 9000, 9100, 20000} {
		load := min(fz/pound, value("A2"))
		want := (value("A0") + value("A1")*load - value("A1")/value("A2")*load*load) * pound
		for _, v := range []float64{20, -20, 0} {
			f.(tire.Differentiable).Jacobian([]float64{fz, 0, 0, 60, v, 0.7}, jac)
			if math.Abs(jac[6+2]+want) > 1e-9*want || math.Abs(jac[1]-value("CS_FZ")*fz) > 1e-9*fz {
				t.Errorf("%g N, %g m/s: dFy/dalpha %g, dFx/dS %g; want %g, %g", fz, v, jac[6+2], jac[1], -want,
					value("CS_FZ")*fz)
			}
		}
		const h = 1e-6
		_, fy := calspanForces(f, fz, 0, h, 20, 0.7)
		fx, _ := calspanForces(f, fz, h, 0, 20, 0.7)
		if math.Abs(fy/h+want) > 2e-3*want || math.Abs(fx/h-value("CS_FZ")*fz) > 1e-3*fz {
			t.Errorf("%g N: slopes %g, %g; want %g, %g", fz, fy/h, fx/h, -want, value("CS_FZ")*fz)
		}
	}
}

// No force is above the friction; sliding sideways it is what K_mu leaves of it. Forces are against the slip, symmetric
// to both sides, and in reverse those of the wheel turned round.
func TestCalspanKeepsTheFrictionAndTheSymmetry(t *testing.T) {
	value, f, err := calspanSet(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, steep, err := calspanSet(t, map[string]float64{"C3": 0.1}) // its saturation would rise to 1.4
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(77, 78))
	for i := range 4000 {
		f := []tire.Function{f, steep}[i%2]
		fz, mu := 12000*r.Float64(), 0.2+r.Float64()
		s, alpha := math.Tan(3*(r.Float64()-0.5)), 3*(r.Float64()-0.5)
		x, y := calspanForces(f, fz, s, alpha, 20, mu)
		if math.Hypot(x, y) > mu*value("mu0")*fz*(1+1e-12) {
			t.Fatalf("%g N, slip %g, %g rad: force %g, %g N with the friction %g", fz, s, alpha, x, y, mu*value("mu0"))
		}
		if x*s < 0 || y*alpha > 0 {
			t.Fatalf("slip %g, %g rad: force %g, %g N along the sliding", s, alpha, x, y)
		}
		xm, ym := calspanForces(f, fz, s, -alpha, 20, mu)
		xr, yr := calspanForces(f, fz, -s, alpha, -20, mu)
		if xm != x || ym != -y || math.Abs(xr+x)+math.Abs(yr-y) > 1e-9*fz {
			t.Fatalf("slip %g, %g rad: %g, %g N; to the other side %g, %g; in reverse %g, %g", s, alpha, x, y, xm, ym, xr,
				yr)
		}
	}
	_, fy := calspanForces(f, 1e-3, 0, math.Pi/2, 20, 1)
	isNear(t, "force of sliding sideways", fy, -value("mu0")*(1-value("K_mu"))*1e-3)
	low, _ := calspanForces(f, 3000, -0.99, 0.1, 20, 1)
	locked, _ := calspanForces(f, 3000, -1, 0.1, 20, 1)
	spinning, _ := calspanForces(f, 3000, -5, 0.1, 20, 1)
	if low != locked || locked != spinning {
		t.Errorf("braked with slips of 0.99, 1 and 5: %g, %g, %g N", low, locked, spinning)
	}
	if full, more := math.Abs(low), value("mu0")*3000; full > more || full < 0.5*more {
		t.Errorf("a locked wheel has %g N", low)
	}
}

// With less friction the force of little slip stays, that of much slip is proportional to it: F(mu s) of a curve
// without loss by sliding is mu F(s).
func TestCalspanFrictionScalesTheSaturation(t *testing.T) {
	_, f, err := calspanSet(t, map[string]float64{"K_mu": 0})
	if err != nil {
		t.Fatal(err)
	}
	for tan := 0.001; tan < 1; tan *= 1.7 {
		_, full := calspanForces(f, 3000, 0, math.Atan(tan), 20, 1)
		_, part := calspanForces(f, 3000, 0, math.Atan(0.3*tan), 20, 0.3)
		if math.Abs(part-0.3*full) > 1e-9*math.Abs(full) {
			t.Errorf("tan alpha %g: %g N with the friction 0.3, %g N with 1", tan, part, full)
		}
	}
}

func TestCalspanRefusesParameters(t *testing.T) {
	for _, c := range []struct {
		parameter string
		value     float64
		allowed   string
	}{
		{"A0", 0, "positive"}, {"A2", -1, "positive"}, {"CS_FZ", 0, "positive"}, {"C1", 0, "positive"},
		{"mu0", -0.1, "positive"}, {"K_mu", 1.1, "at most 1"}, {"K_mu", -0.1, "zero or positive"},
		{"C3", -1, "zero or positive"}, {"Cr", -1, "zero or positive"},
	} {
		_, _, err := calspanSet(t, map[string]float64{c.parameter: c.value})
		if err == nil || !strings.Contains(err.Error(), c.allowed) {
			t.Errorf("%s = %g: %v", c.parameter, c.value, err)
		}
	}
}
