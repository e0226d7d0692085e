package tracks

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/workbench/runs/course"
	"skidpad/model/road"
)

// grid is an OpenCRG file, as a test writes it: a chord of length du for each heading [rad], and a row of heights for
// each cross-section.
type grid struct {
	du             float64 // m
	headings       []float64
	slope, banking float64
	v              []float64 // of the long sections [m]
	lines          string    // options
	z              func(i int, v float64) float64
}

// text is the file: text in records of fields of 10 columns.
func (g grid) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "$CT\n$ROAD_CRG\nREFERENCE_LINE_INCREMENT = %g\n$ROAD_CRG_OPTS\n%s$KD_DEFINITION\n#:LRFI\n"+
		"D:reference line phi,rad\nD:reference line slope,m/m\nD:reference line banking,m/m\n", g.du, g.lines)
	for _, v := range g.v {
		fmt.Fprintf(&b, "D:long section at v = %g,m\n", v)
	}
	b.WriteString("$$$$\n")
	for i := range len(g.headings) + 1 {
		fmt.Fprintf(&b, "%10.7f%10.7f%10.7f", g.headings[max(i-1, 0)], g.slope, g.banking)
		for _, v := range g.v {
			z := 0.0
			if g.z != nil {
				z = g.z(i, v)
			}
			if math.IsNaN(z) {
				b.WriteString("*missing**")
			} else {
				fmt.Fprintf(&b, "%10.6f", z)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// file writes the file into a fresh folder.
func (g grid) file(t *testing.T) string {
	t.Helper()
	return write(t, filepath.Join(t.TempDir(), "road.crg"), g.text())
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// arc are the headings of n chords of a circle with the radius, from 0 on to the left.
func arc(n int, radius, du float64) (list []float64) {
	turn := 2 * math.Asin(du/2/radius)
	for i := range n {
		list = append(list, turn*(float64(i)+0.5))
	}
	return list
}

// A circle of chords as a closed road has the curvature of the circle, its borders and its banking. The left side is
// lower by 0.1 and by the cross slope of the grid. Shorter chords give the same track.
func TestARoadAsATrack(t *testing.T) {
	const radius = 40.0
	for _, n := range []int{240, 2400} {
		du := 2 * radius * math.Sin(math.Pi/float64(n))
		g := grid{du: du, headings: arc(n, radius, du), banking: -0.1, v: []float64{-3, 0, 4},
			lines: "REFLINE_CONTINUATION = 1\n", z: func(_ int, v float64) float64 { return 1 - 0.02*v }}
		c, err := Read(g.file(t), course.Options{Step: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !c.Closed || math.Abs(c.Length()-2*math.Pi*radius) > 0.02 || c.Name != "road" {
			t.Errorf("%d chords: closed %t, %g m, name %s", n, c.Closed, c.Length(), c.Name)
		}
		for i := range c.S {
			far := math.Hypot(c.X[i], c.Y[i]-radius)
			if math.Abs(far-radius) > 2e-3 || math.Abs(c.Curvature[i]-1/radius) > 1e-3 || c.Left[i] != 4 || c.Right[i] != 3 ||
				math.Abs(c.Bank[i]-math.Atan(-0.12)) > 1e-5 || math.Abs(c.Z[i]-1) > 1e-5 || math.Abs(c.Slope[i]) > 1e-5 {
				t.Fatalf("%d chords, point %d: radius %g, curvature %g, borders %g and %g, bank %g, height %g, slope %g", n, i, far,
					c.Curvature[i], c.Left[i], c.Right[i], c.Bank[i], c.Z[i], c.Slope[i])
			}
		}
	}
}

// An open road rises with its line. Points are about 1 m apart, in a short file at its cross-sections.
func TestAnOpenRoadAsATrack(t *testing.T) {
	for _, c := range []struct {
		du     float64
		chords int
		points int
	}{{0.1, 1000, 101}, {0.25, 400, 101}, {0.3, 333, 100}, {25, 4, 5}, {0.5, 4, 5}} {
		g := grid{du: c.du, headings: make([]float64, c.chords), slope: 0.08, v: []float64{-2, 2}}
		path := g.file(t)
		track, err := Read(path, course.Options{Step: 1})
		if err != nil {
			t.Fatal(err)
		}
		line := &road.Line{}
		for i := range c.chords + 1 {
			line.X, line.Y, line.Height = append(line.X, c.du*float64(i)), append(line.Y, 0), append(line.Height, 0)
			line.CrossSlope = append(line.CrossSlope, 0)
		}
		if p, err := points("", line); err != nil || len(p.X) != c.points || p.Lines[c.points-1] != c.chords+1 {
			t.Errorf("du = %g m: %d points, want %d; %v", c.du, len(p.X), c.points, err)
		}
		length := c.du * float64(c.chords)
		last := len(track.S) - 1
		if track.Closed || math.Abs(track.Length()-length) > 1e-6 || math.Abs(track.Slope[last/2]-math.Atan(0.08)) > 1e-6 ||
			math.Abs(track.Z[last]-0.08*length) > 1e-4 || track.Curvature[last/2] != 0 {
			t.Errorf("du = %g m: closed %t, %g m, slope %g, rise %g m", c.du, track.Closed, track.Length(),
				track.Slope[last/2], track.Z[last])
		}
	}
}

// The shipped road has 80 chords of 0.5 m. Its start is at the place of the file, (7, -3) m, and at the height 2 m of
// the reference line, with a roughness of 0.03 m at most. The borders are 2 m from the line.
func TestTheShippedRoadAsATrack(t *testing.T) {
	path, err := Find("winding", ".")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(path, course.Options{Step: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	last := len(c.S) - 1
	if c.Closed || math.Abs(c.Length()-40) > 0.1 || math.Hypot(c.X[0]-7, c.Y[0]+3) > 1e-9 || math.Abs(c.Z[0]-2) > 0.03 ||
		c.Left[last] != 2 || c.Right[last] != 2 {
		t.Errorf("closed %t, %g m from (%g, %g, %g), borders %g and %g", c.Closed, c.Length(), c.X[0], c.Y[0], c.Z[0],
			c.Left[last], c.Right[last])
	}
}

// A road whose ends meet is closed without an option; one whose ends are farther apart is open.
func TestEndsOfRoads(t *testing.T) {
	const radius = 40.0
	const n = 240
	du := 2 * radius * math.Sin(math.Pi/float64(n))
	for left, closed := range map[int]bool{0: true, 1: true, 2: true, 3: false, 10: false} {
		g := grid{du: du, headings: arc(n-left, radius, du), v: []float64{-3, 3}}
		if c, err := Read(g.file(t), course.Usual); err != nil || c.Closed != closed {
			t.Errorf("%d chords left: want closed %t; %v", left, closed, err)
		}
	}
}

// A faulty road is one error, with the cross-section and a remedy.
func TestFaultyRoads(t *testing.T) {
	straight := func(chords int) grid {
		return grid{du: 1, headings: make([]float64, chords), v: []float64{-2, 2}}
	}
	with := func(g grid, change func(g *grid)) grid {
		change(&g)
		return g
	}
	const radius, n = 40.0, 240
	du := 2 * radius * math.Sin(math.Pi/float64(n))
	for _, c := range []struct {
		name, text, want string
	}{
		{"no grid", "x [m],y [m]\n", "no block of a CRG file"},
		{"a missing increment", strings.Replace(straight(9).text(), "INCREMENT", "START_X", 1), "REFERENCE_LINE_INCREMENT"},
		{"few cross-sections", straight(3).text(), "road.crg: 4 cross-sections; a track has at least 5"},
		{"a long road", with(straight(2100), func(g *grid) { g.du = 50 }).text(),
			"road.crg: the road is 105000 m long; a track has at most 100000 m"},
		{"a far place", strings.Replace(straight(9).text(), "$ROAD_CRG\n", "$ROAD_CRG\nREFERENCE_LINE_START_X = 2e9\n", 1),
			"road.crg: cross-section 1 has a place, a height or a border at 2e+09 m; at most 1e+09 m are possible"},
		{"a wide road", with(straight(9), func(g *grid) { g.v = []float64{-2, 2e9} }).text(), "cross-section 1 has a place"},
		{"a wide road to the right", with(straight(9), func(g *grid) { g.v = []float64{-2e9, 2} }).text(),
			"cross-section 1 has a place"},
		{"a high road", with(straight(9), func(g *grid) {
			g.lines, g.slope = "$ROAD_CRG_MODS\nSCALE_SLOPE = 1e8\n", 20
		}).text(), "cross-section 2 has a place"},
		{"one height", with(straight(9), func(g *grid) {
			g.lines = "$ROAD_CRG_MODS\n"
			g.z = func(i int, v float64) float64 { return math.Sqrt(math.Min(0, 1-float64(i)*(v-1))) }
		}).text(), "road.crg: cross-section 3 has fewer than two heights; "},
		{"open ends", grid{du: du, headings: arc(n-10, radius, du), v: []float64{-3, 3},
			lines: "REFLINE_CONTINUATION = 1\n"}.text(), "road.crg: cross-section 231: the track closes badly: its last point " +
			"is 10.4"},
		{"open ends, the remedy", grid{du: du, headings: arc(n-10, radius, du), v: []float64{-3, 3},
			lines: "REFLINE_CONTINUATION = 1\n"}.text(), "add points that close it, or set REFLINE_CONTINUATION to 0"},
		{"borders beyond the centre", grid{du: 1, headings: arc(20, 10, 1), v: []float64{-3, 11}}.text(),
			"road.crg: cross-section 5: the borders fold: the inner one is 11 m from the line"},
		{"a crossing", grid{du: 1, headings: arc(90, 10, 1), v: []float64{-1, 1}}.text(), "cross-section 6"},
	} {
		path := write(t, filepath.Join(t.TempDir(), "road.crg"), c.text)
		if _, err := Read(path, course.Usual); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "absent.crg"), course.Usual); !os.IsNotExist(err) {
		t.Errorf("a missing file: %v", err)
	}
}

// A track is found in folders, by its name in folders called resources, and among the shipped files, in this order.
func TestTracksAreFound(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"a/beside.csv", "a/both.csv", "b/both.csv", "b/model.csv", "b/lane.crg",
		"resources/tracks/club.csv", "resources/tracks/mine.csv", "resources/tracks/road.crg", "resources/tracks/beside.csv",
		"resources/roads/test_road.crg", "resources/roads/ramp_2.csv", "work/here.txt", "a/oval/file.txt"} {
		write(t, filepath.Join(root, file), file)
	}
	t.Chdir(filepath.Join(root, "work"))
	a, b := filepath.Join(root, "a"), filepath.Join(root, "b")
	for _, c := range []struct{ word, want string }{
		{"beside.csv", "a/beside.csv"}, {"both.csv", "a/both.csv"}, {"model.csv", "b/model.csv"}, {"lane.crg", "b/lane.crg"},
		{"../b/model.csv", "b/model.csv"}, {"mine", "resources/tracks/mine.csv"}, {"road", "resources/tracks/road.crg"},
		{"beside", "resources/tracks/beside.csv"}, {"club", "resources/tracks/club.csv"},
		{"test_road", "resources/roads/test_road.crg"}, {"oval", "skidpad:/tracks/oval.csv"},
		{"autocross.csv", "skidpad:/tracks/autocross.csv"}, {"winding", "skidpad:/roads/winding.crg"},
		{"winding.crg", "skidpad:/roads/winding.crg"}, {"absent.csv", "a/absent.csv"}, {"ramp.csv", "a/ramp.csv"},
	} {
		path, err := Find(c.word, a, b)
		if !strings.HasPrefix(path, "skidpad:/") {
			if path, err = filepath.Abs(path); err == nil {
				path, err = filepath.Rel(root, path)
			}
		}
		if err != nil || filepath.ToSlash(path) != c.want {
			t.Errorf("%s is %s, %v; want %s", c.word, path, err, c.want)
		}
	}
	for word, want := range map[string]string{
		"autocros": `there is no file and no track "autocros"; did you mean "autocross"?`, "ramp_2": `no track "ramp_2"`,
	} {
		if path, err := Find(word, a, b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is %s, %v; want %q", word, path, err, want)
		}
	}
}
