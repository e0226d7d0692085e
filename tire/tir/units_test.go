package tir

import (
	"math"
	"os"
	"strings"
	"testing"
)

// The definitions of units: international yard and pound (1959), standard gravity (CGPM 1901), SI prefixes.
const (
	inch, foot, mile = 0.0254, 12 * inch, 5280 * foot
	lb, ounce        = 0.45359237, lb / 16
	gravity          = 9.80665
	lbf              = lb * gravity
	slug             = lbf / foot // lbf s2/ft
	psi              = lbf / (inch * inch)
)

// definitions are units by the key of [UNITS] and the name in a file, of every name that is known and longer forms.
var definitions = map[string]map[string]float64{
	"LENGTH": {
		"km": 1000, "kilometer": 1000, "kilo": 1000, "meter": 1, "metre": 1, "m": 1, "dm": 0.1, "deci": 0.1,
		"decimeter": 0.1, "cm": 0.01, "centi": 0.01, "centimeter": 0.01, "mm": 0.001, "milli": 0.001,
		"millimetre": 0.001, "micro": 1e-6, "micrometer": 1e-6, "mile": mile, "miles": mile, "yard": 3 * foot,
		"foot": foot, "feet": foot, "ft": foot, "in": inch, "inch": inch, "inches": inch,
	},
	"FORCE": {
		"newton": 1, "newtons": 1, "n": 1, "knewton": 1000, "kilon": 1000, "kilonewton": 1000, "kn": 1000,
		"megan": 1e6, "meganewton": 1e6, "mn": 1e6, "decan": 10, "decanewton": 10, "dan": 10, "centin": 0.01,
		"centinewton": 0.01, "millin": 0.001, "millinewton": 0.001, "kg_force": gravity, "kgf": gravity,
		"kilogram_force": gravity, "kilogram-force": gravity, "kilopond": gravity, "kp": gravity, "pound_force": lbf,
		"pound force": lbf, "lbf": lbf, "lb": lbf, "lbs": lbf, "pound": lbf, "pounds": lbf, "kpound_force": 1000 * lbf,
		"klbf": 1000 * lbf, "kip": 1000 * lbf, "ounce_force": lbf / 16, "ozf": lbf / 16, "dyne": 1e-5,
	},
	"ANGLE": {"deg": math.Pi / 180, "degree": math.Pi / 180, "degrees": math.Pi / 180, "rad": 1,
		"radian": 1, "radians": 1, "millirad": 0.001, "milliradian": 0.001, "mrad": 0.001, "rev": 2 * math.Pi,
		"revolutions": 2 * math.Pi, "angular_minute": math.Pi / 10800, "angular_minutes": math.Pi / 10800,
		"angular_second": math.Pi / 648000, "angular_seconds": math.Pi / 648000},
	"MASS": {
		"kg": 1, "kilog": 1, "kilogram": 1, "gram": 0.001, "g": 0.001, "megag": 1000, "megagram": 1000, "tonne": 1000,
		"t": 1000, "millig": 1e-6, "milligram": 1e-6, "mg": 1e-6, "pound_mass": lb, "lbm": lb, "lb": lb, "lbs": lb,
		"pound": lb, "pounds": lb, "kpound_mass": 1000 * lb, "slug": slug, "slinch": 12 * slug, "ounce_mass": ounce,
		"oz": ounce,
	},
	"TIME": {"milli": 0.001, "millisecond": 0.001, "ms": 0.001, "micro": 1e-6, "microsecond": 1e-6, "us": 1e-6,
		"nano": 1e-9, "nanosecond": 1e-9, "sec": 1, "second": 1, "seconds": 1, "s": 1, "min": 60, "minute": 60,
		"hour": 3600, "hours": 3600, "h": 3600, "day": 86400, "days": 86400},
	"PRESSURE": {"pascal": 1, "pa": 1, "n/m2": 1, "n/m^2": 1, "N/m**2": 1, "hectop": 100, "hectopascal": 100, "hpa": 100,
		"kpascal": 1000, "kilop": 1000, "kilopascal": 1000, "kpa": 1000, "mpascal": 1e6, "megap": 1e6, "megapascal": 1e6,
		"mpa": 1e6, "n/mm2": 1e6, "bar": 1e5, "millibar": 100, "mbar": 100, "psi": psi, "lbf/in2": psi, "ksi": 1000 * psi,
		"atm": 101325, "atmosphere": 101325, "kgf/cm2": gravity * 1e4},
}

// TestUnitsMatchTheirDefinitions, in small and capital letters, and none is left out here.
func TestUnitsMatchTheirDefinitions(t *testing.T) {
	for key, list := range definitions {
		for name, want := range list {
			for _, text := range []string{name, strings.ToUpper(name)} {
				if got, ok := factor(key, text); !ok || math.Abs(got/want-1) > 1e-12 {
					t.Errorf("%s = %s is %.15g SI units, by its definition %.15g", key, text, got, want)
				}
			}
		}
	}
	for key, list := range units {
		for _, u := range append(append([]unit(nil), list.long...), list.short...) {
			if _, defined := definitions[key][strings.ToLower(u.name)]; !defined {
				t.Errorf("the unit %s of %s has no definition here", u.name, key)
			}
		}
		for _, none := range []string{"", "x", "furlong", "1", " m"} {
			if _, ok := factor(key, none); ok {
				t.Errorf("%q is a unit of %s", none, key)
			}
		}
	}
}

// TestEveryDimensionIsConvertedByItsUnits: with units whose factors are different primes, each dimension has the factor
// that its name says.
func TestEveryDimensionIsConvertedByItsUnits(t *testing.T) {
	const l, f, a, m, s, p = 2.0, 3.0, 5.0, 7.0, 11.0, 13.0
	r := &reader{factors: map[string]float64{"LENGTH": l, "FORCE": f, "ANGLE": a, "MASS": m, "TIME": s, "PRESSURE": p}}
	want := map[string]float64{
		"": 1, "L": l, "F": f, "A": a, "M": m, "P": p, "F/L": f / l, "F/L2": f / (l * l), "FT/L": f * s / l,
		"L/T": l / s, "L/T2": l / (s * s),
		"ML2": m * l * l, "FL/A": f * l / a, "1/T": 1 / s, "text": 1, "other": 1,
	}
	for name, d := range dimensions {
		factor, known := want[name]
		if got := r.si(d); !known || math.Abs(got/factor-1) > 1e-15 {
			t.Errorf("%q has the factor %.17g, want %.17g", name, got, factor)
		}
	}
	for section, keys := range sections {
		for name, k := range keys {
			if _, known := dimensions[k.dimension]; !known {
				t.Errorf("%s of %s has the dimension %q, which does not exist", name, section, k.dimension)
			}
		}
	}
}

// TestQuantitiesOfAFileAreConverted: one of each dimension that is read, in a file whose units are not SI. In some
// units the numbers of the file are refused, because no tire has such values; of each kind some are taken.
func TestQuantitiesOfAFileAreConverted(t *testing.T) {
	base, err := os.ReadFile("../../resources/tires/mf61_205_60R15.tir")
	if err != nil {
		t.Fatal(err)
	}
	in := func(key, unit string) (*Properties, error) {
		lines := strings.Split(string(base), "\n")
		for i := range lines {
			if strings.HasPrefix(lines[i], key+" ") {
				lines[i] = key + " = '" + unit + "'"
			}
		}
		file, err := Parse([]byte(strings.Join(lines, "\n")), "t.tir")
		if err != nil {
			t.Fatal(err)
		}
		return Read(file, 0)
	}
	si, err := in("LENGTH", "meter")
	if err != nil {
		t.Fatal(err)
	}
	taken := map[string]int{}
	for key, list := range definitions {
		for unit, scale := range list {
			got, err := in(key, unit)
			if err != nil {
				continue
			}
			if scale != 1 {
				taken[key]++
			}
			for quantity, power := range map[string]map[string]int{
				"UNLOADED_RADIUS": {"LENGTH": 1}, "FNOMIN": {"FORCE": 1}, "INFLPRES": {"PRESSURE": 1},
				"NOMPRES": {"PRESSURE": 1}, "LONGVL": {"LENGTH": 1, "TIME": -1},
				"VERTICAL_STIFFNESS": {"FORCE": 1, "LENGTH": -1}, "VERTICAL_DAMPING": {"FORCE": 1, "LENGTH": -1,
					"TIME": 1}, "ALPMAX": {"ANGLE": 1}, "PKY1": {},
			} {
				want := si.Values[quantity] * math.Pow(scale, float64(power[key]))
				if math.Abs(got.Values[quantity]-want) > 1e-12*math.Abs(want) {
					t.Errorf("%s = %s: %s is %.15g, want %.15g", key, unit, quantity, got.Values[quantity], want)
				}
			}
		}
	}
	for key := range definitions {
		if taken[key] == 0 {
			t.Errorf("no unit of %s but that of SI is taken", key)
		}
	}
}
