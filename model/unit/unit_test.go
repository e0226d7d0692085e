package unit_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/unit"
)

// Names give dimension, factor and SI unit; the values are from the SI brochure and the international yard and pound.
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
		{"S", unit.Exponents{-1, -2, 3, 2}, "", 1},
		{"A.h", unit.Exponents{2: 1, 3: 1}, "A.s", 3600},
		{"mOhm", unit.Exponents{1, 2, -3, -2}, "Ohm", 1e-3},
		{"1/kOhm", unit.Exponents{-1, -2, 3, 2}, "1/Ohm", 1e-3},
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
		{"J^0.5", unit.Exponents{0.5, 1, -1}, "", 1},
		{"m3/s/Pa^0.5", unit.Exponents{-0.5, 3.5}, "", 1},
		// Powers of units whose SI unit is a product, a quotient or a power; no exponent has two digits.
		{"g0", unit.Exponents{0, 1, -2}, "m/s2", 9.80665},
		{"g0^2", unit.Exponents{0, 2, -4}, "m2/s4", 96.1703842225},
		{"g0^4", unit.Exponents{0, 4, -8}, "m4/s8", 96.1703842225 * 96.1703842225},
		{"g0^5", unit.Exponents{0, 5, -10}, "m5/s9/s", 9.80665 * 96.1703842225 * 96.1703842225},
		{"g0^9", unit.Exponents{0, 9, -18}, "m9/s9/s9", math.Pow(9.80665, 9)},
		{"1/g0", unit.Exponents{0, -1, 2}, "1/m.s2", 1 / 9.80665},
		{"1/g0^2", unit.Exponents{0, -2, 4}, "1/m2.s4", 1 / 96.1703842225},
		{"1/g0^6", unit.Exponents{0, -6, 12}, "1/m6.s9.s3", math.Pow(9.80665, -6)},
		{"g0/g0", unit.Exponents{}, "m/s2/m.s2", 1},
		{"g0.g0", unit.Exponents{0, 2, -4}, "m/s2.m/s2", 96.1703842225},
		{"km/h^2", unit.Exponents{0, 1, -2}, "m/s2", 1.0 / 12960},
		{"mph3", unit.Exponents{0, 3, -3}, "m3/s3", 0.44704 * 0.44704 * 0.44704},
		{"m2/mph^2", unit.Exponents{2: 2}, "m2/m2.s2", 1 / (0.44704 * 0.44704)},
		{"lbf/ft2", unit.Exponents{1, -1, -2}, "N/m2", 4.4482216152605 / 0.09290304},
		{"psi2", unit.Exponents{2, -2, -4}, "Pa2", 6894.757293168361 * 6894.757293168361},
		{"1^2.mm", unit.Exponents{0, 1}, "1.m", 1e-3},
		{"-^2/mm", unit.Exponents{0, -1}, "-2/m", 1e3},
		{"s^9/%^9", unit.Exponents{2: 9}, "s9/1", 1e18},
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

// Wrong names are rejected with a suggestion.
func TestWrongNamesOfUnits(t *testing.T) {
	for name, want := range map[string]string{
		"lbs": "not known", "kg.": "not known", "": "is missing", "m0": "not known", "m12": "not known", "11": "not known",
		"2": "not known", "J^0.5/s": "not known",
		"kg m": "not known", "kg/(m.s)": "not known", "m-2": "not known", "^2": "not known",
		"m^-2": "not known", "(m/s2)^2": "no brackets", "ft2^2": "not known", "g02": "not known", "g0^10": "not known",
		"degC2": "write K", "degC^2": "write K",

		strings.Repeat("g0.", 25) + "g0":    "129 characters; at most 100",
		strings.Repeat("GPa9.", 10) + "mm":  "too large or too small",
		strings.Repeat("um9/", 9) + "um9/m": "too large or too small",

		"Deg": "not known",
		"deg": `write "rad"`, "mm": "1 mm = 0.001 m", "N/mm": `write "N/m"`, "degC": "0 degC = 273.15 K", "degC/s": "write K",
		"rpm": "1 rpm = 0.10472 rad/s",
	} {
		if _, err := unit.ParseSI(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", name, err, want)
		}
	}
}

// Factors are the nearest numbers to their definitions, for any products.
func TestFactorsAreRoundedOnce(t *testing.T) {
	for name, want := range map[string]string{
		"km/h": "5/18", "deg/s": "0.017453292519943295769236907684886", "N/mm": "1000", "mm2": "1e-6", "kg.mm2": "1e-6",
		"lbf.ft": "1.3558179483314004", "lbf/in": "44482216152605/254000000000", "hp": "745.69987158227022",
		"psi": "6894.7572931683613367226734453", "rpm": "0.10471975511965977461542144610932",
		"slug.ft2": "1.3558179483314004",
		"slug":     "14.593902937206364829396325459", "mph": "0.44704", "1/rpm": "9.5492965855137201461330258023509",
		"rev/min": "0.10471975511965977461542144610932",
	} {
		u, err := unit.Parse(name)
		if err != nil {
			t.Error(err)
			continue
		}
		exact, _ := new(big.Rat).SetString(want)
		if f, _ := exact.Float64(); u.Factor != f {
			t.Errorf("%s: factor %.17g, want %.17g", name, u.Factor, f)
		}
	}
}

// Errors in units suggest the correct unit.
func TestMistakesWithUnits(t *testing.T) {
	for _, c := range []struct{ name, wanted, says string }{
		{"lbs", "kg", "lb is mass, lbf is force"}, {"lbs/in", "N/m", `"lbs" is not a unit; lb is mass, lbf is force`},
		{"kg", "N", "use kgf or N for a force"}, {"kg/mm", "N/m", "use kgf or N for a force"}, {"lb/in", "N/m",
			"lbf for pounds"},
		{"N", "kg", "use kg or lb for a mass"}, {"kph", "m/s", "write km/h"}, {"°", "rad", "write deg"},
		{"KG", "kg", "did you mean kg?"}, {"Mm", "m", "did you mean mm?"}, {"n/mm", "N/m", "did you mean N?"},
		{"degree/s", "rad/s", "write deg"}, {"Nmm", "N.m", "write N.mm"}, {"inch", "m", "write in"}, {"kNs/m", "N.s/m",
			"not a unit"},
		{"deg", "1", "not pure numbers"}, {"rpm", "1/s", "not pure numbers"}, {"Hz", "rad/s",
			"write rev/s for turns per second"},
		{"m", "s", "m is not a unit for what must be in s"}, {"N m", "N.m", "without blanks"}, {"kg/(m.s)", "Pa.s",
			"no brackets"},
		{"degC", "m", "degC is not a unit"}, {"degC/s", "K/s", "write K"}, {"m**2", "m2", "is not known"}, {"", "m",
			"missing"},
		{strings.Repeat("km9.", 50) + "m", "m", "at most 100"},
		{"ft-lbs", "N.m", "write lbf.ft"}, {"m^", "m", "did you mean m?"}, {"Newton", "N", "write N"},
	} {
		if _, err := unit.Fit(c.name, c.wanted); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %s: %v; want %q", c.name, c.wanted, err, c.says)
		}
	}
	for _, same := range [][2]string{{"N.m", "N.m/rad"}, {"1", "rad"}, {"rad", "1"}, {"mrad", "rad"}, {"1/s", "rad/s"},
		{"degC", "K"},
		{"%", "1"}, {"W.s", "J"}, {"g0", "m/s2"}, {"Hz", "1/s"}, {"rev/s", "rad/s"}} {
		if _, err := unit.Fit(same[0], same[1]); err != nil {
			t.Error(err)
		}
	}
}

// A number and its unit are told from formulas.
func TestNumbersAndFormulasAreDistinguished(t *testing.T) {
	for text, want := range map[string]unit.Number{
		"24.4 N/mm": {Value: 24.4, Unit: "N/mm"}, " -3e-2  deg ": {Value: -0.03, Unit: "deg"}, "5 %": {Value: 5, Unit: "%"},
		"2_000. m": {Value: 2000, Unit: "m"}, ".5 1/s": {Value: 0.5, Unit: "1/s"}, "1 e3": {Value: 1, Unit: "e3"},
		"3 -": {Value: 3, Unit: "-"},
	} {
		if n, ok, err := unit.ParseNumber(text); !ok || err != nil || n != want {
			t.Errorf("%q: %v, %v, %v", text, n, ok, err)
		}
	}
	for _, formula := range []string{"2*k", "2 * k", "3 - k", "3 -k", "k", "-k/2", "1e3", "2 / 3", "(5 mm)", "2 ^3", "",
		"+", "5", "3 + 5 m"} {
		if n, ok, err := unit.ParseNumber(formula); ok || err != nil {
			t.Errorf("%q: %v, %v, %v", formula, n, ok, err)
		}
	}
	for text, says := range map[string]string{
		"24.4N/mm": `write "24.4 N/mm"`, "1e3mm": `write "1e3 mm"`, "1,5 kN": `write "1.5 kN"`, "1,5": "decimal sign",
		"5°": `write "5 °"`, "1e999 m": "too large",
	} {
		if _, ok, err := unit.ParseNumber(text); ok || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, %v; want %q", text, ok, err, says)
		}
	}
}

// No text makes the readers panic, and a unit read is one unit in its own SI unit.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"N.m/rad", "24.4 N/mm", "1,5 kN", "kg*m^2", "degC", "lbs", "1/rpm3", "-", "%",
		"g0^2", "1^2.mm", "degC2", strings.Repeat("g0.", 25) + "g0"} {
		fuzzinputs.Add(f, seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if n, ok, err := unit.ParseNumber(text); ok && err != nil || ok && n.Unit == "" {
			t.Errorf("%q: %v %v", text, n, err)
		}
		u, err := unit.Parse(text)
		if err != nil {
			return
		}
		if x := u.Of(0); x != u.Offset {
			t.Errorf("%q: 0 is %v, with the factor %v", text, x, u.Factor)
		}
		if e, err := unit.ParseSI(u.Base(text)); err != nil || e != u.Exponents {
			t.Errorf("%q: the SI unit %q has %v, want %v: %v", text, u.Base(text), e, u.Exponents, err)
		}
	})
}
