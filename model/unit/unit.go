// Package unit knows units by their names: dimension, and factor to the SI unit.
package unit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// BaseNames are the base units of FMI, in the order of its schema.
var BaseNames = [...]string{"kg", "m", "s", "A", "K", "mol", "cd", "rad"}

// Exponents are those of BaseNames.
type Exponents [len(BaseNames)]int

// Unit is what a name stands for: Factor times the SI unit, plus Offset.
type Unit struct {
	Exponents
	SI             string // name of the SI unit, where the unit itself is none
	Factor, Offset float64
}

// known holds the units that names are made of.
var known = map[string]Unit{
	"1": si(), "kg": si(1), "m": si(0, 1), "s": si(0, 0, 1), "A": si(0, 0, 0, 1), "K": si(0, 0, 0, 0, 1),
	"mol": si(0, 0, 0, 0, 0, 1), "cd": si(0, 0, 0, 0, 0, 0, 1), "rad": si(0, 0, 0, 0, 0, 0, 0, 1),
	"N": si(1, 1, -2), "Pa": si(1, -1, -2), "J": si(1, 2, -2), "W": si(1, 2, -3), "Hz": si(0, 0, -1),
	"C": si(0, 0, 1, 1), "V": si(1, 2, -3, -1), "Ohm": si(1, 2, -3, -2), "Nm": si(1, 2, -2), "-": si(),
}

// others are units in use that are not SI.
var others = []struct {
	name, si string
	factor   float64
}{
	{"deg", "rad", math.Pi / 180}, {"rpm", "rad/s", math.Pi / 30}, {"rev", "rad", 2 * math.Pi}, {"mrad", "rad", 1e-3},
	{"%", "1", 0.01},
	{"mm", "m", 1e-3}, {"cm", "m", 1e-2}, {"dm", "m", 0.1}, {"km", "m", 1e3}, {"in", "m", 0.0254}, {"inch", "m", 0.0254},
	{"ft", "m", 0.3048}, {"mi", "m", 1609.344},
	{"g", "kg", 1e-3}, {"t", "kg", 1e3}, {"lb", "kg", 0.45359237}, {"lbm", "kg", 0.45359237},
	{"slug", "kg", 14.59390293720636},
	{"ms", "s", 1e-3}, {"us", "s", 1e-6}, {"min", "s", 60}, {"h", "s", 3600}, {"kph", "m/s", 1 / 3.6},
	{"kmh", "m/s", 1 / 3.6}, {"mph", "m/s", 0.44704},
	{"mN", "N", 1e-3}, {"kN", "N", 1e3}, {"MN", "N", 1e6}, {"daN", "N", 10}, {"lbf", "N", 4.4482216152605},
	{"kgf", "N", 9.80665}, {"kNm", "N.m", 1e3},
	{"hPa", "Pa", 100}, {"kPa", "Pa", 1e3}, {"MPa", "Pa", 1e6}, {"GPa", "Pa", 1e9}, {"bar", "Pa", 1e5},
	{"mbar", "Pa", 100}, {"psi", "Pa", 6894.757293168361}, {"atm", "Pa", 101325},
	{"kJ", "J", 1e3}, {"Wh", "J", 3600}, {"kWh", "J", 3.6e6}, {"kW", "W", 1e3}, {"MW", "W", 1e6}, {"PS", "W", 735.49875},
	{"hp", "W", 745.6998715822702},
	{"kHz", "Hz", 1e3}, {"mV", "V", 1e-3}, {"kV", "V", 1e3}, {"mA", "A", 1e-3}, {"kOhm", "Ohm", 1e3},
}

func si(powers ...int) Unit {
	u := Unit{Factor: 1}
	copy(u.Exponents[:], powers)
	return u
}

func init() {
	for _, o := range others {
		u, err := Parse(o.si)
		if err != nil {
			panic(err)
		}
		u.SI, u.Factor = o.si, o.factor*u.Factor
		known[o.name] = u
	}
	kelvin := si(0, 0, 0, 0, 1)
	known["degC"] = Unit{kelvin.Exponents, "K", 1, 273.15}
}

// Parse reads the name of a unit, such as N.m/rad or m/s2: factors joined by . or /, each a known unit with a whole
// exponent. A / divides by the next factor only. For . and the exponent s2, * and ^ as in s^2 are read, too.
func Parse(name string) (Unit, error) {
	u := Unit{Factor: 1}
	var names strings.Builder // of the SI unit
	foreign := false
	for rest, sign, separator := name, 1, ""; ; {
		end := strings.IndexAny(rest, "./*")
		factor := rest
		if end >= 0 {
			factor = rest[:end]
		}
		f, power, ok := parseFactor(factor)
		if !ok {
			return u, fmt.Errorf("unit %q is not known; units are %s, N, Pa, J, W, Hz, C, V, Ohm, or 1 for none, "+
				"and products such as N.m/rad or kg.m2", name, strings.Join(BaseNames[:], ", "))
		}
		for i, e := range f.Exponents {
			u.Exponents[i] += sign * power * e
		}
		u.Factor *= math.Pow(f.Factor, float64(sign*power))
		if u.Offset = f.Offset; u.Offset != 0 && factor != name {
			return u, fmt.Errorf("unit %q has %s in a product, which is a point of a scale; write K for differences of "+
				"temperature",
				name, factor)
		}
		names.WriteString(separator)
		writeSI(&names, factor, f, power, separator)
		foreign = foreign || f.SI != ""
		if end < 0 {
			break
		}
		if sign, separator = 1, "."; rest[end] == '/' {
			sign, separator = -1, "/"
		}
		rest = rest[end+1:]
	}
	if foreign {
		u.SI = names.String()
	}
	return u, nil
}

// parseFactor reads a unit with its exponent, s2 or s^2.
func parseFactor(factor string) (u Unit, power int, ok bool) {
	letters := strings.TrimRight(factor, "0123456789")
	if letters == "" { // 1 itself
		u, ok = known[factor]
		return u, 1, ok
	}
	power = 1
	if digits := factor[len(letters):]; digits != "" {
		if len(digits) > 1 || digits == "0" {
			return u, 0, false
		}
		power = int(digits[0] - '0')
		letters = strings.TrimSuffix(letters, "^")
	}
	u, ok = known[letters]
	return u, power, ok
}

// writeSI writes the SI unit of a factor, the factors of which share its exponent and the separator in front of it.
func writeSI(b *strings.Builder, factor string, f Unit, power int, separator string) {
	if f.SI == "" {
		b.WriteString(strings.ReplaceAll(factor, "^", ""))
		return
	}
	names := f.SI
	if separator == "/" { // what divides it multiplies, and the other way round
		names = strings.NewReplacer("/", ".", ".", "/").Replace(names)
	}
	at := 0
	for i := 0; i <= len(names); i++ {
		if i < len(names) && names[i] != '.' && names[i] != '/' {
			continue
		}
		b.WriteString(names[at:i])
		if power > 1 && names[at:i] != "1" {
			b.WriteString(strconv.Itoa(power))
		}
		if i < len(names) {
			b.WriteByte(names[i])
		}
		at = i + 1
	}
}

// ParseSI reads the name of an SI unit. The error for another known unit names the one to write.
func ParseSI(name string) (Exponents, error) {
	u, err := Parse(name)
	switch {
	case err != nil:
		return u.Exponents, err
	case u.SI == "":
		return u.Exponents, nil
	case u.Offset != 0:
		return u.Exponents, fmt.Errorf("unit %q is not an SI unit; write %q, with values in it (0 %s = %g %s)", name, u.SI,
			name, u.Offset, u.SI)
	}
	return u.Exponents, fmt.Errorf("unit %q is not an SI unit; write %q, with values in it (1 %s = %.6g %s)", name, u.SI,
		name, u.Factor, u.SI)
}
