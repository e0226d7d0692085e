package unit_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/model/unit"
)

// Names say dimension, factor and SI unit; the values are those of the SI brochure and of the international yard and
// pound.
func TestNamesOfUnits(t *testing.T) {
	for _, c := range []struct {
		name   string
		powers unit.Exponents // kg, m, s, A, K, mol, cd, rad
		si     string
		factor float64
	}{
		{"1", unit.Exponents{}, "", 1},
		{"m/s2", unit.Exponents{0, 1, -2}, "", 1},
		{"N.m.s/rad", unit.Exponents{1, 2, -1, 0, 0, 0, 0, -1}, "", 1},
		{"kg*m^2", unit.Exponents{1, 2}, "", 1},
		{"Nm", unit.Exponents{1, 2, -2}, "", 1},
		{"kg/m.s", unit.Exponents{1, -1, 1}, "", 1}, // a / divides by the next factor only
		{"W", unit.Exponents{1, 2, -3}, "", 1},
		{"V", unit.Exponents{1, 2, -3, -1}, "", 1},
		{"Ohm", unit.Exponents{1, 2, -3, -2}, "", 1},
		{"deg", unit.Exponents{7: 1}, "rad", math.Pi / 180},
		{"N/mm", unit.Exponents{1, 0, -2}, "N/m", 1000},
		{"km/h", unit.Exponents{0, 1, -1}, "m/s", 1 / 3.6},
		{"1/rpm", unit.Exponents{2: 1, 7: -1}, "1/rad.s", 30 / math.Pi},
		{"rpm2", unit.Exponents{2: -2, 7: 2}, "rad2/s2", math.Pi * math.Pi / 900},
		{"lbf.ft", unit.Exponents{1, 2, -2}, "N.m", 1.3558179483314004},
		{"mph", unit.Exponents{0, 1, -1}, "m/s", 0.44704},
		{"mm^2.s^3", unit.Exponents{0, 2, 3}, "m2.s3", 1e-6},
		{"%2", unit.Exponents{}, "1", 1e-4},
		{"kPa", unit.Exponents{1, -1, -2}, "Pa", 1000},
	} {
		u, err := unit.Parse(c.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if u.Exponents != c.powers || u.SI != c.si || math.Abs(u.Factor/c.factor-1) > 1e-14 {
			t.Errorf("%s: %v, %q, %v; want %v, %q, %v", c.name, u.Exponents, u.SI, u.Factor, c.powers, c.si, c.factor)
		}
		if c.si == "" {
			continue
		}
		if si, err := unit.ParseSI(u.SI); err != nil || si != u.Exponents {
			t.Errorf("%s: the SI unit %s has the exponents %v, want %v: %v", c.name, u.SI, si, u.Exponents, err)
		}
	}
}

// Wrong names are refused with what to write.
func TestWrongNamesOfUnits(t *testing.T) {
	for name, want := range map[string]string{
		"lbs": "not known", "kg.": "not known", "": "not known", "m0": "not known", "m12": "not known", "11": "not known",
		"2":    "not known",
		"kg m": "not known", "kg/(m.s)": "not known", "m-2": "not known", "^2": "not known", "Deg": "not known",
		"deg": `write "rad"`, "mm": "1 mm = 0.001 m", "N/mm": `write "N/m"`, "degC": "0 degC = 273.15 K", "degC/s": "write K",
		"rpm": "1 rpm = 0.10472 rad/s",
	} {
		if _, err := unit.ParseSI(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", name, err, want)
		}
	}
}
