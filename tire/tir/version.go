package tir

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// fits are the Magic Formula versions by FITTYP.
var fits = map[float64]Version{5: MF52, 52: MF52, 6: MF52, 21: MF52, 61: MF61, 62: MF62}

// unreadFits are the models of FITTYP that are not read.
var unreadFits = map[float64]string{
	51: "a Magic Formula for motorcycles", 53: "a Magic Formula for motorcycles", 60: "Magic Formula 6.0",
	70: "MF-Tyre 7.0", 71: "MF-Tyre 7.1", 72: "MF-Tyre 7.2", 73: "MF-Tyre 7.3", 74: "MF-Tyre 7.4",
}

// formats are the readable names of PROPERTY_FILE_FORMAT, as plainFormat spells them. Formats of several versions are
// in byFit: FITTYP tells the version.
var (
	byFit   = words("MFTYRE MFSWIFT SWIFTTYRE MFTYREMFSWIFT MFTYRESWIFT DELFTTYRE MAGICFORMULA MF USER")
	formats = map[string]Version{
		"PAC2002": MF52, "PACEJKA2002": MF52, "MF5": MF52, "MF05": MF52, "MF50": MF52, "MF51": MF52, "MF52": MF52,
		"MFTYRE52": MF52, "MF61": MF61, "MF612": MF61, "MFTYRE61": MF61, "MF62": MF62, "MFTYRE62": MF62,
	}
)

// unreadFormats are the names of tire models that are not read, with an explanation.
var unreadFormats = map[string]string{
	"PAC2002TURNSLIP": "PAC2002 with turn slip; write 'PAC2002' to leave turn slip out",
	"PACMC":           "the Magic Formula for motorcycles",
	"MFMCTYRE":        "the Magic Formula for motorcycles",
	"PACTIME":         "the Magic Formula PAC-TIME, which has coefficients of its own",
	"PAC89":           "the Magic Formula of 1989, with coefficients in kN, degrees and percent",
	"PAC94":           "the Magic Formula of 1994, with coefficients in kN, degrees and percent",
	"FIALA":           "the Fiala tire; write its parameters as TOML of the function Fiala (skidpad tire Fiala)",
	"TMEASY":          "TMeasy; write its parameters as TOML of the function TMeasy (skidpad tire TMeasy)",
	"CALSPAN":         "the Calspan tire; write its parameters as TOML of the function Calspan (skidpad tire Calspan)",
	"BRUSH":           "a brush tire; write its parameters as TOML of the function Brush (skidpad tire Brush)",
	"521":             "the tire 5.2.1 of interpolated curves",
	"UA":              "the tire of the University of Arizona",
	"FTIRE":           "FTire, a structural model",
	"FTYRE":           "FTire, a structural model",
	"CTIRE":           "CTire, a structural model",
	"CDTYRE":          "CDTire, a structural model",
	"RMODK":           "RMOD-K, a structural model",
	"SOFTSOIL":        "a tire on soft soil",
}

// plainFormat reduces a name of PROPERTY_FILE_FORMAT to capital letters and digits. Delft-Tyre and CDTire are spelt
// with a y.
func plainFormat(name string) string {
	kept := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToUpper(name))
	if strings.HasPrefix(kept, "MF") || strings.HasPrefix(kept, "SWIFT") || strings.HasPrefix(kept, "DELFT") ||
		strings.HasPrefix(kept, "CDT") {
		kept = strings.ReplaceAll(kept, "TIRE", "TYRE")
	}
	return kept
}

const readFormats = "read are 'PAC2002' (version 5.2), and 'MF-TYRE', 'SWIFT-TYRE' and 'USER' by their FITTYP " +
	"(5.2, 6.1, 6.2)"

// version finds the Magic Formula version by FITTYP, or by PROPERTY_FILE_FORMAT in files without FITTYP.
func (r *reader) version(model *Section) (version Version, found bool) {
	format, fit := model.Entry("PROPERTY_FILE_FORMAT"), model.Entry("FITTYP")
	if format == nil && fit == nil {
		r.faults.Add(model.Line, 1, "[MODEL] has neither PROPERTY_FILE_FORMAT nor FITTYP; write "+
			"PROPERTY_FILE_FORMAT = 'PAC2002', or FITTYP = 61 or 62")
		return version, false
	}
	name := ""
	if format != nil {
		name = plainFormat(format.Text)
		_, one := formats[name]
		switch other := unreadFormats[name]; {
		case other != "":
			r.fail("MODEL", format, "this is %s; %s", other, readFormats)
			return version, false
		case !one && !byFit[name]:
			r.fail("MODEL", format, "%s", readFormats)
			return version, false
		case fit == nil && !one:
			r.fail("MODEL", format, "FITTYP, which says the version of such files, is missing; write FITTYP = 6, 61 or 62")
			return version, false
		case fit == nil:
			return formats[name], true
		}
	}
	number, ok := fit.Number()
	if !ok {
		r.fail("MODEL", fit, "it must be a number: 5, 6, 21 or 52 (version 5.2), 61 or 62")
		return version, false
	}
	version, known := fits[number]
	switch {
	case !known:
		what := ""
		if other := unreadFits[number]; other != "" {
			what = fmt.Sprintf("this is %s; ", other)
		}
		r.fail("MODEL", fit, "%sread are 5, 6, 21 and 52 (version 5.2), 61 and 62; the nearest is %s", what,
			nearestFit(number))
	case strings.HasPrefix(name, "PAC") && version != MF52:
		r.fail("MODEL", fit, "PROPERTY_FILE_FORMAT in line %d is '%s', which is version 5.2; write 'MF-TYRE' "+
			"there, or the FITTYP 6 here", format.Line, format.Text)
	case number == 5:
		r.warn("MODEL", fit, "Magic Formula 5.0 and 5.1 are read as 5.2")
	}
	return version, known
}

// nearestFit is the FITTYP nearest to a number.
func nearestFit(number float64) string {
	best, distance := 0.0, math.Inf(1)
	for _, f := range slices.Sorted(maps.Keys(fits)) {
		if d := math.Abs(f - number); d < distance {
			best, distance = f, d
		}
	}
	return Number(best)
}
