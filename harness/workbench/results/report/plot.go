package report

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"skidpad/harness/workbench/results/plots"
)

// Plot is a plot of curves. With Difference, a panel below shows how far each curve after
// the first is from the first; all have the same X then.
type Plot struct {
	Title, Note string
	X, Y        Axis
	Curves      []Curve
	Lines       []Line       // over the curves
	Dots        [][2]float64 // over them, too
	Difference  *Axis
	Below       *Panel // in place of Difference
	EqualScales bool   // a unit is as long on both axes, so that circles are round
}

// Panel is a plot below another one, over the same X.
type Panel struct {
	Y      Axis
	Curves []Curve
}

// Line is drawn thin. Lines of one label have one entry in the legend, those without a label none.
type Line struct {
	X, Y  []float64
	Label string
}

// Axis is an axis of a plot.
type Axis struct {
	Label string
	Log   bool
	Span  float64 // the least range, so that rounding errors look like zero
}

// Curve is one line of a plot, or marks joined by one.
type Curve struct {
	Label         string
	X, Y          []float64
	Broad, Points bool // Broad is for a reference that others are drawn over
	// Starts are the first points of pieces that no line joins; without any the curve is one piece.
	Starts []int
}

// broad is the look of a broad curve. The others have plots.LineStyle.
var broad = draw.LineStyle{Color: color.RGBA{R: 0xf5, G: 0xb8, B: 0x5e, A: 0xff}, Width: vg.Points(4)}

// thinLine is the look of lines.
var thinLine = draw.LineStyle{Color: ink, Width: vg.Points(0.5)}

const (
	figureWidth = 6 * vg.Inch
	panelHeight = 2.3 * vg.Inch
	belowHeight = 1.3 * vg.Inch
	// squareHeight is the height of figures with equal scales.
	squareHeight = 4.6 * vg.Inch
	pageLetters  = 8  // points
	rightMargin  = 10 // points, for the half of a label that stands beyond the axis
	topMargin    = 4
)

// WriteSVG writes the figure as a file, without its legend.
func (f *Plot) WriteSVG(to io.Writer) error {
	text, err := f.svg()
	if err != nil {
		return err
	}
	_, err = io.WriteString(to, string(text))
	return err
}

// svg draws the figure as an SVG element.
func (f *Plot) svg() (template.HTML, error) {
	canvas := vgsvg.New(figureWidth, f.height())
	if err := f.draw(draw.New(canvas), pageLetters); err != nil {
		return "", err
	}
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return "", err
	}
	return f.inline(text.Bytes())
}

// draw draws the figure without its legend; numbers on its axes have letters of a size [points], labels a point more.
func (f *Plot) draw(area draw.Canvas, letters float64) error {
	upper, err := f.panel(f.Curves, f.Y, 0, letters)
	if err != nil {
		return err
	}
	if err := f.scenery(upper); err != nil {
		return err
	}
	area = draw.Crop(area, 0, -rightMargin, 0, -topMargin)
	below, err := f.below()
	if err != nil {
		return err
	}
	if below == nil {
		upper.X.Label.Text = f.X.Label
		if f.EqualScales {
			plots.EqualScales(upper, area)
		}
		upper.Draw(area)
		return nil
	}
	lower, err := f.panel(below.Curves, below.Y, f.firstBelow(), letters)
	if err != nil {
		return err
	}
	lower.X.Label.Text = f.X.Label
	lower.X.Min, lower.X.Max = upper.X.Min, upper.X.Max
	upper.X.Tick.Marker = unlabelled{upper.X.Tick.Marker}
	height := (area.Size().Y + topMargin) * belowHeight / f.height()
	top := draw.Crop(area, 0, 0, height, 0)
	bottom := draw.Crop(area, 0, 0, 0, height-area.Size().Y-topMargin)
	alignLeft(upper, lower, &top, &bottom)
	upper.Draw(top)
	lower.Draw(bottom)
	return nil
}

// hasBelow reports whether there is a second panel.
func (f *Plot) hasBelow() bool { return f.Difference != nil || f.Below != nil }

// firstBelow is the line style that the second panel begins with.
func (f *Plot) firstBelow() int {
	if f.Curves[0].Broad {
		return 0 // a broad curve takes no line style
	}
	return 1
}

// below is the second panel, nil without one.
func (f *Plot) below() (*Panel, error) {
	if f.Difference == nil {
		return f.Below, nil
	}
	curves, err := f.differences()
	return &Panel{*f.Difference, curves}, err
}

// height is the height of the figure with all its panels.
func (f *Plot) height() vg.Length {
	switch {
	case f.EqualScales:
		return squareHeight
	case f.hasBelow():
		return panelHeight + belowHeight
	}
	return panelHeight
}

// panel makes the plot of some curves; the first that is not broad has the line style of that number.
func (f *Plot) panel(curves []Curve, y Axis, first int, letters float64) (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = nil // one without opacity becomes a colour that is not valid in an SVG
	p.Y.Label.Text = y.Label
	axis(&p.X, f.X, letters)
	axis(&p.Y, y, letters)
	p.Add(grid())
	next := first
	for _, c := range curves {
		points, err := c.points()
		if err != nil {
			return nil, err
		}
		look := broad
		if !c.Broad {
			look = plots.LineStyle(next)
			next++
		}
		var alone plotter.XYs // points that no line joins to others
		for _, piece := range c.pieces() {
			if piece[1] == piece[0]+1 {
				alone = append(alone, points[piece[0]])
				continue
			}
			line, err := plotter.NewLine(points[piece[0]:piece[1]])
			if err != nil {
				return nil, fmt.Errorf("curve %q: %w", c.Label, err)
			}
			line.LineStyle = look
			p.Add(line)
		}
		if c.Points {
			alone = points
		}
		if len(alone) > 0 {
			marks, err := plotter.NewScatter(alone)
			if err != nil {
				return nil, fmt.Errorf("curve %q: %w", c.Label, err)
			}
			marks.Color, marks.Shape, marks.Radius = look.Color, draw.CircleGlyph{}, vg.Points(2.2)
			p.Add(marks)
		}
	}
	widen(&p.X, f.X)
	widen(&p.Y, y)
	return p, nil
}

// scenery adds lines and dots.
func (f *Plot) scenery(p *plot.Plot) error {
	for _, l := range f.Lines {
		c := Curve{Label: "without a label", X: l.X, Y: l.Y}
		points, err := c.points()
		if err != nil {
			return err
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.LineStyle = thinLine
		p.Add(line)
	}
	if len(f.Dots) == 0 {
		return nil
	}
	points := make(plotter.XYs, len(f.Dots))
	for i, d := range f.Dots {
		points[i] = plotter.XY{X: d[0], Y: d[1]}
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.Color, dots.Shape, dots.Radius = plots.Palette[1], draw.CircleGlyph{}, vg.Points(1.8)
	p.Add(dots)
	return nil
}

// pointsOnPage is the largest number of points of a curve on a page, more than one for each of its pixels.
const pointsOnPage = 700

// withDifferences is the figure with its differences made, so that it can be thinned.
func (f *Plot) withDifferences() (*Plot, error) {
	below, err := f.below()
	if err != nil {
		return nil, err
	}
	made := *f
	made.Difference, made.Below = nil, below
	return &made, nil
}

// thinned is the figure with as many points as a page shows. Differences need all of them.
func (f *Plot) thinned() *Plot {
	if f.Difference != nil {
		return f
	}
	thin := *f
	thin.Curves = slices.Clone(f.Curves)
	for i, c := range thin.Curves {
		thin.Curves[i] = c.thinned()
	}
	if f.Below != nil {
		thin.Below = &Panel{f.Below.Y, slices.Clone(f.Below.Curves)}
		for i, c := range thin.Below.Curves {
			thin.Below.Curves[i] = c.thinned()
		}
	}
	thin.Lines = slices.Clone(f.Lines)
	for i, l := range thin.Lines {
		c := Curve{X: l.X, Y: l.Y}.thinned()
		thin.Lines[i].X, thin.Lines[i].Y = c.X, c.Y
	}
	return &thin
}

// pieces are the bounds of the pieces that lines join.
func (c *Curve) pieces() (list [][2]int) {
	if len(c.Starts) == 0 {
		return [][2]int{{0, len(c.X)}}
	}
	for k, from := range c.Starts {
		to := len(c.X)
		if k+1 < len(c.Starts) {
			to = c.Starts[k+1]
		}
		list = append(list, [2]int{from, to})
	}
	return list
}

// thinned is the curve with as many points as a page shows, and its gaps.
func (c Curve) thinned() Curve { return c.reduced(true, pointsOnPage) }

// points checks a curve.
func (c *Curve) points() (plotter.XYs, error) {
	if len(c.X) != len(c.Y) || len(c.X) < 2 {
		return nil, fmt.Errorf("curve %q has %d places and %d values; it needs two of each, and as many", c.Label,
			len(c.X), len(c.Y))
	}
	points := make(plotter.XYs, len(c.X))
	for i := range c.X {
		if math.IsNaN(c.X[i]+c.Y[i]) || math.IsInf(c.X[i]+c.Y[i], 0) {
			return nil, fmt.Errorf("curve %q: point %d (%g, %g) is not finite", c.Label, i, c.X[i], c.Y[i])
		}
		points[i] = plotter.XY{X: c.X[i], Y: c.Y[i]}
	}
	return points, nil
}

// key is an entry of a figure's legend. Dashes are dash lengths of SVG [points].
type key struct {
	Label, Colour, Dashes string
	Broad                 bool
	style                 draw.LineStyle
}

// Legend lists the curves and the lines with a label, with their colours and dashes, if there are several.
func (f *Plot) Legend() []key {
	var keys []key
	add := func(k key) {
		k.Colour = hex(k.style)
		for i, d := range k.style.Dashes {
			if i > 0 {
				k.Dashes += " "
			}
			k.Dashes += strconv.FormatFloat(d.Points(), 'g', -1, 64)
		}
		keys = append(keys, k)
	}
	next := 0
	for _, c := range f.Curves {
		k := key{Label: c.Label, Broad: c.Broad, style: broad}
		if !c.Broad {
			k.style = plots.LineStyle(next)
			next++
		}
		add(k)
	}
	for _, l := range f.Lines {
		if l.Label != "" && !slices.ContainsFunc(keys, func(k key) bool { return k.Label == l.Label }) {
			add(key{Label: l.Label, style: thinLine})
		}
	}
	if len(keys) < 2 {
		return nil
	}
	return keys
}

// differences are the curves less the first.
func (f *Plot) differences() ([]Curve, error) {
	if len(f.Curves) < 2 {
		return nil, errors.New("a difference needs two curves")
	}
	base := f.Curves[0]
	var list []Curve
	for _, c := range f.Curves[1:] {
		if len(c.Y) != len(base.Y) {
			return nil, fmt.Errorf("curve %q has %d values, %q has %d; their difference needs as many", c.Label,
				len(c.Y), base.Label, len(base.Y))
		}
		d := Curve{Label: c.Label, X: c.X, Y: make([]float64, len(c.Y))}
		for i := range c.Y {
			d.Y[i] = c.Y[i] - base.Y[i]
		}
		list = append(list, d)
	}
	return list, nil
}

// axis gives an axis its scale, ticks and fonts.
func axis(a *plot.Axis, from Axis, letters float64) {
	a.Tick.Marker = plot.TickerFunc(plots.Ticks)
	if from.Log {
		a.Scale, a.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
	}
	a.Tick.Label.Font, a.Label.TextStyle.Font = sans(letters), sans(letters+1)
	a.LineStyle.Color, a.Tick.LineStyle.Color = ink, ink
	a.Padding = 0
}

var ink = color.RGBA{R: 0x55, G: 0x5b, B: 0x63, A: 0xff}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical.Color, g.Horizontal.Color = color.RGBA{R: 0xe3, G: 0xe6, B: 0xea, A: 0xff},
		color.RGBA{R: 0xe3, G: 0xe6, B: 0xea, A: 0xff}
	return g
}

func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// decades places ticks on a logarithmic axis and labels the powers of ten.
func decades(low, high float64) []plot.Tick {
	all := slices.DeleteFunc(plot.LogTicks{Prec: -1}.Ticks(low, high),
		func(t plot.Tick) bool { return t.Value < low || t.Value > high })
	for i, tick := range all {
		if !tick.IsMinor() {
			all[i].Label = strconv.FormatFloat(tick.Value, 'e', 0, 64)
		}
	}
	return all
}

// widen gives an axis its least range, and a little more than the curves need.
func widen(a *plot.Axis, from Axis) {
	if from.Log {
		a.Min, a.Max = a.Min/1.3, a.Max*1.3
		return
	}
	if lack := from.Span - (a.Max - a.Min); lack > 0 {
		a.Min, a.Max = a.Min-lack/2, a.Max+lack/2
	}
	if a.Max == a.Min {
		a.Min, a.Max = a.Min-1, a.Max+1
	}
}

// unlabelled are ticks without labels.
type unlabelled struct{ plot.Ticker }

func (u unlabelled) Ticks(low, high float64) []plot.Tick {
	all := u.Ticker.Ticks(low, high)
	for i := range all {
		if !all[i].IsMinor() {
			all[i].Label = " "
		}
	}
	return all
}

// alignLeft crops the areas of two plots so that their data begin and end at the same places.
func alignLeft(upper, lower *plot.Plot, top, bottom *draw.Canvas) {
	a, b := upper.DataCanvas(*top), lower.DataCanvas(*bottom)
	left, right := a.Min.X-b.Min.X, a.Max.X-b.Max.X
	if left < 0 {
		*top = draw.Crop(*top, -left, 0, 0, 0)
	} else {
		*bottom = draw.Crop(*bottom, left, 0, 0, 0)
	}
	if right > 0 {
		*top = draw.Crop(*top, 0, -right, 0, 0)
	} else {
		*bottom = draw.Crop(*bottom, 0, right, 0, 0)
	}
}
