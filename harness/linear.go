package harness

import (
	"encoding/csv"
	"fmt"
	"io"
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

	"skidpad/model/linear"
)

// Linearised is a vehicle about steady motions, one for each value of what varies.
type Linearised struct {
	Title   string
	Varied  Variation
	Systems []*linear.System // by value
	Modes   [][]linear.Mode  // by value

	// Input, Output, Frequencies [rad/s] and Responses, by value and frequency, of a Bode plot.
	Input, Output string
	Frequencies   []float64
	Responses     [][]complex128
}

// SteadyTable has a row for each value: it, all states and all inputs.
func (l *Linearised) SteadyTable() *Table {
	t := &Table{Columns: slices.Concat([]string{l.Varied.Name}, l.Systems[0].States, l.Systems[0].Inputs)}
	for i, s := range l.Systems {
		t.Rows = append(t.Rows, slices.Concat([]float64{l.Varied.Values[i]}, s.X, s.U))
	}
	return t
}

// EigenTable has a row for each eigenvalue: value, real and imaginary part [1/s], undamped
// frequency [rad/s], damping ratio.
func (l *Linearised) EigenTable() *Table {
	t := &Table{Columns: []string{l.Varied.Name, "real", "imaginary", "frequency", "damping"}}
	for i, modes := range l.Modes {
		for _, m := range modes {
			t.Rows = append(t.Rows, []float64{l.Varied.Values[i], real(m.Value), imag(m.Value), m.Frequency(), m.Damping()})
		}
	}
	return t
}

// decibel is 20 log10 |h|, degrees the phase, above -180 and up to 180.
func decibel(h complex128) float64 { return 20 * math.Log10(cmplx.Abs(h)) }
func degrees(h complex128) float64 { return cmplx.Phase(h) * 180 / math.Pi }

// BodeTable has a row for each value and frequency: magnitude [dB], phase [degrees].
func (l *Linearised) BodeTable() *Table {
	t := &Table{Columns: []string{l.Varied.Name, "omega", "magnitude_dB", "phase_deg"}}
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

// PlotEigenvalues draws real and imaginary parts over what varies, and the root locus.
func (l *Linearised) PlotEigenvalues(to io.Writer) error {
	over, locus := plot.New(), plot.New()
	over.Title.Text, locus.Title.Text = l.Title+"\neigenvalues over "+l.Varied.Name, "in the complex plane"
	over.X.Label.Text, over.Y.Label.Text = l.Varied.Name, "real (filled), imaginary (ring) [1/s]"
	locus.X.Label.Text, locus.Y.Label.Text = "real part [1/s]", "imaginary part [1/s]"
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
	for _, c := range []struct {
		in     *plot.Plot
		points plotter.XYs
		glyph  draw.GlyphDrawer
		colour int
	}{{over, reals, draw.CircleGlyph{}, 0}, {over, imaginaries, draw.RingGlyph{}, 1}, {locus, plane, draw.CircleGlyph{}, 0}} {
		s, err := plotter.NewScatter(c.points)
		if err != nil {
			return fmt.Errorf("plot of eigenvalues: %w", err)
		}
		s.GlyphStyle = draw.GlyphStyle{Color: palette[c.colour], Radius: vg.Points(1.6), Shape: c.glyph}
		c.in.Add(s)
	}
	for _, p := range []*plot.Plot{over, locus} {
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(ticks), plot.TickerFunc(ticks)
		p.Add(plotter.NewGrid())
	}
	return tile(to, [][]*plot.Plot{{over, locus}}, 11*vg.Inch, 5*vg.Inch)
}

// mostCurves is how many values are drawn as curves; more become a surface.
const mostCurves = 4

// PlotBode draws magnitude and phase over the frequency: curves, or a surface of many values.
func (l *Linearised) PlotBode(to io.Writer) error {
	var plots []*plot.Plot
	for i, quantity := range []struct {
		name string
		of   func(complex128) float64
	}{{"magnitude [dB]", decibel}, {"phase [degrees]", degrees}} {
		p := plot.New()
		if p.Title.Text = quantity.name; i == 0 {
			p.Title.Text = l.Title + "\n" + l.Input + " to " + l.Output + ", " + quantity.name
		}
		p.X.Label.Text = "log10 of the angular frequency in rad/s"
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(ticks), plot.TickerFunc(ticks)
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
				line.Color, line.Width = palette[k], vg.Points(1.2)
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
		plots = append(plots, p)
	}
	return tile(to, [][]*plot.Plot{plots}, 12*vg.Inch, 5*vg.Inch)
}

// surface is a quantity of the responses over frequency and value.
type surface struct {
	*Linearised
	of func(complex128) float64
}

func (s *surface) Dims() (columns, rows int) { return len(s.Frequencies), len(s.Varied.Values) }
func (s *surface) Z(column, row int) float64 { return s.of(s.Responses[row][column]) }
func (s *surface) X(column int) float64      { return math.Log10(s.Frequencies[column]) }
func (s *surface) Y(row int) float64         { return s.Varied.Values[row] }
