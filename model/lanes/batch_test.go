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

// together returns n functions of a kind with different parameters, alone and as a group.
func together(t testing.TB, kind string, n int, r *rand.Rand) (alone, grouped []tire.Function) {
	t.Helper()
	k := tiretest.Lookup(t, kind)
	for of := range n {
		values := append([]float64(nil), tiretest.Parameters(t, "../../resources/tires")[kind]...)
		for i := range k.Parameters {
			values[i] *= 1 + 0.1*r.Float64()
		}
		values = vary(k, values, of)
		f, err := k.New(values)
		if err != nil {
			t.Fatal(err)
		}
		tire.SetPortable(f, true)
		alone = append(alone, f)
	}
	grouped = lanes.BatchFunctions(alone)
	if !canCompile() {
		t.Skip("no machine code here")
	}
	if _, ok := grouped[0].(tire.Grouped); !ok {
		t.Fatalf("%s is not machine code", kind)
	}
	return alone, grouped
}

// canCompile reports whether there is machine code on this machine.
func canCompile() bool {
	_, err := machinecode.Compile(machinecode.NewBuilder(), 0, 4)
	return err == nil
}

// vary changes a Magic Formula by the number of the tire: longitudinal or lateral friction has the other sign, and
// every third tire has no combined slip.
func vary(k *tire.Kind, values []float64, of int) []float64 {
	for bit, prefix := range []string{"PDx", "PDy"} {
		if of>>bit&1 == 0 {
			continue
		}
		for i, p := range k.Parameters {
			if p.Name == prefix+"1" || p.Name == prefix+"2" {
				values[i] = -values[i]
			}
		}
	}
	if last := len(k.Optional) - 1; of%3 == 2 && last >= 0 && k.Optional[last].Name == "combined" {
		values = k.Complete(values)
		values[len(values)-1] = 0
	}
	return values
}

// builtIn lists the functions that are evaluated in groups: all except the forces from outside.
func builtIn() []string {
	return slices.DeleteFunc(tire.Names(), func(name string) bool { return name == "inputs" })
}

// harsh returns inputs of a function: most of them usual, some in the air, at standstill, at bounds, huge, infinite or
// NaN.
func harsh(r *rand.Rand, inputs []string) []float64 {
	in := tiretest.Sample(r, inputs)
	for k := range 8 {
		if r.IntN(6) == 0 {
			i := r.IntN(len(in))
			in[i] = []float64{0, math.Copysign(0, -1), -in[i], 1e-3, 1e7, -1e7, math.NaN(), math.Inf(1)}[k]
		}
	}
	return in
}

// TestGroupsAreBitIdenticalToSingleFunctions: forces and their derivatives, for any number of tires.
func TestGroupsAreBitIdenticalToSingleFunctions(t *testing.T) {
	testrun.Slow(t)
	r := rand.New(rand.NewPCG(71, 72))
	same := func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
	}
	for _, kind := range builtIn() {
		k := tiretest.Lookup(t, kind)
		for _, n := range []int{1, 2, 4, 7} {
			alone, grouped := together(t, kind, n, r)
			g, _ := grouped[0].(tire.Grouped).Member()
			slopes := g.(tire.DifferentiableGroup).Slopes(nil)
			for range testrun.Either(600, 3000) {
				in := make([][]float64, n)
				for i, f := range grouped {
					in[i] = harsh(r, k.Inputs)
					_, index := f.(tire.Grouped).Member()
					for a, x := range in[i] {
						*g.Argument(index, a), *slopes.Argument(index, a) = x, x
					}
				}
				g.Eval()
				slopes.Eval()
				out, jac := make([]float64, len(k.Outputs)), make([]float64, len(k.Outputs)*len(k.Inputs))
				for i, f := range alone {
					_, index := grouped[i].(tire.Grouped).Member()
					f.Eval(in[i], out)
					f.(tire.Differentiable).Jacobian(in[i], jac)
					for o, want := range out {
						if got := *g.Result(index, o); !same(got, want) {
							t.Fatalf("%s %d of %d, output %d: %g, alone %g at %g", kind, i, n, o, got, want, in[i])
						}
					}
					for o, want := range append(jac, out...) {
						if got := *slopes.Result(index, o); !same(got, want) {
							t.Fatalf("%s %d of %d, derivative %d: %g, alone %g at %g", kind, i, n, o, got, want, in[i])
						}
					}
				}
			}
		}
	}
}

func BenchmarkTogether(b *testing.B) {
	r := rand.New(rand.NewPCG(73, 74))
	for _, kind := range builtIn() {
		k := tiretest.Lookup(b, kind)
		alone, grouped := together(b, kind, 4, r)
		in := tiretest.Sample(r, k.Inputs)
		out, jac := make([]float64, len(k.Outputs)), make([]float64, len(k.Outputs)*len(k.Inputs))
		g, _ := grouped[0].(tire.Grouped).Member()
		slopes := g.(tire.DifferentiableGroup).Slopes(nil)
		for i := range 4 {
			for a, x := range in {
				*g.Argument(i, a), *slopes.Argument(i, a) = x, x
			}
		}
		b.Run(kind+"/alone", func(b *testing.B) {
			for b.Loop() {
				alone[0].Eval(in, out)
			}
		})
		b.Run(kind+"/four", func(b *testing.B) {
			for b.Loop() {
				g.Eval()
			}
		})
		b.Run(kind+"/derivatives alone", func(b *testing.B) {
			for b.Loop() {
				alone[0].(tire.Differentiable).Jacobian(in, jac)
			}
		})
		b.Run(kind+"/derivatives four", func(b *testing.B) {
			for b.Loop() {
				slopes.Eval()
			}
		})
	}
}
