package unit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"skidpad/model/document"
)

// Accepted lists the units for people, besides the SI units.
const Accepted = "mm, cm, km, in, ft, mi; km/h, mph; g, t, lb, slug; kN, daN, lbf, kgf; kPa, MPa, bar, psi; " +
	"deg, mrad, rev, rpm; ms, min, h; kW, hp, PS; g0, %, degC"

// suggestions has remedies for common names that have no meaning, or several meanings, here.
var suggestions = map[string]string{
	"lbs": "lb is mass, lbf is force", "pound": "lb is mass, lbf is force", "pounds": "lb is mass, lbf is force",
	"lbm": "write lb", "#": "lb is mass, lbf is force",
	"kmh": "write km/h", "kph": "write km/h", "kmph": "write km/h", "inch": "write in", "inches": "write in",
	"feet": "write ft", "foot": "write ft", "\"": "write in", "'": "write ft", "mile": "write mi", "miles": "write mi",
	"meter": "write m", "metre": "write m", "meters": "write m", "metres": "write m",
	"sec": "write s", "seconds": "write s", "hr": "write h", "hour": "write h",
	"°": "write deg", "degree": "write deg", "degrees": "write deg", "°C": "write degC", "Celsius": "write degC",
	"degF": "write degC or K", "°F": "write degC or K", "Newton": "write N", "newton": "write N",
	"kp": "write kgf", "ton": "write t", "tonne": "write t", "kilo": "write kg", "rps": "write rev/s",
	"kNm": "write kN.m", "Ncm": "write N.cm", "Nmm": "write N.mm", "lbft": "write lbf.ft", "ftlb": "write lbf.ft",
	"lb-ft": "write lbf.ft", "ft-lb": "write lbf.ft", "ft-lbs": "write lbf.ft", "ksi": "write psi", "G": "write g0",
	"Wh": "write J", "kWh": "write kJ", "mbar": "write hPa", "atm": "write bar", "percent": "write %",
	"grad": "write deg", "turn": "write rev", "turns": "write rev", "bhp": "write hp", "CV": "write PS",
	"dB": "write a pure number", "um/m": "write 1", "kn": "write kN, or m/s for knots",
}

// unknown is the error of a name with a factor that is not a unit, with a suggestion.
func unknown(name, factor string) error {
	what := fmt.Sprintf("unit %q is not known", name)
	if factor != name && factor != "" {
		what += fmt.Sprintf(": %q is not a unit", factor)
	}
	form := "a unit is such as N.m/rad, kg.m2 or m/s^2: units with whole powers, joined by . or /"
	switch letters := strings.TrimSuffix(strings.TrimRight(factor, "-0123456789"), "^"); {
	case name == "":
		return errors.New("the unit is missing; write 1 for a number without unit")
	case strings.ContainsAny(name, "()"):
		return fmt.Errorf("%s; there are no brackets, a / divides by the next unit only: write kg/m/s for kg/(m.s)", what)
	case strings.ContainsFunc(name, unicode.IsSpace):
		return fmt.Errorf("%s; write it without blanks: %s", what, form)
	case suggestions[factor] != "":
		return fmt.Errorf("%s; %s", what, suggestions[factor])
	case suggestions[letters] != "":
		return fmt.Errorf("%s; %s", what, suggestions[letters])
	default:
		if near := nearest(letters); near != "" {
			return fmt.Errorf("%s; did you mean %s? Units are those of SI and %s", what, near, Accepted)
		}
		return fmt.Errorf("%s; %s. Units are those of SI and %s", what, form, Accepted)
	}
}

// nearest is the unit that a name is closest to, "" where none is close: one of the same letters first.
func nearest(name string) string {
	var names []string
	for k := range known {
		if k != "1" && k != "-" && k != "Nm" {
			names = append(names, k)
		}
	}
	slices.SortFunc(names, func(a, b string) int { // common units come first
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	for _, k := range names {
		if strings.EqualFold(k, name) {
			return k
		}
	}
	return document.Nearest(name, names)
}
