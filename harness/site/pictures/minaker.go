package main

import (
	"cmp"
	"fmt"
	"math"
	"math/cmplx"
	"path/filepath"
	"slices"

	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/analyses/optimise"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// minaker lists the figures of Minaker: the eigenvalues of four vehicles, and maps of the bicycle's frequency
// responses. The data of the figures is in study files, which skidpad linearize --study also accepts.
var minaker = []picture{
	{name: "figure_minaker_1a.svg", draw: eigenPanel("wheel")},
	{name: "figure_minaker_1b.svg", draw: eigenPanel("bicycle")},
	{name: "figure_minaker_1c.svg", draw: eigenPanel("truck")},
	{name: "figure_minaker_1d.svg", long: true, draw: eigenPanel("trailer")},
	{name: "figure_minaker_2a.svg", long: true, draw: mapPanel("yaw_rate", "magnitude", magnitudeMap)},
	{name: "figure_minaker_2b.svg", long: true, draw: mapPanel("yaw_rate", "phase", phaseMap)},
	{name: "figure_minaker_2c.svg", long: true, draw: mapPanel("roll_angle", "magnitude", magnitudeMap)},
	{name: "figure_minaker_2d.svg", long: true, draw: mapPanel("roll_angle", "phase", phaseMap)},
	{name: "figure_minaker_3_1.svg", long: true, draw: searchedWheeler},
}

// panel makes one panel of a study.
func (w *workshop) panel(study, name string) (*linearise.Result, error) {
	s, err := linearise.ReadStudy(filepath.Join(w.resources, "sweeps", study+".toml"))
	if err != nil {
		return nil, err
	}
	s.Panels = slices.DeleteFunc(s.Panels, func(p linearise.Panel) bool { return p.Name != name })
	list, err := s.Do(nil, nil)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, fmt.Errorf("the study %s has no panel %s", study, name)
	}
	return list[0].Result, nil
}

const realColour, imaginaryColour = "#0072b2", "#d55e00"

// eigenPanel draws real and imaginary parts over the speed.
func eigenPanel(name string) func(w *workshop) ([]byte, error) {
	return func(w *workshop) ([]byte, error) {
		r, err := w.panel("minaker_figure_1", name)
		if err != nil {
			return nil, err
		}
		return drawEigenvalues(r), nil
	}
}

// drawEigenvalues draws the largest real part at each value as the first curve, the second largest as the second curve,
// and so on, and likewise the imaginary parts above 0. All these curves are continuous.
func drawEigenvalues(r *linearise.Result) []byte {
	var decays, frequencies sortedCurves
	low, high := 0.0, 0.0
	for i, modes := range r.Modes {
		var re, im []float64
		for _, v := range linearise.Eigenvalues(modes) {
			re, im = append(re, real(v)), append(im, imag(v))
			low, high = min(low, real(v)), max(high, real(v), imag(v))
		}
		decays.add(r.Varied.Values[i], re)
		frequencies.add(r.Varied.Values[i], im)
	}
	room := 0.04 * (high - low)
	values := r.Varied.Values
	c := newChart(r.Title, scale{label: "speed [m/s]", low: values[0], high: values[len(values)-1]},
		scale{label: "[1/s]", low: low - room, high: high + room}, 12)
	c.key(c.key(chartLeft+30, realColour, 0, "real part"), imaginaryColour, 6, "imaginary part, above 0")
	c.axes(true)
	for _, l := range decays.curves {
		c.curve(realColour, 0, l.x, l.y)
	}
	for _, l := range frequencies.curves {
		x, y := l.above(0)
		if len(x) > 1 {
			c.curve(imaginaryColour, 6, x, y)
		}
	}
	return c.svg()
}

// sortedCurves are the largest, the second largest, and so on, of values over x.
type sortedCurves struct{ curves []sortedCurve }

type sortedCurve struct{ x, y []float64 }

func (s *sortedCurves) add(x float64, values []float64) {
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
	for k, y := range values {
		if k == len(s.curves) {
			s.curves = append(s.curves, sortedCurve{})
		}
		s.curves[k].x, s.curves[k].y = append(s.curves[k].x, x), append(s.curves[k].y, y)
	}
}

// above is the part of a curve above a bound, with the neighbours of that.
func (s *sortedCurve) above(bound float64) (x, y []float64) {
	const least = 1e-9
	for k := range s.x {
		near := s.y[k] > bound+least
		for _, other := range []int{k - 1, k + 1} {
			near = near || other >= 0 && other < len(s.y) && s.y[other] > bound+least
		}
		if near {
			x, y = append(x, s.x[k]), append(y, max(bound, s.y[k]))
		}
	}
	return x, y
}

// mapPanel draws a frequency response over speed and frequency.
func mapPanel(
	name, quantity string, draw func(c *chart, f *field, r *linearise.Result),
) func(w *workshop) ([]byte, error) {
	return func(w *workshop) ([]byte, error) {
		r, err := w.panel("minaker_figure_2", name)
		if err != nil {
			return nil, err
		}
		speeds, omega := r.Varied.Values, r.Frequencies
		c := newChart(r.Title+" by steer torque, "+quantity, scale{label: "angular frequency [rad/s]",
			low: omega[0], high: omega[len(omega)-1], log: true}, scale{label: "speed [m/s]", low: speeds[0],
			high: speeds[len(speeds)-1]}, 66)
		along := func(first, last, at float64, count int) float64 { return first + (last-first)*at/float64(count-1) }
		f := &field{columns: len(omega), rows: len(speeds), point: func(column, row float64) [2]float64 {
			return [2]float64{along(c.x.first, c.x.second, column, len(omega)),
				along(c.y.first, c.y.second, row, len(speeds))}
		}}
		draw(c, f, r)
		c.axes(false)
		return c.svg(), nil
	}
}

// magnitudeMap draws the magnitude in steps of 10 dB.
func magnitudeMap(c *chart, f *field, r *linearise.Result) {
	f.z = func(column, row int) float64 { return 20 * math.Log10(cmplx.Abs(r.Responses[row][column])) }
	low, high := math.Inf(1), math.Inf(-1)
	for row := range f.rows {
		for column := range f.columns {
			low, high = min(low, f.z(column, row)), max(high, f.z(column, row))
		}
	}
	const step = 10
	first, last := math.Floor(low/step), math.Floor(high/step)
	for k := first; k <= last; k++ {
		colour := interpolateColour(sequence, (k-first)/(last-first))
		c.areas(colour, "#ffffff", f.above(k*step))
		c.bar((k-first)/(last-first+1), (k+1-first)/(last-first+1), colour, label(k*step))
	}
	c.write("", "start", [2]float64{c.x.second + 12, chartTop - 9}, "dB")
}

// phaseMap draws the phase in steps of 45 degrees. Where it goes from 180 to -180 degrees it does not jump: the steps
// are sectors of the plane of complex numbers.
func phaseMap(c *chart, f *field, r *linearise.Result) {
	const step = 45
	for k := range len(cycle) {
		from := float64(-180 + step*k)
		turned := func(column, row int, degrees float64) float64 {
			h := r.Responses[row][column]
			return imag(h / complex(cmplx.Abs(h), 0) * cmplx.Rect(1, -degrees*math.Pi/180))
		}
		f.z = func(column, row int) float64 {
			return min(turned(column, row, from), -turned(column, row, from+step))
		}
		colour := cycle[k]
		c.areas(colour, colour, f.above(0))
		c.bar(float64(k)/float64(len(cycle)), float64(k+1)/float64(len(cycle)), colour, label(from))
	}
	c.write("", "start", [2]float64{c.x.second + 12, chartTop - 9}, "deg")
}

// bar draws a part of the bar of colours, with the value at its lower end.
func (c *chart) bar(from, to float64, colour, text string) {
	height := c.y.first - c.y.second
	fmt.Fprintf(&c.body, "<rect x=\"%s\" y=\"%s\" width=\"14\" height=\"%s\" fill=\"%s\"/>\n", number(c.x.second+12),
		number(c.y.first-to*height), number((to-from)*height), colour)
	c.write("", "start", [2]float64{c.x.second + 30, c.y.first - from*height - 1}, text)
}

// sequence goes from dark to light (viridis of matplotlib), cycle comes back to its beginning (after its twilight).
var (
	sequence = [][3]float64{{0x44, 0x01, 0x54}, {0x3b, 0x52, 0x8b}, {0x21, 0x91, 0x8c}, {0x5e, 0xc9, 0x62},
		{0xfd, 0xe7, 0x25}}
	cycle = []string{"#e1d8e1", "#a4bfca", "#6a8ec0", "#5d4ea7", "#3a1142", "#7a1f50", "#b35a58", "#cda899"}
)

// interpolateColour is the colour at a share of the way along a list of colours.
func interpolateColour(colours [][3]float64, share float64) string {
	at := share * float64(len(colours)-1)
	k := min(int(at), len(colours)-2)
	var mixed [3]int
	for i := range mixed {
		mixed[i] = int(math.Round(colours[k][i] + (at-float64(k))*(colours[k+1][i]-colours[k][i])))
	}
	return fmt.Sprintf("#%02x%02x%02x", mixed[0], mixed[1], mixed[2])
}

// searchedWheeler draws the largest real part of the tilting three-wheeler over the speed: as a bicycle, as its model
// file has it, and with what the shipped search finds.
func searchedWheeler(w *workshop) ([]byte, error) {
	study, err := optimise.ReadStudy(filepath.Join(w.resources, "sweeps", "tilting_search.toml"))
	if err != nil {
		return nil, err
	}
	found, err := optimise.Run(study, optimise.Options{})
	if err != nil {
		return nil, err
	}
	m, err := vehicle.Read(study.Model)
	if err != nil {
		return nil, err
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		return nil, err
	}
	values := study.Range.Values
	c := newChart("Tilting three-wheeler, largest real part", scale{label: "speed [m/s]", low: values[0],
		high: values[len(values)-1]}, scale{label: "[1/s]", low: -8, high: 4}, 12)
	c.axes(true)
	best := found.History[found.Best].Values
	at := chartLeft + 30
	for _, v := range []struct {
		text, colour string
		dash         float64
		values       []float64
	}{
		{"no springs, no dampers", "#6b6b6b", 3, []float64{0, 0, 0, 0.1}},
		{"model file", realColour, 0, []float64{1500, 100, 2, 0.1}}, {"search", imaginaryColour, 6, best},
	} {
		for i, b := range study.Vary {
			if err := vehicle.Set(b.Name(), v.values[i]); err != nil {
				return nil, err
			}
		}
		r := &linearise.Result{Varied: study.Range}
		if err := r.AddAll(vehicle, nil, nil); err != nil {
			return nil, err
		}
		var x, y []float64
		for i, modes := range r.Modes {
			if largest := real(modes[0].Value); largest <= c.y.high && largest >= c.y.low {
				x, y = append(x, values[i]), append(y, largest)
			}
		}
		c.curve(v.colour, v.dash, x, y)
		at = c.key(at, v.colour, v.dash, v.text)
	}
	return c.svg(), nil
}
