package tire

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"skidpad/harness/tests/testrun"
)

// Derivatives by random coefficients of shipped tires agree with extrapolated differences at random slips. The results
// equal the results of the function.
func TestSensitivitiesAreDifferences(t *testing.T) {
	shipped := []string{"mf61_205_60R15.tir", "pacejka2002.toml", "fiala_generic4w.toml"}
	for _, name := range shipped[:testrun.Either(1, 3)] {
		data, err := os.ReadFile("../resources/tires/" + name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ParseFile(data, name)
		if err != nil {
			t.Fatal(err)
		}
		k, err := Lookup(p.Function)
		if err != nil {
			t.Fatal(err)
		}
		values := k.Complete(p.Values)
		var places []int
		for _, c := range k.Coefficients() {
			if c.Place < len(k.Parameters) && values[c.Place] != 0 && c.Name != "TurnSlip" {
				places = append(places, c.Place)
			}
		}
		s, err := NewSensitivity(k, values, CombinedByFile, places)
		if err != nil {
			t.Fatal(err)
		}
		f, err := k.Make(values, CombinedByFile)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(5, 6))
		n := len(k.Outputs)
		results, slopes, plain := make([]float64, n), make([]float64, n*len(places)), make([]float64, n)
		for range testrun.Either(2, 10) {
			in := make([]float64, len(k.Inputs))
			for i, input := range k.Inputs {
				in[i] = map[string]float64{"Fz": 2000 + 4000*random.Float64(), "S": 0.2 * random.NormFloat64(),
					"alpha": 0.1 * random.NormFloat64(), "gamma": 0.03 * random.NormFloat64(), "VCx": 20, "Omega": 65, "mu": 1,
					"direction": 1}[input]
			}
			s.Eval(in, results, slopes)
			f.Eval(in, plain)
			for r := range n {
				if !(math.Abs(results[r]-plain[r]) <= 1e-12*max(1, math.Abs(plain[r]))) {
					t.Fatalf("%s: %s is %.17g, not %.17g", name, k.Outputs[r], results[r], plain[r])
				}
			}
			for range 8 {
				i := random.IntN(len(places))
				place := places[i]
				size := math.Abs(values[place])
				var table [2][]float64
				for level := range table {
					h := 2e-4 * size / float64(int(1)<<level)
					table[level] = make([]float64, n)
					for _, side := range []float64{1, -1} {
						changed := append([]float64(nil), values...)
						changed[place] += side * h
						other, err := k.Make(changed, CombinedByFile)
						if err != nil {
							t.Fatal(err)
						}
						other.Eval(in, plain)
						for r := range n {
							table[level][r] += side * plain[r] / (2 * h)
						}
					}
				}
				for r := range n {
					want := (4*table[1][r] - table[0][r]) / 3
					allowed := 1e-7*math.Abs(results[r])/size + 2*math.Abs(want-table[1][r]) + 1e-7/size
					if got := slopes[r*len(places)+i]; !(math.Abs(got-want) <= allowed) {
						t.Errorf("%s: d %s/d %s is %.10g, by differences %.10g", name, k.Outputs[r], k.Parameters[place].Name, got, want)
					}
				}
			}
		}
	}
}
