package plots

import (
	"bytes"
	"compress/zlib"
	"image"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// contents are the streams of a PDF, without their compression.
func contents(t *testing.T, file []byte) (list [][]byte) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`).FindAllSubmatch(file, -1) {
		r, err := zlib.NewReader(bytes.NewReader(m[1]))
		if err != nil {
			list = append(list, m[1])
			continue
		}
		stream, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, stream)
	}
	return list
}

// textOf is the text of a PDF, a line for each piece, and the glyphs of the 65536 characters.
func textOf(t *testing.T, file []byte) (lines []string, glyphs []byte) {
	t.Helper()
	unescaped := strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r")
	for _, stream := range contents(t, file) {
		if len(stream) == 2<<16 {
			glyphs = stream
		}
		for _, m := range regexp.MustCompile(`(?s)Td \((.*?)\) Tj ET`).FindAllSubmatch(stream, -1) {
			words := unescaped.Replace(string(m[1]))
			var units []uint16
			for i := 0; i+1 < len(words); i += 2 {
				units = append(units, uint16(words[i])<<8|uint16(words[i+1]))
			}
			lines = append(lines, string(utf16.Decode(units)))
		}
	}
	return lines, glyphs
}

// Text of a PDF is Unicode; each letter has a glyph, and a square stands for what the font does not have.
func TestTextOfPDF(t *testing.T) {
	const text = "weich, spröde (größer) Čtyři Δψ Жёсткий α₀ – 3·10⁶ m/s²"
	canvas := NewPDF(100*millimetre, 50*millimetre)
	style := draw.TextStyle{Font: sans(8), Handler: plot.DefaultTextHandler}
	all := draw.NewCanvas(canvas, 100*millimetre, 50*millimetre)
	all.FillText(style, vg.Point{X: 10, Y: 100}, text)
	canvas.NextPage()
	all.FillText(style, vg.Point{X: 10, Y: 100}, "car 漢😀.toml")
	var file bytes.Buffer
	if _, err := canvas.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	lines, glyphs := textOf(t, file.Bytes())
	if want := []string{text, "car □□.toml"}; !slices.Equal(lines, want) {
		t.Errorf("text %q; want %q", lines, want)
	}
	for _, r := range text + "□" {
		if glyphs == nil || glyphs[2*r] == 0 && glyphs[2*r+1] == 0 {
			t.Errorf("%q has no glyph", r)
		}
	}
	if got := canvas.Missing(); !slices.Equal(got, []rune("漢😀")) {
		t.Errorf("missing %q", got)
	}
	if !bytes.Contains(file.Bytes(), []byte("/ToUnicode")) {
		t.Error("readers cannot find or copy the text: the font has no map to Unicode")
	}
}

// Arcs stay on their circles, images fill their rectangles, and lines without a width are not drawn.
func TestShapesOfPDF(t *testing.T) {
	canvas := NewPDF(100, 100)
	var circle vg.Path
	circle.Arc(vg.Point{X: 50, Y: 50}, 20, 0.5, 2*math.Pi)
	circle.Close()
	canvas.Stroke(circle)
	canvas.SetLineWidth(0)
	canvas.Stroke(circle)
	canvas.DrawImage(vg.Rectangle{Min: vg.Point{X: 10, Y: 5}, Max: vg.Point{X: 30, Y: 25}},
		image.NewGray(image.Rect(0, 0, 2, 2)))
	var file bytes.Buffer
	if _, err := canvas.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	page := string(contents(t, file.Bytes())[0])
	number := `(-?[\d.]+) `
	curves := regexp.MustCompile(strings.Repeat(number, 6)+"c\n").FindAllStringSubmatch(page, -1)
	if len(curves) != 4 {
		t.Fatalf("a circle of %d curves; want 4: %s", len(curves), page)
	}
	x, y := 50+20*math.Cos(0.5), 50+20*math.Sin(0.5)
	for _, c := range curves {
		var v [7]float64
		for i := 1; i < 7; i++ {
			v[i], _ = strconv.ParseFloat(c[i], 64)
		}
		middle := math.Hypot((x+3*v[1]+3*v[3]+v[5])/8-50, (y+3*v[2]+3*v[4]+v[6])/8-50)
		if end := math.Hypot(v[5]-50, v[6]-50); math.Abs(end-20) > 0.01 || math.Abs(middle-20) > 0.02 {
			t.Errorf("a curve of the circle is %g from its centre in its middle and %g at its end; want 20", middle, end)
		}
		x, y = v[5], v[6]
	}
	if !regexp.MustCompile(`20\.0+ 0 0 20\.0+ 10\.0+ 5\.0+ cm /I`).MatchString(page) {
		t.Errorf("the image does not fill its rectangle: %s", page)
	}
}
