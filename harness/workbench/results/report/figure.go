package report

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"skidpad/harness/workbench/results/plots"
)

const (
	millimetre   = vg.Millimeter
	narrow       = 85 * millimetre  // width of a figure in one of two columns
	wide         = 175 * millimetre // width of both
	lineDistance = 1.25             // of lines, by the size of their letters
	swatch       = 20               // points, length of a line in a legend
	mostKeys     = 24               // of a legend in print
)

// letters of captions, legends and tables, and the least of all [points].
const (
	smallLetters = 7
	textLetters  = 8
)

// box is a figure in print: the plot, below it its legend, then its caption. Nothing of them covers a curve.
type box struct {
	plot    *Plot
	width   vg.Length
	caption []string
	legend  []key
	more    int      // curves that the legend leaves out
	starts  [][2]int // line and column [points] of the legend's entries
	lines   int      // of the legend
}

// boxed lays a figure out in some width.
func boxed(f *Plot, caption string, width vg.Length) *box {
	b := &box{plot: f, width: width, legend: f.Legend(), caption: plots.Wrapped(style(smallLetters), caption, width)}
	if n := len(b.legend); n > mostKeys {
		b.legend, b.more = b.legend[:mostKeys], n-mostKeys
	}
	left := vg.Length(0)
	for i, k := range b.legend {
		if lines := plots.Wrapped(style(smallLetters), k.Label, width-swatch-12); len(lines) > 1 {
			b.legend[i].Label = lines[0] + " ..."
		}
		long := swatch + 4 + style(smallLetters).Width(b.legend[i].Label) + 8
		if i == 0 || left+long > width {
			left = 0
			b.lines++
		}
		b.starts = append(b.starts, [2]int{b.lines - 1, int(left)})
		left += long
	}
	if b.more > 0 {
		b.lines++
	}
	return b
}

// plotHeight is the height of the axes with their labels.
func (b *box) plotHeight() vg.Length {
	switch {
	case b.plot.EqualScales:
		return b.width * 0.8
	case b.plot.hasBelow():
		return b.width * 0.9
	}
	return b.width * 0.6
}

func (b *box) height() vg.Length {
	const gap = 4
	return b.plotHeight() + vg.Length(b.lines+len(b.caption))*smallLetters*lineDistance + gap
}

// draw draws the figure below the top left corner.
func (b *box) draw(all draw.Canvas, corner vg.Point) error {
	area := draw.Canvas{Canvas: all.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: corner.X, Y: corner.Y - b.plotHeight()}, Max: vg.Point{X: corner.X + b.width, Y: corner.Y}}}
	if err := b.plot.draw(area, smallLetters); err != nil {
		return err
	}
	const line = smallLetters * lineDistance
	top := corner.Y - b.plotHeight()
	for i, k := range b.legend {
		at := vg.Point{X: corner.X + vg.Length(b.starts[i][1]), Y: top - vg.Length(b.starts[i][0])*line}
		look := k.style
		look.Width = min(look.Width, line/2)
		all.StrokeLine2(look, at.X, at.Y-line/2, at.X+swatch, at.Y-line/2)
		all.FillText(style(smallLetters), vg.Point{X: at.X + swatch + 4, Y: at.Y}, k.Label)
	}
	if b.more > 0 {
		all.FillText(style(smallLetters), vg.Point{X: corner.X, Y: top - vg.Length(b.lines-1)*line},
			fmt.Sprintf("and %d more, whose dashes and colours begin again after 24 curves", b.more))
	}
	top -= vg.Length(b.lines) * line
	for i, text := range b.caption {
		all.FillText(style(smallLetters), vg.Point{X: corner.X, Y: top - vg.Length(i)*line - 2}, text)
	}
	return nil
}

// WriteFigure writes the figure as an SVG file, 175 mm wide, with its legend, its caption and the fonts.
func (f *Plot) WriteFigure(to io.Writer) error {
	whole, err := f.withDifferences()
	if err != nil {
		return err
	}
	b := boxed(whole.thinned(), f.caption(), wide-8)
	canvas := plots.NewSVG(wide, b.height()+8)
	all := draw.NewCanvas(canvas, wide, b.height()+8)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	if err := b.draw(all, vg.Point{X: 4, Y: b.height() + 4}); err != nil {
		return err
	}
	var file bytes.Buffer
	if _, err := canvas.WriteTo(&file); err != nil {
		return err
	}
	head := prolog.Find(file.Bytes())
	_, err = fmt.Fprintf(to, "%s\n<title>%s</title>%s", head, template.HTMLEscapeString(f.Title),
		file.Bytes()[len(head):])
	return err
}

// caption is the title with the note.
func (f *Plot) caption() string {
	return strings.TrimSpace(strings.TrimSuffix(f.Title, ".") + ". " + f.Note)
}

// style is the style of texts positioned by their top left corner.
func style(size float64) draw.TextStyle {
	return draw.TextStyle{Color: color.Black, Font: sans(size), YAlign: draw.YTop, Handler: plot.DefaultTextHandler}
}
