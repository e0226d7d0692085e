package report

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"skidpad/harness/workbench/results/plots"
	"skidpad/harness/workbench/results/web"
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
	Data   string       `json:"data"` // of curves and lines, as web.Numbers
	packed web.Numbers
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
	points
}

type chartLine struct {
	Name string `json:"name,omitempty"`
	points
}

// points are the columns of a curve or a line.
type points struct {
	Count int        `json:"count"`
	X     web.Column `json:"x"`
	Y     web.Column `json:"y"`
}

// column adds numbers. On an axis of logarithms small ones need as many digits as large ones.
func (c *chart) column(values []float64, log bool) web.Column {
	if log {
		return c.packed.Singles(values)
	}
	return c.packed.Decimals(values)
}

// chart collects what a page's script draws.
func (f *Plot) chart() (*chart, error) {
	c := &chart{Title: f.Title, X: axisOf(f.X), Dots: f.Dots, Square: f.EqualScales}
	upper, err := c.panelOf(f.Curves, f.X, f.Y, 0)
	if err != nil {
		return nil, err
	}
	c.Panels = append(c.Panels, upper)
	below, err := f.below()
	if err != nil {
		return nil, err
	}
	if below != nil {
		lower, err := c.panelOf(below.Curves, f.X, below.Y, f.firstBelow())
		if err != nil {
			return nil, err
		}
		c.Panels = append(c.Panels, lower)
	}
	for _, l := range f.Lines {
		thin := Curve{X: l.X, Y: l.Y}.thinned()
		c.Lines = append(c.Lines, chartLine{l.Label, points{len(thin.X), c.column(thin.X, f.X.Log),
			c.column(thin.Y, f.Y.Log)}})
	}
	c.Data, err = c.packed.Packed()
	return c, err
}

func (c *chart) panelOf(curves []Curve, x, y Axis, next int) (chartPanel, error) {
	p := chartPanel{Y: axisOf(y), Path: slices.ContainsFunc(curves, func(c Curve) bool { return !slices.IsSorted(c.X) })}
	for _, of := range curves {
		if _, err := of.points(); err != nil {
			return p, err
		}
		look := broad
		if !of.Broad {
			look = plots.LineStyle(next)
			next++
		}
		most := mostPoints
		if p.Path {
			most = pointsOnPage
		}
		few := of.reduced(p.Path, most)
		entry := chartCurve{Name: of.Label, Colour: hex(look), Width: 1.5 * look.Width.Points(), Points: of.Points,
			Starts: few.Starts, Rows: len(of.X), points: points{Count: len(few.X)}}
		if p.Path || x.Log {
			entry.X = c.column(few.X, x.Log)
		} else {
			entry.X = c.packed.Rising(few.X, of.X)
		}
		entry.Y = c.column(few.Y, y.Log)
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
