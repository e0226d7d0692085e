package formulate

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/model/expr"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// Rates of coordinates give back their speeds. Free joints have each choice of speeds; with some, the speeds of the
// tail contribute to the rates.
func TestSpeedsFollowFromRatesOfCoordinates(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 1))
	for _, speeds := range []string{"body", "ground", "rates"} {
		m, err := vehicle.Parse([]byte(freeLinks(speeds)), "links.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := formulated(m, Options{}, byMatrix)
		if err != nil {
			t.Fatal(err)
		}
		system := f.implicit(program.Tangent, make([][]int, len(f.Calls)))
		values := map[*expr.Expr]float64{}
		for _, s := range f.States() {
			values[s.Symbol] = 0.7 * r.NormFloat64()
		}
		for _, p := range f.Parameters {
			values[p.Symbol] = p.Value
		}
		at := expr.NewEvaluator(values)
		n := len(f.Speeds)
		want, got, rates := make([]float64, n), make([]float64, n), make([]float64, 2*n)
		for i := range want {
			want[i] = r.NormFloat64()
		}
		for _, e := range system.Follow {
			rates[e.Row] += at.Value(e.Value) * want[e.Column]
		}
		coupled := false
		for _, e := range system.Lead {
			if e.Column < n {
				coupled = true
				got[e.Row] += at.Value(e.Value) * got[e.Column]
			} else {
				got[e.Row] += at.Value(e.Value) * rates[e.Column]
			}
		}
		if coupled == (speeds == "rates") {
			t.Errorf("%s: coordinates follow speeds of other joints: %v", speeds, coupled)
		}
		for i := range want {
			if !(math.Abs(got[i]-want[i]) < 1e-11) {
				t.Errorf("%s: speed %s is %.15g, want %.15g", speeds, f.Speeds[i].Name, got[i], want[i])
			}
		}
	}
}
