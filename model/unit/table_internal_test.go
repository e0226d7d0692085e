package unit

import (
	"math"
	"math/big"
	"testing"
)

// definitions are units in terms of other units: powers of ten by their prefix, units of the yard and the pound by the
// yard of 0.9144 m and the pound of 0.45359237 kg, weights by standard gravity, angles by the turn.
var definitions = map[string]struct{ factor, of string }{
	"deg": {"", "turn/360"}, "rpm": {"", "turn/60"}, "rev": {"", "turn"}, "mrad": {"1/1000", "rad"}, "%": {"1/100", "1"},
	"um": {"1/1000000", "m"}, "mm": {"1/1000", "m"}, "cm": {"1/100", "m"}, "dm": {"1/10", "m"}, "km": {"1000", "m"},
	"in": {"9144/360000", "m"}, "ft": {"3048/10000", "m"}, "mi": {"16093440/10000", "m"}, // 1/36, 1/3 and 1760 yards
	"g": {"1/1000", "kg"}, "t": {"1000", "kg"}, "lb": {"45359237/100000000", "kg"}, "slug": {"1", "lbf.s2/ft"},
	"us": {"1/1000000", "s"}, "ms": {"1/1000", "s"}, "min": {"60", "s"}, "h": {"60", "min"},
	"mph": {"1", "mi/h"}, "g0": {"980665/100000", "m/s2"},
	"mN": {"1/1000", "N"}, "daN": {"10", "N"}, "kN": {"1000", "N"}, "MN": {"1000000", "N"},
	"lbf": {"1", "lb.g0"}, "kgf": {"1", "kg.g0"},
	"hPa": {"100", "Pa"}, "kPa": {"1000", "Pa"}, "MPa": {"1000000", "Pa"}, "GPa": {"1000000000", "Pa"},
	"bar": {"100000", "Pa"}, "psi": {"1", "lbf/in2"},
	"kJ": {"1000", "J"}, "MJ": {"1000000", "J"}, "kW": {"1000", "W"}, "MW": {"1000000", "W"},
	"PS": {"75", "kgf.m/s"}, "hp": {"550", "ft.lbf/s"},
	"kHz": {"1000", "Hz"}, "MHz": {"1000000", "Hz"}, "mW": {"1/1000", "W"},
	"l": {"1", "dm3"}, "ml": {"1", "cm3"}, "ul": {"1", "mm3"},
	"uV": {"1/1000000", "V"}, "mV": {"1/1000", "V"}, "kV": {"1000", "V"}, "MV": {"1000000", "V"},
	"nA": {"1/1000000000", "A"}, "uA": {"1/1000000", "A"}, "mA": {"1/1000", "A"}, "kA": {"1000", "A"},
	"uOhm": {"1/1000000", "Ohm"}, "mOhm": {"1/1000", "Ohm"}, "kOhm": {"1000", "Ohm"}, "MOhm": {"1000000", "Ohm"},
	"nS": {"1/1000000000", "S"}, "uS": {"1/1000000", "S"}, "mS": {"1/1000", "S"},
	"pF": {"1/1000000000000", "F"}, "nF": {"1/1000000000", "F"}, "uF": {"1/1000000", "F"}, "mF": {"1/1000", "F"},
	"nH": {"1/1000000000", "H"}, "uH": {"1/1000000", "H"}, "mH": {"1/1000", "H"},
	"uWb": {"1/1000000", "Wb"}, "mWb": {"1/1000", "Wb"},
}

// Each unit of the table has the value of its definition.
func TestTheWholeTableFollowsFromDefinitions(t *testing.T) {
	turns := map[string]float64{"turn": 2 * math.Pi, "turn/60": math.Pi / 30, "turn/360": math.Pi / 180}
	for _, o := range nonSI {
		d, defined := definitions[o.name]
		if !defined {
			t.Errorf("%s has no definition here", o.name)
			continue
		}
		u, err := Parse(o.name)
		if err != nil {
			t.Error(err)
			continue
		}
		if turn, is := turns[d.of]; is {
			if math.Abs(u.Factor/turn-1) > 1e-15 || u.Exponents[7] != 1 {
				t.Errorf("%s: factor %.17g, want %.17g", o.name, u.Factor, turn)
			}
			continue
		}
		of, err := Parse(d.of)
		if err != nil {
			t.Error(err)
			continue
		}
		factor, _ := new(big.Rat).SetString(d.factor)
		want, _ := factor.Mul(factor, of.ratio.rational).Float64()
		if u.Exponents != of.Exponents || math.Abs(u.Factor/want-1) > 1e-15 {
			t.Errorf("%s: %v with the factor %.17g; %s %s are %v with %.17g", o.name, u.Exponents, u.Factor, d.factor, d.of,
				of.Exponents, want)
		}
	}
	if len(definitions) != len(nonSI) {
		t.Errorf("%d definitions of %d units", len(definitions), len(nonSI))
	}
}
