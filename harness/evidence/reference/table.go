package reference

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"

	"skidpad/model/curve"
)

// table is a curve through points as gonum has it, continued by straight lines at both ends, its tangents at first.
type table struct {
	x           []float64
	curve       interp.DerivativePredictor
	first, last float64 // slopes of the lines
}

// fitted is a curve that can be fitted to points.
type fitted interface {
	interp.DerivativePredictor
	Fit(x, y []float64) error
}

// through fits a curve to points.
func through(x, y []float64, c fitted) *table {
	if err := c.Fit(x, y); err != nil {
		panic(err) // the parser of model files has checked the points
	}
	return &table{x, c, c.PredictDerivative(x[0]), c.PredictDerivative(x[len(x)-1])}
}

// resists extends the force of a damper beyond the ends of its table without a supply of energy: the force grows or
// stays constant there. If standstill is beyond an end, the line goes through 0. A nil table stays nil.
func (t *table) resists() {
	if t == nil {
		return
	}
	t.first, t.last = math.Max(0, t.first), math.Max(0, t.last)
	low, high := t.x[0], t.x[len(t.x)-1]
	if low > 0 {
		t.first = math.Max(0, t.curve.Predict(low)/low)
	}
	if high < 0 {
		t.last = math.Max(0, t.curve.Predict(high)/high)
	}
}

// resistsForward makes the drag of an engine that never becomes positive beyond its ends, if it is not there.
func (t *table) resistsForward() {
	if t == nil {
		return
	}
	t.last = math.Min(0, t.last)
	if low := t.x[0]; low > 0 && t.curve.Predict(low) <= 0 {
		t.first = math.Max(t.first, t.curve.Predict(low)/low)
	}
}

// of makes sure that a table runs as a curve of a model does, between its points and beyond its ends.
func (t *table) of(name string, c *curve.Curve) error {
	size, n := 0.0, len(c.X)-1
	for _, y := range c.Y {
		size = max(size, math.Abs(y))
	}
	places := []float64{2*c.X[0] - c.X[1], 2*c.X[n] - c.X[n-1]}
	for i := range n {
		places = append(places, c.X[i]+0.3*(c.X[i+1]-c.X[i]))
	}
	for _, x := range places {
		if value, _, _ := c.At(x); math.Abs(value-t.at(x)) > 1e-9*(size+math.Abs(value)) {
			return fmt.Errorf("%s: the reference solver has natural splines that go on along their tangents; leave out "+
				"smooth and outside", name)
		}
	}
	return nil
}

// at is the value at x.
func (t *table) at(x float64) float64 {
	value, _, _ := t.derivatives(x)
	return value
}

// derivatives are the value at x and its first two derivatives; those of no table are 0. Inside a piece
// the slope is a parabola, which its values at both ends and in the middle determine.
func (t *table) derivatives(x float64) (value, slope, curvature float64) {
	if t == nil {
		return 0, 0, 0
	}
	inside := min(max(x, t.x[0]), t.x[len(t.x)-1])
	switch slope = t.curve.PredictDerivative(inside); {
	case x < inside:
		slope = t.first
	case x > inside:
		slope = t.last
	}
	value = t.curve.Predict(inside) + slope*(x-inside)
	if inside != x {
		return value, slope, 0
	}
	k, _ := slices.BinarySearch(t.x, x)
	k = max(k, 1)
	from, to := t.x[k-1], t.x[k]
	first, middle, last := t.curve.PredictDerivative(from), t.curve.PredictDerivative((from+to)/2),
		t.curve.PredictDerivative(to)
	return value, slope, (4*middle-3*first-last)/(to-from) + 4*(first-2*middle+last)*(x-from)/((to-from)*(to-from))
}
