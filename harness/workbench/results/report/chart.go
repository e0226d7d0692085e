package report

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"skidpad/harness/workbench/results/plots"
)

// mostPoints is the largest number of points of a curve over a rising x that a page's script draws. Paths have
// pointsOnPage.
const mostPoints = 2000

// chart is the data of a figure for the script of the page, which draws the figure in place of its SVG.
type chart struct {
	Title  string       `json:"title"`
	X      chartAxis    `json:"x"`
	Panels []chartPanel `json:"panels"`
	Lines  []chartLine  `json:"lines,omitempty"`
	Dots   [][2]float64 `json:"dots,omitempty"`
	Square bool         `json:"square,omitempty"`
}

type chartAxis struct {
	Label string  `json:"label"`
	Unit  string  `json:"unit,omitempty"`
	Log   bool    `json:"log,omitempty"`
	Span  float64 `json:"span,omitempty"`
}

type chartPanel struct {
	Y      chartAxis    `json:"y"`
	Path   bool         `json:"path,omitempty"` // x does not rise along each curve
	Curves []chartCurve `json:"curves"`
}

// chartCurve is a curve. Starts are the first points of pieces, and Rows is how many points there were.
type chartCurve struct {
	Name   string    `json:"name"`
	Colour string    `json:"colour"`
	Dashes []float64 `json:"dashes,omitempty"`
	Width  float64   `json:"width"`
	Points bool      `json:"points,omitempty"`
	Starts []int     `json:"starts,omitempty"`
	Rows   int       `json:"rows"`
	X      numbers   `json:"x"`
	Y      numbers   `json:"y"`
}

type chartLine struct {
	Name string  `json:"name,omitempty"`
	X    numbers `json:"x"`
	Y    numbers `json:"y"`
}

// numbers are values less an offset, as little-endian float32 in base64; or, at even steps, how many they are and the
// step from the offset on.
type numbers struct {
	Offset float64 `json:"offset,omitempty"`
	Step   float64 `json:"step,omitempty"`
	Count  int     `json:"count,omitempty"`
	Data   string  `json:"data,omitempty"`
}

// packed packs numbers. Those that are far from 0 for their range have an offset, so that they stay apart.
func packed(list []float64) numbers {
	low, high := slices.Min(list), slices.Max(list)
	if step, is := evenStep(list); is {
		return numbers{Offset: list[0], Step: step, Count: len(list)}
	}
	var n numbers
	const far = 100 // ranges
	if max(-low, high) > far*(high-low) {
		n.Offset = low
	}
	data := make([]byte, 0, 4*len(list))
	for _, v := range list {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v-n.Offset)))
	}
	n.Data = base64.StdEncoding.EncodeToString(data)
	return n
}

// evenStep is the step of numbers that rise by even ones, as times do.
func evenStep(list []float64) (step float64, is bool) {
	last := len(list) - 1
	if last < 2 || !(list[last] > list[0]) {
		return 0, false
	}
	step = (list[last] - list[0]) / float64(last)
	const rounding = 1e-5 // of a step
	for i, v := range list {
		if math.Abs(v-list[0]-float64(i)*step) > rounding*step {
			return 0, false
		}
	}
	return step, true
}

// chart collects what a page's script draws.
func (f *Plot) chart() (*chart, error) {
	c := &chart{Title: f.Title, X: axisOf(f.X), Dots: f.Dots, Square: f.EqualScales}
	upper, err := panelOf(f.Curves, f.Y, 0)
	if err != nil {
		return nil, err
	}
	c.Panels = append(c.Panels, upper)
	below, err := f.below()
	if err != nil {
		return nil, err
	}
	if below != nil {
		lower, err := panelOf(below.Curves, below.Y, f.firstBelow())
		if err != nil {
			return nil, err
		}
		c.Panels = append(c.Panels, lower)
	}
	for _, l := range f.Lines {
		thin := Curve{X: l.X, Y: l.Y}.thinned()
		c.Lines = append(c.Lines, chartLine{l.Label, packed(thin.X), packed(thin.Y)})
	}
	return c, nil
}

func panelOf(curves []Curve, y Axis, next int) (chartPanel, error) {
	p := chartPanel{Y: axisOf(y), Path: slices.ContainsFunc(curves, func(c Curve) bool { return !slices.IsSorted(c.X) })}
	for _, c := range curves {
		if _, err := c.points(); err != nil {
			return p, err
		}
		look := broad
		if !c.Broad {
			look = plots.LineStyle(next)
			next++
		}
		most := mostPoints
		if p.Path {
			most = pointsOnPage
		}
		few := c.reduced(p.Path, most)
		entry := chartCurve{Name: c.Label, Colour: hex(look), Width: 1.5 * look.Width.Points(), Points: c.Points,
			Starts: few.Starts, Rows: len(c.X), X: packed(few.X), Y: packed(few.Y)}
		for _, d := range look.Dashes {
			entry.Dashes = append(entry.Dashes, 1.5*d.Points())
		}
		p.Curves = append(p.Curves, entry)
	}
	return p, nil
}

// axisOf finds the unit in a label: "yaw rate, deg/s", or "y, m, not to the scale of x".
func axisOf(a Axis) chartAxis {
	c := chartAxis{Label: a.Label, Log: a.Log, Span: a.Span}
	const longest = 12 // letters of a unit
	parts := strings.Split(a.Label, ", ")
	for _, part := range slices.Backward(parts[1:]) {
		if len(part) <= longest && !strings.Contains(part, " ") {
			if part != "1" {
				c.Unit = part
			}
			break
		}
	}
	return c
}

// reduced is the curve with a limited number of points, and its gaps. Over a rising x the extremes stay; of a path, its
// shape.
func (c Curve) reduced(path bool, most int) Curve {
	if len(c.X) != len(c.Y) || len(c.X) <= most {
		return c
	}
	reduce := plots.Extremes
	if path {
		reduce = plots.Thinned
	}
	least := 4 // points of a piece: its ends, and its extremes
	if path {
		least = 2
	}
	few := c
	few.X, few.Y, few.Starts = nil, nil, nil
	pieces := c.pieces()
	for _, piece := range pieces {
		x, y := reduce(c.X[piece[0]:piece[1]], c.Y[piece[0]:piece[1]], max(least, most/len(pieces)))
		if len(pieces) > 1 {
			few.Starts = append(few.Starts, len(few.X))
		}
		few.X, few.Y = append(few.X, x...), append(few.Y, y...)
	}
	return few
}

// hex is the colour of a line as #rrggbb.
func hex(look draw.LineStyle) string {
	r, g, b, _ := look.Color.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
