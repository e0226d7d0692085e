package tir_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/tire/tir"
)

// good are the files that are read without a fault.
func good(t testing.TB) map[string][]byte {
	files, err := filepath.Glob("testdata/variants/*.tir")
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := filepath.Glob("../../resources/tires/*.tir")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, file := range append(files, shipped...) {
		if all[file], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 6 {
		t.Fatalf("%d property files", len(all))
	}
	return all
}

// What has been written once is written the same again, and means the same.
func TestFormatIsStableAfterOnePass(t *testing.T) {
	for name, data := range good(t) {
		first, err := tir.Parse(data, name)
		if err != nil {
			t.Fatal(err)
		}
		once := first.Format()
		second, err := tir.Parse(once, name)
		if err != nil {
			t.Fatalf("%s: written, it is not read: %v\n%s", name, err, once)
		}
		if twice := second.Format(); !bytes.Equal(once, twice) {
			t.Errorf("%s is written differently again:\n%s\n%s", name, once, twice)
		}
		a, err := tir.Read(first, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := tir.Read(second, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a.Version != b.Version || a.Side != b.Side || a.TurnSlip != b.TurnSlip || !maps.Equal(a.Values, b.Values) {
			t.Errorf("%s means something else when it has been written", name)
		}
	}
}

// Every form that files have, with its places.
func TestFormsOfEntries(t *testing.T) {
	text := "\xef\xbb\xbf! first\r\n  [units]  $ c\r\nLENGTH='meter'\r\n\tforce \t=\t\"new ton\" ! c\r\nANGLE = rad " +
		"$ c\rA=.5\nB = -.1E+01\nC = 1.0D-3\nD = 2.\nE=1e+006\nF = 'it $ is !' $ and\n" +
		"(COMMENTS)\n{comment_string}\n'x = 3'\nfree text\n[SHAPE]\n{radial width}\n 1.0\t0.0 $ c\n\n.9 1d0\nKEY = 1"
	f, err := tir.Parse([]byte(text), "t")
	if err != nil {
		t.Fatal(err)
	}
	units := f.Section("UNITS")
	for _, c := range []struct {
		key, text    string
		line, column int
		quoted       bool
	}{{"LENGTH", "meter", 3, 8, true}, {"FORCE", "new ton", 4, 11, true}, {"ANGLE", "rad", 5, 9, false},
		{"F", "it $ is !", 11, 5, true}} {
		e := units.Entry(c.key)
		if e == nil || e.Text != c.text || e.Line != c.line || e.Column != c.column || e.Quoted != c.quoted {
			t.Errorf("%s: %+v, want %+v", c.key, e, c)
		}
	}
	for key, want := range map[string]float64{"A": 0.5, "B": -1, "C": 1e-3, "D": 2, "E": 1e6} {
		if x, ok := units.Entry(key).Number(); !ok || x != want {
			t.Errorf("%s is %g, %v, want %g", key, x, ok, want)
		}
	}
	if b := units.Blocks; len(b) != 1 || b[0].Name != "COMMENTS" ||
		!slices.Equal(b[0].Text, []string{"'x = 3'", "free text"}) {
		t.Errorf("comments %+v", b)
	}
	shape := f.Section("SHAPE")
	if b := shape.Blocks; len(b) != 1 || len(b[0].Rows) != 2 ||
		!slices.Equal(b[0].Columns, []string{"RADIAL", "WIDTH"}) ||
		!slices.Equal(b[0].Rows[1].Values, []float64{0.9, 1}) || b[0].Rows[1].Line != 20 {
		t.Errorf("table %+v", b)
	}
	if e := shape.Entry("KEY"); e == nil || e.Line != 21 {
		t.Errorf("an entry behind a table: %+v", e)
	}
	for _, text := range []string{"inf", "NaN", "0x1p3", "1_000", "1e999", "1,5", "", "1.0 2.0", "--1"} {
		if x, ok := (&tir.Entry{Text: text}).Number(); ok {
			t.Errorf("%q is the number %g", text, x)
		}
	}
}

func TestUnitsByTheirNames(t *testing.T) {
	base, err := os.ReadFile("../../resources/tires/pacejka2002.tir")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		unit, key string
		want      float64
	}{
		{"LENGTH = 'mm'", "UNLOADED_RADIUS", 0.344e-3}, {"LENGTH = 'millimeter'", "UNLOADED_RADIUS", 0.344e-3},
		{"LENGTH = 'Meters'", "UNLOADED_RADIUS", 0.344},
		{"LENGTH = 'inch'", "UNLOADED_RADIUS", 0.344 * 0.0254}, {"LENGTH = mile", "UNLOADED_RADIUS", 0.344 * 1609.344},
		{"LENGTH = 'km'", "UNLOADED_RADIUS", 344},
		{"FORCE = 'knewton'", "FNOMIN", 4850e3}, {"FORCE = 'KN'", "FNOMIN", 4850e3},
		{"FORCE = 'pound_force'", "FNOMIN", 4850 * 4.4482216152605}, {"FORCE = N", "FNOMIN", 4850},
		{"TIME = 'millisecond'", "LONGVL", 16600}, {"TIME = 'minute'", "LONGVL", 16.6 / 60},
		{"TIME = s", "LONGVL", 16.6}, {"TIME = 'hour'", "LONGVL", 16.6 / 3600},
		{"FORCE = 'kg_force'", "VERTICAL_STIFFNESS", 304000 * 9.80665},
	} {
		key, _, _ := strings.Cut(c.unit, " ")
		lines := strings.Split(string(base), "\n")
		for i := range lines {
			if strings.HasPrefix(lines[i], key+" ") {
				lines[i] = c.unit
			}
		}
		p, err := read([]byte(strings.Join(lines, "\n")), "t.tir")
		if err != nil {
			t.Errorf("%s: %v", c.unit, err)
			continue
		}
		if got := p.Values[c.key]; got < c.want*(1-1e-14) || got > c.want*(1+1e-14) {
			t.Errorf("%s: %s is %.17g, want %.17g", c.unit, c.key, got, c.want)
		}
	}
}

// What is odd but has a meaning is said, with its place, and read.
func TestWarnings(t *testing.T) {
	base, err := os.ReadFile("../../resources/tires/mf61_205_60R15.tir")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := read(base, "t.tir"); err != nil || p.Warnings != nil {
		t.Fatalf("the file itself: %v, %v", p.Warnings, err)
	}
	five, err := os.ReadFile("../../resources/tires/pacejka2002.tir")
	if err != nil {
		t.Fatal(err)
	}
	from, to := bytes.Index(five, []byte("[INCLINATION_ANGLE_RANGE]")), bytes.Index(five, []byte("[SCALING_COEFFICIENTS]"))
	unranged := slices.Concat(five[:from], five[to:])
	for _, c := range []struct {
		text     []byte
		old, new string
		want     string
	}{
		{base, "[STRUCTURAL]", "COLOUR = 'red'\n[WHEEL_ART]\nX = 1\n[STRUCTURAL]",
			"t.tir:49:1: unknown and not used: [VERTICAL] COLOUR, [WHEEL_ART]"},
		{base, "'LEFT'", "'UNKNOWN'", "[MODEL] TYRESIDE is UNKNOWN; it counts as LEFT"},
		{base, "= 14 ", "= 124 ", "[MODEL] USE_MODE is 124; its digit 2 asks for a lag that is not served"},
		{base, "= 14 ", "= -14 ", "its sign is not used"},
		{base, "PDX1 = 1.14", "PDX1 = 2.14",
			"[LONGITUDINAL_COEFFICIENTS] PDX1 is 2.14; the longitudinal friction is 2.14, usual is 0 to 2"},
		{base, "UNLOADED_RADIUS = 0.3135", "UNLOADED_RADIUS = 3.135", "the radius in m is 3.135, usual is 0.1 to 1.5"},
		{base, "PKX1 = 21.8", "PKX1 = 80", "slip stiffness by the load is 80, usual is 5 to 60"},
		{base, "PEY1 = -0.82", "PEY1 = 1.5", "[LATERAL_COEFFICIENTS] PEY1 is 1.5; it makes the curvature E"},
		{base, "INFLPRES = 240000", "INFLPRES = 540000",
			"[OPERATING_CONDITIONS] INFLPRES is 540000; it is outside of the range of pressures"},
		{base, "PHY1 = 0.0019", "PHY1 = 0.0019\nPHY3 = 0.03", "version 6.1 does not have PHY3, which are not used"},
		{base, "[STRUCTURAL]", "[DEFLECTION_LOAD_CURVE]\n{pen fz}\n0 0\n0.01 2000\n[STRUCTURAL]",
			"[DEFLECTION_LOAD_CURVE] is not used"},
		{base, "'LEFT'", "'LEFT'\nFE_METHOD = 'YES'", "the friction ellipse is not used"},
		{base, "'LEFT'", "", "t.tir:21:23: without a value, which counts as absent: TYRESIDE"},
		{five, "PHX2 = ", "PPX1 = 0.1\nPHX2 = ", "t.tir:79:1: version 5.2 does not have PPX1"},
		{unranged, "LFZO ", "LFZO ", "t.tir:1:1: the file has no ranges of validity"},
	} {
		if !strings.Contains(string(c.text), c.old) {
			t.Fatalf("%q is not in the file", c.old)
		}
		p, err := read([]byte(strings.Replace(string(c.text), c.old, c.new, 1)), "t.tir")
		if err != nil {
			t.Errorf("%s: %v", c.new, err)
			continue
		}
		if !slices.ContainsFunc(p.Warnings, func(w string) bool { return strings.Contains(w, c.want) }) {
			t.Errorf("%s: no warning with %q:\n%s", c.new, c.want, strings.Join(p.Warnings, "\n"))
		}
	}
}

// Hostile files end early, with few words.
func TestHostileFilesAreBounded(t *testing.T) {
	for name, data := range map[string][]byte{
		"large":       bytes.Repeat([]byte("[A]\n"), 2<<20),
		"faults":      bytes.Repeat([]byte("?\n"), 1<<20),
		"UTF-16":      []byte("\xff\xfe[\x00A\x00]\x00"),
		"zero bytes":  []byte("[A]\n\x00\x00"),
		"one line":    bytes.Repeat([]byte("x"), 1<<20),
		"all entries": bytes.Repeat([]byte("[UNITS]\nK=1\n"), 1<<17),
	} {
		_, err := tir.Parse(data, "t.tir")
		if err == nil {
			t.Errorf("%s: accepted", name)
		} else if len(err.Error()) > 30000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, data := range good(f) {
		fuzzinputs.Add(f, data)
	}
	fuzzinputs.Add(f, []byte("[0]\n(0)\n0\n{0}"))
	fuzzinputs.Add(f, []byte("[0]\n(COMMENTS)\n0\n{0}\n0 a"))
	fuzzinputs.Add(f, []byte("\xef\xbb\xbf[LATERAL_COEFFICIENTS]\rPKY1='-1'\rPVY1 =+2 $\rPVY1=2\r[SLIP_ANGLE_RANGE]\r"+
		"ALPMIN=-1\rALPMAX=2\x1a"))
	fuzzinputs.Add(f, []byte("[A]\n{x y}\n1 2\n(B)\n'a'\n[C]\nK=1$x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := tir.Parse(data, "t.tir")
		if (file == nil) == (err == nil) {
			t.Fatalf("%v, %v", file, err)
		}
		if err != nil {
			return
		}
		tir.Read(file, 0)
		if text, _, err := tir.FromSAE(data, "t.tir"); err == nil && len(data) < 4000 {
			if _, err := tir.Parse(text, "t.tir"); err != nil {
				t.Fatalf("in ISO axes, it is not read: %v\n%q\n%q", err, data, text)
			}
		}
		once := file.Format()
		for line := range bytes.Lines(once) {
			if len(line) > 4000 {
				return // what is written may be a little longer than lines may be
			}
		}
		again, err := tir.Parse(once, "t.tir")
		if err != nil {
			t.Fatalf("written, it is not read: %v\n%q\n%q", err, data, once)
		}
		if twice := again.Format(); !bytes.Equal(once, twice) {
			t.Fatalf("written differently again:\n%q\n%q\n%q", data, once, twice)
		}
	})
}
