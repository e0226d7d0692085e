package suspension

import (
	"math"
	"testing"

	"skidpad/model/kc"
	"skidpad/model/rig"
)

// Columns are sorted by the sum of their shares. A length counts per mm, a stiffness per 1 %. The strongest effect on a
// figure has the full shade; effects without a value and rounding errors have no cell.
func TestHeatTable(t *testing.T) {
	figures := func(a, b float64) []rig.Figure {
		return []rig.Figure{{Key: "castor", Unit: "rad", Left: kc.Number{D: a}},
			{Key: "trail", Missing: "no steering axis"}, {Key: "scrub", Unit: "m", Left: kc.Number{D: 1e-15}},
			{Key: "wheel_rate", Unit: "N/m", Left: kc.Number{D: b}}}
	}
	r := &Result{Figures: figures(0, 0), Sensitivities: []rig.Sensitivity{
		{Parameter: "spring", Unit: "N/m", Value: 5e4, Figures: figures(math.NaN(), 0.8)}, // 400 N/m
		{Parameter: "upper_x", Unit: "m", Figures: figures(-degree*1e3, -100e3)},          // -1 deg, -100 N/m
		{Parameter: "lower_x", Unit: "m", Figures: figures(degree*500, 1e-9)},             // 0.5 deg
	}}
	table := r.heat()
	want := [][]string{{"castor", "deg", "-1", "", "+0.5"}, {"wheel rate", "N/mm", "-0.1", "+0.4", ""}}
	shades := [][]float64{{0, 0, -1, 0, 0.5}, {0, 0, -0.25, 1, 0}}
	if len(table.Rows) != 2 || table.Columns[2].Name != "upper_x" || table.Columns[3].Name != "spring" {
		t.Fatalf("%+v", table)
	}
	for i := range want {
		for k, text := range want[i] {
			if table.Rows[i][k] != text || math.Abs(table.Shades[i][k]-shades[i][k]) > 1e-12 {
				t.Errorf("cell %d, %d: %q, %v", i, k, table.Rows[i][k], table.Shades[i][k])
			}
		}
	}
}
