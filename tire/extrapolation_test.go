package tire_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// forceFunction is a function with its parameters.
type forceFunction struct {
	kind   *tire.Kind
	values []float64
}

// shippedForces are the force functions of all shipped files, as shipped, and with coefficients that fall steeply with
// load and inclination. Magic Formulas are also read without the ranges of the file.
func shippedForces(t *testing.T) map[string]forceFunction {
	t.Helper()
	list := map[string]forceFunction{}
	files, err := filepath.Glob(filepath.Join(tires, "*.t*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tires: %v", err)
	}
	for _, file := range files {
		data, err := bounded.Tire.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := tire.ReadFile(data, file, tire.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		k := tiretest.Lookup(t, p.Function)
		if k.Outputs[0] != "Fx" || !slices.Contains(k.Inputs, "S") || !slices.Contains(k.Inputs, "alpha") {
			continue
		}
		name := filepath.Base(file)
		list[name] = forceFunction{k, p.Values}
		if n := len(k.Parameters); len(p.Values) > n {
			list[name+" without ranges"] = forceFunction{k, p.Values[:n]}
			steep := slices.Clone(p.Values[:n])
			for i, info := range k.Parameters { // all that can change its sign does
				switch info.Name {
				case "PKx2":
					steep[i] = -0.3 * steep[slices.IndexFunc(k.Parameters, called("PKx1"))]
				case "PKy3", "PDy3", "PDx3":
					steep[i] = 2
				}
			}
			list[name+", steep"] = forceFunction{k, steep}
			list[name+", steep, of negative friction"] = forceFunction{k, negated(k, steep)}
		}
	}
	return list
}

func called(name string) func(tire.ParameterInfo) bool {
	return func(p tire.ParameterInfo) bool { return p.Name == name }
}

// at is a force function at a load, a slip, a slip angle, an inclination, a spin and a speed of travel.
func at(k *tire.Kind, f tire.Function, fz, s, alpha, gamma, omega, vcx float64) []float64 {
	in, out := make([]float64, len(k.Inputs)), make([]float64, len(k.Outputs)+1)
	for i, name := range k.Inputs {
		in[i] = map[string]float64{"Fz": fz, "S": s, "alpha": alpha, "gamma": gamma, "Omega": omega, "VCx": vcx, "mu": 1,
			"direction": 1, "Reff": 0.35, "Rl": 0.33}[name]
	}
	f.Eval(in, out)
	return out
}

// Friction is positive at any load and inclination, far beyond the data of any file, too: a wheel that slides is
// braked. Across, an inclined wheel has a camber thrust that can exceed what the slip angle makes; there the largest
// forces tell (TestACarcassStaysWithinATire).
func TestFrictionStaysPositive(t *testing.T) {
	for name, c := range shippedForces(t) {
		f := made(t, c.kind.Name, c.values...)
		for _, fz := range []float64{1, 100, 2e3, 5e3, 2e4, 4e4, 5e4, 2e5, 1e6, 1e8} {
			for _, gamma := range []float64{-1.5, -0.7, -0.45, -0.1, 0, 0.2, 0.5, 1, 1.55} {
				along := at(c.kind, f, fz, 1, 0, gamma, 40, 10)[0] - at(c.kind, f, fz, -1, 0, gamma, 40, 10)[0]
				if !(along > 0) {
					t.Errorf("%s at %g N, %g rad: a wheel that slides is driven, the forces differ by %g N", name, fz, gamma,
						along)
				}
			}
			across := at(c.kind, f, fz, 0, -0.5, 0, 40, 10)[1] - at(c.kind, f, fz, 0, 0.5, 0, 40, 10)[1]
			if !(across > 0) {
				t.Errorf("%s at %g N: a wheel that slides across is driven, the forces differ by %g N", name, fz, across)
			}
		}
	}
}

// Rolling resistance resists at any speed and load, where nothing else acts: coefficients that fall with the speed do
// not make it drive.
func TestRollingResistanceNeverDrives(t *testing.T) {
	for name, c := range shippedForces(t) {
		for _, falling := range []string{"", "QSy3", "QSy4"} {
			i := slices.IndexFunc(c.kind.Parameters, called(falling))
			values := slices.Clone(c.values)
			if i >= 0 {
				values[i] = -0.02
			} else if falling != "" {
				continue
			}
			for j, p := range c.kind.Parameters {
				if p.Name == "QSy2" {
					values[j] = 0
				}
			}
			f := made(t, c.kind.Name, values...)
			for _, fz := range []float64{100, 5e3, 1e5} {
				for _, v := range []float64{0.1, 5, 30, 80, 300} {
					for _, sign := range []float64{-1, 1} {
						if my := at(c.kind, f, fz, 0, 0, 0.1, sign*v/0.35, sign*v)[3]; !(my*sign <= 0) {
							t.Errorf("%s, %s: %g N m at %g m/s and %g N", name, falling, my, sign*v, fz)
						}
					}
				}
			}
		}
	}
}

// Relaxation lengths and deflections of a carcass stay those of a tire at any load and inclination.
func TestACarcassStaysWithinATire(t *testing.T) {
	relaxations := map[string][]float64{}
	for name, p := range tiretest.Parameters(t, tires) {
		k := tiretest.Lookup(t, name)
		if k.Outputs[0] == "q1dot" && tire.CarcassFits(k) == nil && !slices.Contains(k.Outputs, "q3dot") {
			relaxations[name] = p
		}
	}
	const radius = 0.34
	for name, c := range shippedForces(t) {
		for relaxation, parameters := range relaxations {
			k := tiretest.Lookup(t, relaxation)
			carcass, err := tire.NewCarcass(tire.CarcassParts{Force: made(t, c.kind.Name, c.values...), ForceKind: c.kind,
				Relaxation: made(t, relaxation, parameters...), RelaxationKind: k}, tire.CarcassSetting{Nominal: 5000,
				Radius: radius})
			if err != nil {
				t.Fatal(err)
			}
			for _, fz := range []float64{1, 100, 5e3, 1.5e4, 4.6e4, 2e5, 1e7, 1e9} {
				for _, gamma := range []float64{0, -0.3, 0.8, 1.57} {
					stiffness, most, length, _ := carcass.CarcassData(fz, gamma, 1, radius)
					for i := range 2 {
						deflection := most[i] * length[i] / stiffness[i]
						if !(most[i] > 0 && stiffness[i] > 0 && length[i] > 0 && length[i] <= 10*radius*(1+1e-12)) ||
							!(deflection <= max(radius/2, 1e-3*most[i]/stiffness[i])*(1+1e-12)) {
							t.Errorf("%s with %s at %g N, %g rad: relaxation length %g m, deflection %g m, force %g N", name,
								relaxation, fz, gamma, length[i], deflection, most[i])
						}
					}
				}
			}
		}
	}
}

// The relaxation functions alone do not exceed what exponential functions of the load make of thirty radii, and stay
// what they are within three nominal loads.
func TestRelaxationLengthsAreBounded(t *testing.T) {
	f := function(t, "stretched_string")
	for _, fz := range []float64{1.5e4, 4.6e4, 1e6} {
		if long, lat := lengths(f, fz, 0.1); !(long <= 30*0.344*(1+1e-12) && lat <= 30*0.344) {
			t.Errorf("at %g N: %g and %g m", fz, long, lat)
		}
	}
	p := tiretest.Parameters(t, tires)["MFRelaxation"]
	f = made(t, "MFRelaxation", p...)
	fn := p[0] * p[3]
	nominal := [2]float64{}
	nominal[0], nominal[1] = lengths(f, fn, 0)
	for _, fz := range []float64{1.5e4, 4.6e4, 4e5, 1e9} {
		for _, gamma := range []float64{0, 0.3, 1.5} {
			if long, lat := lengths(f, fz, gamma); !(long <= 10*nominal[0]*(1+1e-12) && lat <= 10*nominal[1]*(1+1e-12)) {
				t.Errorf("at %g N: %g and %g m, nominal %v", fz, long, lat, nominal)
			}
		}
	}
}

// Derivatives agree with the values, also where friction, stiffness and lengths are bounded.
func TestDerivativesBeyondTheData(t *testing.T) {
	testrun.Slow(t)
	forces := shippedForces(t)
	for _, name := range slices.Sorted(maps.Keys(forces)) {
		random := rand.New(rand.NewPCG(42, 9)) // the same for each, whatever others there are
		c := forces[name]
		f := made(t, c.kind.Name, c.values...)
		d, ok := f.(tire.Differentiable)
		if !ok {
			continue
		}
		n := len(c.kind.Inputs)
		in, jac, numbers := make([]float64, n), make([]float64, n*len(c.kind.Outputs)), make([]float64, n*len(c.kind.Outputs))
		up, down := make([]float64, len(c.kind.Outputs)+1), make([]float64, len(c.kind.Outputs)+1)
		far := 0
		for range testrun.Either(30, 300) {
			for i, v := range tiretest.Sample(random, c.kind.Inputs) {
				in[i] = v
				switch c.kind.Inputs[i] {
				case "Fz":
					in[i] = 1000 * math.Pow(300, random.Float64())
				case "gamma":
					in[i] = 1.5 * (2*random.Float64() - 1)
				case "S":
					in[i] *= 0.02
				case "mu":
					in[i] = 0.5 + random.Float64()
				}
			}
			d.Jacobian(in, jac)
			tire.Differences(f, in, numbers, up, down)
			for i := range jac {
				scale := in[slices.Index(c.kind.Inputs, "Fz")]
				if c.kind.Inputs[i%n] == "Fz" {
					scale = 1
				}
				if !(math.Abs(jac[i]-numbers[i]) <= 1e-3*(scale+math.Abs(numbers[i]))) {
					far++
					t.Logf("%s: d %s/d %s = %g, differences %g at %v", name, c.kind.Outputs[i/n], c.kind.Inputs[i%n], jac[i],
						numbers[i], in)
				}
			}
		}
		if far > testrun.Either(2, 12) { // at kinks
			t.Errorf("%s: %d derivatives differ", name, far)
		}
	}
}

// Beyond a load, the polynomial of the longitudinal slip stiffness would fall below its lower bound. There the force at
// little slip grows with the load by the bounded stiffness, and the derivative agrees.
func TestTheLeastSlipStiffnessHasItsDerivative(t *testing.T) {
	k := tiretest.Lookup(t, "Pacejka02")
	p := slices.Clone(tiretest.Parameters(t, tires)["Pacejka02"])
	at := func(name string) int {
		return slices.IndexFunc(k.Parameters, func(i tire.ParameterInfo) bool { return i.Name == name })
	}
	p[at("PKx2")] = -2 * p[at("PKx1")]
	f := made(t, k.Name, p[:len(k.Parameters)]...).(tire.Differentiable)
	in := make([]float64, len(k.Inputs))
	for i, name := range k.Inputs {
		in[i] = map[string]float64{"Fz": 2 * p[at("Fz0")], "S": 0.002, "Omega": 60, "Reff": 0.3, "VCx": 20, "mu": 1,
			"direction": 1}[name]
	}
	n := len(k.Inputs)
	jac, numbers := make([]float64, n*len(k.Outputs)), make([]float64, n*len(k.Outputs))
	tire.Differences(f, in, numbers, make([]float64, len(k.Outputs)+1), make([]float64, len(k.Outputs)+1))
	f.Jacobian(in, jac)
	by := slices.Index(k.Inputs, "Fz")
	if got, want := jac[by], numbers[by]; want == 0 || !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
		t.Errorf("d Fx/d Fz = %.9g, by differences %.9g", got, want)
	}
}
