package compare

import (
	"fmt"
	"math"
	"slices"
)

// Corridor is a band about a reference curve: around each of its points, X to both sides along the abscissa and Y along
// the ordinate. A sample is inside if it lies in the rectangle around any point of the curve, which is straight between
// its samples. With Ellipse, the ellipse that touches the sides of the rectangle replaces it.
type Corridor struct {
	X, Y           string  // columns; X may be "time"
	XOffset, XGain float64 // half widths are offset + gain |value of the reference|
	YOffset, YGain float64
	Ellipse        bool
	Source         string  // of the numbers; "" where none is given
	Share          float64 // of the samples that must be inside
	From, To       float64 // of the abscissa, between which samples count
}

// CorridorResult says how a run keeps to a corridor.
type CorridorResult struct {
	*Corridor
	Samples int
	Inside  float64 // share of the samples
	Worst   float64 // largest distance from the curve by the half width, of the worse axis; 1 is the edge
	At      float64 // time of that sample [s]
	// Low and High are the least and the largest abscissa of the run.
	Low, High float64
}

// Pass reports whether enough samples are inside. A run without samples does not.
func (w *CorridorResult) Pass() bool { return w.Samples > 0 && w.Inside >= w.Share }

// worstSample is the time of the worst sample, or why there is none.
func (w *CorridorResult) worstSample() string {
	if w.Samples > 0 {
		return fmt.Sprintf("%.4g", w.At)
	}
	return fmt.Sprintf("no sample from %g to %g: %s is from %g to %g", w.From, w.To, w.X, w.Low, w.High)
}

// Test compares samples (x, y) at times with a reference curve.
func (c *Corridor) Test(time, x, y, xReference, yReference []float64) *CorridorResult {
	w := &CorridorResult{Corridor: c, At: math.NaN(), Low: slices.Min(x), High: slices.Max(x)}
	inside := 0
	for i := range x {
		if x[i] < c.From || x[i] > c.To {
			continue
		}
		w.Samples++
		d := c.Distance(x[i], y[i], xReference, yReference)
		if d <= 1 {
			inside++
		}
		if d > w.Worst || math.IsNaN(d) {
			w.Worst, w.At = d, time[i]
		}
	}
	w.Inside = float64(inside) / float64(max(w.Samples, 1))
	return w
}

// Distance is the distance of a point from a curve, in half widths of the corridor.
func (c *Corridor) Distance(x, y float64, xs, ys []float64) float64 {
	norm := math.Max
	if c.Ellipse {
		norm = math.Hypot
	}
	at := func(xr, yr float64) float64 {
		a, b := c.halfWidths(xr, yr)
		return norm(ratioToHalfWidth(math.Abs(x-xr), a), ratioToHalfWidth(math.Abs(y-yr), b))
	}
	least := math.Inf(1)
	for i := range xs {
		least = min(least, at(xs[i], ys[i]))
	}
	// along a piece the distance falls, and then rises
	for i := 1; i < len(xs); i++ {
		if !c.near(x, xs[i-1], xs[i], least) {
			continue
		}
		if u := (x - xs[i-1]) / (xs[i] - xs[i-1]); u >= 0 && u <= 1 { // straight above or below
			yr := ys[i-1] + u*(ys[i]-ys[i-1])
			least = min(least, ratioToHalfWidth(math.Abs(y-yr), c.YOffset+c.YGain*math.Abs(yr)))
		}
		on := func(u float64) float64 { return at(xs[i-1]+u*(xs[i]-xs[i-1]), ys[i-1]+u*(ys[i]-ys[i-1])) }
		low, high := 0.0, 1.0
		for range 60 {
			a, b := low+(high-low)/3, high-(high-low)/3
			if on(a) <= on(b) {
				high = b
			} else {
				low = a
			}
		}
		least = min(least, on((low+high)/2))
	}
	return least
}

// halfWidths are the half widths of the rectangle around a point of the curve.
func (c *Corridor) halfWidths(x, y float64) (alongX, alongY float64) {
	return c.XOffset + c.XGain*math.Abs(x), c.YOffset + c.YGain*math.Abs(y)
}

// Boundary is the edge of the corridor above a curve, for side 1, or below it, for side -1: a point for each point of
// the curve, whose X rises. It is the point of the rectangle or of the ellipse that is farthest from the tangent of the
// curve, which has the direction from the point before to the point after.
func (c *Corridor) Boundary(xs, ys []float64, side float64) (x, y []float64) {
	last := len(xs) - 1
	for i := range xs {
		before, after := max(i-1, 0), min(i+1, last)
		dx, dy := xs[after]-xs[before], ys[after]-ys[before]
		a, b := c.halfWidths(xs[i], ys[i])
		alongX, alongY := 0.0, side*b // of a curve that does not rise or fall
		switch length := math.Hypot(dy*a, dx*b); {
		case c.Ellipse && length > 0:
			alongX, alongY = -side*dy*a*a/length, side*dx*b*b/length
		case dy != 0:
			alongX = -side * math.Copysign(a, dy)
		}
		x, y = append(x, xs[i]+alongX), append(y, ys[i]+alongY)
	}
	return x, y
}

// near reports whether a piece of the curve from a to b on the abscissa can be nearer than least.
func (c *Corridor) near(x, a, b, least float64) bool {
	if a > b {
		a, b = b, a
	}
	away := math.Max(math.Max(a-x, x-b), 0)
	return ratioToHalfWidth(away, c.XOffset+c.XGain*math.Max(math.Abs(a), math.Abs(b))) < least
}

// ratioToHalfWidth divides a distance by a half width; a half width of 0 allows no distance.
func ratioToHalfWidth(distance, half float64) float64 {
	if distance == 0 {
		return 0
	}
	return distance / half
}
