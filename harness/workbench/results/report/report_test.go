package report

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"skidpad/harness/site/browser"
	"skidpad/harness/tests/testrun"
)

// wave is a curve with n points.
func wave(label string, n int, shift float64) Curve {
	c := Curve{Label: label, X: make([]float64, n), Y: make([]float64, n)}
	for i := range n {
		c.X[i] = 10 * float64(i) / float64(n-1)
		c.Y[i] = math.Sin(c.X[i]) + shift
	}
	return c
}

// sample is a page with every kind of block.
func sample() *Page {
	reference := wave("reference", 201, 0)
	reference.Broad = true
	errors := Curve{Label: "order 2", X: []float64{0.001, 0.01, 0.1}, Y: []float64{1e-6, 1e-4, 1e-2}, Points: true}
	return &Page{
		Title: "A sample", Subtitle: "of <everything> & more", Facts: []Fact{{"library", "1.2"}},
		Sections: []Section{
			{Title: "Tables", Text: "Words.", Blocks: []Block{
				&Table{Title: "Runs", Columns: []Column{{"run", Words}, {"error", Number}, {"", Verdict}},
					Rows: [][]string{{"one", "1e-9", "pass"}, {"two", "3", "FAIL"}}},
				&Table{Title: "More", Folded: true, Columns: []Column{{"run", Words}}, Rows: [][]string{{"three"}}},
				&Statements{Items: []Statement{{Name: "G1", Text: "it turns", Run: "sine", Measured: "31 m",
					Bound: "> 20", Pass: true}}},
			}},
			{Title: "Figures", Blocks: []Block{&Grid{Plots: []*Plot{
				{Title: "overlay", X: Axis{Label: "time, s"}, Y: Axis{Label: "y"},
					Difference: &Axis{Label: "difference"}, Curves: []Curve{reference, wave("ours", 201, 1e-9)}},
				{Title: "orders", X: Axis{Label: "h", Log: true}, Y: Axis{Label: "error", Log: true},
					Curves: []Curve{errors, {Label: "order 1", X: errors.X, Y: []float64{1e-4, 1e-3, 1e-2}}}},
			}}}},
		},
	}
}

// write renders a page into a file.
func write(t *testing.T, p *Page) (path, text string) {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, b.String()
}

func TestAPageHoldsWhatItWasGiven(t *testing.T) {
	_, text := write(t, sample())
	for _, want := range []string{
		"<h1>A sample</h1>", "of &lt;everything&gt; &amp; more", "library</dt><dd>1.2", `href="#section-2"`,
		"Figures</a>",
		`<div class="count good">2<small>`, `<div class="count bad">1<small>`, `badge fail">FAIL`,
		`class="number">1e-9`, "<summary>More</summary>",
		"<b>Figure 1. overlay.</b>", "<b>Figure 2. orders.</b>", "<title>orders</title>", "it turns",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if _, again := write(t, sample()); again != text {
		t.Error("equal pages give different files")
	}
	const figures, keys = 2, 2 + 2 // each has a legend of two
	if n := figures + keys; strings.Count(text, "<svg") != n || strings.Count(text, "</svg>") != n ||
		strings.Contains(text, "<?xml") {
		t.Error("the plots are not elements of the page")
	}
}

func TestUndrawablePartsAreNamed(t *testing.T) {
	for name, f := range map[string]*Plot{
		"curve \"c\" has 0": {Title: "empty", Curves: []Curve{{Label: "c"}}},
		"point 1": {Title: "nan",
			Curves: []Curve{{Label: "c", X: []float64{0, 1}, Y: []float64{0, math.NaN()}}}},
		"two curves":       {Title: "one", Difference: &Axis{}, Curves: []Curve{wave("c", 5, 0)}},
		"their difference": {Title: "uneven", Difference: &Axis{}, Curves: []Curve{wave("c", 5, 0), wave("d", 6, 0)}},
		"has 3 places and 2": {Title: "short",
			Curves: []Curve{{Label: "c", X: []float64{0, 1, 2}, Y: []float64{0, 1}}}},
	} {
		err := (&Page{Sections: []Section{{Title: "S",
			Blocks: []Block{&Grid{Plots: []*Plot{f}}}}}}).Write(&bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), `figure "`+f.Title) {
			t.Errorf("%s: error %v does not tell %q", f.Title, err, name)
		}
	}
	table := &Table{Title: "T", Columns: []Column{{"a", Words}}, Rows: [][]string{{"1", "2"}}}
	if err := (&Page{Sections: []Section{{Blocks: []Block{table}}}}).Write(&bytes.Buffer{}); err == nil ||
		!strings.Contains(err.Error(), "2 cells for 1 columns") {
		t.Errorf("error %v", err)
	}
}

// TestEveryPlotIsDrawnInChromium checks the page in Chromium, and pages with an invisible curve: hidden, covered, or
// missing. It is the test with a browser that a thinned run has.
func TestEveryPlotIsDrawnInChromium(t *testing.T) {
	testrun.Slow(t)
	testrun.InStage(t, "browser")
	testrun.RequiresOne(t, browser.Names...)
	path, text := write(t, sample())
	if err := browser.CheckDrawn(path, 2); err != nil {
		t.Error(err)
	}
	changes := map[string][2]string{
		"hidden": {"</style>", "figure:nth-child(2) path { display: none } </style>"},
	}
	if testrun.All() { // a browser for each
		if err := browser.CheckDrawn(path, 3); err == nil {
			t.Error("a figure that is not there was not missed")
		}
		changes["covered"] = [2]string{"</style>", "figure:nth-child(2) { filter: brightness(10) } </style>"}
		changes["fetched"] = [2]string{"</style>", "</style><script src=\"https://example.org/plot.js\"></script>"}
	}
	for name, change := range changes {
		if err := os.WriteFile(path, []byte(strings.Replace(text, change[0], change[1], 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := browser.CheckDrawn(path, 2); err == nil {
			t.Errorf("%s: nothing was found", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

// TestAPageShowsTextsAsTexts: titles, names of columns, labels and notes may come from files of anyone.
func TestAPageShowsTextsAsTexts(t *testing.T) {
	const x = `</text></svg></script><script>alert(1)</script><img src=x onerror=alert(1)>"'&;font-family:x`
	curve := func(broad bool) Curve {
		c := wave(x, 11, 0)
		c.Broad = broad
		return c
	}
	figure := &Plot{Title: x, Note: x, X: Axis{Label: x}, Y: Axis{Label: x}, Difference: &Axis{Label: x},
		Curves: []Curve{curve(true), curve(false)}}
	_, text := write(t, &Page{Title: x, Subtitle: x, Facts: []Fact{{x, x}},
		Sections: []Section{{Title: x, Text: x, Blocks: []Block{
			&Table{Title: x, Note: x, Columns: []Column{{x, Words}, {x, Number}}, Rows: [][]string{{x, x}}},
			&Table{Title: x, Folded: true, Columns: []Column{{x, Verdict}}, Rows: [][]string{{x}}},
			&Statements{Title: x, Items: []Statement{{Name: x, Text: x, Run: x, Measured: x, Bound: x}}},
			&Grid{Plots: []*Plot{figure}},
		}}}})
	var drawn, file bytes.Buffer
	if err := errors.Join(figure.WriteSVG(&drawn), figure.WriteFigure(&file)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"page": text, "figure": drawn.String(), "file": file.String()} {
		for _, bad := range []string{"<script>alert", "<img src=x", "</script><script>"} {
			if strings.Contains(text, bad) {
				t.Errorf("the %s holds %s", name, bad)
			}
		}
		if !strings.Contains(text, "alert(1)") {
			t.Errorf("the %s does not show the text", name)
		}
	}
}

// With equal scales a circle is round, whatever else the plot shows.
func TestACircleIsRoundOnEqualScales(t *testing.T) {
	circle := Line{}
	for k := range 73 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 36)
		circle.X, circle.Y = append(circle.X, cos), append(circle.Y, sin)
	}
	for _, c := range []Curve{{Label: "wide", X: []float64{-4, 3}, Y: []float64{0, 0.1}},
		{Label: "high", X: []float64{0, 0.1}, Y: []float64{-5, 1000}},
		{Label: "within", X: []float64{0, 0.1}, Y: []float64{0.2, 0.3}}} {
		for _, equal := range []bool{true, false} {
			f := &Plot{Title: "circle", X: Axis{Label: "Fx/Fz"}, Y: Axis{Label: "Fy/Fz"}, Curves: []Curve{c},
				Lines: []Line{circle}, EqualScales: equal}
			svg, err := f.svg()
			if err != nil {
				t.Fatal(err)
			}
			if bad := regexp.MustCompile(`(fill|stroke):#[^;"]{7,}`).FindString(string(svg)); bad != "" {
				t.Errorf("a colour is written as %s", bad)
			}
			var width, height, bottom, viewWidth, viewHeight float64
			if _, err := fmt.Sscanf(regexp.MustCompile(`viewBox="0 0 [^"]*"`).FindString(string(svg)),
				`viewBox="0 0 %g %g"`, &viewWidth, &viewHeight); err != nil {
				t.Fatal(err)
			}
			translated := regexp.MustCompile(`translate\(0, (-?[0-9.]+)\)`).FindStringSubmatch(string(svg))
			if len(translated) != 2 {
				t.Fatalf("no shift of the drawing: %.600s", svg)
			}
			if bottom, err = strconv.ParseFloat(translated[1], 64); err != nil ||
				math.Abs(math.Abs(bottom)-viewHeight) > 1 {
				t.Errorf("%s: the drawing is %g high, the view %g", c.Label, math.Abs(bottom), viewHeight)
			}
			for _, path := range regexp.MustCompile(` d="(M[^"]*)"`).FindAllStringSubmatch(string(svg), -1) {
				points := pathPoints(t, path[1])
				if len(points) != 73 {
					continue
				}
				low, high := points[0], points[0]
				for _, p := range points {
					for k := range p {
						low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
					}
				}
				width, height = high[0]-low[0], high[1]-low[1]
			}
			if width <= 0 || (math.Abs(width/height-1) < 0.02) != equal {
				t.Errorf("%s, equal scales %v: the circle is %g wide and %g high", c.Label, equal, width, height)
			}
		}
	}
}

// Where nothing is judged, nothing is counted.
func TestOnlyVerdictsAreCounted(t *testing.T) {
	if _, text := write(t, sample()); !strings.Contains(text, "<small>hold</small>") ||
		!strings.Contains(text, "<small>fail</small>") {
		t.Error("verdicts are not counted")
	}
	if _, text := write(t,
		&Page{Title: "nothing", Sections: []Section{{Title: "words", Text: "none"}}}); strings.Contains(text,
		"<small>") {
		t.Error("a page without verdicts counts them")
	}
}

// Shades are backgrounds of cells: red above 0, blue below, none at 0. Empty cells of verdicts do not count.
func TestShadesAndEmptyVerdicts(t *testing.T) {
	_, text := write(t, &Page{Sections: []Section{{Title: "Effects", Blocks: []Block{&Table{
		Columns: []Column{{"a", Number}, {"b", Number}, {"c", Number}, {"met", Verdict}},
		Rows:    [][]string{{"1", "2", "3", ""}, {"4", "5", "6", "pass"}},
		Shades:  [][]float64{{0.5, -1, 0, 0}, {0, 0, 2, 0}}}}}}})
	for _, want := range []string{`style="background:rgba(220,60,40,0.30)">1<`,
		`style="background:rgba(40,110,220,0.60)">2<`, `<td class="number">3<`,
		`style="background:rgba(220,60,40,0.60)">6<`, `<td class=""></td>`, `1<small>hold`,
		`0<small>fail`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
}
