package tir_test

import (
	"strings"
	"testing"

	"skidpad/tire/tir"
)

// model is a complete property file with the given lines in the section [MODEL].
func model(lines string) []byte {
	return []byte("[MDI_HEADER]\nFILE_TYPE = 'tir'\n[UNITS]\n[MODEL]\n" + lines +
		"\n[DIMENSION]\nUNLOADED_RADIUS = 0.3\n[VERTICAL]\nFNOMIN = 4000\nVERTICAL_STIFFNESS = 2e5\n" +
		"[LONGITUDINAL_COEFFICIENTS]\nPCX1 = 1.6\nPDX1 = 1.1\nPKX1 = 22\n" +
		"[LATERAL_COEFFICIENTS]\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -20\nPKY2 = 1.7\n")
}

// Names that files of several tools have for one Magic Formula.
func TestVersionsByTheirNames(t *testing.T) {
	for lines, want := range map[string]tir.Version{
		"PROPERTY_FILE_FORMAT = 'PAC2002'":              tir.MF52,
		"PROPERTY_FILE_FORMAT = 'pac_2002'\nFITTYP = 6": tir.MF52,
		"PROPERTY_FILE_FORMAT = 'MF_05'":                tir.MF52,
		"PROPERTY_FILE_FORMAT = 'MF_05'\nFITTYP = 5":    tir.MF52,
		"PROPERTY_FILE_FORMAT = 'MF-TYRE'\nFITTYP = 5":  tir.MF52,
		"FITTYP = 52":                           tir.MF52,
		"FITTYP = 21":                           tir.MF52,
		"PROPERTY_FILE_FORMAT = ''\nFITTYP = 6": tir.MF52,
		"PROPERTY_FILE_FORMAT = 'MF-Tire'\nFITTYP = 61":           tir.MF61,
		"PROPERTY_FILE_FORMAT = 'MF61'":                           tir.MF61,
		"PROPERTY_FILE_FORMAT = MF-Tyre 6.1\nFITTYP = 61":         tir.MF61,
		"PROPERTY_FILE_FORMAT = 'USER'\nFITTYP = '61'":            tir.MF61,
		"PROPERTY_FILE_FORMAT = 'MF-Tyre/MF-Swift'\nFITTYP = 62.": tir.MF62,
		"PROPERTY_FILE_FORMAT = 'SWIFT-TYRE'\nFITTYP = 6.2D1":     tir.MF62,
		"PROPERTY_FILE_FORMAT = 'MF 6.2'":                         tir.MF62,
	} {
		p, err := read(model(lines), "t.tir")
		if err != nil {
			t.Errorf("%s: %v", lines, err)
		} else if p.Version != want {
			t.Errorf("%s is read as %v, want %v", lines, p.Version, want)
		}
	}
	p, err := read(model("FITTYP = 5"), "t.tir")
	if err != nil || !strings.Contains(strings.Join(p.Warnings, "\n"), "Magic Formula 5.0 and 5.1 are read as 5.2") {
		t.Errorf("FITTYP = 5: %v, %v", p, err)
	}
}

// Models of other kinds are named, with what can be done.
func TestUnsupportedModelsAreNamed(t *testing.T) {
	for lines, want := range map[string]string{
		"PROPERTY_FILE_FORMAT = 'PAC_MC'":                 "this is the Magic Formula for motorcycles; read are",
		"PROPERTY_FILE_FORMAT = 'MF-MCTYRE'\nFITTYP = 52": "motorcycles",
		"PROPERTY_FILE_FORMAT = 'PAC2002_TURNSLIP'":       "write 'PAC2002' to leave turn slip out",
		"PROPERTY_FILE_FORMAT = 'PAC-TIME'":               "PAC-TIME",
		"PROPERTY_FILE_FORMAT = 'PAC89'":                  "of 1989, with coefficients in kN",
		"PROPERTY_FILE_FORMAT = 'Pac94'":                  "of 1994",
		"PROPERTY_FILE_FORMAT = 'FIALA'":                  "TOML of the function Fiala",
		"PROPERTY_FILE_FORMAT = 'TMeasy'":                 "TOML of the function TMeasy",
		"PROPERTY_FILE_FORMAT = 'FTire'":                  "this is FTire",
		"PROPERTY_FILE_FORMAT = 'CDTIRE'":                 "this is CDTire",
		"PROPERTY_FILE_FORMAT = '5.2.1'":                  "tire 5.2.1",
		"PROPERTY_FILE_FORMAT = 'UA'":                     "University of Arizona",
		"PROPERTY_FILE_FORMAT = 'OWN'":                    "PROPERTY_FILE_FORMAT is OWN; read are 'PAC2002'",
		"PROPERTY_FILE_FORMAT = 'MF-TYRE'":                "FITTYP, which says the version of such files, is missing",
		"PROPERTY_FILE_FORMAT = 'PAC2002'\nFITTYP = 62":   "is 'PAC2002', which is version 5.2",
		"FITTYP = 60":    "this is Magic Formula 6.0; read are 5, 6, 21 and 52",
		"FITTYP = 70":    "this is MF-Tyre 7.0; read are",
		"FITTYP = 51":    "motorcycles",
		"FITTYP = 63":    "the nearest is 62",
		"FITTYP = 'six'": "it must be a number",
	} {
		p, err := read(model(lines), "t.tir")
		switch {
		case err == nil:
			t.Errorf("%s is read as %v", lines, p.Version)
		case !strings.HasPrefix(err.Error(), "t.tir:5:") && !strings.HasPrefix(err.Error(), "t.tir:6:"):
			t.Errorf("%s: the place of %v", lines, err)
		case !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%s: %v, want one line with %q", lines, err, want)
		}
	}
}

// One error has all faults of a file: units, USE_MODE, missing keys and values.
func TestAllFaultsAtOnce(t *testing.T) {
	text := strings.NewReplacer("[UNITS]", "[UNITS]\nFORCE = 'stone'", "PDX1 = 1.1", "PDX1 = 0", "PKX1 = 22\n", "",
		"PCY1 = 1.3", "PCY1 = x", "PKY1 = -20", "PKY1 = 20").Replace(string(model("FITTYP = 61\nUSE_MODE = 10")))
	_, err := read([]byte(text), "t.tir")
	if err == nil {
		t.Fatal("the file is read")
	}
	faults := strings.Split(err.Error(), "\n")
	for _, want := range []string{"[UNITS] FORCE is stone", "USE_MODE is 10", "PDX1 is 0", "PKX1 is missing", "PCY1 is x",
		"PKY1 is 20"} {
		n := 0
		for _, fault := range faults {
			if strings.Contains(fault, want) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d messages with %q:\n%v", n, want, err)
		}
	}
	if len(faults) != 6 {
		t.Errorf("%d messages, want 6:\n%v", len(faults), err)
	}
}

// Files without VERTICAL_STIFFNESS are complete. UNLOADED_RADIUS can come from the tire that uses the file.
func TestSizesOfTheWheelAreOptional(t *testing.T) {
	text := strings.Replace(string(model("FITTYP = 61")), "VERTICAL_STIFFNESS = 2e5\n", "", 1)
	if _, err := read([]byte(text), "t.tir"); err != nil {
		t.Errorf("without VERTICAL_STIFFNESS: %v", err)
	}
	file, err := tir.Parse([]byte(strings.Replace(text, "UNLOADED_RADIUS = 0.3\n", "", 1)), "t.tir")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tir.Read(file, 0); err == nil || !strings.Contains(err.Error(),
		"t.tir:6:1: [DIMENSION] UNLOADED_RADIUS is missing; the tire component that uses the file") {
		t.Errorf("without UNLOADED_RADIUS: %v", err)
	}
	p, err := tir.Read(file, 0.33)
	if err != nil {
		t.Fatal(err)
	}
	if _, given := p.Places["UNLOADED_RADIUS"]; p.Values["UNLOADED_RADIUS"] != 0.33 || given {
		t.Errorf("the radius is %v, in the file %v", p.Values["UNLOADED_RADIUS"], given)
	}
	if p, err := tir.Read(file, -1); err == nil {
		t.Errorf("a negative radius gives %v", p)
	}
}

// Modes that are not served name the nearest one that is.
func TestUnsupportedModesAreRejected(t *testing.T) {
	const pure = "must be 3 (pure slips) or 4 (combined slip)"
	const turning = "must be 3 (pure slips), 4 (combined slip) or 5 (with turn slip)"
	nearest := func(digits, mode string) string { return digits + "; the nearest that is served is " + mode }
	for lines, want := range map[string]string{
		"FITTYP = 6\nUSE_MODE = 0":    nearest("it asks for the load alone, and its last digit "+pure, "3"),
		"FITTYP = 6\nUSE_MODE = 11":   nearest("it asks for longitudinal forces alone, and its last digit "+pure, "13"),
		"FITTYP = 61\nUSE_MODE = 12":  nearest("it asks for lateral forces alone, and its last digit "+turning, "13"),
		"FITTYP = 6\nUSE_MODE = 15":   nearest("version 5.2 has no turn slip", "14"),
		"FITTYP = 6\nUSE_MODE = 17":   nearest("USE_MODE is 17; its last digit "+pure, "14"),
		"FITTYP = 62\nUSE_MODE = 9":   nearest("USE_MODE is 9; its last digit "+turning, "5"),
		"FITTYP = 6\nUSE_MODE = 1014": "at most three digits",
	} {
		if _, err := read(model(lines), "t.tir"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", lines, err, want)
		}
	}
}
