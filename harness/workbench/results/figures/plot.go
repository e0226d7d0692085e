package figures

import "math"

// Plot is a diagram of runs.
type Plot struct {
	Title, X, Y string // of the axes, with units
	Log         bool   // both axes
	Of          int    // the run that it shows, counted from 1; 0 for no single one
	Curves      []Curve
}

// Curve is a line of a plot.
type Curve struct {
	Label string // "" for that of its run
	Run   int    // counted from 0
	X, Y  []float64
}

// Overlaid draws a signal of all runs over another one.
func Overlaid(title, x, y string, runs []*Record, over, signal func(r *Record) []float64) Plot {
	p := Plot{Title: title, X: x, Y: y}
	for i, r := range runs {
		p.Curves = append(p.Curves, Curve{Run: i, X: over(r), Y: signal(r)})
	}
	return p
}

// degrees are angles in rad as a plot shows them.
func degrees(angles []float64) []float64 {
	const degree = math.Pi / 180
	list := make([]float64, len(angles))
	for i, angle := range angles {
		list[i] = angle / degree
	}
	return list
}
