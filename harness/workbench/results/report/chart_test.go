package report

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/pagedata"
)

// A long noisy run takes at most 12 kB a curve, in the page and in its SVG, and keeps its peak.
func TestChartsOfLongRunsAreSmall(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const rows = 50_000
	long := func(label string) Curve {
		c := Curve{Label: label, X: make([]float64, rows), Y: make([]float64, rows)}
		for i := range rows {
			c.X[i], c.Y[i] = float64(i)/1000, random.NormFloat64()
		}
		return c
	}
	a, b, pieces, path := long("a"), long("b"), long("pieces"), long("path")
	a.Y[12_345] = 99
	pieces.Starts = []int{0, 20_000, 20_001}
	path.X = b.Y
	f := &Plot{Title: "noise", X: Axis{Label: "time, s"}, Y: Axis{Label: "force, N"}, Curves: []Curve{a, b, pieces},
		Difference: &Axis{Label: "difference"}}
	svg, whole, err := f.onPage()
	if err != nil {
		t.Fatal(err)
	}
	if len(svg) > 150_000 {
		t.Errorf("an SVG of five curves has %d bytes", len(svg))
	}
	if len(whole.Panels) != 2 || len(whole.Panels[0].Curves) != 3 || len(whole.Panels[1].Curves) != 2 {
		t.Fatal("panels or curves are missing")
	}
	_, way, err := (&Plot{Title: "way", Curves: []Curve{path}}).onPage()
	if err != nil {
		t.Fatal(err)
	}
	if !way.Panels[0].Path || whole.Panels[0].Path {
		t.Error("only a curve whose x goes to and fro is a path")
	}
	var x, y [][]float64
	for _, of := range []*chart{whole, way} {
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		curves, r := of.Panels[0].Curves, pagedata.Open(t, of.Data)
		if len(of.Panels) > 1 {
			curves = slices.Concat(curves, of.Panels[1].Curves)
		}
		if len(text) > 12_000*len(curves) {
			t.Errorf("%d curves have %d bytes", len(curves), len(text))
		}
		for _, c := range curves {
			x, y = append(x, r.Column(c.X, c.Count)), append(y, r.Column(c.Y, c.Count))
			if c.Count > mostPoints || c.Count < 100 || c.Rows != rows {
				t.Errorf("%s: %d points of %d", c.Name, c.Count, c.Rows)
			}
		}
		if r.Left() != 0 {
			t.Errorf("%d bytes are left", r.Left())
		}
	}
	if at := slices.Index(y[0], slices.Max(y[0])); math.Abs(y[0][at]-99) > 1e-3 || math.Abs(x[0][at]-12.345) > 1e-9 {
		t.Errorf("the peak is %g at %g", y[0][at], x[0][at])
	}
	// the differences are of all rows
	if want := b.Y[12_345] - 99; math.Abs(slices.Min(y[3])-want) > 2.6e-3 {
		t.Errorf("the least difference is %g, not %g", slices.Min(y[3]), want)
	}
	// pieces stay apart
	c := whole.Panels[0].Curves[2]
	if len(c.Starts) != 3 || c.Starts[0] != 0 || c.Starts[2] != c.Starts[1]+1 ||
		math.Abs(x[2][c.Starts[1]]-20) > 1e-5 || math.Abs(x[2][c.Starts[1]-1]-19.999) > 1e-5 {
		t.Errorf("pieces begin at %v", c.Starts)
	}
}

// On axes of logarithms small numbers have as many digits as large ones.
func TestSmallNumbersOnLogarithmicAxes(t *testing.T) {
	x, y := []float64{1e-3, 1, 1000}, []float64{2e-9, 3e-5, 7}
	f := &Plot{Title: "spectrum", X: Axis{Label: "frequency, Hz", Log: true}, Y: Axis{Label: "power, 1", Log: true},
		Curves: []Curve{{Label: "a", X: x, Y: y}}, Lines: []Line{{X: x, Y: y, Label: "limit"}}}
	c, err := f.chart()
	if err != nil {
		t.Fatal(err)
	}
	r := pagedata.Open(t, c.Data)
	for _, p := range []points{c.Panels[0].Curves[0].points, c.Lines[0].points} {
		gotX, gotY := r.Column(p.X, p.Count), r.Column(p.Y, p.Count)
		for i := range x {
			if math.Abs(gotX[i]/x[i]-1) > 1e-7 || math.Abs(gotY[i]/y[i]-1) > 1e-7 {
				t.Errorf("(%g, %g) comes back as (%g, %g)", x[i], y[i], gotX[i], gotY[i])
			}
		}
	}
}

// The legend in print has the colours and dashes of the screen.
func TestChartsHaveTheStylesOfTheLegend(t *testing.T) {
	p := sample().Sections[1].Blocks[0].(*Grid).Plots[0]
	p.Curves = append(p.Curves, wave("third", 201, 1), wave("fourth", 201, 2), wave("fifth", 201, 3))
	_, c, err := p.onPage()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, key := range p.Legend() {
		curve := c.Panels[0].Curves[i]
		if curve.Name != key.Label || curve.Colour != key.Colour || (len(curve.Dashes) > 0) != (key.Dashes != "") ||
			curve.Width < 4 != !key.Broad {
			t.Errorf("curve %d is %q in %s, %v; the legend has %+v", i, curve.Name, curve.Colour, curve.Dashes, key)
		}
		if i > 0 && c.Panels[1].Curves[i-1].Colour != key.Colour {
			t.Errorf("the difference of %q is %s", key.Label, c.Panels[1].Curves[i-1].Colour)
		}
		if seen[curve.Colour] {
			t.Errorf("curve %d has the colour of another one", i)
		}
		seen[curve.Colour] = true
	}
	p.Curves = p.Curves[1:] // without the broad one
	_, c, err = p.onPage()
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range p.Legend()[1:] {
		if c.Panels[1].Curves[i].Colour != key.Colour {
			t.Errorf("the difference of %q is %s, not %s", key.Label, c.Panels[1].Curves[i].Colour, key.Colour)
		}
	}
}

func TestUnitsOfLabels(t *testing.T) {
	for label, want := range map[string]string{"time, s": "s", "y, m, not to the scale of x": "m",
		"yaw rate, deg/s": "deg/s", "slip angle, deg, + 2 Fz/kN": "deg", "longitudinal slip, 1": "", "load": "",
		"": "", "m": "", "error, as large as it gets": "", "force, left, N": "N"} {
		if got := axisOf(Axis{Label: label}).Unit; got != want {
			t.Errorf("%q has the unit %q, want %q", label, got, want)
		}
	}
}

// A page asks for no network, runs only scripts that its policy names, and none without figures.
func TestThePolicyOfAPage(t *testing.T) {
	_, text := write(t, sample())
	if strings.Count(text, "Content-Security-Policy") != 1 || strings.Count(text, "'sha256-") != 2 ||
		strings.Count(text, "<script>") != 2 || !strings.Contains(text, "default-src 'none'") {
		t.Error("the policy does not name two scripts")
	}
	if at := strings.Index(text, "Content-Security-Policy"); at > strings.Index(text, "<style") ||
		at > strings.Index(text, "<script") {
		t.Error("the policy comes after what it rules")
	}
	_, text = write(t, &Page{Title: "words"})
	if !strings.Contains(text, "default-src 'none'") || strings.Contains(text, "<script") {
		t.Error("a page without figures has scripts, or no policy")
	}
}
