package vehicle_test

import (
	"math"
	"testing"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// Formulas follow other values of parameters, grouped ones too; numbers stay as they are.
func TestFormulasHaveOtherValues(t *testing.T) {
	m := parse(t, `
name = "Values"
[parameters]
width = { value = 2.0, unit = "m" }
length = { value = 1.0, unit = "m" }
[parameters.rod]
mass = { value = 3.0, unit = "kg" }
end_mass = { value = 1.0, unit = "kg" }
[component.body]
type = "rigid-body"
mass = "2*rod.mass + rod.end_mass*sqrt(width/length)"
inertia = { xx = 1, yy = 1, zz = 1.5 }
start = { position = ["-width", 0, 0] }
`)
	b := m.Components[0].(*component.RigidBody)
	for _, c := range []struct {
		s          keys.Scalar
		parameters map[string]float64
		want       float64
	}{
		{b.Mass, nil, 6 + math.Sqrt2}, {b.Mass, map[string]float64{"width": 9}, 9},
		{b.Mass, map[string]float64{"width": 9, "rod.mass": 5}, 13},
		{b.Start.Position[0], map[string]float64{"width": 4, "other": 1}, -4},
		{b.Inertia.ZZ, map[string]float64{"width": 4}, 1.5},
	} {
		if got, err := m.ValueOf(c.s, c.parameters); err != nil || math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s with %v is %v, want %v; %v", c.s.Text, c.parameters, got, c.want, err)
		}
	}
}
