package plots

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	pdf "codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Endings are the file name endings of the formats that Write knows.
var Endings = []string{".png", ".svg", ".pdf"}

// Styles are the names of the styles, the default first.
var Styles = []string{"screen", "paper"}

// Panel is one diagram of a figure.
type Panel struct {
	*plot.Plot
	EqualScales bool // a unit is as long on both axes
}

// Figure is a caption above panels in rows. A panel can be nil.
type Figure struct {
	Caption string
	Rows    [][]*Panel
}

// sheet is the size of a figure and of its text.
type sheet struct {
	width, panelHeight vg.Length
	textSize           vg.Length
	columns            int // the most panels beside each other
}

const millimetre = vg.Millimeter

// sheets are the widths of one and two columns of a printed page. Text is at least 7 pt high.
var sheets = map[string]sheet{
	"screen": {width: 175 * millimetre, panelHeight: 62 * millimetre, textSize: 8, columns: 2},
	"paper":  {width: 85 * millimetre, panelHeight: 52 * millimetre, textSize: 7, columns: 1},
}

const (
	gap = 2 * millimetre // between panels, and around the figure
	// PNG files have twice the 96 dots per inch of a screen.
	resolution = 192
)

func init() { // a PDF has the date when it was made, and equal figures would differ
	pdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	pdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
}

// CheckStyle reports a style that does not exist.
func CheckStyle(style string) error {
	if !slices.Contains(Styles, style) {
		return fmt.Errorf("style %q is not known; give one of %s", style, strings.Join(Styles, ", "))
	}
	return nil
}

// Write draws a figure in the format of a file name's ending, in a style: "screen" is 175 mm wide with two columns of
// panels, "paper" is 85 mm wide with one. SVG and PDF have their fonts within, PNG has 192 dots per inch. Equal figures
// give equal bytes.
func (f *Figure) Write(to io.Writer, name, style string) error {
	if err := CheckStyle(style); err != nil {
		return err
	}
	s := sheets[style]
	rows := s.arrange(f.Rows)
	caption := s.wrapped(f.Caption, s.textSize+1, s.width-2*gap)
	size := vg.Point{X: s.width, Y: vg.Length(len(rows))*(s.panelHeight+gap) + gap + s.captionHeight(caption)}
	var canvas vg.CanvasWriterTo
	switch strings.ToLower(filepath.Ext(name)) {
	case ".svg":
		canvas = NewSVG(size.X, size.Y)
	case ".pdf":
		canvas = NewPDF(size.X, size.Y)
	case ".png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(size.X, size.Y), vgimg.UseDPI(resolution))}
	default:
		return fmt.Errorf("%s: no format of a plot; end the name in %s", name, strings.Join(Endings, ", "))
	}
	area := draw.NewCanvas(canvas, size.X, size.Y)
	area.SetColor(color.White) // SVG and PDF are transparent without
	area.Fill(area.Rectangle.Path())
	for i, line := range caption {
		area.FillText(s.style(s.textSize+1), vg.Point{X: gap, Y: size.Y - gap - vg.Length(i)*s.lineHeight()}, line)
	}
	for _, p := range s.layOut(rows, draw.Crop(area, 0, 0, 0, -s.captionHeight(caption))) {
		p.Plot.Draw(p.area)
		p.legend.Draw(p.legendArea)
	}
	_, err := canvas.WriteTo(to)
	return err
}

// placed is a panel with the areas of its axes and of its legend.
type placed struct {
	*Panel
	legend           plot.Legend
	area, legendArea draw.Canvas
}

// layOut gives each panel an area, and each legend an area to the right of its panel, so that a legend never covers a
// curve.
func (s *sheet) layOut(rows [][]*Panel, area draw.Canvas) []placed {
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	plots := make([][]*plot.Plot, len(rows))
	legends := make([][]plot.Legend, len(rows))
	room := make([]vg.Length, columns)
	for i, row := range rows {
		plots[i], legends[i] = make([]*plot.Plot, columns), make([]plot.Legend, columns)
		for k, p := range row {
			if p == nil {
				continue
			}
			s.dress(p.Plot)
			plots[i][k], legends[i][k] = p.Plot, p.Legend
			if width := p.Legend.Rectangle(area).Size().X; width > 0 {
				room[k] = max(room[k], width+gap/2)
			}
			p.Legend = plot.NewLegend()
		}
	}
	tiles := draw.Tiles{Rows: len(rows), Cols: columns, PadX: gap, PadY: gap, PadTop: gap, PadBottom: gap / 2,
		PadLeft: gap / 2, PadRight: gap}
	var list []placed
	for i, canvases := range plot.Align(plots, tiles, area) {
		for k, c := range canvases {
			if plots[i][k] == nil {
				continue
			}
			p := placed{Panel: rows[i][k], legend: legends[i][k], area: draw.Crop(c, 0, -room[k], 0, 0)}
			if p.EqualScales {
				EqualScales(p.Plot, p.area)
			}
			data := p.DataCanvas(p.area)
			p.legendArea = c
			p.legendArea.Min.X, p.legendArea.Max.Y = c.Max.X-room[k]+gap/2, data.Max.Y
			list = append(list, p)
		}
	}
	return list
}

// arrange puts panels into rows that are no wider than the sheet.
func (s *sheet) arrange(rows [][]*Panel) [][]*Panel {
	if s.columns > 1 {
		return rows
	}
	var list [][]*Panel
	for _, row := range rows {
		for _, p := range row {
			if p != nil {
				list = append(list, []*Panel{p})
			}
		}
	}
	return list
}

// dress gives a plot the fonts and lines of the sheet.
func (s *sheet) dress(p *plot.Plot) {
	p.Title.TextStyle.Font = sans(s.textSize)
	p.Title.Text = strings.Join(s.wrapped(p.Title.Text, s.textSize, s.width/vg.Length(s.columns)*0.75), "\n")
	p.Title.Padding = vg.Points(2)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = sans(s.textSize), sans(s.textSize)
		a.Label.Padding = vg.Points(2)
	}
	p.Legend.TextStyle.Font = sans(s.textSize)
	p.Legend.Top, p.Legend.Left, p.Legend.ThumbnailWidth = true, true, vg.Points(16)
	p.Legend.Padding = vg.Points(2)
}

func (s *sheet) style(size vg.Length) draw.TextStyle {
	return draw.TextStyle{Color: color.Black, Font: sans(size), YAlign: draw.YTop, Handler: plot.DefaultTextHandler}
}

func (s *sheet) lineHeight() vg.Length { return 1.25 * (s.textSize + 1) }

func (s *sheet) captionHeight(lines []string) vg.Length {
	if len(lines) == 0 {
		return 0
	}
	return vg.Length(len(lines))*s.lineHeight() + gap
}

// wrapped are the lines of a text of some size within a width.
func (s *sheet) wrapped(text string, size, width vg.Length) []string {
	return Wrapped(s.style(size), text, width)
}

// Wrapped are the lines of a text in some style within a width. A word that is wider is divided.
func Wrapped(style draw.TextStyle, text string, width vg.Length) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 {
			longer := lines[last] + " " + word
			if style.Width(longer) <= width {
				lines[last] = longer
				continue
			}
		}
		for letters := []rune(word); len(letters) > 0; {
			n := len(letters)
			for n > 1 && style.Width(string(letters[:n])) > width {
				n--
			}
			lines = append(lines, string(letters[:n]))
			letters = letters[n:]
		}
	}
	return lines
}

func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// Palette tells curves apart, also without colour vision.
var Palette = []color.Color{
	color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff},
	color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff},
	color.RGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff},
	color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff},
	color.RGBA{R: 0x33, G: 0x33, B: 0x33, A: 0xff},
	color.RGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff},
}

// LineStyle is the line of curve i: colours differ on a screen, dashes also in grey print. No two of the first 24
// curves are equal, no two of the first four have the same dashes.
func LineStyle(i int) draw.LineStyle {
	dashes := [][]vg.Length{nil, {5, 2}, {1.5, 1.5}, {6, 2, 1.5, 2}}
	n := len(Palette)
	return draw.LineStyle{Color: Palette[i%n], Width: vg.Points(1), Dashes: dashes[(i+i/n)%len(dashes)]}
}

// EqualScales widens the range of one axis so that a unit is as long on both.
func EqualScales(p *plot.Plot, area draw.Canvas) {
	for range 10 { // other ranges can have broader labels, which leave less room
		room := p.DataCanvas(area).Size()
		unit := math.Min(float64(room.X)/(p.X.Max-p.X.Min), float64(room.Y)/(p.Y.Max-p.Y.Min))
		for _, a := range []struct {
			axis *plot.Axis
			room vg.Length
		}{{&p.X, room.X}, {&p.Y, room.Y}} {
			middle, half := (a.axis.Min+a.axis.Max)/2, float64(a.room)/unit/2
			a.axis.Min, a.axis.Max = middle-half, middle+half
		}
	}
}
