package tire_test

import (
	"math"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/harness/tests/testrun"
	"skidpad/tire"
	"skidpad/tire/tiretest"
)

func made(t testing.TB, name string, p ...float64) tire.Function {
	t.Helper()
	f, err := tiretest.Lookup(t, name).New(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Section 9, with constant friction so that the switch points are known.
func TestFialaHasItsDocumentedShape(t *testing.T) {
	const d2, cs, ca, cr, mu, fz = 0.2, 1e5, 8e4, 0.01, 0.9, 4000.0
	f := made(t, "Fiala", d2, cs, ca, cr, mu, mu)
	at := func(s, alpha float64) []float64 {
		out := make([]float64, 5)
		f.Eval([]float64{fz, s, alpha, 50, 1, 1}, out)
		return out
	}
	n := mu * fz
	for _, switched := range []struct {
		name  string
		at    func(x float64) float64
		point float64
	}{
		{"Fx", func(x float64) float64 { return at(x, 0)[0] }, n / (2 * cs)},
		{"Fy", func(x float64) float64 { return at(0, x)[1] }, math.Atan(3 * n / ca)},
		{"Mz", func(x float64) float64 { return at(0, x)[4] }, math.Atan(3 * n / ca)},
	} {
		for _, sign := range []float64{-1, 1} {
			below, above := switched.at(sign*switched.point*(1-1e-9)), switched.at(sign*switched.point*(1+1e-9))
			if !(math.Abs(below-above) <= 1e-4) {
				t.Errorf("%s jumps from %g to %g at its switch point", switched.name, below, above)
			}
		}
	}
	const h = 1e-6
	if slope := (at(h, 0)[0] - at(-h, 0)[0]) / (2 * h); !(math.Abs(slope-cs) <= 1e-6*cs) {
		t.Errorf("dFx/dS = %g, want %g", slope, float64(cs))
	}
	if slope := (at(0, h)[1] - at(0, -h)[1]) / (2 * h); !(math.Abs(slope+ca) <= 1e-4*ca) {
		t.Errorf("dFy/dalpha = %g, want %g", slope, -float64(ca))
	}
	largest, where := 0.0, 0.0
	for alpha := 0.0; alpha < 0.2; alpha += 1e-5 {
		if m := math.Abs(at(0, alpha)[4]); m > largest || math.IsNaN(m) {
			largest, where = m, alpha
		}
	}
	if want := 27.0 / 256 * n * d2; !(math.Abs(largest-want) <= 1e-6*want) {
		t.Errorf("largest |Mz| = %g N m, want %g", largest, want)
	}
	if h := 1 - ca*math.Tan(where)/(3*n); !(math.Abs(h-0.75) <= 1e-3) {
		t.Errorf("largest |Mz| at H = %g, want 3/4", h)
	}
	for _, x := range []float64{-0.5, -0.05, 0.05, 0.5} {
		if !(at(x, 0)[0]*x > 0 && at(0, x)[1]*x < 0) {
			t.Errorf("slip %g: Fx = %g must have its sign, Fy = %g the opposite", x, at(x, 0)[0], at(0, x)[1])
		}
	}
}

// The sliding branch as corrected: the force stays on the side of the slip and
// tends to mu N (the printed sign would accelerate a locked wheel).
func TestFialaSlidesAgainstTheMotion(t *testing.T) {
	f := made(t, "Fiala", 0.2, 1e5, 8e4, 0.01, 1, 1)
	out := make([]float64, 5)
	f.Eval([]float64{5000, -1, 0, 0, 1, 1}, out)
	if want := -(5000 - 5000.0*5000/(4*1e5)); !(math.Abs(out[0]-want) <= 1e-9) {
		t.Errorf("locked wheel: Fx = %g N, want %g", out[0], want)
	}
}

func TestForcesAreFiniteAndContinuousThroughLiftOffAndStandstill(t *testing.T) {
	testrun.Slow(t)
	for name, parameters := range tiretest.Parameters(t, tires) {
		k := tiretest.Lookup(t, name)
		if k.Inputs[0] != "Fz" || len(k.Outputs) != 5 {
			continue
		}
		f := made(t, name, parameters...)
		eval := func(fz, s, alpha, omega float64) [5]float64 {
			in := make([]float64, len(k.Inputs))
			for i, n := range k.Inputs {
				in[i] = map[string]float64{"Fz": fz, "S": s, "alpha": alpha, "Omega": omega, "mu": 1, "Reff": 0.35,
					"direction": 1}[n]
			}
			var out [5]float64
			f.Eval(in, out[:])
			for i, v := range out {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s: output %d = %v at %v", name, i, v, in)
				}
			}
			return out
		}
		for _, s := range []float64{-1, -0.1, 0, 0.1, 3} {
			for _, alpha := range []float64{-1.5, -0.1, 0, 0.2, 1.5} {
				if eval(0, s, alpha, 10) != [5]float64{} || eval(-5, s, alpha, 10) != [5]float64{} {
					t.Errorf("%s: force in the air", name)
				}
				for fz := 1e-12; fz < 1e5; fz *= 3 {
					for i, v := range eval(fz, s, alpha, 10) {
						if !(math.Abs(v) <= 40*fz) {
							t.Errorf("%s: output %d = %g at Fz = %g N: forces must vanish with the load", name, i, v,
								fz)
						}
					}
				}
				last := eval(4000, s, alpha, -0.01)
				for omega := -0.01; omega <= 0.01; omega += 1e-5 {
					now := eval(4000, s, alpha, omega)
					for i := range now {
						if i == 3 && omega >= 0 && omega < 1e-5 {
							continue // the rolling resistance turns
						}
						if !(math.Abs(now[i]-last[i]) <= 3) {
							t.Fatalf("%s: output %d jumps by %g at Omega = %g rad/s", name, i, now[i]-last[i], omega)
						}
					}
					last = now
				}
			}
		}
		if !(eval(4000, 0, 0, 0)[3] < 0 && eval(4000, 0, 0, -1)[3] > 0) {
			t.Errorf("%s: rolling resistance must oppose the spin, with sgn(0) = +1", name)
		}
	}
}

func TestRelaxationIsRegularAtStandstillAndLiftOff(t *testing.T) {
	_, p := fromFile(t, "stretched_string")
	f := made(t, "StretchedString", p...)
	out := make([]float64, 2)
	f.Eval([]float64{0, 0, 1, 2, 3, 4, 0.1, 0.2}, out)
	if out[0] != 0 || out[1] != 0 {
		t.Errorf("in the air the slips move: %v", out)
	}
	f.Eval([]float64{4000, 0, 0, 0, 0, 0, 0.1, -0.2}, out)
	if out[0] != 0 || out[1] != 0 {
		t.Errorf("at standstill the slips move: %v", out)
	}
	for fz := 1e-9; fz < 1e4; fz *= 10 {
		f.Eval([]float64{fz, 0, 1, 1, 10, 10, 0.5, 0.5}, out)
		for _, v := range out {
			if !(math.Abs(v) <= 1e5) {
				t.Errorf("Fz = %g N: rate %g", fz, v)
			}
		}
	}
}

// As the load vanishes the lengths stop at a millimetre: the rates stay finite
// and do not depend on the load any more.
func TestRelaxationLengthIsAtLeastAMillimetre(t *testing.T) {
	_, p := fromFile(t, "stretched_string")
	f := made(t, "StretchedString", p...)
	for _, fz := range []float64{1e-300, 1e-3, 5} {
		long, lat := lengths(f, fz, 0.1)
		if !(math.Abs(long-1e-3) <= 1e-15 && math.Abs(lat-1e-3) <= 1e-15) {
			t.Errorf("Fz = %g N: lengths %g and %g m", fz, long, lat)
		}
	}
}

// Without slip the derivatives are the documented ones, exactly: dFx/dS = CS,
// dFy/dalpha = -Calpha, and the pneumatic trail is D2/3.
func TestFialaJacobianWithoutSlipIsItsStiffness(t *testing.T) {
	const d2, cs, ca = 0.24, 1e5, 8e4
	jac := make([]float64, 30)
	made(t, "Fiala", d2, cs, ca, 0.01, 1, 0.5).(tire.Differentiable).Jacobian([]float64{4000, 0, 0, 9, 1, 1}, jac)
	for row, want := range [][2]float64{0: {cs, 0}, 1: {0, -ca}, 4: {0, ca * d2 / 3}} {
		if got := [2]float64(jac[6*row+1 : 6*row+3]); !(math.Abs(got[0]-want[0])+math.Abs(got[1]-want[1]) <= 1e-9) {
			t.Errorf("output %d by S and alpha: %v, want %v", row, got, want)
		}
	}
}

// Steady state: q1 = -VEx/|V*Ex| and q2 = VPy/|V*Px|, as kinematic slip has it.
func TestDelayedSlipSettlesAtKinematicSlip(t *testing.T) {
	for name, parameters := range tiretest.Parameters(t, tires) {
		k := tiretest.Lookup(t, name)
		if k.Outputs[0] != "q1dot" {
			continue
		}
		in := make([]float64, len(k.Inputs))
		for i, n := range k.Inputs {
			in[i] = map[string]float64{"Fz": 4000, "VPy": 0.7, "VEx": -0.4, "VPx": -0.4 * 9 / 8, "wn": 0.9, "VPxs": -9,
				"VExs": 8, "q1": 0.4 / 8, "q2": 0.7 / 9, "q3": -0.1}[n]
		}
		out := make([]float64, len(k.Outputs))
		made(t, name, parameters...).Eval(in, out)
		for i, rate := range out {
			if !(math.Abs(rate) <= 1e-15) {
				t.Errorf("%s: %s = %g at kinematic slip", name, k.Outputs[i], rate)
			}
		}
	}
}

// Section 7: frozen only while too large, still growing, and slow.
func TestLimitingAlgorithmFreezesOnlyGrowth(t *testing.T) {
	_, p := fromFile(t, "stretched_string")
	plain, limited := made(t, "StretchedString", p...),
		made(t, "StretchedStringLimited", append(append([]float64(nil), p...), 2.5, 1, 1)...)
	for _, c := range []struct {
		name           string
		speed, q1, vex float64
		frozen         bool
	}{
		{"growing at low speed", 1, 1.2, -3, true},
		{"shrinking at low speed", 1, 1.2, 3, false},
		{"growing at high speed", 5, 1.2, -30, false},
		{"small slip", 1, 0.5, -3, false},
		{"negative, growing", 1, -1.2, 3, true},
	} {
		in := []float64{4000, 0, 0, c.vex, c.speed, c.speed, c.q1, 0}
		a, b := make([]float64, 2), make([]float64, 2)
		plain.Eval(in, a)
		limited.Eval(in, b)
		if frozen := b[0] == 0 && a[0] != 0; frozen != c.frozen || (!frozen && a[0] != b[0]) {
			t.Errorf("%s: plain %g, limited %g", c.name, a[0], b[0])
		}
	}
}

// The lateral slip has its own speed and threshold, an angle while q2 is its tangent.
func TestLimitingAlgorithmFreezesGrowthOfTheSlipAngle(t *testing.T) {
	_, p := fromFile(t, "stretched_string")
	plain, limited := made(t, "StretchedString", p...),
		made(t, "StretchedStringLimited", append(append([]float64(nil), p...), 2.5, 1, 1)...)
	for _, c := range []struct {
		name           string
		speed, q2, vpy float64
		frozen         bool
	}{
		{"growing at low speed", 1, 1.6, 3, true},
		{"angle under a radian, tangent over 1", 1, 1.5, 3, false},
		{"shrinking at low speed", 1, 1.6, -3, false},
		{"growing at high speed", 5, 1.6, 30, false},
		{"negative, growing, in reverse", -1, -1.6, -3, true},
	} {
		in := []float64{4000, 0, c.vpy, 0, c.speed, 9, 1.2, c.q2}
		a, b := make([]float64, 2), make([]float64, 2)
		plain.Eval(in, a)
		limited.Eval(in, b)
		if frozen := b[1] == 0 && a[1] != 0; frozen != c.frozen || (!frozen && a[1] != b[1]) || a[0] != b[0] {
			t.Errorf("%s: plain %g, limited %g", c.name, a, b)
		}
		jac := make([]float64, 16)
		limited.(tire.Differentiable).Jacobian(in, jac)
		if moves := jac[8+2] != 0; moves == c.frozen {
			t.Errorf("%s: d(q2dot)/d(VPy) = %g", c.name, jac[8+2])
		}
	}
}

func FuzzEval(f *testing.F) {
	fuzzinputs.Add(f, 4000.0, 0.1, 0.1, 10.0, 0.05, 20.0, 1.0)
	fuzzinputs.Add(f, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
	fuzzinputs.Add(f, 1e-300, 1e300, 1.57, -1e-9, 1.5, 1e9, 1e-9)
	functions := map[string]tire.Function{}
	for name, p := range tiretest.Parameters(f, tires) {
		functions[name] = made(f, name, p...)
	}
	fuzzinputs.Add(f, -1e308, -1e308, 1e308, 1e308, -1e308, 1e308, 1e308)
	fuzzinputs.Add(f, 5e-324, 5e-324, 5e-324, 5e-324, 5e-324, 5e-324, 5e-324)
	fuzzinputs.Add(f, 1e308, 0.0, 0.0, 0.0, math.Sqrt(0.2), -1e308, -1.0) // friction vanishes at this inclination
	f.Fuzz(func(t *testing.T, fz, s, alpha, omega, gamma, speed, mu float64) {
		for _, v := range []float64{fz, s, alpha, omega, gamma, speed, mu} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return
			}
		}
		values := map[string]float64{"Fz": fz, "S": s, "alpha": alpha, "Omega": omega, "gamma": gamma, "VCx": speed,
			"mu": mu, "Reff": 0.3,
			"VPy": speed, "VEx": speed, "VPxs": speed, "VExs": speed, "wn": omega, "q1": s, "q2": s, "direction": speed}
		for name, fn := range functions {
			k := tiretest.Lookup(t, name)
			in := make([]float64, len(k.Inputs))
			for i, n := range k.Inputs {
				in[i] = values[n]
			}
			out := make([]float64, len(k.Outputs))
			fn.Eval(in, out)
			for i, v := range out {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s: %s = %v at %v", name, k.Outputs[i], v, in)
				}
			}
			jac := make([]float64, len(in)*len(out))
			fn.(tire.Differentiable).Jacobian(in, jac)
			for i, v := range jac {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s: d(%s)/d(%s) = %v at %v", name, k.Outputs[i/len(in)], k.Inputs[i%len(in)], v, in)
				}
			}
		}
	})
}

// A nominal road leaves no trace: not a bit differs from the model without mu.
func TestNominalFrictionScaleChangesNothing(t *testing.T) {
	out := make([]float64, 5)
	for _, p := range points(t) {
		function(t, "fiala_generic4w").Eval([]float64{p.Fz, p.S, p.Alpha, p.Omega, 1, 1}, out)
		n := (1.22 - math.Min(math.Sqrt(p.S*p.S+math.Tan(p.Alpha)*math.Tan(p.Alpha)), 1)*(1.22-0.2)) * p.Fz
		want := 115000 * p.S
		if 2*115000*math.Abs(p.S) > n {
			want = math.Copysign(n*(1-n/(4*math.Abs(p.S)*115000)), p.S)
		}
		if out[0] != want {
			t.Errorf("Fx = %.17g N, without mu %.17g", out[0], want)
		}
	}
}

// On half the friction a sliding wheel transmits half the force; its stiffness
// and rolling resistance stay.
func TestFialaFrictionScalesSlidingOnly(t *testing.T) {
	f := made(t, "Fiala", 0.2, 1e5, 8e4, 0.01, 1, 0.7)
	dry, wet := make([]float64, 5), make([]float64, 5)
	f.Eval([]float64{4000, 0, 1, 9, 1, 1}, dry)
	f.Eval([]float64{4000, 0, 1, 9, 0.5, 1}, wet)
	if dry[1] != 2*wet[1] || dry[3] != wet[3] || dry[3] != -40 {
		t.Errorf("sliding sideways: dry %v, wet %v", dry, wet)
	}
	f.Eval([]float64{4000, 0.001, 0, 9, 1, 1}, dry)
	f.Eval([]float64{4000, 0.001, 0, 9, 0.5, 1}, wet)
	if dry[0] != 100 || wet[0] != 100 {
		t.Errorf("adhering: Fx dry %g, wet %g N, want CS S = 100", dry[0], wet[0])
	}
}

// Forces vary continuously from driving to braking and from forward to reverse,
// at any load: no step of a fine walk through slip is larger than stiffness allows.
func TestForcesAreContinuousInSlip(t *testing.T) {
	testrun.Slow(t)
	for _, name := range []string{"Fiala", "Pacejka02"} {
		k := tiretest.Lookup(t, name)
		f := made(t, name, tiretest.Parameters(t, tires)[name]...)
		at := func(fz, s, alpha float64) (out [5]float64) {
			in := make([]float64, len(k.Inputs))
			for i, n := range k.Inputs {
				in[i] = map[string]float64{"Fz": fz, "S": s, "alpha": alpha, "Omega": 30, "mu": 1, "Reff": 0.35,
					"VCx": 10, "gamma": 0.02, "direction": 1}[n]
			}
			f.Eval(in, out[:])
			return out
		}
		const step, stiffness = 5e-5, 5e5
		for i, fz := range []float64{50, 4000, 9000} {
			for j, other := range []float64{-0.5, 0, 0.03} {
				if !testrun.All() && i != j { // each load, and each slip across
					continue
				}
				along, across := at(fz, -0.6, other), at(fz, other, -0.6)
				for x := -0.6; x < 0.6; x += step {
					a, b := at(fz, x, other), at(fz, other, x)
					for i := range a {
						if !(math.Abs(a[i]-along[i]) <= stiffness*step && math.Abs(b[i]-across[i]) <= stiffness*step) {
							t.Fatalf("%s: output %d jumps by %g or %g at slip %g, Fz = %g N", name, i, a[i]-along[i],
								b[i]-across[i], x, fz)
						}
					}
					along, across = a, b
				}
			}
		}
	}
}
