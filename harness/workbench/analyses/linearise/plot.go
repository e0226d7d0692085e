package linearise

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"skidpad/harness/workbench/results/plots"
)

// PlotEigenvalues draws real and imaginary parts over the varied value, and the root locus: followed modes as curves
// with their names, others as points; the file's name selects the format.
func (l *Result) PlotEigenvalues(to io.Writer, name string) error {
	panels, err := l.eigenPlots()
	if err != nil {
		return err
	}
	f := plots.Figure{Caption: l.Title, Rows: [][]*plots.Panel{panels}}
	return f.Write(to, name, "screen")
}

// eigenPlots are the eigenvalues over what varies, and the root locus.
func (l *Result) eigenPlots() ([]*plots.Panel, error) {
	over, locus := plot.New(), plot.New()
	over.Title.Text, locus.Title.Text = "eigenvalues over "+l.Varied.Name, "in the complex plane"
	over.X.Label.Text, over.Y.Label.Text = plots.Label(l.Varied.Name, l.Unit), "real (filled), imaginary (ring) [1/s]"
	locus.X.Label.Text, locus.Y.Label.Text = "real part [1/s]", "imaginary part [1/s]"
	drawn := l.scatter
	if l.Followed != nil {
		drawn = l.curves
	}
	if err := drawn(over, locus); err != nil {
		return nil, fmt.Errorf("plot of eigenvalues: %w", err)
	}
	for _, p := range []*plot.Plot{over, locus} {
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(plots.Ticks), plot.TickerFunc(plots.Ticks)
		p.Add(plotter.NewGrid())
	}
	return []*plots.Panel{{Plot: over}, {Plot: locus}}, nil
}

// scatter draws eigenvalues as points.
func (l *Result) scatter(over, locus *plot.Plot) error {
	var reals, imaginaries, plane plotter.XYs
	for i, modes := range l.Modes {
		x := l.Varied.Values[i]
		for _, m := range modes {
			reals = append(reals, plotter.XY{X: x, Y: real(m.Value)})
			plane = append(plane, plotter.XY{X: real(m.Value), Y: imag(m.Value)})
			if imag(m.Value) > 0 {
				imaginaries = append(imaginaries, plotter.XY{X: x, Y: imag(m.Value)})
			}
		}
	}
	return errors.Join(points(over, reals, draw.CircleGlyph{}, plots.Palette[0]),
		points(over, imaginaries, draw.RingGlyph{}, plots.Palette[1]),
		points(locus, plane, draw.CircleGlyph{}, plots.Palette[0]))
}

// points adds points to a plot.
func points(to *plot.Plot, list plotter.XYs, shape draw.GlyphDrawer, colour color.Color) error {
	s, err := plotter.NewScatter(list)
	if err != nil {
		return err
	}
	s.GlyphStyle = draw.GlyphStyle{Color: colour, Radius: vg.Points(1.6), Shape: shape}
	to.Add(s)
	return nil
}

// branch is a followed mode: its index in the modes of each value, -1 if missing there, and its name, from its largest
// shares over all values.
type branch struct {
	places []int
	name   string
}

// branches are the modes that were followed, in their order.
func (l *Result) branches() []branch {
	places := map[int][]int{}
	shares := map[int]map[string]float64{}
	for i, modes := range l.Followed {
		for k, m := range modes {
			if places[m.Branch] == nil {
				places[m.Branch], shares[m.Branch] = slices.Repeat([]int{-1}, len(l.Followed)), map[string]float64{}
			}
			places[m.Branch][i] = k
			for _, s := range m.Shares {
				shares[m.Branch][s.Group] += s.Value
			}
		}
	}
	var list []branch
	for _, number := range slices.Sorted(maps.Keys(places)) {
		name := ""
		for _, group := range slices.Sorted(maps.Keys(shares[number])) {
			if name == "" || shares[number][group] > shares[number][name] {
				name = group
			}
		}
		list = append(list, branch{places[number], name})
	}
	return list
}

// curves draws each mode as a curve with points at the values, one colour for all of a name.
func (l *Result) curves(over, locus *plot.Plot) error {
	var names []string
	for _, b := range l.branches() {
		number := slices.Index(names, b.name)
		fresh := number < 0
		if fresh {
			number = len(names)
			names = append(names, b.name)
		}
		var reals, imaginaries, plane plotter.XYs
		for i, k := range b.places {
			if k >= 0 {
				x, value := l.Varied.Values[i], l.Followed[i][k].Value
				reals = append(reals, plotter.XY{X: x, Y: real(value)})
				plane = append(plane, plotter.XY{X: real(value), Y: imag(value)})
				if imag(value) > 0 {
					imaginaries = append(imaginaries, plotter.XY{X: x, Y: imag(value)})
				}
			}
		}
		for _, c := range []struct {
			in     *plot.Plot
			points plotter.XYs
			shape  draw.GlyphDrawer
		}{
			{over, reals, draw.CircleGlyph{}}, {over, imaginaries, draw.RingGlyph{}},
			{locus, plane, draw.CircleGlyph{}},
		} {
			line, err := curve(c.in, c.points, c.shape, number)
			if err != nil {
				return err
			}
			if line != nil && fresh && c.in == locus {
				locus.Legend.Add(b.name, line)
			}
		}
	}
	return nil
}

// curve adds points with a line through them to a plot, in the style of a number; nil where there are none.
func curve(to *plot.Plot, list plotter.XYs, shape draw.GlyphDrawer, number int) (*plotter.Line, error) {
	if len(list) == 0 {
		return nil, nil
	}
	line, err := plotter.NewLine(list)
	if err != nil {
		return nil, err
	}
	line.LineStyle = plots.LineStyle(number)
	to.Add(line)
	return line, points(to, list, shape, line.Color)
}

// mostCurves is how many values are drawn as curves; more become a surface.
const mostCurves = 4

// phase is the label of angles that are known modulo a turn.
const phase = "phase [degrees]"

// PlotBode draws magnitude and phase over the frequency: curves, or a map of many values; in the format of a file's
// name.
func (l *Result) PlotBode(to io.Writer, name string) error {
	panels, err := l.bodePlots(len(l.Responses) > mostCurves)
	if err != nil {
		return err
	}
	f := plots.Figure{Caption: l.Title + ": " + l.Input + " to " + l.Output, Rows: [][]*plots.Panel{panels}}
	return f.Write(to, name, "screen")
}

// bodePlots are magnitude and phase, as curves or as maps over frequency and value.
func (l *Result) bodePlots(asMaps bool) ([]*plots.Panel, error) {
	var panels []*plots.Panel
	for _, quantity := range []struct {
		name  string
		of    func(complex128) float64
		level float64 // between contours; 0: none, as the phase jumps
	}{{"magnitude [dB]", decibel, 10}, {phase, degrees, 0}} {
		p := plot.New()
		p.Title.Text = quantity.name
		p.X.Label.Text = "angular frequency [rad/s]"
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(plots.LogTicks), plot.TickerFunc(plots.Ticks)
		if quantity.name == phase && !asMaps {
			p.Y.Tick.Marker = plot.TickerFunc(plots.AngleTicks)
		}
		var err error
		if asMaps {
			err = l.bodeMap(p, quantity.of, quantity.level)
		} else {
			p.Y.Label.Text = quantity.name
			err = l.bodeCurves(p, quantity.of)
		}
		if quantity.name == phase && !asMaps { // ends of the axis that can be labelled
			p.Y.Min, p.Y.Max = 45*math.Floor(p.Y.Min/45), 45*math.Ceil(p.Y.Max/45)
		}
		if err != nil {
			return nil, fmt.Errorf("plot of %s: %w", quantity.name, err)
		}
		panels = append(panels, &plots.Panel{Plot: p})
	}
	return panels, nil
}

// bodeCurves adds a curve for each value. A phase breaks where it passes half a turn.
func (l *Result) bodeCurves(p *plot.Plot, of func(complex128) float64) error {
	p.Add(plotter.NewGrid())
	for k, response := range l.Responses {
		points := make(plotter.XYs, len(response))
		for j, h := range response {
			points[j] = plotter.XY{X: math.Log10(l.Frequencies[j]), Y: of(h)}
		}
		var first *plotter.Line
		for _, part := range unbroken(points, p.Y.Label.Text == phase) {
			line, err := plotter.NewLine(part)
			if err != nil {
				return err
			}
			line.LineStyle = plots.LineStyle(k)
			p.Add(line)
			first = cmp.Or(first, line)
		}
		if first != nil {
			p.Legend.Add(strings.TrimSpace(fmt.Sprintf("%s = %g %s", l.Varied.Name, l.Varied.Values[k], l.Unit)), first)
		}
	}
	return nil
}

// unbroken splits a curve of angles [degrees] where they jump by more than half a turn; other curves stay as they are.
func unbroken(points plotter.XYs, angle bool) []plotter.XYs {
	var parts []plotter.XYs
	first := 0
	for i := 1; angle && i < len(points); i++ {
		if math.Abs(points[i].Y-points[i-1].Y) > 180 {
			parts = append(parts, points[first:i])
			first = i
		}
	}
	return append(parts, points[first:])
}

// bodeMap adds colours over frequency and value, with contours at the multiples of level.
func (l *Result) bodeMap(p *plot.Plot, of func(complex128) float64, level float64) error {
	p.Y.Label.Text = plots.Label(l.Varied.Name, l.Unit)
	s := &surface{l, of}
	colours := moreland.SmoothBlueRed()
	heat := plotter.NewHeatMap(s, colours.Palette(255))
	heat.Rasterized = true
	colours.SetMin(heat.Min)
	colours.SetMax(heat.Max)
	p.Add(heat)
	if level > 0 && heat.Max-heat.Min > level {
		var levels []float64
		for k := math.Ceil(heat.Min / level); k*level <= heat.Max; k++ {
			levels = append(levels, k*level)
		}
		contours := plotter.NewContour(s, levels, nil)
		contours.LineStyles = []draw.LineStyle{{Color: color.Gray{0x40}, Width: vg.Points(0.5)}}
		p.Add(contours)
	}
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		v := heat.Min + share*(heat.Max-heat.Min)
		colour, err := colours.At(min(v, heat.Max))
		if err != nil {
			return err
		}
		line := &plotter.Line{LineStyle: draw.LineStyle{Color: colour, Width: vg.Points(6)}}
		p.Legend.Add(fmt.Sprintf("%.0f", math.Round(v)+0), line) // without a sign of 0
	}
	return nil
}

// surface is a quantity of the responses over frequency and value.
type surface struct {
	*Result
	of func(complex128) float64
}

func (s *surface) Dims() (columns, rows int) { return len(s.Frequencies), len(s.Varied.Values) }
func (s *surface) Z(column, row int) float64 { return s.of(s.Responses[row][column]) }
func (s *surface) X(column int) float64      { return math.Log10(s.Frequencies[column]) }
func (s *surface) Y(row int) float64         { return s.Varied.Values[row] }
