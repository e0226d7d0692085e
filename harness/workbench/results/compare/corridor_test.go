package compare

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/measurement"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
)

// The distance of a sample from a curve is the least max(|dx|/a, |dy|/b) over the points of the curve, with the half
// widths a and b of the corridor. For a sample at d above a line of slope m it is d/(b + m a): at the nearest point
// |dx|/a and |dy|/b are equal. Without a width along x, a = 0, it is d/b.
func TestCorridorsMeasureInBothAxes(t *testing.T) {
	const m, a, b = 2.0, 0.1, 0.3
	xs, ys := []float64{-5, -1, 0, 3, 20}, []float64{-10, -2, 0, 6, 40}
	c := Corridor{XOffset: a, YOffset: b, From: math.Inf(-1), To: math.Inf(1)}
	for _, d := range []float64{-1.2, -0.4, 0, 0.1, 0.49, 0.51, 3} {
		near := c.Distance(4, 8+d, xs, ys)
		if want := math.Abs(d) / (b + m*a); math.Abs(near-want) > 1e-9 {
			t.Errorf("%g above the line is %g half widths away, want %g", d, near, want)
		}
	}
	// a curve that goes back is the same curve, and along x there are gains, too
	slices.Reverse(xs)
	slices.Reverse(ys)
	if d := c.Distance(4, 8.49, xs, ys); math.Abs(d-0.49/(b+m*a)) > 1e-9 {
		t.Errorf("a curve that goes back is %g half widths away", d)
	}
	c = Corridor{XOffset: 0.02, XGain: 0.03, YOffset: 1e-3, From: math.Inf(-1), To: math.Inf(1)}
	if d := c.Distance(10.5, 2, []float64{10, 10}, []float64{0, 5}); math.Abs(d-0.5/0.32) > 1e-9 {
		t.Errorf("0.5 beside an upright line at 10 is %g half widths of 0.32", d)
	}
	// with gains the half width of y follows the reference's value; a step of the reference is met along x
	c = Corridor{XOffset: a, YGain: 0.05, From: math.Inf(-1), To: math.Inf(1)}
	if d := c.Distance(1, 10.3, []float64{0, 2}, []float64{10, 10}); math.Abs(d-0.6) > 1e-9 {
		t.Errorf("0.3 of 0.5 is %g", d)
	}
	if d := c.Distance(1.05, 5, []float64{0, 1, 1 + 1e-9, 2}, []float64{0, 0, 10, 10}); math.Abs(d-0.5) > 1e-6 {
		t.Errorf("0.05 beside a step of the width 0.1 is %g", d)
	}
	// without a width along x, only the vertical distance counts
	c = Corridor{YOffset: b, From: math.Inf(-1), To: math.Inf(1)}
	if d := c.Distance(4, 8.3, xs, ys); math.Abs(d-1) > 1e-6 {
		t.Errorf("at the edge of a corridor without a width along x: %g", d)
	}
}

// Of a run that is off by more than its corridor for a third of the time, two thirds are inside, and the worst sample
// is named.
func TestCorridorsCountSamples(t *testing.T) {
	var time, run, reference []float64
	for i := range 300 {
		x := float64(i) / 100
		time, reference, run = append(time, x), append(reference, 5), append(run, 5+0.1)
		switch {
		case i == 250:
			run[i] = 5 - 0.9
		case i >= 200:
			run[i] = 5 + 0.4
		}
	}
	c := Corridor{X: "time", XOffset: 1e-3, YOffset: 0.2, Share: 0.66, From: math.Inf(-1), To: math.Inf(1)}
	w := c.Test(time, time, run, time, reference)
	if math.Abs(w.Inside-2.0/3) > 1e-12 || math.Abs(w.Worst-4.5) > 1e-9 || math.Abs(w.At-2.5) > 1e-12 || !w.Pass() {
		t.Errorf("%+v", w)
	}
	if c.Share = 0.67; c.Test(time, time, run, time, reference).Pass() {
		t.Error("two thirds are more than 67 %")
	}
	if c.To = 1.99; c.Test(time, time, run, time, reference).Inside != 1 {
		t.Error("samples beyond the range count")
	}
	c.From, c.To = 5, 6
	if w = c.Test(time, time, run, time, reference); w.Pass() ||
		w.worstSample() != fmt.Sprintf("no sample from 5 to 6: time is from %g to %g", time[0], time[len(time)-1]) {
		t.Errorf("a run without samples: passed %t, %s", w.Pass(), w.worstSample())
	}
}

// A measurement may be any of the formats, whatever its columns are called.
func TestMeasurementsOfAllFormats(t *testing.T) {
	folder := t.TempDir()
	text := "T,YAW\n0,1\n500,2\n1000,3\n"
	type row struct {
		Stamp int64    `parquet:"T"`
		Yaw   *float64 `parquet:"YAW"`
	}
	yaw := []float64{1, 2, 3}
	var packed, table bytes.Buffer
	to := gzip.NewWriter(&packed)
	if _, err := io.WriteString(to, text); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	if err := parquet.Write(&table, []row{{0, &yaw[0]}, {500, &yaw[1]}, {1000, &yaw[2]}}); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"r.csv": []byte(text), "r.csv.gz": packed.Bytes(), "r.parquet": table.Bytes(),
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		columns, err := readColumns(path)
		if err != nil {
			t.Error(err)
			continue
		}
		for wanted, values := range map[string][]float64{"T": {0, 500, 1000}, "YAW": yaw} {
			if got, err := columns.column(wanted); err != nil || !slices.Equal(got, values) {
				t.Errorf("%s, %s: %v, %v", name, wanted, got, err)
			}
		}
	}
}

// A measurement in other units, under other names and with another origin of time agrees once that is said, and not
// before; figures are within their tolerances or not.
func TestComparisonsOfFilesAndFolders(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, text string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var ours, theirs strings.Builder
	fmt.Fprintln(&ours, "time,body.wz")
	fmt.Fprintln(&theirs, "T,other,YAW")
	for i := range 400 {
		x := float64(i) / 100
		fmt.Fprintf(&ours, "%g,%g\n", x, 0.2*math.Sin(3*x))
		fmt.Fprintf(&theirs, "%g,7,%g\n", 1e3*(x-0.25), 0.2*180/math.Pi*math.Sin(3*x))
	}
	a, b := write("a/run_1.csv", ours.String()), write("b/run_1.csv", theirs.String())
	heads := "run,varied,figure,value,unit,time,missing,definition\n"
	write("a/figures.csv", heads+"1,side=1,K_u,0.0031,rad,,,x\n1,side=1,lag,,s,,none,x\n")
	write("b/figures.csv", heads+"1,side=1,K_u,0.003,rad,,,x\n1,side=1,lag,,s,,none,x\n")
	corridor := `[[corridor]]
x = "time"
y = "body.wz"
x_offset = 1e-4
y_offset = 1e-4
`
	columns := `[column]
time = { name = "T", gain = 1e-3 }
"body.wz" = { name = "YAW", gain = 0.017453292519943295 }
`
	for _, c := range []struct {
		text string
		pass bool
		says string
	}{
		{`title = "x"
shift = 0.25
` + columns + corridor, true, "shifted by 0.25 s"},
		{"title = \"x\"\n" + columns + corridor, false, "FAIL"},
		{`title = "x"
shift = 0.25
` + columns + corridor + `[[figure]]
figure = "K_u"
relative = 0.034
`,
			true, "0.0001"},
		{`title = "x"
shift = 0.25
` + columns + corridor + `[[figure]]
figure = "K_u"
relative = 0.033
`,
			false, "FAIL"},
		{`title = "x"
[[figure]]
figure = "K_u"
absolute = 1.1e-4
[[figure]]
figure = "lag"
`, true,
			"missing"},
	} {
		by, err := ParseSpec("by.toml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		result, err := by.Compare(filepath.Dir(a), filepath.Dir(b))
		if err != nil {
			t.Fatal(err)
		}
		var table, page bytes.Buffer
		if err := result.WriteTable(&table); err != nil {
			t.Fatal(err)
		}
		if err := result.Page(display.Default()).Write(&page); err != nil {
			t.Fatal(err)
		}
		if result.Pass() != c.pass || !strings.Contains(table.String(), c.says) {
			t.Errorf("%s\ngives %v\n%s\nwant %v and %q", c.text, result.Pass(), table.String(), c.pass, c.says)
		}
		if len(by.Corridors) > 0 {
			single, err := by.Compare(a, b)
			if err != nil {
				t.Fatal(err)
			}
			if w := single.Runs[0].Within[0]; w.Pass() != (by.Shift != 0) || w.Samples != 400 {
				t.Errorf("the files alone give %+v", w)
			}
		}
	}
	for _, c := range []struct{ text, says string }{
		{`title = "x"
[[corridor]]
x = "time"
y = "a"
x_offset = 0.1
`,
			"by.toml:2:3: a corridor without width along y"},
		{`title = "x"
[[corridor]]
x = "time"
y = "a"
x_offset = 0.1
y_gain = -1
`,
			"corridor[0].y_gain is -1; it must not be negative"},
		{`title = "x"
[[corridor]]
x = "time"
y = "a"
x_offset = 0.1
y_gain = 1
share = 2
`,
			"corridor[0].share is 2; it must not be above 1"},
		{`title = "x"
[[corridor]]
x = "time"
y = "a"
y_gain = 1
from = 6
to = 2
`,
			"by.toml:6:8: the corridor is from 6 to 2: it holds no sample"},
		{"title = \"x\"\ncolumns = 3\n", `unknown key "columns"`},
	} {
		if _, err := ParseSpec("by.toml", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %s", c.text, err, c.says)
		}
	}
	for text, says := range map[string]string{
		"title = \"x\"\n" + corridor: `has no column "time"`,
		`title = "x"
[[figure]]
figure = "K"
`: `there is no figure "K"`,
	} {
		by, err := ParseSpec("by.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := by.Compare(filepath.Dir(a), filepath.Dir(b)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
}

// A characteristic value with a tolerance fails if it is missing, or not even named, on one side, for any tolerance. It
// passes if it is missing on both sides, and so does a value without a tolerance.
func TestFigureMissingOnOneSideFails(t *testing.T) {
	const heads = "run,varied,figure,value,unit,time,missing,definition\n"
	const has, missing, absent, other = "1,side=1,lag,0.2,s,,,x\n", "1,side=1,lag,,s,,none,x\n", "",
		"1,side=1,K_u,0.1,rad,,,x\n"
	folder := func(figures string) string {
		path := t.TempDir()
		if err := os.WriteFile(filepath.Join(path, "figures.csv"), []byte(heads+other+figures), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		ours, reference string
		pass            bool
	}{
		{has, has, true}, {missing, missing, true}, {missing, has, false}, {has, missing, false}, {absent, has, false},
		{has, absent, false}, {absent, missing, true}, {missing, absent, true},
		{has + "2,side=-1,lag,0.2,s,,,x\n", has, false}, {has, has + "2,side=-1,lag,0.2,s,,,x\n", false},
	} {
		for _, tolerance := range []string{"absolute = 0.1", "relative = 1e300", "absolute = 1e300\nrelative = 1", ""} {
			text := "title = \"x\"\n"
			if tolerance != "" {
				text += `[[figure]]
figure = "lag"
` + tolerance + "\n"
			}
			by, err := ParseSpec("by.toml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			result, err := by.Compare(folder(c.ours), folder(c.reference))
			if err != nil {
				t.Fatal(err)
			}
			if pass := c.pass || tolerance == ""; result.Pass() != pass {
				t.Errorf("ours %q, reference %q, %s: passed %v", c.ours, c.reference, tolerance, result.Pass())
			}
			var table bytes.Buffer
			if err := result.WriteTable(&table); err != nil {
				t.Fatal(err)
			}
			if fails := strings.Contains(table.String(), "FAIL"); fails == (c.pass || tolerance == "") {
				t.Errorf("ours %q, reference %q, %s:\n%s", c.ours, c.reference, tolerance, table.String())
			}
		}
	}
}

// Folders may hold their runs as CSV or Parquet files, and each is compared with the run of the same number.
func TestFoldersOfEitherKindOfFiles(t *testing.T) {
	folder := t.TempDir()
	wave := &recording.Recording{Trace: trace.New(trace.Named("body.wz"), 0)}
	for i := range 100 {
		wave.Append(float64(i)/100, []float64{math.Sin(float64(i) / 30)})
	}
	for _, file := range []string{"text/run_1.csv", "text/run_2.csv", "parquet/run_1.parquet", "parquet/run_2.parquet"} {
		path := filepath.Join(folder, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(file, "run_2") {
			wave.Values[0][50] += 0.1
		}
		var b bytes.Buffer
		if err := wave.Write(path, &b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		wave.Values[0][50] = math.Sin(50.0 / 30)
		figures := filepath.Join(filepath.Dir(path), "figures.csv")
		if err := os.WriteFile(figures, []byte("run,varied,figure,value,unit,time,missing,definition\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	by, err := ParseSpec("by.toml", []byte(`title = "x"
[[corridor]]
x = "time"
y = "body.wz"
x_offset = 1e-4
y_offset = 1e-9
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]string{{"text", "parquet"}, {"parquet", "text"}, {"parquet", "parquet"}} {
		result, err := by.Compare(filepath.Join(folder, pair[0]), filepath.Join(folder, pair[1]))
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Runs) != 2 || !result.Pass() {
			t.Errorf("%v: %d runs, passed %v", pair, len(result.Runs), result.Pass())
		}
	}
}

// Every key of a file of corridors has its place, and its default.
func TestACorridorFileMeansWhatItSays(t *testing.T) {
	got, err := ParseSpec("by.toml", []byte(`title = "T"
shift = "5 ms"
[[corridor]]
x = "time"
y = "a"
x_offset = 1
x_gain = 2
y_offset = 3
y_gain = 4
share = 0.5
from = 6
to = 7
[[corridor]]
x = "b"
y = "c"
y_gain = 8
[[figure]]
figure = "K"
absolute = 9
relative = 10
[column]
a = { name = "A", unit = "deg", gain = 11, offset = 0.5, filter = 12 }
c = {}
`))
	want := &Spec{Title: "T", Corridors: []Corridor{
		{X: "time", Y: "a", XOffset: 1, XGain: 2, YOffset: 3, YGain: 4, Share: 0.5, From: 6, To: 7},
		{X: "b", Y: "c", YGain: 8, Share: 1, From: math.Inf(-1), To: math.Inf(1)}},
		Figures: []FigureTolerance{{"K", 9, 10, ""}}, Map: measurement.Map{Shift: 0.005,
			Columns: map[string]measurement.Column{"a": {Name: "A", Unit: "deg", Gain: 11, Offset: 0.5, Filter: 12},
				"c": {Name: "c", Gain: 1}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v\nwant %+v", got, err, want)
	}
}

// The boundaries of a straight line of slope m are b + |m| a above and below it with rectangles, and
// sqrt(b^2 + (m a)^2) with ellipses; each of their points is one half width away from the line.
func TestBoundariesOfCorridors(t *testing.T) {
	const a, b = 0.1, 0.3
	for _, m := range []float64{2, -2, 0, 0.5} {
		xs, ys := []float64{-5, 0, 1, 5}, []float64{-5 * m, 0, m, 5 * m}
		for _, ellipse := range []bool{false, true} {
			c := Corridor{XOffset: a, YOffset: b, Ellipse: ellipse, From: math.Inf(-1), To: math.Inf(1)}
			want := b + math.Abs(m)*a
			if ellipse {
				want = math.Hypot(b, m*a)
			}
			for _, side := range []float64{1, -1} {
				x, y := c.Boundary(xs, ys, side)
				for i := range x {
					if away := side * (y[i] - m*x[i]); math.Abs(away-want) > 1e-12 {
						t.Errorf("slope %g, ellipse %v: the boundary is %g from the line, want %g", m, ellipse, away, want)
					}
					if d := c.Distance(x[i], y[i], xs, ys); math.Abs(d-1) > 1e-9 {
						t.Errorf("slope %g, ellipse %v: the boundary is %g half widths away", m, ellipse, d)
					}
				}
			}
		}
	}
	// half widths follow the values of the reference
	c := Corridor{XGain: 0.1, YOffset: 1, YGain: 0.2, From: math.Inf(-1), To: math.Inf(1)}
	if x, y := c.Boundary([]float64{-2, -1}, []float64{-3, -1}, 1); x[0] != -2.2 || math.Abs(y[0]+1.4) > 1e-12 {
		t.Errorf("%v %v", x, y)
	}
}

// A file says the shape of a corridor and the source of its numbers.
func TestShapesAreRead(t *testing.T) {
	const file = "[[corridor]]\nx = \"time\"\ny = \"a\"\ny_offset = 1\nshape = \"%s\"\nsource = \"a paper\"\n"
	c, err := ParseSpec("a.toml", []byte(fmt.Sprintf(file, "ellipse")))
	if err != nil || !c.Corridors[0].Ellipse || c.Corridors[0].Source != "a paper" {
		t.Errorf("%v %+v", err, c)
	}
	if c, err = ParseSpec("a.toml", []byte(fmt.Sprintf(file, "rectangle"))); err != nil || c.Corridors[0].Ellipse {
		t.Errorf("%v %+v", err, c)
	}
	if _, err = ParseSpec("a.toml", []byte(fmt.Sprintf(file, "circle"))); err == nil {
		t.Error("a corridor of circles is read")
	}
}
