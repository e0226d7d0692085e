package report

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// unpacked reads numbers as the script does.
func unpacked(t *testing.T, n numbers) []float64 {
	t.Helper()
	var list []float64
	for i := range n.Count {
		list = append(list, n.Offset+float64(i)*n.Step)
	}
	data, err := base64.StdEncoding.DecodeString(n.Data)
	if err != nil || len(data)%4 != 0 {
		t.Fatalf("%d bytes: %v", len(data), err)
	}
	for ; len(data) > 0; data = data[4:] {
		list = append(list, n.Offset+float64(math.Float32frombits(binary.LittleEndian.Uint32(data))))
	}
	return list
}

// Numbers come back with the digits that tell them apart, at even steps, far from 0, and elsewhere.
func TestNumbersComeBack(t *testing.T) {
	for name, c := range map[string]struct {
		list   []float64
		within float64 // of the range
		even   bool
	}{
		"even":         {[]float64{0.1, 0.2, 0.3, 0.4}, 1e-9, true},
		"last is off":  {[]float64{0, 1, 2, 3.01}, 1e-7, false},
		"falling":      {[]float64{3, 2, 1}, 1e-7, false},
		"far":          {[]float64{1e7, 1e7 + 1, 1e7 + 3}, 1e-7, false},
		"far below":    {[]float64{-1e7, -1e7 + 0.125, -1e7 - 0.375}, 1e-7, false},
		"two":          {[]float64{2, 3}, 1e-7, false},
		"equal, far":   {[]float64{1.23456789e5, 1.23456789e5, 1.23456789e5}, 0, false},
		"around zero":  {[]float64{-1, 0, 0.5}, 1e-7, false},
		"to and fro":   {[]float64{0, 2, 1, 3}, 1e-7, false},
		"back to 0, 1": {[]float64{0, 0, 1}, 1e-7, false},
	} {
		n := packed(c.list)
		got := unpacked(t, n)
		if len(got) != len(c.list) || (n.Count > 0) != c.even {
			t.Errorf("%s: %d of %d numbers, even %t", name, len(got), len(c.list), n.Count > 0)
			continue
		}
		wide := slices.Max(c.list) - slices.Min(c.list)
		for i := range got {
			if math.Abs(got[i]-c.list[i]) > c.within*wide {
				t.Errorf("%s: %.12g comes back as %.12g", name, c.list[i], got[i])
			}
		}
	}
}

// A long noisy run takes at most 40 kB a curve, in the page and in its SVG, and keeps its peak.
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
	for _, c := range slices.Concat(whole.Panels[0].Curves, whole.Panels[1].Curves, way.Panels[0].Curves) {
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		x, y := unpacked(t, c.X), unpacked(t, c.Y)
		if len(text) > 40_000 || len(x) > mostPoints || len(x) != len(y) || len(x) < 100 || c.Rows != rows {
			t.Errorf("%s: %d bytes, %d places and %d values of %d", c.Name, len(text), len(x), len(y), c.Rows)
		}
	}
	if y := unpacked(t, whole.Panels[0].Curves[0].Y); slices.Max(y) != 99 {
		t.Errorf("the peak is %g", slices.Max(y))
	}
	// the differences are of all rows
	if y, want := unpacked(t, whole.Panels[1].Curves[0].Y), b.Y[12_345]-99; math.Abs(slices.Min(y)-want) > 1e-5 {
		t.Errorf("the least difference is %g, not %g", slices.Min(y), want)
	}
	// pieces stay apart
	c := whole.Panels[0].Curves[2]
	x := unpacked(t, c.X)
	if len(c.Starts) != 3 || c.Starts[0] != 0 || c.Starts[2] != c.Starts[1]+1 ||
		math.Abs(x[c.Starts[1]]-20) > 1e-5 || math.Abs(x[c.Starts[1]-1]-19.999) > 1e-5 {
		t.Errorf("pieces begin at %v", c.Starts)
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
