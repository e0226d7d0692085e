package tire_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// negated are parameters of a Magic Formula that have the friction -D in place of D and give the same forces. The slope
// factor B = K/(C D) changes its sign with D. QBz10 By Cy and DVyk would change theirs, so their coefficients are
// negated.
func negated(k *tire.Kind, values []float64) []float64 {
	other := slices.Clone(values)
	for i, p := range k.Parameters {
		switch p.Name {
		case "PDx1", "PDx2", "PDy1", "PDy2", "QBz10", "RVy1", "RVy2", "RVy3":
			other[i] = -other[i]
		}
	}
	return other
}

// Forces and derivatives are even in the friction: by themselves, within a friction ellipse and on a carcass.
func TestForcesAreEvenInTheFriction(t *testing.T) {
	r := rand.New(rand.NewPCG(141, 142))
	relaxing, relaxation := tiretest.Lookup(t, "StretchedString"), tiretest.Parameters(t, tires)["StretchedString"]
	for _, name := range []string{"Pacejka02", "MF61", "MF62"} {
		k, values := tiretest.Lookup(t, name), tiretest.Parameters(t, tires)[name]
		for i, p := range k.Parameters {
			if p.Name == "QBz10" { // 0 in the files
				values[i] = 0.3
			}
		}
		var functions [2][]tire.Function
		for i, p := range [][]float64{values, negated(k, values)} {
			own := made(t, name, p...)
			ellipse, err := k.Make(p, tire.CombinedByEllipse)
			if err != nil {
				t.Fatal(err)
			}
			carcass, err := tire.NewCarcass(tire.CarcassParts{Force: own, ForceKind: k,
				Relaxation: made(t, "StretchedString", relaxation...), RelaxationKind: relaxing}, tire.CarcassSetting{Radius: 0.33})
			if err != nil {
				t.Fatal(err)
			}
			functions[i] = []tire.Function{own, ellipse, carcass}
		}
		for kind, what := range []string{"alone", "by an ellipse", "on a carcass"} {
			inputs, outputs := k.Inputs, len(k.Outputs)
			if c, ok := functions[0][kind].(*tire.Carcass); ok {
				inputs, outputs = c.Inputs(), len(tire.CarcassOutputs(k, false))
			}
			var out, jac [2][]float64
			for i := range out {
				out[i], jac[i] = make([]float64, outputs), make([]float64, outputs*len(inputs))
			}
			for range 200 {
				in := tiretest.Sample(r, inputs)
				for i, input := range inputs {
					switch input {
					case "Fz":
						in[i] = math.Exp(4 + 8*r.Float64()) // the bounds of friction act beyond the data
					case "S", "alpha":
						in[i] *= 4
					case "p1", "p2":
						in[i] = 20 * r.NormFloat64()
					case "step", "low_speed", "axial", "slip_damping", "upright":
						in[i] = map[string]float64{"step": 1e-3, "low_speed": 1, "axial": 1.5, "slip_damping": 0.3, "upright": 1}[input]
					}
				}
				for i, f := range functions {
					f[kind].Eval(in, out[i])
					f[kind].(tire.Differentiable).Jacobian(in, jac[i])
				}
				if !slices.Equal(out[0], out[1]) || !slices.Equal(jac[0], jac[1]) {
					t.Fatalf("%s %s at %v: %v, by the friction of the other sign %v", name, what, in, out[0], out[1])
				}
			}
		}
	}
}

// Sets with negative friction, as those of Pacejka's book, have the forces of the formulas as they are printed, and
// exact derivatives.
func TestNegativeFrictionEqualsThePlainTranscription(t *testing.T) {
	r := rand.New(rand.NewPCG(143, 144))
	k := tiretest.Lookup(t, "Pacejka02")
	for _, signs := range [][2]float64{{1, -1}, {-1, 1}, {-1, -1}} {
		values := slices.Clone(tiretest.Parameters(t, tires)["Pacejka02"])
		for i, p := range k.Parameters {
			switch {
			case strings.HasPrefix(p.Name, "PDx") && p.Name != "PDx3":
				values[i] *= signs[0]
			case strings.HasPrefix(p.Name, "PDy") && p.Name != "PDy3":
				values[i] *= signs[1]
			}
		}
		compareWithPlain(t, values, r, "negative friction")
		var d differences
		for range 60 {
			d.compare(t, k, made(t, k.Name, values...), tiretest.Sample(r, k.Inputs))
		}
		d.judge(t, k.Name)
	}
	out := make([]float64, 5)
	for n := range 20 {
		var p map[string]float64
		f := with(t, func(own map[string]float64) {
			p = own
			p["TurnSlip"] = float64(n % 2)
			p["QBz10"] = 0.3
			for _, name := range []string{"PDx1", "PDx2", "PDy1", "PDy2"} {
				p[name] = -p[name]
			}
		})
		for range 20 {
			in := wide(r)
			f.Eval(in, out)
			want := plainMF6(p, in[0], in[1], in[2], in[3], in[4], in[5], in[6])
			for i := range out {
				if !(math.Abs(out[i]-want[i]) <= 1e-9*max(1, math.Abs(want[i]))) {
					t.Fatalf("output %d = %.14g, plain transcription %.14g at %v", i, out[i], want[i], in)
				}
			}
		}
	}
}

// A set in the signs of Pacejka's book (PDY1 < 0 with PKY1 < 0) has the side forces that an independent evaluation of
// the published formulas gives at 4000 N [N].
func TestNegativeLateralFrictionHasItsForces(t *testing.T) {
	data, err := os.ReadFile("tir/testdata/variants/negative_friction.tir")
	if err != nil {
		t.Fatal(err)
	}
	p, err := tire.ReadFile(data, "negative_friction.tir", tire.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	k := tiretest.Lookup(t, p.Function)
	f := made(t, p.Function, p.Values...)
	for alpha, want := range map[float64]float64{0.05: -2083.1338, 0.02: -866.2156, 0.1: -3280.9525, -0.05: 2208.0763} {
		if fy := at(k, f, 4000, 0, alpha, 0, 50, 16.67)[1]; !(math.Abs(fy-want) <= 5e-5) {
			t.Errorf("Fy is %.6f N at %g rad, by the published formulas %.4f", fy, alpha, want)
		}
	}
}

// Without friction at the nominal load there is no slope factor.
func TestZeroFrictionIsRejected(t *testing.T) {
	for _, name := range []string{"Pacejka02", "MF61", "MF62"} {
		for _, parameter := range []string{"PDx1", "PDy1"} {
			k := tiretest.Lookup(t, name)
			values := slices.Clone(tiretest.Parameters(t, tires)[name])
			values[slices.IndexFunc(k.Parameters, called(parameter))] = 0
			if _, err := k.New(values); err == nil || !strings.Contains(err.Error(), "parameter "+parameter+" of "+name) ||
				!strings.Contains(err.Error(), "other than zero") {
				t.Errorf("%s with %s = 0: %v", name, parameter, err)
			}
		}
	}
}
