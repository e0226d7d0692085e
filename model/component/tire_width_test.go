package component_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// Crown, contact, property file or function give the width of a tire.
func TestWidthOfTires(t *testing.T) {
	for _, c := range []struct {
		keys string
		want float64
	}{
		{`force = { function = "MF61", file = "mf61_205_60R15.tir" }`, 0.205},
		{"contact = { method = \"undeformed\", crown_radius = 0.06 }\n" +
			`force = { function = "MF61", file = "mf61_205_60R15.tir" }`, 0.12},
		{"contact = { method = \"conservative\", width = 0.18 }\n" +
			`force = { function = "MF61", file = "mf61_205_60R15.tir" }`, 0.18},
		{`force = { function = "Fiala", parameters = { D2 = 0.16, CS = 1e5, Calpha = 1e5, Cr = 0, mu0 = 1, mu1 = 0.5 } }`,
			0.16},
		{`force = { function = "BrushTurnSlip", file = "brush_bicycle.toml" }`, 0},
	} {
		text := `name = "Wheel"
[component]
road = { type = "road" }
[component.tire]
type = "tire"
road = "road"
mass = 10
inertia = { axial = 1, transverse = 0.5 }
unloaded_radius = 0.31
vertical_stiffness = 2e5
vertical_damping = 100
slip = { method = "kinematic" }
` + c.keys
		if !strings.Contains(c.keys, "undeformed") {
			text += "\nrolling_radius = { method = \"loaded\" }\n"
		}
		m, err := vehicle.Parse([]byte(strings.ReplaceAll(text, "file = \"", "file = \"../../resources/tires/")), "tire.toml",
			vehicle.Opener("tire.toml"))
		if err != nil {
			t.Errorf("%s: %v", c.keys, err)
			continue
		}
		of, _ := component.Named[*component.Tire](m.Scope(), "tire")
		if got := of.Width(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g m wide, not %g", c.keys, got, c.want)
		}
	}
}
