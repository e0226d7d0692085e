package lanes_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/lanes"
	"skidpad/tire"
	"skidpad/tire/machinecode"
	"skidpad/tire/tiretest"
)

// relaxations lists functions that return their lengths, and "" for steady-state (kinematic) slip.
var relaxations = []string{"", "StretchedString", "BrushRelaxation", "ConstantLength", "MFRelaxation"}

// turns reports whether n carcasses have a turn slip, with a relaxation function that supports turn slip or without a
// function.
func turns(relaxation string, n int) bool {
	return relaxation == "BrushRelaxation" || relaxation != "" && n%2 == 0
}

// carcasses returns n carcasses around functions of kinds, with different parameters.
func carcasses(t testing.TB, force, relaxation string, n int, euler bool, r *rand.Rand) (list []*tire.Carcass) {
	t.Helper()
	some := func(kind string, of int) (*tire.Kind, tire.Function) {
		k := tiretest.Lookup(t, kind)
		values := slices.Clone(tiretest.Parameters(t, "../../resources/tires")[kind])
		for i, p := range k.Parameters {
			if p.Name != "side" {
				values[i] *= 1 + 0.1*r.Float64()
			}
		}
		values = vary(k, values, of)
		f, err := k.New(values)
		if err != nil {
			t.Fatal(err)
		}
		return k, f
	}
	for of := range n {
		parts := tire.CarcassParts{Euler: euler}
		parts.ForceKind, parts.Force = some(force, of)
		if relaxation != "" {
			parts.RelaxationKind, parts.Relaxation = some(relaxation, of)
		}
		c, err := tire.NewCarcass(parts, tire.CarcassSetting{Nominal: 4000, Usual: 4000, Radius: 0.3,
			Turn: turns(relaxation, n)})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// asked returns arguments of a carcass: most of them usual, some in the air, lying, at standstill or harsh.
func asked(r *rand.Rand, inputs []string) []float64 {
	in := tiretest.Sample(r, inputs)
	for i, name := range inputs {
		switch name {
		case "p1", "p2":
			in[i] = 20 * r.NormFloat64()
		case "step", "low_speed", "axial", "slip_damping":
			in[i] = map[string]float64{"step": 1e-3, "low_speed": 1, "axial": 1.5, "slip_damping": 0.3}[name]
		case "upright":
			in[i] = []float64{1, 1, 1, 0.3, 0}[r.IntN(5)]
		case "VEx", "VPy":
			in[i] = []float64{0, 0.01, 1}[r.IntN(3)] * r.NormFloat64()
		case "VExs", "VPxs":
			in[i] = []float64{0, 0.3, 20}[r.IntN(3)] * r.NormFloat64()
		}
	}
	if r.IntN(4) == 0 {
		i := r.IntN(len(in))
		in[i] = []float64{0, math.Copysign(0, -1), -in[i], 1e-3, 1e7, -1e7, math.NaN(), math.Inf(1)}[r.IntN(8)]
	}
	return in
}

// Results and derivatives of carcasses in lanes with their force functions are bit-identical to carcasses alone.
func TestCarcassGroupsAreBitIdenticalToSingleCarcasses(t *testing.T) {
	testrun.Slow(t)
	if _, err := machinecode.Compile(machinecode.NewBuilder(), 0, 4); err != nil {
		t.Skip(err)
	}
	r := rand.New(rand.NewPCG(75, 76))
	same := func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
	}
	forces := []string{"Fiala", "Brush", "BrushTurnSlip", "Pacejka02", "MF61", "TMeasy", "Calspan"}
	for k := range 2 * len(forces) {
		force, relaxation := forces[k%len(forces)], relaxations[r.IntN(len(relaxations))]
		if k < len(relaxations) {
			relaxation = relaxations[k]
		}
		n := 1 + r.IntN(6)
		list := carcasses(t, force, relaxation, n, k%3 == 0, r)
		grouped := lanes.BatchCarcasses(list, tire.GroupCarcasses(list))
		member, ok := grouped[0].(tire.Grouped)
		if !ok {
			t.Fatalf("a carcass around %s with %q is alone", force, relaxation)
		}
		g, _ := member.Member()
		slopes := g.(tire.DifferentiableGroup).Slopes(nil)
		inputs := list[0].Inputs()
		outputs := len(tire.CarcassOutputs(list[0].ForceKind, turns(relaxation, n)))
		for range testrun.Either(250, 1000) {
			in := make([][]float64, n)
			for i := range list {
				in[i] = asked(r, inputs)
				_, index := grouped[i].(tire.Grouped).Member()
				for a, x := range in[i] {
					*g.Argument(index, a), *slopes.Argument(index, a) = x, x
				}
			}
			g.Eval()
			slopes.Eval()
			out, jac := make([]float64, outputs), make([]float64, outputs*len(inputs))
			for i, c := range list {
				_, index := grouped[i].(tire.Grouped).Member()
				c.Eval(in[i], out)
				c.Jacobian(in[i], jac)
				for o, want := range out {
					if got := *g.Result(index, o); !same(got, want) {
						t.Fatalf("%s, %q, %d of %d, output %d: %g, alone %g at %g", force, relaxation, i, n, o, got, want, in[i])
					}
				}
				for o, want := range append(jac, out...) {
					if got := *slopes.Result(index, o); !same(got, want) {
						t.Fatalf("%s, %q, %d of %d, derivative %d by %s: %g, alone %g at %g", force, relaxation, i, n,
							o/len(inputs), inputs[o%len(inputs)], got, want, in[i])
					}
				}
			}
		}
	}
}

// Code with lanes without a tire, as with two or ten tires, does not fail: otherwise it would be useless for these
// numbers.
func TestLanesWithoutATireDoNotGiveUp(t *testing.T) {
	testrun.Slow(t)
	r := rand.New(rand.NewPCG(7, 8))
	check := func(what string, inputs []string, grouped []tire.Function) {
		for i, f := range grouped {
			member, ok := f.(tire.Grouped)
			if !ok {
				t.Skip("there is no machine code")
			}
			g, k := member.Member()
			for a, x := range tiretest.Sample(r, inputs) {
				*g.Argument(k, a) = x
			}
			if i == len(grouped)-1 && lanes.Refused(f) > 0 {
				t.Errorf("%d %s give up", len(grouped), what)
			}
		}
	}
	for _, kind := range []string{"Fiala", "Pacejka02", "MF61", "Calspan", "StretchedString"} {
		for n := 2; n <= 6; n++ {
			_, grouped := together(t, kind, n, r)
			check(kind, tiretest.Lookup(t, kind).Inputs, grouped)
		}
	}
	for _, kind := range []string{"Fiala", "Pacejka02", "MF61"} {
		for _, relaxation := range relaxations {
			for n := 1; n <= 6; n++ {
				list := carcasses(t, kind, relaxation, n, false, r)
				alone := make([]tire.Function, n)
				for i, c := range list {
					alone[i] = c
				}
				check(kind+" with carcasses and "+relaxation, list[0].Inputs(), lanes.BatchCarcasses(list, alone))
			}
		}
	}
}

func BenchmarkCarcasses(b *testing.B) {
	r := rand.New(rand.NewPCG(77, 78))
	list := carcasses(b, "MF61", "StretchedString", 4, false, r)
	grouped := lanes.BatchCarcasses(list, tire.GroupCarcasses(list))
	g, _ := grouped[0].(tire.Grouped).Member()
	slopes := g.(tire.DifferentiableGroup).Slopes(nil)
	in := asked(r, list[0].Inputs())
	for i := range list {
		for a, x := range in {
			*g.Argument(i, a), *slopes.Argument(i, a) = x, x
		}
	}
	out := make([]float64, 14)
	jac := make([]float64, len(out)*len(in))
	for name, run := range map[string]func(){
		"four alone": func() {
			for _, c := range list {
				c.Eval(in, out)
			}
		},
		"four together": g.Eval,
		"derivatives, four alone": func() {
			for _, c := range list {
				c.Jacobian(in, jac)
			}
		},
		"derivatives, four together": slopes.Eval,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
			}
		})
	}
}
