package vehicle_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// A number with a unit is the number times the factor of its unit; without a unit, and in SI, it keeps its bits.
func TestNumbersWithUnits(t *testing.T) {
	for _, c := range []struct {
		joint, stiffness string
		want             float64
	}{
		{"prismatic", "24.4 N/mm", 24.4 * 1000},
		{"prismatic", "24.4 N/m", 24.4},
		{"prismatic", "  1e3   kN/m ", 1e6},
		{"prismatic", "2_400 kg/s2", 2400},
		{"prismatic", "1 lbf/in", 4.4482216152605 / 0.0254},
		{"prismatic", "+3.5 kgf/mm", 3.5 * 9806.65},
		{"revolute", "400 N.m/deg", 400 * (180 / math.Pi)},
		{"revolute", "400 N.m", 400}, // rad is 1
	} {
		m, err := vehicle.Parse([]byte(sprung(c.joint, "m", c.stiffness, "0.5 m")), "u.toml", nil)
		if c.joint == "revolute" {
			m, err = vehicle.Parse([]byte(sprung(c.joint, "m", c.stiffness, "0.5 rad")), "u.toml", nil)
		}
		if err != nil {
			t.Error(err)
			continue
		}
		s, _ := component.Named[*component.SpringDamper](m.Scope(), "spring")
		if got := s.Stiffness.Value; got != c.want {
			t.Errorf("%s: %.17g, want %.17g", c.stiffness, got, c.want)
		}
	}
}

// Parameters have the unit beside their value, or one of their own.
func TestParametersWithUnits(t *testing.T) {
	millimetre, centimetre := 1e-3, 1e-2
	for text, want := range map[string]struct {
		value         float64
		unit, written string
	}{
		`{ value = 700, unit = "mm" }`:          {700 * millimetre, "m", "mm"},
		`{ value = 0.7, unit = "m" }`:           {0.7, "m", ""},
		`{ value = "700 mm" }`:                  {700 * millimetre, "m", "mm"},
		`{ value = "70 cm", unit = "mm" }`:      {70 * centimetre, "m", "cm"},
		`{ value = "20 degC" }`:                 {20 + 273.15, "K", "degC"},
		`{ value = 90, unit = "km/h" }`:         {90 * (1 / 3.6), "m/s", "km/h"},
		`{ value = 5, unit = "%" }`:             {5 * 1e-2, "1", "%"},
		`{ value = 1.5, unit = "N.m.s/deg" }`:   {1.5 * (180 / math.Pi), "N.m.s/rad", "N.m.s/deg"},
		`{ value = "120 hp", text = "engine" }`: {120 * 745.69987158227022, "W", "hp"},
	} {
		m, err := vehicle.Parse([]byte(sprung("prismatic", "N/m", "k", "l")+"[parameters.own]\np = "+text), "p.toml", nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		p := m.Parameters[len(m.Parameters)-1]
		if p.Value.Value != want.value || p.Unit != want.unit || p.Value.Unit != want.written {
			t.Errorf("%s: %.17g %s, written in %q; want %v", text, p.Value.Value, p.Unit, p.Value.Unit, want)
		}
	}
}

// Numbers of vectors, of lists, of start tables and of points of curves may have units, too.
func TestUnitsInListsAndCurves(t *testing.T) {
	plain := sprung("prismatic", "N/m", "k", "l") + `
damper_force = [[-1, -2000], [1, 3000]]
[component.joint.start]
s = 0.02
[component.arm]
type = "rigid-arm"
from = "body"
to = "end"
translation = [0.3, 0, -0.25]
[component.load]
type = "point-mass"
frame = "end"
mass = 1
`
	units := strings.NewReplacer("[-1, -2000]", `["-1000 mm/s", "-2 kN"]`, "s = 0.02", `s = "20 mm"`, "[0.3, 0, -0.25]",
		`["300 mm", "0 in", "-25 cm"]`).Replace(plain)
	a, err := vehicle.Parse([]byte(plain), "plain.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := vehicle.Parse([]byte(units), "units.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range []*vehicle.Model{a, b} {
		arm, _ := component.Named[*component.RigidArm](m.Scope(), "arm")
		spring, _ := component.Named[*component.SpringDamper](m.Scope(), "spring")
		if p := arm.Translation; math.Abs(p[0].Value-0.3) > 1e-15 || p[1].Value != 0 || p[2].Value != -0.25 {
			t.Errorf("%d: position %v", i, p)
		}
		if y, _, _ := spring.DamperForce.At(-1); y != -2000 {
			t.Errorf("%d: damper force %v", i, y)
		}
	}
}
