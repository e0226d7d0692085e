package text_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/capi/standalone/text"
	"skidpad/harness/tests/built"
	"skidpad/model/bounded"
	"skidpad/model/program"
	"skidpad/model/road"
)

// Heights, slopes and friction of tables and grids are bit-identical to those of package road: at nodes, between them
// and beyond the border.
func TestTheTextLooksUpWhatPackageRoadDoes(t *testing.T) {
	folder := t.TempDir()
	source, err := os.ReadFile("testdata/surface.c")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"surface.c": string(source), "step_tables.h": text.StepTables,
		"step_ground.h": text.StepGround, "step_line.h": text.StepLine} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	surfaceProgram := built.Compiled(t, "surface", "gcc", "-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra",
		"-Wpedantic", "-Wshadow", "-Wconversion", "-Wdouble-promotion", "-Wstrict-prototypes", "-Werror",
		filepath.Join(folder, "surface.c"), "-lm")
	for _, c := range []struct {
		kind, file string
		number     int
		mapped     bool
	}{
		{road.Table, "x,z\n-1,0.25\n0.5,0.4\n2,0.1\n2,-0.3\n7,0.2\n", 1, true},
		{road.Grid, "ncols 4\nnrows 3\nxllcenter -1\nyllcenter 0.5\ncellsize 1.5\n" +
			"0.1 -0.2 0.3 0.4\n0.5 0.6 -0.7 0.8\n0.9 1.0 1.1 1.2\n", 2, true},
		{road.RDF, profileFile, 5, false},
		{road.CRG, crgFile(""), 7, true},
		{road.CRG, crgFile("$ROAD_CRG_OPTS\nBORDER_MODE_U = 4\nBORDER_MODE_V = 3\nBORDER_OFFSET_U = 0.1\n" +
			"BORDER_OFFSET_V = -0.2\nBORDER_SMOOTH_UBEG = 2\nBORDER_SMOOTH_UEND = 3\n"), 7, true},
		{road.CRG, crgFile("$ROAD_CRG_OPTS\nBORDER_MODE_U = 0\nBORDER_MODE_V = 1\nBORDER_OFFSET_V = 0.3\n"), 7, true},
		{road.CRG, crgFile("$ROAD_CRG_OPTS\nBORDER_MODE_U = 3\nBORDER_MODE_V = 4\n"), 7, true},
		{road.CRG, ring(60, ""), 7, true},
		{road.CRG, ring(59, "BORDER_MODE_V = 3\n"), 7, true},
		{road.CRG, ring(29.5, ""), 7, true}, // two turns
		{road.CRG, strings.ReplaceAll(ring(math.Inf(1), "BORDER_MODE_U = 3\nBORDER_SMOOTH_UBEG = 2\n"+
			"BORDER_SMOOTH_UEND = 3\n"),
			"CONTINUATION = 1", "CONTINUATION = 0"), 7, true},
		{road.CRG, ring(64, "BORDER_MODE_V = 1\n"), 7, true},
		{road.CRG, strings.ReplaceAll(ring(50, ""), "CONTINUATION = 1", "CONTINUATION = 0"), 7, true}, // over itself
		{road.RDF, meshFile, 6, false},
		{road.RDF, strings.NewReplacer("0.1 0.2 0.3", "0 0 0", "PLANE = 9", "PLANE = 0").Replace(meshFile), 6, false},
	} {
		friction := road.Shape{Kind: road.Flat}
		if c.mapped {
			friction = road.Shape{Kind: c.kind, File: "f"}
		}
		surface, err := road.Open(road.Shape{Kind: c.kind, File: "f"}, friction,
			func(bounded.Kind, string) ([]byte, error) { return []byte(c.file), nil })
		if err != nil {
			t.Fatal(err)
		}
		surface.Height, surface.Left, surface.Right = 0.5, 0.75, 1.5
		l, ok := surface.Listed(&program.Listed{})
		if !ok {
			t.Fatalf("%s is looked up in Go", c.kind)
		}
		input := strings.Trim(fmt.Sprint(l.Heights.Numbers, l.Heights.Indices, l.Heights.Heights), "[]")
		input = strings.NewReplacer("[", "", "]", "").Replace(input)
		var places []road.Query
		for _, x := range []float64{-20, -6, -5.2, -4.3, -3.9, -1, -0.3, 0, 0.5, 1.1, 2, 2.0000001, 3.5, 5, 7, 7.5, 24, 55,
			1e9, math.Inf(1)} {
			for _, y := range []float64{-5, -2.3, -1.6, math.Copysign(0, -1), 0, 0.5, 1.2, 2, 3.4, 3.5, 40} {
				for k, above := range []float64{math.Inf(1), 2.5, -3, 0, 0, 0} {
					near := []float64{road.Unknown, road.Unknown, road.Unknown, 5, 29, -7}[k]
					places = append(places, road.Query{X: x, Y: y, Above: above, Near: near})
					input += fmt.Sprintf("\n%x %x %x %x", x, y, above, near)
				}
			}
		}
		run := exec.Command(surfaceProgram, fmt.Sprint(c.number), fmt.Sprint(l.Heights.Columns), fmt.Sprint(l.Heights.Rows),
			fmt.Sprint(l.Heights.X), fmt.Sprint(l.Heights.Y), fmt.Sprint(l.Heights.Cell), fmt.Sprint(len(l.Heights.Numbers)),
			fmt.Sprint(len(l.Heights.Indices)), fmt.Sprint(len(l.Heights.Heights)),
			map[bool]string{true: "1", false: "0"}[c.mapped])
		run.Stdin = strings.NewReader(input)
		said, err := run.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(said), "\n"), "\n")
		if len(lines) != len(places) {
			t.Fatalf("%s: %d places of %d", c.kind, len(lines), len(places))
		}
		grounds := 0
		for k, at := range places {
			p := surface.At(at)
			none := 0.0
			if p.NoGround {
				none = 1
			} else {
				grounds++
			}
			want := ""
			for _, x := range []float64{p.Height, p.SlopeX, p.SlopeY, p.Friction, p.U, p.V, none} {
				if math.IsNaN(x) {
					x = math.NaN()
				}
				want += fmt.Sprintf("%016x ", math.Float64bits(x))
			}
			notANumber := strings.NewReplacer("fff8000000000000", "7ff8000000000001", "7ff8000000000000", "7ff8000000000001")
			if got := notANumber.Replace(lines[k]); got != want {
				t.Errorf("%s at %+v:\n%s, want\n%s", c.kind, at, got, want)
			}
		}
		if grounds < len(places)/4 {
			t.Errorf("%s: ground at %d places only", c.kind, grounds)
		}
	}
}

const (
	profileFile = "[UNITS]\nLENGTH = 'm'\n[MODEL]\nMETHOD = '2D'\nROAD_TYPE = 'POLY_LINE'\n[PARAMETERS]\nMU = 0.9\n" +
		"OFFSET = 0.01\nROTATION_ANGLE_XY_PLANE = 7\n(XZ_DATA)\n-1 0 0.1\n3 0.3 0.2\n6 0.1 -0.2\n"
	// with levels above each other, and nothing beyond x + y = 6
	meshFile = "[UNITS]\nLENGTH = 'm'\n[MODEL]\nMETHOD = '3D'\n[REFSYS]\nOFFSET = 0.1 0.2 0.3\n" +
		"ROTATION_ANGLE_XY_PLANE = 9\n[NODES]\n1 -6 -9 0\n2 12 -6 1\n3 -2 8 -1\n4 0 0 2\n5 4 0 3\n6 0 4 2\n7 1 1 -2\n" +
		"[ELEMENTS]\n1 2 3 1\n4 6 5 0.5\n1 7 6 0.8\n7 2 6 0.9\n"
)

// ring is a closed track around the point -4, 3; whole is how many chords of half a metre a circle has.
func ring(whole float64, options string) string {
	text := crgFile("$ROAD_CRG_OPTS\nREFLINE_CONTINUATION = 1\n" + options)
	text = strings.Replace(text, "START_Y = 1", "START_Y = -2", 1)
	lines := strings.Split(text, "\n")
	first := len(lines) - 61
	for i, line := range lines[first : first+60] {
		if i > 0 {
			lines[first+i] = fmt.Sprintf("%10.6f", 2*math.Pi*(float64(i)-0.5)/whole) + line[10:]
		}
	}
	return strings.Join(lines, "\n")
}

// crgFile is a road that winds and is banked, of 60 points, with options. Some cross-sections have no heights at
// a border.
func crgFile(options string) string {
	var b strings.Builder
	b.WriteString("$ROAD_CRG\nREFERENCE_LINE_INCREMENT = 0.5\nREFERENCE_LINE_START_X = -4\nREFERENCE_LINE_START_Y = 1\n" +
		"$\n$ROAD_CRG_MODS\nGRID_NAN_MODE = 0\n$\n" + options + "$\n$KD_DEFINITION\n#:LRFI\nU:reference line u,m,0,0.5\n" +
		"D:reference line phi,rad\nD:reference line banking,m/m\nD:reference line slope,m/m\n")
	for _, v := range []float64{-2, -1, 0.5, 2} {
		fmt.Fprintf(&b, "D:long section at v = %g,m\n", v)
	}
	b.WriteString("$\n$$$$$$$$$$$$$$$$$$$$\n")
	for i := range 60 {
		row := []float64{0.9 * math.Sin(0.15*float64(i)), 0.05 * math.Cos(0.3*float64(i)), 0.02 * math.Sin(float64(i))}
		for k := range 4 {
			row = append(row, 0.1*math.Sin(float64(i*i+3*k)))
		}
		for k, x := range row {
			if i == 0 && (k == 0 || k == 2) || i%9 == 4 && k == 3 {
				b.WriteString("*missing**")
			} else {
				fmt.Fprintf(&b, "%10.6f", x)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
