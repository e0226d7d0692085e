package road

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/bounded"
)

// under looks at a surface from far above.
func (s *Surface) under(x, y, t, near float64) Point {
	return s.At(Query{x, y, t, math.Inf(1), near})
}

func open(t *testing.T, s Shape, data string) *Surface {
	t.Helper()
	s.File = "heights"
	surface, err := s.Open(func(bounded.Kind, string) ([]byte, error) { return []byte(data), nil })
	if err != nil {
		t.Fatal(err)
	}
	return surface
}

// Slopes and rates are derivatives of the heights.
func TestSlopesAreDerivatives(t *testing.T) {
	grid, err := os.ReadFile("../../resources/roads/moguls.asc")
	if err != nil {
		t.Fatal(err)
	}
	plane := open(t, Shape{Kind: Plane}, "")
	plane.Height, plane.SlopeX, plane.SlopeY = 0.3, 0.2, -0.1
	for name, s := range map[string]*Surface{
		"flat": open(t, Shape{Kind: Flat}, ""), "plane": plane,
		"table":   open(t, Shape{Kind: Table}, "x,z\n0,0\n2,0.4\n5,-1\n"),
		"formula": open(t, Shape{Kind: Formula, Formula: "0.3*sin(x/2)*cos(y) + 0.1*x*t"}, ""),
		"grid":    open(t, Shape{Kind: Grid}, string(grid)),
		"rough":   open(t, Shape{Kind: ISO8608, Class: "A"}, ""),
	} {
		const h = 1e-5
		for _, at := range [][3]float64{{0.31, 0.22, 0.5}, {3.13, -1.37, 2}, {4.44, 0.01, 0}, {1.07, 2.9, 1}} {
			p := s.under(at[0], at[1], at[2], Unknown)
			difference := func(k int) float64 {
				up, down := at, at
				up[k] += h
				down[k] -= h
				return (s.under(up[0], up[1], up[2], Unknown).Height - s.under(down[0], down[1], down[2],
					Unknown).Height) / (2 * h)
			}
			for k, got := range []float64{p.SlopeX, p.SlopeY, p.Rate} {
				if want := difference(k); !(math.Abs(got-want) <= 1e-8) {
					t.Errorf("%s at %v: derivative %d is %g, differences give %g", name, at, k, got, want)
				}
			}
		}
	}
}

// Samples belong to the segment on their right; beyond the ends the height stays.
func TestTable(t *testing.T) {
	s := open(t, Shape{Kind: Table}, "# a comment\nx, z\n1,0\n3,0.2\n8,0.2\n8,0\n9,1\n")
	s.Height = 10
	for _, c := range []struct{ x, height, slope float64 }{
		{-5, 10, 0}, {1, 10, 0.1}, {2, 10.1, 0.1}, {3, 10.2, 0}, {math.Nextafter(8, 0), 10.2, 0}, {8, 10, 1},
		{9, 11, 0}, {1e300, 11, 0},
	} {
		if p := s.under(c.x, 0, 0, Unknown); !(math.Abs(p.Height-c.height) <= 1e-14) ||
			!(math.Abs(p.SlopeX-c.slope) <= 1e-14) {
			t.Errorf("at %g: %+v, not height %g and slope %g", c.x, p, c.height, c.slope)
		}
	}
}

// The rows of a grid go from the largest y to the smallest; a corner is half a cell outside.
func TestGrid(t *testing.T) {
	for _, header := range []string{"xllcenter 10\nyllcenter 20\n", "XLLCORNER 9\nYLLCORNER 19\nNODATA_VALUE -9999\n"} {
		s := open(t, Shape{Kind: Grid}, "ncols 3\nnrows 2\n"+header+"cellsize 2\n4 5 9\n1 2 3\n")
		for _, c := range [][3]float64{{10, 20, 1}, {12, 20, 2}, {14, 20, 3}, {10, 22, 4}, {14, 22, 9}, {11, 21, 3},
			{13, 21, 4.75}, {0, 0, 1}, {100, 100, 9}, {12, 0, 2}, {14, 21, 6}} {
			if got := s.under(c[0], c[1], 0, Unknown).Height; !(math.Abs(got-c[2]) <= 1e-14) {
				t.Errorf("height at %g, %g is %g, not %g", c[0], c[1], got, c[2])
			}
		}
		if p := s.under(100, 21, 0, Unknown); p.SlopeX != 0 || p.SlopeY != 3 {
			t.Errorf("beyond the border the slopes are %g, %g", p.SlopeX, p.SlopeY)
		}
	}
}

// A query at NaN or infinity has no height, so that errors of a state are not hidden.
func TestQueriesAtNonFinitePlaces(t *testing.T) {
	for _, s := range []*Surface{
		open(t, Shape{Kind: Flat}, ""), open(t, Shape{Kind: Plane}, ""), open(t, Shape{Kind: Table}, "0,0\n1,1\n"),
		open(t, Shape{Kind: Grid}, "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n0 0 0 0\n"),
		open(t, Shape{Kind: Formula, Formula: "x + y"}, ""), winding().open(t, "KDBI"),
		open(t, Shape{Kind: ISO8608, Class: "A"}, ""),
	} {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if p := s.under(bad, 0, 0, Unknown); !math.IsNaN(p.Height) && !math.IsInf(p.Height, 0) {
				t.Errorf("%T at x = %v has the height %g", s.shape, bad, p.Height)
			}
		}
	}
}

// At the largest numbers the height is the height at the border, although the sum of the coordinates is infinite.
func TestQueriesAtHugeCoordinates(t *testing.T) {
	for _, s := range []*Surface{
		open(t, Shape{Kind: Flat}, ""), open(t, Shape{Kind: Table}, "0,1\n1,1\n"),
		open(t, Shape{Kind: Grid}, "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n1 1 1 1\n"),
	} {
		want := s.under(0, 0, 0, Unknown).Height
		for _, far := range []float64{math.MaxFloat64, -math.MaxFloat64} {
			if p := s.under(far, far, 0, Unknown); p.Height != want {
				t.Errorf("%T at %g, %g has the height %g, not %g", s.shape, far, far, p.Height, want)
			}
		}
	}
}

func TestFaultyShapes(t *testing.T) {
	const header = "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n"
	for _, c := range []struct {
		shape      Shape
		data, want string
	}{
		{Shape{Kind: "hills"}, "", "there is no terrain of the kind"},
		{Shape{Kind: Formula}, "", "needs the key \"formula\""},
		{Shape{Kind: Formula, Formula: "z"}, "", "names are x, y and t"},
		{Shape{Kind: Formula, Formula: "x +"}, "", "missing at the end"},
		{Shape{Kind: Table, File: "f"}, "", "holds no heights"},
		{Shape{Kind: Table, File: "f"}, "x,z\n", "holds no heights"},
		{Shape{Kind: Table, File: "f"}, "0,0\n1,up\n", "line 2: \"up\" is not a finite number"},
		{Shape{Kind: Table, File: "f"}, "0,0\n1,2,3\n", "line 2 has 3 fields"},
		{Shape{Kind: Table, File: "f"}, "0,0\n1,NaN\n", "is not a finite number"},
		{Shape{Kind: Table, File: "f"}, "0,0\n0,1\n0,2\n", "line 3: x = 0 after 0"},
		{Shape{Kind: Grid, File: "f"}, "", "ncols of the grid is 0"},
		{Shape{Kind: Grid, File: "f"}, "colums 3\n", "unknown key \"colums\""},
		{Shape{Kind: Grid, File: "f"}, "ncols two\n", "ncols of the grid: \"two\" is not"},
		{Shape{Kind: Grid, File: "f"}, header, "holds no heights"},
		{Shape{Kind: Grid, File: "f"}, header + "1 2 3\n", "holds 3 heights; 4 are needed"},
		{Shape{Kind: Grid, File: "f"}, header + "1 2 3 4 5\n", "more than 4 heights"},
		{Shape{Kind: Grid, File: "f"}, header + "1 2 3 x\n", "row 2, column 2"},
		{Shape{Kind: Grid, File: "f"}, header + "NODATA_value -1\n1 2 3 -1\n",
			"row 2, column 2 of the grid has no height"},
		{Shape{Kind: Grid, File: "f"}, "ncols 2\nnrows 2\nxllcenter 0\ncellsize 1\n1 2 3 4",
			"either yllcorner or yllcenter"},
		{Shape{Kind: Grid, File: "f"}, "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize -1\n1 2 3 4",
			"cellsize of the grid is -1"},
		{Shape{Kind: Grid, File: "f"}, "ncols 1e8\nnrows 1e8\nxllcenter 0\nyllcenter 0\ncellsize 1\n1", "too large"},
	} {
		if _, err := c.shape.Open(func(bounded.Kind, string) ([]byte, error) {
			return []byte(c.data), nil
		}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v, %q: %v; want %s", c.shape, c.data, err, c.want)
		}
	}
	gone := errors.New("gone")
	if _, err := (Shape{Kind: Grid, File: "f"}).Open(func(bounded.Kind, string) ([]byte, error) {
		return nil, gone
	}); !errors.Is(err, gone) {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

// Any file is rejected, or gives heights between its own heights.
func FuzzFiles(f *testing.F) {
	fuzzinputs.Add(f, "x,z\n0,0\n1,1\n1,2\n3,-1\n", 0.5, 0.5)
	fuzzinputs.Add(f, "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n0 1 2 3\n", 0.2, 0.9)
	fuzzinputs.Add(f, "ncols 2\nnrows 3\nxllcorner 0\nyllcorner 1e9\ncellsize 1e-9\nNODATA_value 7\n0 1 2 3 4 5\n", 1e300,
		-1e300)
	f.Fuzz(func(t *testing.T, data string, x, y float64) {
		if x-x != 0 || y-y != 0 {
			return
		}
		if table, err := parseTable([]byte(data)); err == nil {
			inside(t, table.z, table.at(Query{X: x, Y: y}).Height)
		}
		if grid, err := parseGrid([]byte(data)); err == nil {
			inside(t, grid.z, grid.at(Query{X: x, Y: y}).Height)
		}
	})
}

func inside(t *testing.T, z []float64, height float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range z {
		low, high = min(low, v), max(high, v)
	}
	if slack := 1e-9 * (math.Abs(low) + math.Abs(high)); high < 1e300 && low > -1e300 &&
		!(height >= low-slack && height <= high+slack) {
		t.Errorf("height %g is not in %g .. %g", height, low, high)
	}
}

func FuzzFormulas(f *testing.F) {
	fuzzinputs.Add(f, "step(x - 5) * (0.5 - 0.5*cos(0.5*(x - 5)))", 6.0, 0.0, 0.0)
	fuzzinputs.Add(f, "min(x, y)/(1 + t^2)", 1.0, 2.0, 3.0)
	f.Fuzz(func(_ *testing.T, text string, x, y, t float64) {
		s, err := Shape{Kind: Formula, Formula: text}.Open(nil)
		if err == nil {
			s.under(x, y, t, Unknown)
		}
	})
}

func ExampleShape() {
	s, err := Shape{Kind: Formula, Formula: "0.1*sin(x)"}.Open(nil)
	if err != nil {
		panic(err)
	}
	p := s.At(Query{Near: Unknown})
	fmt.Printf("%.3f m, slope %.3f", p.Height, p.SlopeX)
	// Output: 0.000 m, slope 0.100
}

// A header with large counts, or a repeating file, takes no memory beyond its bytes, and the error names the line.
func TestAnnouncedSizesTakeNoMemory(t *testing.T) {
	const header = "xllcenter 0\nyllcenter 0\ncellsize 1\n"
	const mesh = "[MODEL]\nMETHOD = '3D'\n[UNITS]\nLENGTH = 'm'\nANGLE = 'deg'\n[NODES]\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
	chain := map[string]string{}
	for i := range 9 {
		name := fmt.Sprintf("%d.crg", i)
		chain[name] = "$ROAD_CRG_FILE\n" + strings.Repeat(fmt.Sprintf("%d.crg\n", i+1), 9) + "$\n"
	}
	chain["6.crg"] = "$ROAD_CRG\nREFERENCE_LINE_START_U = 0\n$\n"
	for name, c := range map[string]struct {
		shape Shape
		data  string
		want  string
	}{
		"a grid of 1e18 heights": {Shape{Kind: Grid}, "ncols 1000000000\nnrows 1000000000\n" + header + "0",
			"ncols of the grid is 1e+09"},
		"a grid of 1e16 heights": {Shape{Kind: Grid}, "ncols 100000000\nnrows 100000000\n" + header + "0", "too large"},
		"a grid of 1e8 heights, of one": {Shape{Kind: Grid}, "ncols 10000\nnrows 10000\n" + header + "0",
			"holds 1 heights; 100000000 are needed"},
		"sections of 1e8 increments": {Shape{Kind: CRG}, "$ROAD_CRG\nREFERENCE_LINE_START_U = " +
			"0\nREFERENCE_LINE_END_U = 99999999\nREFERENCE_LINE_INCREMENT = 1\n$\n$KD_DEFINITION\n#:KRBI\n" +
			"D:long section 1,m\nD:long section 2,m\n$\n$$$$\n12345678", "damaged"},
		"sections of 1e300 increments": {Shape{Kind: CRG}, "$ROAD_CRG\nREFERENCE_LINE_END_U = " +
			"1e300\nREFERENCE_LINE_INCREMENT = 1e-300\n$\n$KD_DEFINITION\n#:KRBI\nD:long section 1,m\n$\n$$$$\n1234",
			"increments"},
		"a long line": {Shape{Kind: RDF}, "[A]\n" + strings.Repeat("0 ", 1<<20),
			"line 2 has 2097152 bytes; at most 4096"},
		"many keys": {Shape{Kind: RDF}, "[A]\n" + keyLines(20_000), "more than 10000 sections and keys"},
		"many sections": {Shape{Kind: RDF}, strings.ReplaceAll(strings.ReplaceAll(keyLines(20_000), "K", "[K"),
			"=1", "]"), "more than 10000 sections and keys"},
		"many tables": {Shape{Kind: RDF}, "[A]\n" + strings.Repeat("(B)\n", 20_000),
			"more than 10000 sections and keys"},
		"a mesh without end": {Shape{Kind: RDF}, strings.Replace(mesh, "3 0 1 0", "3 0 1e300 0",
			1) + "[ELEMENTS]\n1 2 3\n", "the node 3 lies at x = 0 m, y = 1e+300 m; at most 1e+09 m"},
		"a mesh of two ends": {Shape{Kind: RDF},
			mesh + "4 -1.5e308 0 0\n5 -1.5e308 1 0\n6 -1.4e308 0 0\n[ELEMENTS]\n4 5 6\n1 2 3\n", "at most 1e+09 m"},
		"a table of one row": {Shape{Kind: Table}, strings.Repeat("1,", 600_000), "line 1 has more than 1048576 bytes"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c.shape.File = "f"
		_, err := c.shape.Open(func(bounded.Kind, string) ([]byte, error) { return []byte(c.data), nil })
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20+20*uint64(len(c.data)) {
			t.Errorf("%s: %d bytes for %d", name, took, len(c.data))
		}
	}
	for n, fits := range map[int]bool{10: true, 11: false} {
		if _, err := parseTeimOrbit([]byte("[A]\n"+strings.Repeat("1 2\n", n)+"[B]\n"), 10); (err == nil) != fits {
			t.Errorf("%d rows where 10 are allowed: error %v", n, err)
		}
	}
	reads := 0
	_, err := Shape{Kind: CRG, File: "0.crg"}.Open(func(_ bounded.Kind, name string) ([]byte, error) {
		reads++
		return []byte(chain[name]), nil
	})
	if err == nil || !strings.Contains(err.Error(), "at most 100 may make up one road") || reads > mostCRGs+1 {
		t.Errorf("%d reads of files that refer to others nine times each, error %v", reads, err)
	}
}

// keyLines are lines of different keys.
func keyLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "K%d=1\n", i)
	}
	return b.String()
}

// A surface that is level with one friction says so, and has the same height and friction everywhere.
func TestLevelSurfaces(t *testing.T) {
	one := &Surface{shape: level{}, Left: 1, Right: 1}
	for what, c := range map[string]struct {
		surface Surface
		level   bool
	}{
		"flat":        {Surface{shape: level{}, Height: 0.2, Left: 0.7, Right: 0.7}, true},
		"two sides":   {Surface{shape: level{}, Left: 0.7, Right: 0.3}, false},
		"a map":       {Surface{shape: level{}, Left: 1, Right: 1, Friction: one}, false},
		"a plane":     {Surface{shape: level{}, Left: 1, Right: 1, SlopeX: 0.1, plane: true}, false},
		"rough roads": {Surface{shape: &iso8608{}, Left: 1, Right: 1}, false},
	} {
		height, friction, ok := c.surface.Level()
		if ok != c.level {
			t.Errorf("%s: level is %v", what, ok)
		}
		if !ok {
			continue
		}
		for _, x := range []float64{-300, 0, 1e-3, 20} {
			p := c.surface.At(Query{X: x, Y: 2 - x, T: x, Above: 10, Near: Unknown})
			if p.Height != height || p.Friction != friction || p.SlopeX != 0 || p.SlopeY != 0 || p.Rate != 0 {
				t.Errorf("%s: at x = %g m there is %+v, want the height %g m and the friction %g", what, x, p, height, friction)
			}
		}
	}
}
