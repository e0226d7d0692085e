package course

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// rows is a track with the header x, y, width and the points of a list.
func rows(comment string, points ...float64) string {
	var b strings.Builder
	b.WriteString(comment + "x [m],y [m],width [m]\n")
	for i := 0; i < len(points); i += 2 {
		fmt.Fprintf(&b, "%g,%g,2\n", points[i], points[i+1])
	}
	return b.String()
}

// eight is a figure of eight with its second half at another height [m].
func eight(height float64) string {
	var b strings.Builder
	b.WriteString("x [m],y [m],z [m],width [m]\n")
	for i := range 80 {
		a := 2 * math.Pi * (float64(i) + 0.5) / 80
		fmt.Fprintf(&b, "%g,%g,%g,2\n", 50*math.Sin(a), 50*math.Sin(2*a)/2, height/2*(1-math.Cos(a)))
	}
	return b.String()
}

// A track that cannot be used has one message with its place.
func TestFaultyTracks(t *testing.T) {
	line := rows("", 0, 0, 10, 0, 20, 0, 30, 0, 40, 0, 50, 0)
	round := func(comment string, points int, skip ...int) string {
		var b strings.Builder
		b.WriteString(comment + "x [m],y [m],width [m]\n")
		for i := range points {
			if len(skip) == 2 && i >= skip[0] && i < skip[1] {
				continue
			}
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 40)
			fmt.Fprintf(&b, "%g,%g,2\n", 30*cos, 30*sin)
		}
		return b.String()
	}
	replaced := func(text, old, by string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in the file", old)
		}
		return strings.Replace(text, old, by, 1)
	}
	aside := func(text, borders string) string {
		return strings.ReplaceAll(replaced(text, "width [m]", "left [m],right [m]"), ",2\n", ","+borders+"\n")
	}
	var figure []float64 // of eight, flat
	for i := range 80 {
		a := 2 * math.Pi * (float64(i) + 0.5) / 80
		figure = append(figure, 50*math.Sin(a), 50*math.Sin(2*a)/2)
	}
	many := "x [m],y [m],width [m]\n" + strings.Repeat("0,0,1\n", mostRows+1)
	for _, test := range []struct{ text, want string }{
		{"", "the file is empty; a track has a header, such as x [m],y [m], and rows of numbers"},
		{"# only a title\n", "the file is empty"},
		{rows("", 0, 0, 10, 0, 20, 0, 30, 0), "t.csv: 4 rows of numbers; a track has at least 5"},
		{replaced(line, "30,0,2", "30,nan,2"), `t.csv:5:4: "nan" of column y is not a finite number of at most 1e+09`},
		{replaced(line, "30,0,2", "30,1e10,2"), `t.csv:5:4: "1e10" of column y is not a finite number`},
		{replaced(line, "30,0,2", "30,0,"), `t.csv:5:6: "" of column width is not a finite number`},
		{replaced(line, "30,0,2", "30,0"), "line 5 has 2 fields, the first row has 3"},
		{replaced(line, "30,0,2", "30,0,0"), "t.csv:5:6: width 0 is not above 0; the borders are on both sides of the line"},
		{replaced(line, "30,0,2", "30,0,-2"), "t.csv:5:6: width -2 is not above 0"},
		{replaced(line, "width [m]", "widht [m]"), `t.csv:1:13: column "widht [m]" is not known; did you mean "width"? ` +
			"columns of a track are x, y, z, latitude, longitude, width, left, right, bank"},
		{replaced(line, "width [m]", "width"), `t.csv:1:13: column "width" has no unit; write width [m]`},
		{replaced(line, "width [m]", "width [furlong]"), "t.csv:1:13: column \"width [furlong]\": unit"},
		{replaced(line, "width [m]", "width [s]"), "s is not a unit for what must be in m"},
		{replaced(line, "width [m]", "left [m]"),
			"t.csv:1: the columns of the width are missing; a track has width [m], or "},
		{replaced(line, "y [m]", "x [m]"), "t.csv:1:7: there are two columns x; remove one"},
		{replaced(line, "y [m]", "z [m]"), "t.csv:1: the columns of the place are missing"},
		{"x [m],y [m],latitude [deg],width [m]\n", "t.csv:1: the place is given twice"},
		{"x [m],y [m],left [m],width [m]\n", "t.csv:1: the width is given twice; give width, or left and right"},
		{"latitude [deg],longitude [deg],width [m]\n90.1,0,2\n",
			"t.csv:2:1: latitude 90.1 is out of range; it is from -90 to 90"},
		{"latitude [deg],longitude [deg],width [m]\n50,361,2\n", "t.csv:2:4: longitude 361 is out of range"},
		{"latitude [deg],longitude [deg],width [m]\n" + strings.Repeat("50,0,2\n", 4) + "51,0,2\n",
			"t.csv:6: the point is more than 50 km from the first one"},
		{"x [m],y [m],width [m],bank [deg]\n0,0,2,90\n", "t.csv:2:7: bank 90 is a wall; it is between -90 and 90 degrees"},
		{many, fmt.Sprintf("t.csv:%d: more than %d rows; thin them", mostRows+2, mostRows)},
		{rows("", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), "t.csv: all points are the same"},
		{rows("", 0, 0, 3e4, 0, 6e4, 0, 9e4, 0, 12e4, 0), "t.csv: the track is 120000 m long; at most 100000 m are possible"},
		{rows("", 0, 0, 10, 0, 20, 0, 20, 0, 30, 0, 40, 0),
			"t.csv:5: the point repeats the one of line 4; remove one of them"},
		{rows("", 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0, 12, 0, 60, 0, 61, 0),
			"t.csv:15: the track jumps by 48 m from the point of line 14, with a mean spacing of 4.357 m"},
		{rows("", 0, 0, 10, 0, 20, 0, 20, 10, 20, 20),
			"t.csv:4: the direction of the track jumps by 90 degrees; up to 60 are"},
		{round("", 38), "t.csv:39: the track closes badly: its last point is 14.01 m from the first one, and the largest " +
			"spacing is 4.708 m; at most 2 times as much is possible; add points that close it, or write the line # open"},
		{round("# closed\n", 25), "the track closes badly: its last point is"},
		{round("", 43), "t.csv:2: the track closes badly: its direction jumps by 176 degrees between the last points and "},
		{rows("", figure...), "t.csv:81: the track crosses itself behind this point and behind the one of line 41; correct"},
		{eight(2), "apart in height; a bridge has at least 3 m"},
		{replaced(round("", 40), "width [m]", "width [ft]"), ""},
		{strings.ReplaceAll(round("", 40), ",2\n", ",62\n"),
			"t.csv:2: the borders fold: the inner one is 31 m from the line, " +
				"and the centre of curvature is"},
		{strings.ReplaceAll(round("", 40), ",2\n", ",58\n"), ""},
		{aside(round("", 40), "31,1"), "t.csv:2: the borders fold: the inner one is 31 m"},
		{aside(round("", 40), "1,31"), ""},
		{line, ""}, {eight(8), ""}, {round("", 41), ""}, {round("", 40), ""}, {round("# open\n", 37), ""},
		{round("", 30), ""},
	} {
		_, err := Parse("t.csv", []byte(test.text), Usual)
		switch {
		case test.want == "" && err != nil:
			t.Error(err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(),
			"t.csv:")):
			t.Errorf("error %v\nwant  %s", err, test.want)
		}
	}
}

// Tracks are closed where their ends meet, or where the file says so, and the first point is there once.
func TestEnds(t *testing.T) {
	points := []float64{}
	for i := range 12 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 12)
		points = append(points, 30*cos, 30*sin)
	}
	for _, test := range []struct {
		text   string
		closed bool
	}{
		{rows("", points...), true}, {rows("# open\n", points...), false},
		{rows("# title\n#closed\n", append(points, 30, 0)...), true},
		{rows("", 0, 0, 10, 0, 20, 0, 30, 0, 40, 0), false},
	} {
		c, err := Parse("t.csv", []byte(test.text), Options{Step: 1})
		if err != nil || c.Closed != test.closed {
			t.Fatalf("closed %v, error %v", c, err)
		}
		if test.closed && math.Abs(c.Length()-2*math.Pi*30) > 0.1 {
			t.Errorf("length %g", c.Length())
		}
	}
}

// A thousandth of a degree at 45 degrees north is 111.132 m to the north and 78.847 m to the east on the ellipsoid of
// WGS-84, and 1 km above it as much longer as the radius is.
func TestPlacesOnTheEllipsoid(t *testing.T) {
	for _, height := range []float64{0, 1000} {
		text := "latitude [deg],longitude [deg],z [m],width [m]\n"
		for _, p := range [][2]float64{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {2, 3}} {
			text += fmt.Sprintf("%.9f,%.9f,%g,5\n", 45+(p[0]-1)/1000, 179.999+p[1]/1000, height)
		}
		p, err := parse("t.csv", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		longer := 1 + height/6.37e6
		for _, test := range [][2]float64{{p.Y[1] - p.Y[0], 111.132 * longer}, {p.X[1], 0}, {p.X[2], 0},
			{p.X[3] - p.X[2], 78.845 * longer}, {p.X[5], 3 * 78.845 * longer}} { // 1/1000 degree north of 45
			if math.Abs(test[0]-test[1]) > 2e-3 {
				t.Errorf("height %g: %g, want %g", height, test[0], test[1])
			}
		}
	}
}

// Smoothing keeps half of a wave of its length, whatever the spacing, and 16/17 of one twice as long.
func TestSmoothingOfWaves(t *testing.T) {
	for _, test := range []struct{ spacing, kept float64 }{{0.5, 0.5}, {1, 0.5}, {1, 16.0 / 17}} {
		length := 10.0
		if test.kept > 0.6 {
			length = 20
		}
		var points []float64
		for x := 0.0; x < 300; x += test.spacing {
			points = append(points, x, 0.01*math.Sin(2*math.Pi*x/length))
		}
		c, err := Parse("t.csv", []byte(rows("", points...)), Options{Smoothing: 10, Step: 0.25})
		if err != nil {
			t.Fatal(err)
		}
		most := 0.0
		for i, x := range c.X {
			if x > 100 && x < 200 {
				most = max(most, math.Abs(c.Y[i]))
			}
		}
		if math.Abs(most/0.01-test.kept) > 0.01 {
			t.Errorf("spacing %g: %g of a wave of %g m is kept, want %g", test.spacing, most/0.01, length, test.kept)
		}
	}
}

// A name is that of a file beside another one, or of a shipped track.
func TestNamesOfTracks(t *testing.T) {
	folder := t.TempDir()
	text := rows("", 0, 0, 10, 0, 20, 0, 30, 0, 40, 0)
	if err := os.WriteFile(filepath.Join(folder, "mine.csv"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := Read(Find(folder, "mine.csv"), Usual); err != nil || c.Name != "mine" || math.Abs(c.Length()-40) > 1e-9 {
		t.Errorf("%+v, error %v", c, err)
	}
	if _, err := Read(Find(folder, "absent.csv"), Usual); err == nil || !strings.Contains(err.Error(), "absent.csv") {
		t.Error(err)
	}
}

// The shipped tracks are the pieces that docs/tracks.md lists: lengths [m], and curvatures at both ends that change
// evenly [1/m].
func TestShippedTracks(t *testing.T) {
	turn := func(radius, angle, clothoid float64) [][3]float64 {
		k := math.Copysign(1/radius, angle)
		return [][3]float64{{clothoid, 0, k}, {radius*math.Abs(angle)*math.Pi/180 - clothoid, k, k}, {clothoid, k, 0}}
	}
	straight := func(length float64) [][3]float64 { return [][3]float64{{length, 0, 0}} }
	chain := func(parts ...[][3]float64) (list [][3]float64) { return append(list, slices.Concat(parts...)...) }
	for _, test := range []struct {
		name   string
		pieces [][3]float64
		length float64
		width  float64
	}{
		{"oval", chain(straight(200), turn(60, 180, 40), straight(200), turn(60, 180, 40)), 856.99, 12},
		{"club", chain(straight(257.8403), turn(30, 90, 15), straight(60), turn(60, 70, 20), straight(70),
			turn(22, -90, 12), straight(90), turn(40, 110, 20), straight(170), turn(28, -45, 12), straight(15),
			turn(28, 45, 12), straight(220), turn(16, 180, 12), straight(160), turn(80, -90, 30), straight(228.2499),
			turn(45, 90, 20)), 1946.467, 10},
		{"autocross", chain(straight(63.2502), turn(18, 30, 4), turn(18, -60, 4), turn(18, 30, 4), straight(63.2502),
			turn(12, 90, 5), straight(25), turn(9, 90, 4), straight(15), turn(14, -40, 5), turn(14, 80, 5),
			turn(14, -80, 5), turn(14, 80, 5), turn(14, -40, 5), straight(20), turn(10, -90, 5), straight(30),
			turn(9, 180, 4), straight(59.4544), turn(11, -90, 5), straight(25), turn(10, 180, 5), straight(20)), 627.508, 5},
	} {
		c, err := Read(Find("", test.name), Options{Step: 1})
		if err != nil {
			t.Fatal(err)
		}
		smooth, err := Read(Find("", test.name), Usual)
		if err != nil || smooth.Moved > 0.05 {
			t.Errorf("%s: %v, smoothing moves line %s by %g m", test.name, err, smooth.MovedAt, smooth.Moved)
		}
		if !c.Closed || math.Abs(c.Length()-test.length) > 0.05 || c.Title == "" {
			t.Errorf("%s: closed %t, %g m, title %q", test.name, c.Closed, c.Length(), c.Title)
		}
		const h = 0.05
		x, y, heading, s, next, apart, turned := 0.0, 0.0, 0.0, 0.0, 0, 0.0, 0.0
		for _, p := range test.pieces {
			steps := math.Round(p[0] / h)
			for k := range int(steps) {
				if next < len(c.S) && s >= c.S[next] {
					ahead := c.S[next] - s
					apart = max(apart, math.Hypot(c.X[next]-x-ahead*math.Cos(heading), c.Y[next]-y-ahead*math.Sin(heading)))
					turned = max(turned, math.Abs(heading-c.Heading[next]))
					if w := c.Left[next] + c.Right[next]; math.Abs(w-test.width) > 1e-9 {
						t.Fatalf("%s: width %g", test.name, w)
					}
					next++
				}
				d := p[0] / steps
				bend := d * (p[1] + (p[2]-p[1])*(float64(k)+0.5)/steps)
				x, y = x+d*math.Cos(heading+bend/2), y+d*math.Sin(heading+bend/2)
				heading, s = heading+bend, s+d
			}
		}
		if apart > 0.05 || turned > 0.01 || next < len(c.S)-1 || math.Hypot(x, y) > 2e-3 {
			t.Errorf("%s: %g m and %g rad from the pieces, which leave %g m open; %d of %d points", test.name, apart, turned,
				math.Hypot(x, y), next, len(c.S))
		}
		if test.name != "oval" && !testrun.All() {
			continue
		}
		line, err := c.LeastCurvature(1.8, 0.3)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f m, integral %.4f 1/m; race line %.1f m, %.4f 1/m", test.name, c.Length(), energy(c), line.Length(),
			energy(line))
		if !(energy(line) < 0.9*energy(c)) {
			t.Errorf("%s: the race line has %g of %g 1/m", test.name, energy(line), energy(c))
		}
	}
}
