package tir_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/tire/tir"
)

// shipped is the text of a property file of this repository.
func shipped(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../resources/tires/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Each shape that files of other writers have gives the numbers of the file in the usual one.
func TestFilesOfThirdPartyWriters(t *testing.T) {
	base := shipped(t, "mf61_205_60R15.tir")
	usual, err := read([]byte(base), "t.tir")
	if err != nil {
		t.Fatal(err)
	}
	replace := func(old, new string) func(string) string {
		return func(text string) string {
			if !strings.Contains(text, old) {
				t.Fatalf("%q is not in the file", old)
			}
			return strings.Replace(text, old, new, 1)
		}
	}
	after := func(more string) func(string) string { return func(text string) string { return text + more } }
	for name, c := range map[string]struct {
		change  func(string) string
		warning string // "" for none
	}{
		"CR LF":                   {func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, ""},
		"CR":                      {func(s string) string { return strings.ReplaceAll(s, "\n", "\r") }, ""},
		"byte-order mark":         {func(s string) string { return "\xef\xbb\xbf" + s }, ""},
		"no newline":              {func(s string) string { return strings.TrimRight(s, "\n") }, ""},
		"lower case":              {strings.ToLower, ""},
		"double quotes":           {func(s string) string { return strings.ReplaceAll(s, "'", `"`) }, ""},
		"no quotes":               {func(s string) string { return strings.ReplaceAll(s, "'", "") }, ""},
		"tabs":                    {func(s string) string { return strings.ReplaceAll(s, " = ", "\t=\t") }, ""},
		"no blanks":               {func(s string) string { return strings.ReplaceAll(s, " = ", "=") }, ""},
		"Latin-1":                 {replace("[UNITS]", "$ pneu d'\xe9t\xe9\n[UNITS]"), ""},
		"D exponent":              {replace("FNOMIN             = 4000", "FNOMIN = 4.0D+03"), ""},
		"exponent alone":          {replace("FNOMIN             = 4000", "FNOMIN = 4.0+003"), ""},
		"comments":                {replace("FNOMIN             = 4000", "FNOMIN = 4000 $nominal = 'load' ! N"), ""},
		"TIRESIDE":                {replace("TYRESIDE", "TIRESIDE"), ""},
		"Ctrl-Z":                  {after("\x1a"), ""},
		"Ctrl-Z and padding":      {after("\r\n\x1a\x1a\x1a\n"), ""},
		"shape without a heading": {after("[SHAPE]\n 1.00  0.00\n 1.00  0.50 $ c\n 0.90, 1.00\n"), ""},
		"shape in lower case":     {after("[shape]\n{radial width}\n 1.0 0.0\n 0.9 1d0\n"), ""},
		"curve without a heading": {after("[DEFLECTION_LOAD_CURVE]\n0 0\n0.01 2e3\n"), "[DEFLECTION_LOAD_CURVE] is not used"},
		"curve with commas":       {after("[BOTTOMING_CURVE]\n{pen, fz}\n0.0, 0.0\n0.01,2000\n"), "is not used"},
		"unused section twice": {after("[BOTTOMING_CURVE]\n{pen fz}\n0 0\n1 1\n[BOTTOMING_CURVE]\n{pen fz}\n0 0\n2 2\n"),
			"neither is used"},
		"inertia twice": {after("[INERTIA]\nMASS = 9\n[INERTIA]\nMASS = 8\n"), "neither is used"},
		"strange section": {after("[NOTES]\nmeasured by us = them, a 'quote\nWidth: 205\n(open\n{\n{a b}\n1\n1 2\nx\n" +
			"A = 1\nA = 2\n"), "unknown and not used: [NOTES]"},
		"strange table":         {after("[NOTES]\n{a b}\n1 2\nKEY = 1\nx\n"), "unknown and not used: [NOTES]"},
		"strange section twice": {after("[NOTES]\nA = 1\n[NOTES]\nA = 2\n"), "[NOTES] begins in line"},
		"comments with =": {
			replace("[UNITS]", "(COMMENTS)\n{comment_string}\n'rim = 6J'\nTire's pressure = 2.4 bar\n[UNITS]"), ""},
		"comments without a heading": {
			replace("[UNITS]", "(COMMENTS)\nrim = 6J x 15\nTire's pressure = 2.4 bar\n[UNITS]"), ""},
	} {
		text := c.change(base)
		p, err := read([]byte(text), "t.tir")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Version != usual.Version || p.Side != usual.Side || !maps.Equal(p.Values, usual.Values) {
			t.Errorf("%s: the file means something else", name)
		}
		switch found := strings.Join(p.Warnings, "\n"); {
		case c.warning == "" && found != "", !strings.Contains(found, c.warning):
			t.Errorf("%s: the warnings are %q, want one with %q", name, found, c.warning)
		}
		first, err := tir.Parse([]byte(text), "t.tir")
		if err != nil {
			t.Fatal(err)
		}
		once := first.Format()
		second, err := tir.Parse(once, "t.tir")
		if err != nil {
			t.Errorf("%s: written, it is not read: %v", name, err)
			continue
		}
		if twice := second.Format(); !slices.Equal(once, twice) {
			t.Errorf("%s is written differently again", name)
		}
	}
}

// Shapes that can mean two things are refused with their place.
func TestShapesWithTwoMeanings(t *testing.T) {
	base := shipped(t, "mf61_205_60R15.tir")
	for more, want := range map[string]string{
		"\x1a\n[INERTIA]\nMASS = 1\n":            "Ctrl-Z (1A), which ends texts of DOS, and goes on behind it",
		"[VERTICAL]\nFNOMIN = 5000\n":            "section [VERTICAL] begins in line",
		"[SHAPE]\n1 0\n0.9 0.5 1\n":              "[SHAPE] the row has 3 numbers; the table has the 2 columns",
		"[LATERAL_STRENGTH]\n[SHAPE]\none two\n": `[SHAPE] "one two" is not an entry`,
		"[DEFLECTION_LOAD_CURVE]\n0 0\n0 1\n":    "the first column must increase",
	} {
		if _, err := read([]byte(base+more), "t.tir"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", more, err, want)
		}
	}
}

// Other kinds of files are named as such, and no tire file is taken for one.
func TestForeignFilesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"**HEADER\nRELEASE 1.3\n":                 "TYDEX file (**HEADER)",
		"! measured\r\n\r\n  **Header\r\n":        "TYDEX file (**Header)",
		"\xef\xbb\xbf**COMMENTS\n":                "TYDEX file (**COMMENTS)",
		"{\n  \"Name\": \"tire\"\n}":              "JSON file",
		"<?xml version=\"1.0\"?>\n<tire/>":        "XML file",
		"MATLAB 5.0 MAT-file, Platform: GLNXA64":  "MATLAB file",
		"PK\x03\x04":                              "ZIP archive",
		shipped(t, "mf61_205_60R15.tir"):          "",
		shipped(t, "pacejka2002.toml"):            "",
		"** not a keyword\n":                      "",
		"$ **HEADER\n[MODEL]\n":                   "",
		"":                                        "",
		"[MDI_HEADER]\n(COMMENTS)\n**HEADER":      "",
		"function = \"Fiala\"\n# {\"a\": 1}\n**X": "",
	} {
		line, what := tir.Foreign([]byte(text))
		if (line > 0) != (want != "") || !strings.Contains(what, want) {
			t.Errorf("%.30q: line %d, %q, want %q", text, line, what, want)
		}
	}
	if line, _ := tir.Foreign([]byte("! a\n\n**HEADER\n")); line != 3 {
		t.Errorf("a keyword in line 3 is found in line %d", line)
	}
}
