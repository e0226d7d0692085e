package plots

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// family is the font of all text in SVG files. Programs that do not read fonts within the file, as Inkscape, take the
// next one that they find: letters of Arial are as wide.
const family, alternatives = `style="font-family:Liberation Sans;`,
	`style="font-family:Liberation Sans,Arial,Helvetica,sans-serif;`

// svg is a canvas that writes an SVG file; drawn are the letters drawn in its font.
type svg struct {
	*vgsvg.Canvas
	face  *sfnt.Font
	drawn map[rune]bool
	mixed bool // it has letters of several fonts
}

// NewSVG is a canvas that writes an SVG file with the letters of its font. All text must be in Liberation Sans.
func NewSVG(width, height vg.Length) vg.CanvasWriterTo {
	return &svg{vgsvg.NewWith(vgsvg.UseWH(width, height)), nil, map[rune]bool{}, false}
}

// FillString draws text.
func (s *svg) FillString(f font.Face, at vg.Point, text string) {
	s.mixed = s.mixed || s.face != nil && s.face != f.Face
	s.face = f.Face
	for _, r := range text {
		s.drawn[r] = true
	}
	s.Canvas.FillString(f, at, text)
}

// WriteTo writes the file.
func (s *svg) WriteTo(to io.Writer) (int64, error) {
	if s.mixed {
		return 0, errors.New("an SVG file with letters of several fonts")
	}
	var drawing bytes.Buffer
	if _, err := s.Canvas.WriteTo(&drawing); err != nil {
		return 0, err
	}
	file := strings.ReplaceAll(drawing.String(), family, alternatives)
	// maps fill their axes, whatever the shape of their cells
	file = strings.ReplaceAll(file, "<image ", `<image preserveAspectRatio="none" `)
	if s.face != nil {
		letters, err := s.letters()
		if err != nil {
			return 0, err
		}
		// behind the first tag, <svg ...>
		begin := strings.Index(file, "<svg")
		begin += strings.Index(file[begin:], ">") + 1
		file = file[:begin] + fmt.Sprintf("\n<defs><style>@font-face{font-family:\"Liberation Sans\";"+
			"src:url(data:font/ttf;base64,%s) format(\"truetype\")}</style></defs>", letters) + file[begin:]
	}
	n, err := io.WriteString(to, file)
	return int64(n), err
}

// letters is the font with what has been drawn, in base64.
func (s *svg) letters() (string, error) {
	var whole bytes.Buffer
	var b sfnt.Buffer
	if _, err := s.face.WriteSourceTo(&b, &whole); err != nil {
		return "", err
	}
	part, err := subset(whole.Bytes(), slices.Sorted(maps.Keys(s.drawn)), func(r rune) uint16 {
		i, err := s.face.GlyphIndex(&b, r)
		if err != nil {
			return 0
		}
		return uint16(i)
	})
	return base64.StdEncoding.EncodeToString(part), err
}
