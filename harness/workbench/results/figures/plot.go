package figures

import "skidpad/harness/workbench/results/display"

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

// Signal is a signal of a run, with the quantity that it is.
type Signal struct {
	display.Quantity
	Of func(r *Record) []float64
}

// The signals that reports show.
var (
	Time          = Signal{display.Quantity{Title: "time", SI: "s"}, func(r *Record) []float64 { return r.Time }}
	SteeringWheel = Signal{display.SteeringWheel, func(r *Record) []float64 { return r.Steer }}
	Speed         = Signal{display.Speed, func(r *Record) []float64 { return r.Speed }}
	YawRate       = Signal{display.YawRate, func(r *Record) []float64 { return r.YawRate }}
	Lateral       = Signal{display.Lateral, func(r *Record) []float64 { return r.Lateral }}
	SideSlipAngle = Signal{display.SideSlip, func(r *Record) []float64 { return r.SideSlip }}
	Roll          = Signal{display.Roll, func(r *Record) []float64 { return r.Roll }}
	X             = Signal{display.X, func(r *Record) []float64 { return r.X }}
	Y             = Signal{display.Y, func(r *Record) []float64 { return r.Y }}
)

// Overlaid draws a signal y of all runs over another signal x, angles in degrees.
func Overlaid(title string, runs []*Record, x, y Signal) Plot {
	p := Plot{Title: title}
	var perX, perY float64
	p.X, perX = x.Label(display.Degrees())
	p.Y, perY = y.Label(display.Degrees())
	for i, r := range runs {
		p.Curves = append(p.Curves, Curve{Run: i, X: shown(x.Of(r), perX), Y: shown(y.Of(r), perY)})
	}
	return p
}

// shown are numbers in a unit, of which one has a value in SI units.
func shown(x []float64, unit float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = x[i] / unit
	}
	return out
}
