package tire_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// rolling are the arguments of an upright wheel that rolls forward at 20 m/s, with others in their place.
func rolling(others map[string]float64) func(name string) float64 {
	return func(name string) float64 {
		if x, is := others[name]; is {
			return x
		}
		switch name {
		case "Fz":
			return 4000
		case "mu", "direction":
			return 1
		case "VCx", "VPxs", "VExs":
			return 20
		case "Omega":
			return 60
		case "Reff", "Rl", "depth":
			return 20. / 60
		}
		return 0
	}
}

// peakOf searches a peak.
func peakOf(t *testing.T, f tire.Function, k *tire.Kind, axis tire.Axis, side float64,
	at map[string]float64) tire.Peak {
	t.Helper()
	s, err := tire.NewPeakSearch(f, k)
	if err != nil {
		t.Fatal(err)
	}
	s.Arrange(axis, side, rolling(at))
	p, err := s.Find()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// parametrised makes a built-in function, with some parameters replaced.
func parametrised(t *testing.T, name string, values map[string]float64) (tire.Function, *tire.Kind,
	func(name string) float64) {
	t.Helper()
	k := tiretest.Lookup(t, name)
	p := slices.Clone(tiretest.Parameters(t, "../resources/tires")[name])
	at := func(name string) int {
		i := slices.IndexFunc(k.Parameters, func(p tire.ParameterInfo) bool { return p.Name == name })
		if i < 0 {
			t.Fatalf("%s has no parameter %s", k.Name, name)
		}
		return i
	}
	for name, x := range values {
		p[at(name)] = x
	}
	f, err := k.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return f, k, func(name string) float64 { return p[at(name)] }
}

// near fails unless a number is a reference to a relative error.
func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if !(math.Abs(got-want) <= share*math.Abs(want)) {
		t.Errorf("%s: %.16g, not %.16g", what, got, want)
	}
}

// sides are both axes, and both signs of slip.
func sides(do func(what string, axis tire.Axis, side float64)) {
	for _, side := range [...]float64{1, -1} {
		do(fmt.Sprintf("kappa, side %g", side), tire.Longitudinal, side)
		do(fmt.Sprintf("alpha, side %g", side), tire.Lateral, side)
	}
}

// Where C > 1 and E < 1, the sine of the Magic Formula reaches 1. The largest force is D + SV for any B, E, SH, where
// B x - E (B x - arctan B x) = tan(pi/2C).
func TestPeaksOfTheMagicFormula(t *testing.T) {
	f, k, p := parametrised(t, "Pacejka02", nil)
	for _, fz := range [...]float64{1500, 4000, 7000} {
		for _, mu := range [...]float64{0.3, 1} {
			df := (fz - p("Fz0")*p("LFz0")) / (p("Fz0") * p("LFz0"))
			sides(func(what string, axis tire.Axis, side float64) {
				c, d := p("PCx1")*p("LCx"), (p("PDx1")+p("PDx2")*df)*fz*p("Lmux")*mu
				stiff := fz * (p("PKx1") + p("PKx2")*df) * math.Exp(p("PKx3")*df) * p("LKx")
				e := (p("PEx1") + p("PEx2")*df + p("PEx3")*df*df) * (1 - p("PEx4")*side) * p("LEx")
				sh, sv := (p("PHx1")+p("PHx2")*df)*p("LHx"), fz*(p("PVx1")+p("PVx2")*df)*p("LVx")*p("Lmux")*mu
				if axis == tire.Lateral {
					c, d = p("PCy1")*p("LCy"), (p("PDy1")+p("PDy2")*df)*fz*p("Lmuy")*mu
					// in ISO axes PKy1 is below 0, and so is the force to positive angles
					stiff = p("PKy1") * p("Fz0") * p("LFz0") * math.Sin(2*math.Atan(fz/(p("PKy2")*p("Fz0")*p("LFz0")))) * p("LKy")
					e = (p("PEy1") + p("PEy2")*df) * (1 - p("PEy3")*side) * p("LEy")
					sh, sv = (p("PHy1")+p("PHy2")*df)*p("LHy"), fz*(p("PVy1")+p("PVy2")*df)*p("LVy")*p("Lmuy")*mu
				}
				if !(c > 1 && e < 1) {
					t.Fatalf("C %g, E %g", c, e)
				}
				low, high := 0.0, 1000.0 // of Bx
				for range 200 {
					if x := (low + high) / 2; x-e*(x-math.Atan(x)) < math.Tan(math.Pi/(2*c)) {
						low = x
					} else {
						high = x
					}
				}
				slip := side*low*math.Abs(c*d/stiff) - sh
				got := peakOf(t, f, k, axis, side, map[string]float64{"Fz": fz, "mu": mu})
				against := side
				if axis == tire.Lateral {
					against = -side
				}
				what = fmt.Sprintf("%s, %g N, mu %g", what, fz, mu)
				near(t, what+": force", got.Force, math.Abs(d)+against*sv, 1e-12)
				near(t, what+": slip", got.Slip, slip, 1e-7)
				if !got.Found {
					t.Errorf("%s: none", what)
				}
			})
		}
	}
}

// Fiala's tire with friction falling from mu0 to mu1, along: n - n^2/(4 C S) with n = a - b S has its largest value at
// S = a/sqrt(b (4 C + b)). Across, with friction that does not fall, all of the contact slides from tan alpha = 3 n/C
// on.
func TestPeaksOfFialasTire(t *testing.T) {
	f, k, p := parametrised(t, "Fiala", nil)
	for _, fz := range [...]float64{500, 4000, 9000} {
		for _, side := range [...]float64{1, -1} {
			a, b, c := p("mu0")*fz, (p("mu0")-p("mu1"))*fz, p("CS")
			slip := a / math.Sqrt(b*(4*c+b))
			n := a - b*slip
			got := peakOf(t, f, k, tire.Longitudinal, side, map[string]float64{"Fz": fz})
			near(t, "kappa", got.Slip, side*slip, 1e-8)
			near(t, "Fx", got.Force, n-n*n/(4*c*slip), 1e-13)
		}
	}
	f, k, p = parametrised(t, "Fiala", map[string]float64{"mu1": 1.22})
	for _, side := range [...]float64{1, -1} {
		got := peakOf(t, f, k, tire.Lateral, side, map[string]float64{"mu": 0.8})
		near(t, "alpha", got.Slip, side*math.Atan(3*0.8*p("mu0")*4000/p("Calpha")), 1e-7)
		near(t, "Fy", got.Force, 0.8*p("mu0")*4000, 1e-13)
		if along := peakOf(t, f, k, tire.Longitudinal, side, nil); along.Found || along.Slip != side || !got.Found {
			t.Errorf("along it rises for ever: %+v, across it does not: %+v", along, got)
		}
	}
}

// A brush tire with bounded friction slides from the slip mu0 Fz/C on with the force mu0 Fz. Camber thrust adds to it
// on one side. Without a bound its force rises for ever.
func TestPeaksOfTheBrushTire(t *testing.T) {
	f, k, p := parametrised(t, "Brush", nil)
	free, _, _ := parametrised(t, "Brush", map[string]float64{"mu0": 0})
	thrust := p("camber") * 4000 * math.Sin(0.1)
	sides(func(what string, axis tire.Axis, side float64) {
		got := peakOf(t, f, k, axis, side, map[string]float64{"gamma": 0.1})
		slip, force := p("mu0")*4000/p("Ck"), p("mu0")*4000
		if axis == tire.Lateral {
			slip, force = math.Atan(p("mu0")*4000/p("Ca")), force+side*thrust
		}
		near(t, what+": slip", got.Slip, side*slip, 1e-14)
		near(t, what+": force", got.Force, force, 1e-14)
		end := side
		if axis == tire.Lateral {
			end = side * 1.5
		}
		if on := peakOf(t, free, k, axis, side, nil); on.Found || on.Slip != end || !got.Found {
			t.Errorf("%s: free %+v, bounded %+v", what, on, got)
		}
	})
}

// The parameters sM and FM of TMeasy are the peaks at the payload, by the slip that refers to the speed of the tread.
func TestPeaksOfTMeasy(t *testing.T) {
	f, k, p := parametrised(t, "TMeasy", nil)
	sides(func(what string, axis tire.Axis, side float64) {
		for _, mu := range [...]float64{0.5, 1} {
			got := peakOf(t, f, k, axis, side, map[string]float64{"Fz": p("FzN"), "mu": mu})
			slip, force := mu*p("sMx_N")/(1-side*mu*p("sMx_N")), mu*p("FMx_N")
			if axis == tire.Lateral {
				slip, force = math.Atan(mu*p("sMy_N")), mu*p("FMy_N")
			}
			near(t, what+": slip", got.Slip, side*slip, 1e-9)
			near(t, what+": force", got.Force, force, 1e-14)
		}
	})
}

// No point of a dense scan has a larger force than a peak, and the slope at the peak is at most 1e-8 of the slope
// without slip. This holds for every force function at random arguments.
func TestNoForceIsLargerThanThePeak(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range tire.Names() {
		k := tiretest.Lookup(t, name)
		if tire.IsRelaxation(k) || name == "inputs" {
			continue
		}
		f, _, _ := parametrised(t, name, nil)
		checkPeaks(t, f, k, r, testrun.Either(6, 20))
		if tire.Combinable(k) {
			f, err := k.Make(tiretest.Parameters(t, "../resources/tires")[name], tire.CombinedByEllipse)
			if err != nil {
				t.Fatal(err)
			}
			checkPeaks(t, f, k, r, testrun.Either(6, 20))
		}
	}
}

// checkPeaks compares peaks with scans at random arguments.
func checkPeaks(t *testing.T, f tire.Function, k *tire.Kind, r *rand.Rand, times int) {
	t.Helper()
	out := make([]float64, len(k.Outputs))
	for range times {
		at := map[string]float64{}
		for i, x := range tiretest.Sample(r, k.Inputs) {
			at[k.Inputs[i]] = x
		}
		sides(func(what string, axis tire.Axis, side float64) {
			got := peakOf(t, f, k, axis, side, at)
			force := func(slip float64) float64 {
				in := make([]float64, len(k.Inputs))
				for i, name := range k.Inputs {
					in[i] = at[name]
					if name == "S" || name == "alpha" {
						in[i] = 0
					}
					if name == [...]string{"S", "alpha"}[axis] {
						in[i] = slip
					}
				}
				f.Eval(in, out)
				if axis == tire.Lateral {
					return -side * out[1]
				}
				return side * out[0]
			}
			what = fmt.Sprintf("%s, %s at %v", k.Name, what, at)
			if x := force(got.Slip); math.Abs(x-got.Force) > 1e-14*math.Abs(x) {
				t.Errorf("%s: the force at %g is %g, not %g", what, got.Slip, x, got.Force)
			}
			end := 1.0
			if axis == tire.Lateral {
				end = 1.5
			}
			points := testrun.Either(300, 2000)
			for i := range points + 1 {
				share := float64(i) / float64(points)
				for _, slip := range [...]float64{end * share, end * math.Pow(share, 4)} {
					if x := force(side * slip); x > got.Force+1e-9*math.Abs(got.Force) {
						t.Fatalf("%s: the force %.12g at %g is above the peak %+v", what, x, slip, got)
					}
				}
			}
			if !got.Found {
				if got.Force > force(got.Slip)*(1+1e-12) || got.Slip != 0 && force(got.Slip*(1-1e-4)) > got.Force {
					t.Errorf("%s: %+v is not the end of a rising curve", what, got)
				}
				return
			}
			steep := (force(1e-6) - force(-1e-6)) / 2e-6
			for _, h := range [...]float64{1e-4 * got.Slip, -1e-4 * got.Slip} { // of a curve that can be bent there
				at := func(k float64) float64 { return force(got.Slip + k*h) }
				slope := (18*at(1) - 9*at(2) + 2*at(3) - 11*at(0)) / (6 * h)
				kink := strings.HasPrefix(k.Name, "Brush") && h*side < 0 // friction bounds the force from there on
				if !(math.Abs(slope) <= 1e-8*math.Abs(steep)) && !kink {
					t.Errorf("%s: the slope at %+v is %g, without slip it is %g", what, got, slope, steep)
				}
			}
		})
	}
}

// Curves of a file's range end there: KPUMAX and ALPMAX.
func TestPeaksEndWithTheRange(t *testing.T) {
	k := tiretest.Lookup(t, "MF61")
	values := slices.Clone(tiretest.Parameters(t, "../resources/tires")["MF61"])
	if len(values) != len(k.Parameters)+len(k.Optional) {
		t.Fatal("the file has no ranges")
	}
	for i, o := range k.Optional {
		switch o.Name {
		case "Smin", "alphamin":
			values[len(k.Parameters)+i] = -0.03
		case "Smax", "alphamax":
			values[len(k.Parameters)+i] = 0.02
		}
	}
	f, err := k.New(values)
	if err != nil {
		t.Fatal(err)
	}
	sides(func(what string, axis tire.Axis, side float64) {
		want := 0.02
		if side < 0 {
			want = -0.03
		}
		if got := peakOf(t, f, k, axis, side, nil); got.Found || got.Slip != want {
			t.Errorf("%s: %+v", what, got)
		}
	})
}

// Peaks are finite numbers whatever the arguments are, and the force is never below that without slip.
func TestPeaksAtExtremeArguments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sizes := [...]float64{0, 1e-300, 1e-99, 1e-12, 1e-3, 1, 50, 1e4, 1e9, 1e300}
	for _, name := range tire.Names() {
		k := tiretest.Lookup(t, name)
		if k.FollowsSlip() != nil || tire.IsRelaxation(k) {
			continue
		}
		f, _, _ := parametrised(t, name, nil)
		for range testrun.Either(100, 2000) {
			at := map[string]float64{}
			for _, input := range k.Inputs {
				at[input] = sizes[r.IntN(len(sizes))] * float64(1-2*r.IntN(2))
			}
			sides(func(what string, axis tire.Axis, side float64) {
				got := peakOf(t, f, k, axis, side, at)
				out := make([]float64, len(k.Outputs))
				in := make([]float64, len(k.Inputs))
				for i, input := range k.Inputs {
					if in[i] = at[input]; input == "S" || input == "alpha" {
						in[i] = 0
					}
				}
				f.Eval(in, out)
				without := side * out[0]
				if axis == tire.Lateral {
					without = -side * out[1]
				}
				if math.IsInf(got.Force, 0) || math.Abs(got.Slip) > 100 || got.Force < without-1e-9*math.Abs(without) {
					t.Errorf("%s, %s at %v: %+v, without slip %g", name, what, at, got, without)
				}
			})
		}
	}
}

// tent is a force function that tells no derivatives: tents over both slips with steep and flat sides, and with their
// tops at the slip 0.07.
type tent struct{ smooth bool }

func (f tent) Eval(in, out []float64) {
	clear(out)
	for i, slip := range in[:2] {
		rest := math.Max(0, (4-math.Abs(slip)/0.07)/3)
		if x := math.Abs(slip) / 0.07; f.smooth {
			rest = 2 / (1/x + x)
		} else if x < 1 {
			rest = x
		}
		out[i] = math.Copysign(3000*rest, slip)
	}
	out[1] = -out[1]
}

// Functions that tell no derivatives are differentiated. The top of a curve with a kink is found, too.
func TestPeaksByDifferences(t *testing.T) {
	for _, smooth := range [...]bool{true, false} {
		for _, inputs := range [...][]string{{"S", "alpha"}, {"q1", "q2"}} {
			k := &tire.Kind{Name: "Tent", Inputs: inputs, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"}}
			sides(func(what string, axis tire.Axis, side float64) {
				got := peakOf(t, tent{smooth}, k, axis, side, nil)
				near(t, what+": force", got.Force, 3000, 1e-9)
				slip := 0.07
				if axis == tire.Lateral && inputs[1] == "q2" {
					slip = math.Atan(0.07)
				}
				near(t, what+": slip", got.Slip, side*slip, 1e-6)
			})
		}
	}
}

// shaped is a longitudinal force over the slip by a formula, with its slope.
type shaped func(slip float64) (force, slope float64)

func (f shaped) Eval(in, out []float64) {
	clear(out)
	out[0], _ = f(math.Abs(in[0]))
	out[0] = math.Copysign(out[0], in[0])
}

func (f shaped) Jacobian(in, jac []float64) {
	clear(jac)
	_, jac[0] = f(math.Abs(in[0]))
}

// Of two humps the higher one is found wherever both are, also if it is higher by a share of 1e-3 alone. A force that
// falls by a step has its peak before the step. A plateau with noise of rounding begins where its slope does.
func TestPeaksOfOddCurves(t *testing.T) {
	k := &tire.Kind{Name: "Shaped", Inputs: []string{"S", "alpha"}, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"}}
	hump := func(x, at, high float64) (force, slope float64) {
		z := 2 * (x - at) / at
		return high / (1 + z*z), -4 * z * high / (at * (1 + z*z) * (1 + z*z))
	}
	for i := range 12 {
		first := 0.02 * math.Pow(1.25, float64(i)/12)
		for _, higher := range [...]float64{0, 6} {
			f := shaped(func(x float64) (force, slope float64) {
				a, da := hump(x, first, 3000-higher)
				b, db := hump(x, 8*first, 2997.5)
				if a > b {
					return a, da
				}
				return b, db
			})
			highest := max(3000-higher, 2997.5)
			if got := peakOf(t, f, k, tire.Longitudinal, -1, nil); !(math.Abs(got.Force-highest) <= 1e-9) || !got.Found {
				t.Errorf("humps at %g: %+v, the highest is %g", first, got, highest)
			}
		}
	}
	cliff := shaped(func(x float64) (force, slope float64) {
		if x > 0.06 {
			return 2000, 0
		}
		return 5e4 * x, 5e4
	})
	if got := peakOf(t, cliff, k, tire.Longitudinal, 1, nil); math.Abs(got.Force-3000) > 1e-9 || got.Slip > 0.06 {
		t.Errorf("before a step: %+v", got)
	}
	noisy := shaped(func(x float64) (force, slope float64) {
		if x >= 0.06 {
			return 3000 * (1 + 1e-14*math.Sin(1e6*x)), 0
		}
		return 5e4 * x, 5e4
	})
	if got := peakOf(t, noisy, k, tire.Longitudinal, 1, nil); math.Abs(got.Slip-0.06) > 1e-12 {
		t.Errorf("plateau with noise: %+v", got)
	}
}

// mixed is a lateral force of the slip angle and of its tangent: a alpha - b tan alpha against the slip.
type mixed struct{}

func (mixed) Eval(in, out []float64) {
	clear(out)
	out[1] = -4000*in[1] + 2000*in[2]
}

func (mixed) Jacobian(_, jac []float64) {
	clear(jac)
	jac[4], jac[5] = -4000, 2000
}

// The derivative by the slip angle counts each argument that follows from it: a = b (1 + tan^2 alpha) at the peak.
func TestPeaksOfTheSlipAngleAndItsTangent(t *testing.T) {
	k := &tire.Kind{Name: "Mixed", Inputs: []string{"S", "alpha", "q2"}, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"}}
	for _, side := range [...]float64{1, -1} {
		got := peakOf(t, mixed{}, k, tire.Lateral, side, nil)
		near(t, "alpha", got.Slip, side*math.Pi/4, 1e-12)
		near(t, "Fy", got.Force, 1000*math.Pi-2000, 1e-12)
	}
}

// bySpeeds is the brush law of a wheel that slides by speeds.
type bySpeeds struct{ alongOmega bool }

func (f bySpeeds) Eval(in, out []float64) {
	clear(out)
	along, across, ahead := in[0], in[1], in[2]
	if f.alongOmega {
		along = ahead - in[0]*0.4
	}
	bounded := func(slip float64) float64 { return math.Max(-3000, math.Min(3000, 5e4*slip)) }
	out[0], out[1] = bounded(-along/math.Abs(ahead)), -bounded(across/math.Abs(ahead))
}

// A function that asks for speeds in place of slips gets those that belong to the slip, in reverse, too.
func TestPeaksOfFunctionsOfSpeeds(t *testing.T) {
	for _, inputs := range [...][]string{
		{"VEx", "VPy", "VExs"}, {"VPx", "VCy", "VPxs"}, {"Omega", "VPy", "VExs", "Reff"},
	} {
		k := &tire.Kind{Name: "Speeds", Inputs: inputs, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"}}
		for _, speed := range [...]float64{15, -15} {
			at := map[string]float64{"VExs": speed, "VPxs": speed, "Reff": 0.4}
			sides(func(what string, axis tire.Axis, side float64) {
				s, err := tire.NewPeakSearch(bySpeeds{inputs[0] == "Omega"}, k)
				if err != nil {
					t.Fatal(err)
				}
				s.Arrange(axis, side, rolling(at))
				got, err := s.Find()
				slip := 0.06
				if axis == tire.Lateral {
					slip = math.Atan(0.06)
				}
				if math.Abs(got.Slip-side*slip) > 2e-5*slip || math.Abs(got.Force-3000) > 1e-6 || err != nil {
					t.Errorf("%s, %s at %g m/s: %+v, %v", what, inputs, speed, got, err)
				}
			})
		}
	}
}

// driven is a function with what makes peaks meaningless.
type driven struct{ tent }

func (driven) Memory() (x, dx []float64) { return make([]float64, 1), make([]float64, 1) }

type standing struct{ tent }

func (standing) ReturnsNormalForce() {}

// failing is a function that fails.
type failing struct{ fault error }

func (f failing) Fault() error { return f.fault }

func (failing) Eval(_, out []float64) { out[0], out[1] = math.NaN(), math.NaN() }

// Functions without peaks are refused by the reason, and so are results that are not numbers.
func TestFunctionsWithoutPeaks(t *testing.T) {
	slips := tire.Kind{Name: "Tent", Inputs: []string{"S", "alpha"}, Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"}}
	blind := tire.Kind{Name: "Blind", Inputs: []string{"S", "Fz"}, Outputs: slips.Outputs}
	given := tiretest.Lookup(t, "inputs")
	f, err := given.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f    tire.Function
		k    *tire.Kind
		want string
	}{
		{driven{}, &slips, "the force function Tent has internal states"},
		{standing{}, &slips, "the force function Tent follows from where the wheel is"},
		{tent{}, &blind, "the force function Blind asks for none of alpha, q2, VPy, VCy"},
		{f, given, "the force function inputs asks for none of S, q1, VEx, VPx, Omega"},
	} {
		if _, err := tire.NewPeakSearch(c.f, c.k); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
	s, err := tire.NewPeakSearch(failing{}, &slips)
	if err != nil {
		t.Fatal(err)
	}
	s.Arrange(tire.Longitudinal, 1, rolling(nil))
	if p, err := s.Find(); err == nil || !strings.Contains(err.Error(), "Tent returns NaN at the slip") {
		t.Errorf("%+v, %v", p, err)
	}
	broken := errors.New("no table")
	if s, err = tire.NewPeakSearch(failing{broken}, &slips); err != nil {
		t.Fatal(err)
	}
	s.Arrange(tire.Longitudinal, 1, rolling(nil))
	if _, err := s.Find(); !errors.Is(err, broken) {
		t.Error(err)
	}
}
