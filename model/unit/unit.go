// Package unit knows units by their names: dimension, and factor to the SI unit.
package unit

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"
)

// BaseNames are the base units of FMI, in the order of its schema.
var BaseNames = [...]string{"kg", "m", "s", "A", "K", "mol", "cd", "rad"}

// Exponents are the exponents of BaseNames: integers, except for roots.
type Exponents [len(BaseNames)]float64

// Whole reports whether all exponents are integers; roots of units have others.
func (e Exponents) Whole() bool {
	for _, x := range e {
		if x != math.Trunc(x) {
			return false
		}
	}
	return true
}

// Unit is a unit of measurement: Factor times the SI unit, plus Offset.
type Unit struct {
	Exponents
	SI             string // name of the SI unit, where the unit itself is none
	Factor, Offset float64

	ratio exact // Factor before it is rounded
	turns bool  // counts degrees, turns or milliradians, or is Hz
}

// exact is a rational number times a power of pi.
type exact struct {
	rational *big.Rat
	pi       int
}

// piDigits are 60 digits; a factor keeps 17 of them.
const piDigits = "3.14159265358979323846264338327950288419716939937510582097494"

// float is the nearest float64.
func (e exact) float() float64 {
	product := new(big.Rat).Set(e.rational)
	pi, _ := new(big.Rat).SetString(piDigits)
	for range max(e.pi, -e.pi) {
		if e.pi > 0 {
			product.Mul(product, pi)
		} else {
			product.Quo(product, pi)
		}
	}
	x, _ := product.Float64()
	return x
}

// times multiplies by a power of another.
func (e exact) times(f exact, power int) exact {
	product := exact{new(big.Rat).Set(e.rational), e.pi + power*f.pi}
	for range max(power, -power) {
		if power > 0 {
			product.rational.Mul(product.rational, f.rational)
		} else {
			product.rational.Quo(product.rational, f.rational)
		}
	}
	return product
}

// roots are the units with a root, which have no part in products: of the states of a tire's carcass, and of the flow
// through a restriction per root of its drop.
var roots = map[string]Unit{"J^0.5": si(0.5, 1, -1), "m3/s/Pa^0.5": si(-0.5, 3.5)}

// known holds the units that names are made of.
var known = map[string]Unit{
	"1": si(), "kg": si(1), "m": si(0, 1), "s": si(0, 0, 1), "A": si(0, 0, 0, 1), "K": si(0, 0, 0, 0, 1),
	"mol": si(0, 0, 0, 0, 0, 1), "cd": si(0, 0, 0, 0, 0, 0, 1), "rad": si(0, 0, 0, 0, 0, 0, 0, 1),
	"N": si(1, 1, -2), "Pa": si(1, -1, -2), "J": si(1, 2, -2), "W": si(1, 2, -3), "Hz": si(0, 0, -1),
	"C": si(0, 0, 1, 1), "V": si(1, 2, -3, -1), "Ohm": si(1, 2, -3, -2), "F": si(-1, -2, 4, 2),
	"H": si(1, 2, -2, -2), "S": si(-1, -2, 3, 2), "Wb": si(1, 2, -2, -1), "Nm": si(1, 2, -2), "-": si(),
}

// nonSI are units in use outside SI, with the values of their definitions: the international yard and pound, standard
// gravity, the metric and the mechanical horsepower. A factor pi is kept as pi.
var nonSI = []struct {
	name, si, factor string
	pi               int
}{
	{"deg", "rad", "1/180", 1}, {"rpm", "rad/s", "1/30", 1}, {"rev", "rad", "2", 1}, {"mrad", "rad", "1e-3", 0},
	{"%", "1", "1e-2", 0},
	{"um", "m", "1e-6", 0}, {"mm", "m", "1e-3", 0}, {"cm", "m", "1e-2", 0}, {"dm", "m", "1e-1", 0},
	{"km", "m", "1e3", 0}, {"in", "m", "0.0254", 0}, {"ft", "m", "0.3048", 0}, {"mi", "m", "1609.344", 0},
	{"g", "kg", "1e-3", 0}, {"t", "kg", "1e3", 0}, {"lb", "kg", "0.45359237", 0},
	{"slug", "kg", "444822161526050/30480000000000", 0},
	{"us", "s", "1e-6", 0}, {"ms", "s", "1e-3", 0}, {"min", "s", "60", 0}, {"h", "s", "3600", 0},
	{"mph", "m/s", "0.44704", 0}, {"g0", "m/s2", "9.80665", 0},
	{"mN", "N", "1e-3", 0}, {"daN", "N", "10", 0}, {"kN", "N", "1e3", 0}, {"MN", "N", "1e6", 0},
	{"lbf", "N", "4.4482216152605", 0}, {"kgf", "N", "9.80665", 0},
	{"hPa", "Pa", "100", 0}, {"kPa", "Pa", "1e3", 0}, {"MPa", "Pa", "1e6", 0}, {"GPa", "Pa", "1e9", 0},
	{"bar", "Pa", "1e5", 0}, {"psi", "Pa", "44482216152605/6451600000", 0},
	{"kJ", "J", "1e3", 0}, {"MJ", "J", "1e6", 0}, {"kW", "W", "1e3", 0}, {"MW", "W", "1e6", 0},
	{"PS", "W", "735.49875", 0}, {"hp", "W", "745.69987158227022", 0},
	{"kHz", "Hz", "1e3", 0}, {"MHz", "Hz", "1e6", 0},
	{"l", "m3", "1e-3", 0}, {"ml", "m3", "1e-6", 0}, {"ul", "m3", "1e-9", 0},
	{"uV", "V", "1e-6", 0}, {"mV", "V", "1e-3", 0}, {"kV", "V", "1e3", 0}, {"MV", "V", "1e6", 0},
	{"uA", "A", "1e-6", 0}, {"mA", "A", "1e-3", 0}, {"kA", "A", "1e3", 0}, {"nA", "A", "1e-9", 0},
	{"uOhm", "Ohm", "1e-6", 0}, {"mOhm", "Ohm", "1e-3", 0}, {"kOhm", "Ohm", "1e3", 0}, {"MOhm", "Ohm", "1e6", 0},
	{"pF", "F", "1e-12", 0}, {"nF", "F", "1e-9", 0}, {"uF", "F", "1e-6", 0}, {"mF", "F", "1e-3", 0},
	{"nH", "H", "1e-9", 0}, {"uH", "H", "1e-6", 0}, {"mH", "H", "1e-3", 0},
	{"nS", "S", "1e-9", 0}, {"uS", "S", "1e-6", 0}, {"mS", "S", "1e-3", 0},
	{"uWb", "Wb", "1e-6", 0}, {"mWb", "Wb", "1e-3", 0},
	{"mW", "W", "1e-3", 0},
}

func si(powers ...float64) Unit {
	u := Unit{Factor: 1, ratio: exact{rational: big.NewRat(1, 1)}}
	copy(u.Exponents[:], powers)
	return u
}

func init() {
	for _, o := range nonSI {
		u, err := Parse(o.si)
		factor, ok := new(big.Rat).SetString(o.factor)
		if err != nil || !ok {
			panic("unit: " + o.name)
		}
		u.SI, u.ratio = o.si, exact{factor, o.pi}
		u.Factor = u.ratio.float()
		u.turns = u.Exponents[len(u.Exponents)-1] != 0
		known[o.name] = u
	}
	hertz := known["Hz"]
	hertz.turns = true
	known["Hz"] = hertz
	kelvin := si(0, 0, 0, 0, 1)
	kelvin.SI, kelvin.Offset = "K", 273.15
	known["degC"] = kelvin
}

// longest bounds names of units.
const longest = 100

// smallestFactor is the smallest number with all digits.
const smallestFactor = 0x1p-1022

// Parse reads the name of a unit, such as N.m/rad or m/s2: factors joined by . or /, each a known unit with a whole
// exponent. A / divides by the next factor only. For . and the exponent s2, * and ^ as in s^2 are read, too. J^0.5 and
// m3/s/Pa^0.5 are read alone.
func Parse(name string) (Unit, error) {
	u := si()
	if len(name) > longest {
		return u, fmt.Errorf("the name of a unit has %d characters; at most %d are allowed", len(name), longest)
	}
	if root, is := roots[name]; is {
		return root, nil
	}
	var names strings.Builder // of the SI unit
	foreign := false
	for rest, sign, separator := name, 1, ""; ; {
		end := strings.IndexAny(rest, "./*")
		factor := rest
		if end >= 0 {
			factor = rest[:end]
		}
		f, base, power, ok := parseFactor(factor)
		if !ok {
			return u, unknown(name, factor)
		}
		for i, e := range f.Exponents {
			u.Exponents[i] += float64(sign*power) * e
		}
		u.ratio = u.ratio.times(f.ratio, sign*power)
		u.turns = u.turns || f.turns
		if u.Offset = f.Offset; u.Offset != 0 && (factor != name || power != 1) {
			return u, fmt.Errorf("unit %q has %s in a product, which is a point of a scale; write K for differences of "+
				"temperature",
				name, factor)
		}
		writeSI(&names, separator, base, f.SI, power)
		foreign = foreign || f.SI != ""
		if end < 0 {
			break
		}
		if sign, separator = 1, "."; rest[end] == '/' {
			sign, separator = -1, "/"
		}
		rest = rest[end+1:]
	}
	if !foreign {
		return u, nil
	}
	u.SI, u.Factor = names.String(), u.ratio.float()
	switch { // SI units for display must be readable units with finite values
	case len(u.SI) > longest:
		return u, fmt.Errorf("unit %q is %q in SI units, which has %d characters; at most %d are allowed", name, u.SI,
			len(u.SI), longest)
	case !(u.Factor >= smallestFactor && u.Factor <= math.MaxFloat64):
		return u, fmt.Errorf("unit %q is too large or too small for a number in SI units", name)
	}
	return u, nil
}

// parseFactor reads a unit with its exponent, s2 or s^2; base is its name without that.
func parseFactor(factor string) (u Unit, base string, power int, ok bool) {
	if u, ok = known[factor]; ok { // 1 and g0 end in digits
		return u, factor, 1, true
	}
	base, power = strings.TrimRight(factor, "0123456789"), 1
	if digits := factor[len(base):]; digits != "" {
		if len(digits) > 1 || digits == "0" {
			return u, base, 0, false
		}
		power = int(digits[0] - '0')
		base = strings.TrimSuffix(base, "^")
	}
	u, ok = known[base]
	return u, base, power, ok
}

// largestPower is the largest exponent that a factor can have.
const largestPower = 9

// writeSI writes the SI unit of a power of a base behind a separator, which is "" in front of the first one. The
// factors of the SI unit share the power: g0^2 is m2/s4. One of SI itself has no si.
func writeSI(b *strings.Builder, separator, base, si string, power int) {
	divides := separator == "/"
	for rest := cmp.Or(si, base); ; {
		end := strings.IndexAny(rest, "./")
		factor := rest
		if end >= 0 {
			factor = rest[:end]
		}
		_, name, own, _ := parseFactor(factor)
		writePower(b, separator, name, own*power)
		if end < 0 {
			return
		}
		if (rest[end] == '.') == divides { // a divisor of a divisor multiplies
			separator = "/"
		} else {
			separator = "."
		}
		rest = rest[end+1:]
	}
}

// writePower writes a factor of an SI unit as often as its exponent needs: g0^5 is m5/s9/s.
func writePower(b *strings.Builder, separator, name string, power int) {
	for ; power > 0; power -= largestPower {
		b.WriteString(separator)
		b.WriteString(name)
		if name == "1" {
			return
		}
		if p := min(power, largestPower); p > 1 {
			b.WriteString(strconv.Itoa(p))
		}
		separator = cmp.Or(separator, ".")
	}
}

// declared are the units that Declared has read, by their names.
var declared sync.Map

// Declared is Parse for a unit of the program, such as the unit of a key: each is parsed once.
func Declared(name string) (Unit, error) {
	if u, known := declared.Load(name); known {
		return u.(Unit), nil
	}
	u, err := Parse(name)
	if err == nil {
		declared.Store(name, u)
	}
	return u, err
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
