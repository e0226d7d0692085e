// Package linearise tabulates, draws and writes the linear equations that the engine makes of a vehicle about steady
// motions, and compares them with those by tangent stiffness. It looks into the engine.
package linearise

import (
	"encoding/csv"
	"errors"
	"fmt"
	"image/color"
	"io"
	"maps"
	"math"
	"math/cmplx"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"skidpad/harness/manoeuvre"
	"skidpad/harness/plots"
	"skidpad/harness/trace"
	"skidpad/model/linear"
)

// Result is a vehicle about steady motions, one for each value of what varies.
type Result struct {
	Title   string
	Varied  manoeuvre.Variation
	Systems []*linear.System // by value
	Modes   [][]linear.Mode  // by value

	// Input, Output, Frequencies [rad/s] and Responses, by value and frequency, of a Bode plot.
	Input, Output string
	Frequencies   []float64
	Responses     [][]complex128

	// Of a transfer function, by value.
	From, To  string
	Transfers []*linear.Transfer

	Followed [][]FollowedMode   // by value, of Follow
	Handling []*linear.Handling // by value
}

// SteadyTable has a row for each value: it, all states and all inputs.
func (l *Result) SteadyTable() *trace.Table {
	t := &trace.Table{Columns: slices.Concat([]string{l.Varied.Name}, l.Systems[0].States, l.Systems[0].Inputs)}
	for i, s := range l.Systems {
		t.Rows = append(t.Rows, slices.Concat([]float64{l.Varied.Values[i]}, s.X, s.U))
	}
	return t
}

// EigenTable has a row for each eigenvalue: value, real and imaginary part [1/s], undamped
// frequency [rad/s], damping ratio.
func (l *Result) EigenTable() *trace.Table {
	t := &trace.Table{Columns: []string{l.Varied.Name, "real", "imaginary", "frequency", "damping"}}
	for i, modes := range l.Modes {
		for _, m := range modes {
			t.Rows = append(t.Rows, []float64{l.Varied.Values[i], real(m.Value), imag(m.Value), m.Frequency(),
				m.Damping()})
		}
	}
	return t
}

// decibel is 20 log10 |h|, degrees the phase, above -180 and up to 180.
func decibel(h complex128) float64 { return 20 * math.Log10(cmplx.Abs(h)) }
func degrees(h complex128) float64 { return cmplx.Phase(h) * 180 / math.Pi }

// BodeTable has a row for each value and frequency: magnitude [dB], phase [degrees].
func (l *Result) BodeTable() *trace.Table {
	t := &trace.Table{Columns: []string{l.Varied.Name, "omega", "magnitude_dB", "phase_deg"}}
	for i, response := range l.Responses {
		for k, h := range response {
			t.Rows = append(t.Rows, []float64{l.Varied.Values[i], l.Frequencies[k], decibel(h), degrees(h)})
		}
	}
	return t
}

// WriteMatrix writes a matrix of a linear system as CSV with the names of its rows and columns,
// SI units.
func WriteMatrix(to io.Writer, m *mat.Dense, rows, columns []string) error {
	w := csv.NewWriter(to)
	if err := w.Write(slices.Concat([]string{""}, columns)); err != nil {
		return err
	}
	for i, name := range rows {
		line := []string{name}
		for k := range columns {
			line = append(line, strconv.FormatFloat(m.At(i, k), 'g', -1, 64))
		}
		if err := w.Write(line); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// PlotEigenvalues draws real and imaginary parts over what varies, and the root locus: modes that were followed as
// curves with their names, others as points.
func (l *Result) PlotEigenvalues(to io.Writer) error {
	over, locus := plot.New(), plot.New()
	over.Title.Text, locus.Title.Text = l.Title+"\neigenvalues over "+l.Varied.Name, "in the complex plane"
	over.X.Label.Text, over.Y.Label.Text = l.Varied.Name, "real (filled), imaginary (ring) [1/s]"
	locus.X.Label.Text, locus.Y.Label.Text = "real part [1/s]", "imaginary part [1/s]"
	draw := l.scatter
	if l.Followed != nil {
		draw = l.curves
	}
	if err := draw(over, locus); err != nil {
		return fmt.Errorf("plot of eigenvalues: %w", err)
	}
	for _, p := range []*plot.Plot{over, locus} {
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(plots.Ticks), plot.TickerFunc(plots.Ticks)
		p.Add(plotter.NewGrid())
	}
	return plots.Tile(to, [][]*plot.Plot{{over, locus}}, 11*vg.Inch, 5*vg.Inch)
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

// branch is a mode that was followed: its place in the modes of each value, -1 where it is not there, and its name,
// that of its largest shares in all.
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
	colour := plots.Palette[number%len(plots.Palette)]
	line.LineStyle = draw.LineStyle{Color: colour, Width: vg.Points(0.8)}
	if number >= len(plots.Palette) {
		line.Dashes = []vg.Length{vg.Points(4), vg.Points(2)}
	}
	to.Add(line)
	return line, points(to, list, shape, colour)
}

// mostCurves is how many values are drawn as curves; more become a surface.
const mostCurves = 4

// PlotBode draws magnitude and phase over the frequency: curves, or a surface of many values.
func (l *Result) PlotBode(to io.Writer) error {
	var panels []*plot.Plot
	for i, quantity := range []struct {
		name string
		of   func(complex128) float64
	}{{"magnitude [dB]", decibel}, {"phase [degrees]", degrees}} {
		p := plot.New()
		if p.Title.Text = quantity.name; i == 0 {
			p.Title.Text = l.Title + "\n" + l.Input + " to " + l.Output + ", " + quantity.name
		}
		p.X.Label.Text = "log10 of the angular frequency in rad/s"
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(plots.Ticks), plot.TickerFunc(plots.Ticks)
		if len(l.Responses) <= mostCurves {
			p.Add(plotter.NewGrid())
			p.Y.Label.Text = quantity.name
			for k, response := range l.Responses {
				points := make(plotter.XYs, len(response))
				for j, h := range response {
					points[j] = plotter.XY{X: math.Log10(l.Frequencies[j]), Y: quantity.of(h)}
				}
				line, err := plotter.NewLine(points)
				if err != nil {
					return fmt.Errorf("plot of %s: %w", quantity.name, err)
				}
				line.Color, line.Width = plots.Palette[k], vg.Points(1.2)
				p.Add(line)
				p.Legend.Add(fmt.Sprintf("%s = %g", l.Varied.Name, l.Varied.Values[k]), line)
			}
		} else {
			p.Y.Label.Text = l.Varied.Name
			s := &surface{l, quantity.of}
			colours := moreland.SmoothBlueRed()
			heat := plotter.NewHeatMap(s, colours.Palette(255))
			heat.Rasterized = true
			colours.SetMin(heat.Min)
			colours.SetMax(heat.Max)
			p.Add(heat)
			for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
				v := heat.Min + share*(heat.Max-heat.Min)
				colour, err := colours.At(min(v, heat.Max))
				if err != nil {
					return fmt.Errorf("plot of %s: %w", quantity.name, err)
				}
				line := &plotter.Line{LineStyle: draw.LineStyle{Color: colour, Width: vg.Points(6)}}
				p.Legend.Add(fmt.Sprintf("%.0f", v), line)
			}
			p.Legend.Top = true
		}
		panels = append(panels, p)
	}
	return plots.Tile(to, [][]*plot.Plot{panels}, 12*vg.Inch, 5*vg.Inch)
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
