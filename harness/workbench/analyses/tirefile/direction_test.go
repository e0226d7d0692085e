package tirefile

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"
)

// Without a column for the direction, a table gets it from the speed of travel or, without that, from the spin. In
// reverse the function has the same values as with the direction -1. The pneumatic trail then acts in front of the
// wheel.
func TestDirectionFollowsTheTravel(t *testing.T) {
	for _, file := range []string{"pacejka2002.toml", "fiala_generic4w.toml"} {
		kind, function, err := Open("../../../../resources/tires/"+file, "", &strings.Builder{})
		if err != nil {
			t.Fatal(err)
		}
		evaluate := func(columns []string, of map[string]float64) []float64 {
			t.Helper()
			var row []string
			for _, c := range columns {
				row = append(row, strconv.FormatFloat(of[c], 'g', -1, 64))
			}
			var to strings.Builder
			table := strings.Join(columns, ",") + "\n" + strings.Join(row, ",") + "\n"
			if err := Evaluate(kind, function, strings.NewReader(table), "t.csv", &to); err != nil {
				t.Fatal(err)
			}
			rows, err := csv.NewReader(strings.NewReader(to.String())).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			var results []float64
			for _, text := range rows[1][len(columns):] {
				x, _ := strconv.ParseFloat(text, 64)
				results = append(results, x)
			}
			return results
		}
		for _, v := range []float64{-10, 10} {
			of := map[string]float64{"Fz": 4000, "S": 0, "alpha": 0.05, "Omega": v / 0.34, "gamma": 0, "Reff": 0.34,
				"VCx": v, "mu": 1, "direction": direction(v)}
			want := make([]float64, len(kind.Outputs))
			in := make([]float64, len(kind.Inputs))
			for i, name := range kind.Inputs {
				in[i] = of[name]
			}
			function.Eval(in, want)
			var columns []string
			for _, name := range kind.Inputs {
				if name != "direction" && name != "mu" {
					columns = append(columns, name)
				}
			}
			for i, got := range evaluate(columns, of) {
				if got != want[i] {
					t.Errorf("%s at %g m/s: %s = %g, told the direction %g", file, v, kind.Outputs[i], got, want[i])
				}
			}
			if mz := want[4]; !(mz*v > 0) {
				t.Errorf("%s at %g m/s: Mz = %g N m does not turn the wheel into the direction of travel", file, v, mz)
			}
		}
	}
}
