package plots

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// embedded is the font in an SVG file.
func embedded(t *testing.T, file []byte) []byte {
	t.Helper()
	found := regexp.MustCompile(`base64,([^)]*)\)`).FindSubmatch(file)
	if found == nil {
		t.Fatal("the file has no font")
	}
	data, err := base64.StdEncoding.DecodeString(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sansFont is the whole font, and its file.
func sansFont(t *testing.T) (*sfnt.Font, []byte) {
	t.Helper()
	face := font.NewCache(liberation.Collection()).Lookup(sans(8), 8)
	var b bytes.Buffer
	if _, err := face.Face.WriteSourceTo(nil, &b); err != nil {
		t.Fatal(err)
	}
	return face.Face, b.Bytes()
}

// The letters of a plot have the outlines, widths and distances of the whole font; the file has these alone.
func TestSVGFilesHaveTheirLetters(t *testing.T) {
	file := written(t, "x.svg", "screen")
	part, err := sfnt.Parse(embedded(t, file))
	if err != nil {
		t.Fatal(err)
	}
	whole, source := sansFont(t)
	drawn := map[rune]bool{}
	for _, m := range regexp.MustCompile(`(?s)<text[^>]*>([^<]*)</text>`).FindAllSubmatch(file, -1) {
		for _, r := range string(m[1]) {
			drawn[r] = true
		}
	}
	if len(drawn) < 30 {
		t.Fatalf("the file has %d letters", len(drawn))
	}
	var b sfnt.Buffer
	const size = fixed.Int26_6(2048)
	previous := sfnt.GlyphIndex(0)
	for r := range drawn {
		i, err := part.GlyphIndex(&b, r)
		want, _ := whole.GlyphIndex(&b, r)
		if err != nil || i == 0 || i != want {
			t.Errorf("%q is glyph %d; want %d, %v", r, i, want, err)
			continue
		}
		own, err := part.LoadGlyph(&b, i, size, nil)
		if err != nil {
			t.Errorf("%q: %v", r, err)
			continue
		}
		own = slices.Clone(own)
		if other, _ := whole.LoadGlyph(&b, i, size, nil); !slices.Equal(own, other) {
			t.Errorf("%q has another outline", r)
		}
		a, _ := part.GlyphAdvance(&b, i, size, 0)
		if other, _ := whole.GlyphAdvance(&b, i, size, 0); a != other {
			t.Errorf("%q is %d wide; want %d", r, a, other)
		}
		k, _ := part.Kern(&b, previous, i, size, 0)
		if other, _ := whole.Kern(&b, previous, i, size, 0); k != other {
			t.Errorf("before %q are %d; want %d", r, k, other)
		}
		previous = i
	}
	if i, err := part.GlyphIndex(&b, 'Ж'); err != nil || i != 0 {
		t.Errorf("a letter that the plot has not is glyph %d, %v", i, err)
	}
	if n := len(embedded(t, file)); n > 40_000 || n > len(source)/8 {
		t.Errorf("the font has %d bytes of %d", n, len(source))
	}
	if !strings.Contains(string(file), `style="font-family:Liberation Sans,Arial,Helvetica,sans-serif;`) {
		t.Error("programs that read no fonts in files have no other one to take")
	}
}

// A letter with an accent is made of two glyphs, which come with it.
func TestPartsOfLetters(t *testing.T) {
	whole, source := sansFont(t)
	var b sfnt.Buffer
	index := func(r rune) uint16 {
		i, err := whole.GlyphIndex(&b, r)
		if err != nil {
			t.Fatal(err)
		}
		return uint16(i)
	}
	data, err := subset(source, []rune("ÉǻÅAV"), index)
	if err != nil {
		t.Fatal(err)
	}
	part, err := sfnt.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range "ÉǻÅ" {
		own, err := part.LoadGlyph(&b, sfnt.GlyphIndex(index(r)), 2048, nil)
		if err != nil {
			t.Fatalf("%q: %v", r, err)
		}
		own = slices.Clone(own)
		other, _ := whole.LoadGlyph(&b, sfnt.GlyphIndex(index(r)), 2048, nil)
		if len(own) == 0 || !slices.Equal(own, other) {
			t.Errorf("%q has another outline", r)
		}
	}
	closer, err := part.Kern(&b, sfnt.GlyphIndex(index('A')), sfnt.GlyphIndex(index('V')), 2048, 0)
	want, _ := whole.Kern(&b, sfnt.GlyphIndex(index('A')), sfnt.GlyphIndex(index('V')), 2048, 0)
	if err != nil || closer != want || want == 0 {
		t.Errorf("A and V are %d closer; want %d, %v", closer, want, err)
	}
	if sum := checksum(data); sum != checksumAll {
		t.Errorf("the sum of the font is %#x; want %#x", sum, uint32(checksumAll))
	}
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		entry := data[12+16*i:]
		begin, size := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		table := slices.Clone(data[begin : begin+size])
		if string(entry[:4]) == "head" {
			clear(table[8:12])
		}
		if got := checksum(table); got != binary.BigEndian.Uint32(entry[4:]) {
			t.Errorf("table %s has another sum", entry[:4])
		}
	}
}

// A font that is cut off, or none, is refused.
func TestDamagedFonts(t *testing.T) {
	_, source := sansFont(t)
	index := func(rune) uint16 { return 36 }
	for size := 0; size < len(source); size += 1 + size/7 {
		if _, err := subset(bytes.Clone(source[:size]), []rune("A"), index); err == nil {
			t.Fatalf("%d bytes of %d are a font", size, len(source))
		}
	}
	if _, err := subset(append([]byte("OTTO"), source[4:]...), []rune("A"), index); err == nil {
		t.Error("a font of another format is accepted")
	}
	if _, err := subset(source, []rune("A"), func(rune) uint16 { return 65000 }); err == nil {
		t.Error("a glyph that the font has not is accepted")
	}
	// outlines at 2 and 4 bytes, by offsets of 16 bits, which count words, and of 32 bits
	for _, loca := range [][]byte{{0, 1, 0, 2}, {0, 0, 0, 2, 0, 0, 0, 4}} {
		if o, err := outline(loca, []byte("abcd"), 0, len(loca) == 8); err != nil || string(o) != "cd" {
			t.Errorf("offsets %v: outline %q, %v", loca, o, err)
		}
	}
	for _, loca := range [][]byte{{0, 2, 0, 1}, {0, 1, 0, 3}, {0, 1, 0}} {
		if o, err := outline(loca, []byte("abcd"), 0, false); err == nil {
			t.Errorf("offsets %v: outline %q", loca, o)
		}
	}
}

// A sheet without text has no font, one with two is refused.
func TestSVGFilesWithOtherContents(t *testing.T) {
	var b bytes.Buffer
	empty := NewSVG(10*vg.Millimeter, 10*vg.Millimeter)
	if _, err := empty.WriteTo(&b); err != nil || strings.Contains(b.String(), "font") {
		t.Errorf("%v: %s", err, b.String())
	}
	// a map has cells of any shape, and fills its axes
	drawing := NewSVG(10*vg.Millimeter, 10*vg.Millimeter)
	drawing.DrawImage(vg.Rectangle{Max: vg.Point{X: 20, Y: 5}}, image.NewGray(image.Rect(0, 0, 2, 3)))
	b.Reset()
	if _, err := drawing.WriteTo(&b); err != nil || !strings.Contains(b.String(), `<image preserveAspectRatio="none" x=`) {
		t.Errorf("%v: %s", err, b.String())
	}
	two := NewSVG(10*vg.Millimeter, 10*vg.Millimeter)
	fonts := font.NewCache(liberation.Collection())
	for _, variant := range []font.Variant{"Sans", "Serif"} {
		two.FillString(fonts.Lookup(font.Font{Typeface: "Liberation", Variant: variant}, 8), vg.Point{}, "a")
	}
	if _, err := two.WriteTo(&b); err == nil {
		t.Error("letters of two fonts are written as those of one")
	}
}
