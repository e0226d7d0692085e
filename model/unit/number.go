package unit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const digits = `[+-]?(?:[0-9](?:_?[0-9])*(?:\.(?:[0-9](?:_?[0-9])*)?)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`

var (
	begin        = regexp.MustCompile(`^` + digits)
	withUnit     = regexp.MustCompile(`^\s+(?:[^\s+\-*/^,)].*|-)$`)
	withoutBlank = regexp.MustCompile(`^[A-Za-z%°#"'µ].*$`)
	withComma    = regexp.MustCompile(`^\s*[+-]?[0-9]+,[0-9]+\s*[A-Za-z%°]?.*$`)
	insideText   = regexp.MustCompile(`[0-9.]\s+[A-Za-z%°]`)
)

// Number is a number with the name of its unit.
type Number struct {
	Value float64
	Unit  string
}

// ParseNumber reads a number and, behind a blank, its unit, such as 24.4 N/mm. Any other text, for example a formula,
// is not ok; err is an error in a text that looks like a number with a unit.
func ParseNumber(text string) (n Number, ok bool, err error) {
	text = strings.TrimSpace(text)
	number := begin.FindString(text)
	rest := text[len(number):]
	switch {
	case number == "":
		return n, false, nil
	case withComma.MatchString(text):
		return n, false, fmt.Errorf("the decimal sign is a point: write %q", strings.Replace(text, ",", ".", 1))
	case withoutBlank.MatchString(rest):
		return n, false, fmt.Errorf("between number and unit stands a blank: write %q", number+" "+rest)
	case !withUnit.MatchString(rest):
		return n, false, nil
	}
	n.Unit = strings.TrimSpace(rest)
	if n.Value, err = strconv.ParseFloat(strings.ReplaceAll(number, "_", ""), 64); err != nil {
		return n, false, fmt.Errorf("%s is too large for a number", number)
	}
	return n, true, nil
}

// HoldsUnit reports whether a text that is a formula seems to have a unit inside.
func HoldsUnit(formula string) bool { return insideText.MatchString(formula) }

// Of converts a number in the unit to SI, by one multiplication with the rounded factor; SI values keep their bits.
func (u Unit) Of(x float64) float64 {
	switch {
	case u.SI == "":
		return x
	case u.Offset != 0:
		return x + u.Offset
	}
	return x * u.Factor
}

// Base is the name of the SI unit: the name itself, where that is one.
func (u Unit) Base(name string) string {
	if u.SI == "" {
		return name
	}
	return u.SI
}

// angle is the index of rad.
const angle = len(BaseNames) - 1

// Fit reads the name of a unit for a value in a wanted SI unit. rad and 1 are the same there; degrees and turns are
// not.
func Fit(name, wanted string) (Unit, error) {
	u, err := Parse(name)
	if err != nil {
		return u, err
	}
	w, err := Declared(wanted)
	if err != nil {
		panic("unit: " + wanted) // units of keys are tested
	}
	var beyond Exponents // factors that the unit lacks
	for i := range beyond {
		beyond[i] = w.Exponents[i] - u.Exponents[i]
	}
	turn := beyond[angle]
	beyond[angle] = 0
	refuse := func(hint string) (Unit, error) {
		return u, fmt.Errorf("%s is not a unit for what must be in %s%s", name, wanted, hint)
	}
	force := Exponents{0, 1, -2}
	switch {
	case beyond == (Exponents{}) && (turn == 0 || !u.turns):
		return u, nil
	case beyond == (Exponents{}) && strings.Contains(name, "Hz"):
		return refuse("; write rev/s for turns per second, or rad/s")
	case beyond == (Exponents{}):
		return refuse("; degrees and turns are not pure numbers")
	case beyond == force:
		return refuse("; kg and lb are mass: use kgf or N for a force, lbf for pounds")
	case beyond == force.inverse():
		return refuse("; N, kgf and lbf are force: use kg or lb for a mass")
	}
	return refuse("")
}

func (e Exponents) inverse() Exponents {
	for i := range e {
		e[i] = -e[i]
	}
	return e
}
