package component

import (
	"testing"

	"skidpad/tire"
)

// The term of a longitudinal force in the rolling resistance of Magic Formulas, which scales with LMY.
func TestRollingResistanceByForce(t *testing.T) {
	for _, c := range []struct {
		function string
		set      map[string]float64
		want     float64
	}{
		{"MF61", map[string]float64{"QSy2": 0.021, "LMy": 1}, 0.021},
		{"MF62", map[string]float64{"QSy2": -0.01, "LMy": 0.5}, -0.01},
		{"Pacejka02", map[string]float64{"QSy2": 0.021, "LMy": 0}, 0},
		{"Pacejka02", map[string]float64{"QSy1": 0.01, "LMy": 1}, 0},
		{"Brush", map[string]float64{"Cr": 0.01}, 0},
		{"nothing", nil, 0},
	} {
		f := TireFunction{Name: c.function}
		if kind, err := tire.Lookup(c.function); err == nil {
			for _, p := range kind.Parameters {
				f.Parameters = append(f.Parameters, c.set[p.Name])
			}
		}
		if got := f.resistanceByForce(); got != c.want {
			t.Errorf("%s with %v: %g, want %g", c.function, c.set, got, c.want)
		}
		f.Parameters = nil
		if got := f.resistanceByForce(); got != 0 {
			t.Errorf("%s without parameters: %g", c.function, got)
		}
	}
}
