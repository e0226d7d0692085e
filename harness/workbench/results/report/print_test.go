package report

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// printed are the bytes of a page as a PDF.
func printed(t *testing.T, p *Page) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.WritePDF(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pagesOf counts the sheets of a PDF.
func pagesOf(t *testing.T, file []byte) int {
	t.Helper()
	count := regexp.MustCompile(`/Count (\d+)`).FindSubmatch(file)
	if count == nil {
		t.Fatal("the PDF does not say how many sheets it has")
	}
	n, _ := strconv.Atoi(string(count[1]))
	return n
}

func TestAPageIsPrinted(t *testing.T) {
	file := printed(t, sample())
	if !bytes.HasPrefix(file, []byte("%PDF")) || !bytes.Contains(file, []byte("/FontFile2")) {
		t.Error("no PDF, or one without its font")
	}
	if again := printed(t, sample()); !bytes.Equal(file, again) {
		t.Error("equal pages give different files")
	}
	if n := pagesOf(t, file); n != 1 {
		t.Errorf("a short page is printed on %d sheets", n)
	}
	long := &Table{Columns: []Column{{"run", Words}}}
	for i := range 140 { // 10.75 points each, of which 743 are on a sheet
		long.Rows = append(long.Rows, []string{fmt.Sprint(i)})
	}
	if n := pagesOf(t, printed(t, &Page{Sections: []Section{{Blocks: []Block{long}}}})); n != 3 {
		t.Errorf("140 rows are printed on %d sheets; want 3", n)
	}
	long.Folded = true
	if n := pagesOf(t, printed(t, &Page{Sections: []Section{{Blocks: []Block{long}}}})); n != 1 {
		t.Errorf("a folded table is printed, on %d sheets", n)
	}
	bad := &Page{Sections: []Section{{Title: "S", Blocks: []Block{&Grid{Plots: []*Plot{{Title: "empty",
		Curves: []Curve{{Label: "c"}}}}}, &Table{Columns: []Column{{"a", Words}}, Rows: [][]string{{"1", "2"}}}}}}}
	if err := bad.WritePDF(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), `figure "empty"`) ||
		!strings.Contains(err.Error(), "2 cells for 1 columns") {
		t.Errorf("error %v does not name the figure and the table", err)
	}
}

// Text of a PDF is UTF-16; its last line lists the characters that the font lacks.
func TestTextOfPrintedPages(t *testing.T) {
	words := func(text string) (file []byte) {
		for _, unit := range utf16.Encode([]rune(text)) {
			file = append(file, byte(unit>>8), byte(unit))
		}
		return file
	}
	for title, listed := range map[string]bool{"car größe, Жёсткий": false, "car 漢": true} {
		file := printed(t, &Page{Title: title})
		var text []byte
		for _, m := range regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`).FindAllSubmatch(file, -1) {
			if r, err := zlib.NewReader(bytes.NewReader(m[1])); err == nil {
				stream, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				text = append(text, stream...)
			}
		}
		if want := strings.ReplaceAll(title, "漢", "□"); !bytes.Contains(text, words(want)) {
			t.Errorf("%q is not printed", want)
		}
		if bytes.Contains(text, words("U+6F22")) != listed {
			t.Errorf("%q: the character that the font lacks is listed: %t; want %t", title, !listed, listed)
		}
	}
}

// A table that is wider than a sheet is printed in parts; no column is lost, and each part begins with the names.
func TestWideTablesArePrintedInParts(t *testing.T) {
	table := &Table{Columns: []Column{{"Run", Words}, {"Figure", Words}}}
	row := []string{"1", "yaw_rate_response_time"}
	for i := range 30 {
		table.Columns = append(table.Columns, Column{fmt.Sprintf("number %d", i), Number})
		row = append(row, "-1234.5678")
	}
	table.Rows = [][]string{row}
	seen := map[int]int{}
	for _, part := range table.parts() {
		sum := vg.Length(0)
		for i, width := range table.widths(part) {
			if sum += width + cellGap; width < style(smallLetters).Width(row[part[i]])-0.01 {
				t.Errorf("%q stands in a column of %g points", row[part[i]], width.Points())
			}
			seen[part[i]]++
		}
		if sum > wide+cellGap+0.01 {
			t.Errorf("a part is %g points wide", sum.Points())
		}
	}
	parts := len(table.parts())
	if parts < 2 || seen[0] != parts || seen[1] != parts {
		t.Errorf("%d parts, of which %d have the runs and %d the figures", parts, seen[0], seen[1])
	}
	for c := 2; c < len(table.Columns); c++ {
		if seen[c] != 1 {
			t.Errorf("column %d is printed %d times", c, seen[c])
		}
	}
	narrowed := &Table{Columns: []Column{{"a", Words}, {"b", Words}},
		Rows: [][]string{{"short", strings.Repeat("many words ", 40)}}}
	if widths := narrowed.widths([]int{0, 1}); widths[0]+widths[1] > wide-cellGap+0.01 ||
		widths[0] < style(smallLetters).Width("short")-0.01 {
		t.Errorf("columns of a table with a long text are %v points wide", widths)
	}
}

// Legend and caption of a printed figure are below all its curves, and within its width.
func TestPrintedLegendsCoverNothing(t *testing.T) {
	f := &Plot{Title: "overlay", Note: strings.Repeat("A long note. ", 12), X: Axis{Label: "time, s"}, Y: Axis{Label: "y"}}
	for i := range 40 {
		f.Curves = append(f.Curves, wave(fmt.Sprintf("curve %d", i), 50, float64(i)))
	}
	for _, plot := range []*Plot{f, {Title: f.Title, Curves: f.Curves, EqualScales: true},
		{Title: f.Title, Curves: f.Curves, Difference: &Axis{Label: "difference"}}} {
		var r recorder.Canvas
		b := boxed(plot, plot.caption(), narrow)
		all := draw.NewCanvas(&r, 300*millimetre, 300*millimetre)
		corner := vg.Point{X: 10, Y: b.height() + 10}
		if err := b.draw(all, corner); err != nil {
			t.Fatal(err)
		}
		lowest, curves, labels := vg.Length(math.Inf(1)), 0, 0
		for _, action := range r.Actions {
			if stroke, is := action.(*recorder.Stroke); is && len(stroke.Path) > 20 {
				curves++
				for _, p := range stroke.Path {
					lowest = min(lowest, p.Pos.Y)
				}
			}
		}
		for _, action := range r.Actions {
			text, is := action.(*recorder.FillString)
			if !is || !strings.HasPrefix(text.String, "curve ") && !strings.HasPrefix(text.String, "overlay") {
				continue
			}
			labels++
			right := text.Point.X + style(smallLetters).Width(text.String)
			if text.Point.Y+smallLetters > lowest || text.Point.Y < 8 || right > 10+narrow {
				t.Errorf("%q at %v ends at %g; curves end at %g, the figure at %g points", text.String, text.Point,
					right.Points(), lowest.Points(), (10 + narrow).Points())
			}
		}
		if curves < 40 || labels != mostKeys+1 {
			t.Errorf("%d curves and %d labels were drawn", curves, labels)
		}
	}
}

// Curves of a legend look as those of the plot: the same colour and the same dashes.
func TestALegendShowsColoursAndDashes(t *testing.T) {
	f := &Plot{Title: "x", Curves: []Curve{wave("a", 30, 0), wave("b", 30, 1), wave("c", 30, 2)}}
	f.Curves[0].Broad = true
	var svg strings.Builder
	if err := f.WriteFigure(&svg); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	line := regexp.MustCompile(`<path d="[^"]*" style="fill:none;stroke:(#\w+)`)
	for _, m := range line.FindAllStringSubmatch(svg.String(), -1) {
		count[m[1]]++
	}
	for _, k := range f.Legend() {
		if n := count[strings.ToUpper(k.Colour)]; n != 2 {
			t.Errorf("%d lines have the colour %s of %s; want the curve and its key: %v", n, k.Colour, k.Label, count)
		}
	}
	if k := f.Legend(); k[0].Dashes != "" || k[1].Dashes != "" || k[2].Dashes != "5 2" {
		t.Errorf("dashes %q, %q, %q; the broad curve and the first of the others have none", k[0].Dashes, k[1].Dashes,
			k[2].Dashes)
	}
	if n := strings.Count(svg.String(), "stroke-dasharray"); n != 2 {
		t.Errorf("%d dashed lines; want the curve c and its key", n)
	}
	if !strings.Contains(svg.String(), "@font-face") || !strings.Contains(svg.String(), "#FFFFFF") {
		t.Error("the file has no fonts or no white paper in it")
	}
	if r, g, b, _ := broad.Color.RGBA(); r == g || g == b || broad.Color == color.Black {
		t.Error("the broad curve is grey")
	}
}

// A circle is as wide as it is high, on screens and in print.
func TestCirclesAreRound(t *testing.T) {
	c := Curve{Label: "circle"}
	for i := range 100 {
		sin, cos := math.Sincos(float64(i) / 99 * 1.5 * math.Pi)
		c.X, c.Y = append(c.X, 20*sin), append(c.Y, 20-20*cos)
	}
	f := &Plot{Title: "Path", X: Axis{Label: "x, m"}, Y: Axis{Label: "y, m"}, Curves: []Curve{c}, EqualScales: true}
	for name, write := range map[string]func(*strings.Builder) error{
		"screen": func(b *strings.Builder) error { return f.WriteSVG(b) },
		"print":  func(b *strings.Builder) error { return f.WriteFigure(b) },
	} {
		var svg strings.Builder
		if err := write(&svg); err != nil {
			t.Fatal(err)
		}
		path := regexp.MustCompile(`<path d="([^"]*)" style="fill:none;stroke:#0072B2`).FindStringSubmatch(svg.String())
		low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for _, p := range pathPoints(t, path[1]) {
			for k := range p {
				low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
			}
		}
		if width, height := high[0]-low[0], high[1]-low[1]; math.Abs(width/height-1) > 1e-3 || width < 50 {
			t.Errorf("%s: the circle is %g pt wide and %g pt high", name, width, height)
		}
	}
}
