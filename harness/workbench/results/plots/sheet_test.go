package plots

import (
	"bytes"
	"image/png"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/roles"
)

// run is a run of a car whose path is a circle with a radius of 20 m, seen for three quarters.
func run() *trace.Trace {
	names := []string{"chassis.vx", "chassis.wz", "chassis.roll", "chassis.pitch", "chassis.x",
		"chassis.y"}
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		names = append(names, "tire_"+corner+".Fz")
	}
	t := trace.New(trace.Named(names...), 300)
	const turn = 1.5 * math.Pi
	for i := range 300 {
		sin, cos := math.Sincos(turn * float64(i) / 299)
		t.Time = append(t.Time, float64(i)/100)
		for k, value := range []float64{10 + sin, 0.5, 0.05 * sin, 0.01 * cos, 20 * sin, 20 * (1 - cos),
			4000 + 500*sin, 4000 - 500*sin, 3000 + 300*cos, 3000 - 300*cos} {
			t.Values[k] = append(t.Values[k], value)
		}
	}
	return t
}

func written(t *testing.T, name, style string) []byte {
	t.Helper()
	f, err := Overview(run(), "Steady turn of a car with a caption that is longer than a column of a printed page is wide")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b, name, style); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The legend is right of the axes, within the sheet and not over another panel: it cannot cover a curve.
func TestLegendsCoverNothing(t *testing.T) {
	for _, style := range Styles {
		f, err := Overview(run(), "")
		if err != nil {
			t.Fatal(err)
		}
		s := sheets[style]
		rows := s.arrange(f.Rows)
		height := vg.Length(len(rows)) * s.panelHeight
		area := draw.NewCanvas(&recorder.Canvas{}, s.width, height)
		list := s.layOut(rows, area)
		legends := 0
		for _, p := range list {
			legend := p.legend.Rectangle(p.legendArea)
			if legend.Size().X == 0 {
				continue
			}
			legends++
			if p.legendArea.Min.X+legend.Size().X > p.legendArea.Max.X {
				t.Errorf("%s: the legend of %s is wider than its place", style, p.Title.Text)
			}
			if legend.Max.X > s.width || legend.Min.Y < 0 || legend.Max.Y > height {
				t.Errorf("%s: the legend of %s at %v is not on the sheet", style, p.Title.Text, legend)
			}
			for _, other := range list {
				data := other.DataCanvas(other.area).Rectangle
				if legend.Min.X < data.Max.X && data.Min.X < legend.Max.X && legend.Min.Y < data.Max.Y &&
					data.Min.Y < legend.Max.Y {
					t.Errorf("%s: the legend of %s at %v is over the curves of %s at %v", style, p.Title.Text, legend,
						other.Title.Text, data)
				}
			}
		}
		if legends != 2 {
			t.Errorf("%s: %d legends; want those of the angles and of the loads", style, legends)
		}
	}
}

// Sizes of sheet, text and lines, as the SVG has them.
func TestSizes(t *testing.T) {
	for style, width := range map[string]float64{"screen": 175, "paper": 85} {
		file := string(written(t, "x.svg", style))
		head := regexp.MustCompile(`<svg width="([\d.]+)pt"`).FindStringSubmatch(file)
		if got, _ := strconv.ParseFloat(head[1], 64); math.Abs(got/72*25.4-width) > 0.01 {
			t.Errorf("%s is %g pt wide; want %g mm", style, got, width)
		}
		sizes := regexp.MustCompile(`font-size:([\d.]+)px`).FindAllStringSubmatch(file, -1)
		for _, m := range sizes {
			if size, _ := strconv.ParseFloat(m[1], 64); size < 7 {
				t.Errorf("%s has text of %g pt; want at least 7", style, size)
			}
		}
		captions := 0
		for _, m := range regexp.MustCompile(`font-size:[89]px">([^<]*car[^<]*|[^<]*column[^<]*)<`).
			FindAllStringSubmatch(file, -1) {
			captions++
			s := sheets[style]
			if wide := s.style(s.textSize + 1).Width(m[1]).Points(); wide/72*25.4 > width {
				t.Errorf("%s: the line %q of the caption is %g pt wide", style, m[1], wide)
			}
		}
		if captions == 0 {
			t.Errorf("%s has no caption", style)
		}
		if len(sizes) < 20 || !strings.Contains(file, "@font-face") {
			t.Errorf("%s has %d texts, font embedded: %t", style, len(sizes), strings.Contains(file, "@font-face"))
		}
	}
}

// A path is measured in the SVG: three quarters of a circle of 20 m are as wide, to the left and right of the start,
// as they are high.
func TestPathsHaveEqualScales(t *testing.T) {
	for _, style := range Styles {
		file := string(written(t, "x.svg", style))
		paths := regexp.MustCompile(`<path d="([^"]*)" style="fill:none;stroke:#0072B2`).FindAllStringSubmatch(file, -1)
		last := paths[len(paths)-1][1]
		low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for _, point := range regexp.MustCompile(`[ML]([-\d.]+),([-\d.]+)`).FindAllStringSubmatch(last, -1) {
			for k := range 2 {
				v, _ := strconv.ParseFloat(point[k+1], 64)
				low[k], high[k] = min(low[k], v), max(high[k], v)
			}
		}
		if width, height := high[0]-low[0], high[1]-low[1]; math.Abs(width/height-1) > 1e-3 || width < 50 {
			t.Errorf("%s: the circle is %g pt wide and %g pt high", style, width, height)
		}
	}
}

// Curves differ without colours: up to four in their dashes, up to six in their colours, up to 24 in both.
func TestLinesDiffer(t *testing.T) {
	type look struct {
		dashes string
		colour any
	}
	seen, dashes := map[look]int{}, map[string]int{}
	for i := range 24 {
		l := LineStyle(i)
		text := ""
		for _, d := range l.Dashes {
			text += strconv.FormatFloat(float64(d), 'g', -1, 64) + " "
		}
		if before, has := dashes[text]; has && i < 4 {
			t.Errorf("curves %d and %d have equal dashes", before, i)
		}
		if before, has := seen[look{text, l.Color}]; has {
			t.Errorf("curves %d and %d are equal", before, i)
		}
		dashes[text], seen[look{text, l.Color}] = i, i
	}
}

func TestEqualRunsGiveEqualBytes(t *testing.T) {
	for _, name := range []string{"x.svg", "x.pdf", "X.PNG"} {
		if a, b := written(t, name, "paper"), written(t, name, "paper"); !bytes.Equal(a, b) {
			t.Errorf("two files %s of equal runs differ", name)
		}
	}
	if file := written(t, "x.pdf", "paper"); !bytes.HasPrefix(file, []byte("%PDF")) ||
		!bytes.Contains(file, []byte("/FontFile2")) || bytes.Count(file, []byte("Date (D:")) != 2 ||
		bytes.Count(file, []byte("Date (D:19700101000000")) != 2 {
		t.Error("the PDF has no embedded font, or the date when it was made")
	}
	image, err := png.DecodeConfig(bytes.NewReader(written(t, "x.png", "screen")))
	if want := 175 / 25.4 * 192; err != nil || math.Abs(float64(image.Width)-want) > 1 {
		t.Errorf("the PNG is %d dots wide, error %v; want %.0f", image.Width, err, want)
	}
}

func TestUnknownFormatsAndStyles(t *testing.T) {
	f := Figure{Rows: [][]*Panel{{{Plot: plot.New()}}}}
	for _, c := range [][3]string{{"x.gif", "screen", ".png, .svg, .pdf"}, {"x.svg", "poster", "screen, paper"}} {
		if err := f.Write(&bytes.Buffer{}, c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s in style %s: %v; want %s", c[0], c[1], err, c[2])
		}
	}
	if _, err := Overview(&trace.Trace{}, ""); err == nil {
		t.Error("a run without variables gave a figure")
	}
}

// A figure shows the vehicle that roles describe, whatever its parts are called, twins too.
func TestTheOverviewFollowsRoles(t *testing.T) {
	record := run()
	vehicle := &roles.Roles{Chassis: "hull", Axles: []roles.Axle{
		{Left: []roles.Wheel{{Tire: "w1"}, {Tire: "w2"}}, Right: []roles.Wheel{{Tire: "w4"}, {Tire: "w3"}}}}}
	channels := record.Channels
	for i := range channels {
		c := &channels[i]
		c.Name = strings.NewReplacer("chassis.", "hull.", "tire_FL.", "w1.", "tire_FR.", "w2.", "tire_RL.", "w3.",
			"tire_RR.", "w4.").Replace(c.Name)
		c.Role = vehicle.Role(c.Name)
	}
	record = trace.Of(channels, append([][]float64{record.Time}, record.Values...))
	var loads []curve
	for _, p := range overview(record) {
		if p.title == "Wheel loads" {
			loads = p.curves
		}
	}
	want := []curve{{"1L1", "w1.Fz"}, {"1L2", "w2.Fz"}, {"1R1", "w4.Fz"}, {"1R2", "w3.Fz"}}
	if !slices.Equal(loads, want) {
		t.Errorf("wheel loads are %v; want %v", loads, want)
	}
	if _, err := Overview(record, ""); err != nil {
		t.Error(err)
	}
}

// Diagrams of nothing but rounding errors are left out, and paths that are a point or a line along one axis have a
// range across it.
func TestRoundingErrorsAreNoDiagrams(t *testing.T) {
	titles := func(lateral, forwards float64) (list []string, path *plot.Plot) {
		record := run()
		for k, name := range record.Names() {
			for i := range record.Values[k] {
				switch name {
				case "chassis.wz", "chassis.y":
					record.Values[k][i] *= lateral
				case "chassis.x":
					record.Values[k][i] *= forwards
				}
			}
		}
		for _, p := range overview(record) {
			list = append(list, p.title)
			if p.x != "" {
				var err error
				if path, err = p.draw(record); err != nil {
					t.Fatal(err)
				}
			}
		}
		return list, path
	}
	with, _ := titles(1, 1)
	if without, _ := titles(1e-15, 1); len(with) != 5 || !slices.Equal(without, []string{"Speed", "Roll and pitch",
		"Wheel loads"}) {
		t.Errorf("diagrams are %q, with rounding errors in two of them %q", with, without)
	}
	if small, _ := titles(1e-3, 1); !slices.Equal(small, with) {
		t.Errorf("with small values the diagrams are %q", small)
	}
	if _, path := titles(1e-3, 1); path.Y.Max-path.Y.Min < 0.1 {
		t.Errorf("a straight path has a range of %g m along y", path.Y.Max-path.Y.Min)
	}
	if _, path := titles(1, 1e-20); path.X.Max-path.X.Min < 0.1 {
		t.Errorf("a path across has a range of %g m along x", path.X.Max-path.X.Min)
	}
}
