package curve

import (
	"fmt"
	"math"
)

// Curve is a piecewise cubic polynomial. With t = x - X[i], in piece i, from X[i] to X[i+1],
//
//	y = Y[i] + Pieces[i].B t + Pieces[i].C t^2 + Pieces[i].D t^3
//
// Before the first point the slope is First, after the last one it is Last.
type Curve struct {
	X, Y        []float64 // the points; X increases
	Pieces      []Piece   // one between each two points
	First, Last float64   // slopes
	Smooth      bool      // the curvature is continuous, and 0 at the ends
	Limit       *Limit    // where a run has to stay; nil for none
	table       *Table
}

// Limit says that runs must not leave the points of a curve or surface.
type Limit struct {
	Key   string   // of the model file that has it
	Units []string // of the arguments
}

// Piece holds the coefficients of a cubic polynomial but the first.
type Piece struct{ B, C, D float64 }

// Most is the largest number of points. It bounds the demand of a file; the cost of an evaluation does not grow with
// the number of points.
const Most = 10000

// A FormError tells why points make no curve: the fault of point Point, counted from 0, or of all of
// them where it is -1.
type FormError struct {
	Point   int
	Problem string
}

func (e *FormError) Error() string { return e.Problem }

// check refuses points that make no curve.
func check(x, y []float64) error {
	if n := len(x); n < 2 || n > Most {
		return &FormError{-1, fmt.Sprintf("has %d points; a curve has 2 to %d", n, Most)}
	}
	for i := range x {
		switch {
		case math.IsNaN(x[i]-x[i]) || math.IsNaN(y[i]-y[i]):
			return &FormError{i, fmt.Sprintf("is (%g, %g); both must be finite numbers", x[i], y[i])}
		case i > 0 && x[i] <= x[i-1]:
			return &FormError{i, fmt.Sprintf("has x = %g after %g; x must increase from point to point", x[i], x[i-1])}
		}
	}
	return nil
}

// Monotone returns the curve after Fritsch and Butland (1984). It rises where the points rise, falls where they fall,
// and is level at their extremes, so that it never leaves the range of two neighbours. Its slope is continuous.
func Monotone(x, y []float64) (*Curve, error) {
	if err := check(x, y); err != nil {
		return nil, err
	}
	n := len(x)
	if n == 2 {
		return hermite(x, y, []float64{chord(x, y, 0), chord(x, y, 0)})
	}
	slopes := make([]float64, n)
	slopes[0] = edge(x[1]-x[0], x[2]-x[1], chord(x, y, 0), chord(x, y, 1))
	for i := 1; i < n-1; i++ {
		before, after := chord(x, y, i-1), chord(x, y, i)
		if before*after > 0 {
			h, k := x[i]-x[i-1], x[i+1]-x[i]
			slopes[i] = 3 * (h + k) / ((2*k+h)/before + (k+2*h)/after)
		}
	}
	slopes[n-1] = edge(x[n-1]-x[n-2], x[n-2]-x[n-3], chord(x, y, n-2), chord(x, y, n-3))
	return hermite(x, y, slopes)
}

// chord is the slope of the chord over piece i.
func chord(x, y []float64, i int) float64 { return (y[i+1] - y[i]) / (x[i+1] - x[i]) }

// edge is the slope at an outermost point, from the parabola through three points, limited to keep the outermost piece
// monotone. h and k are the lengths of the outermost piece and the next one, own and other their chords.
func edge(h, k, own, other float64) float64 {
	slope := ((2*h+k)*own - h*other) / (h + k)
	switch {
	case slope*own <= 0:
		return 0
	case own*other <= 0 && math.Abs(slope) > 3*math.Abs(own):
		return 3 * own
	}
	return slope
}

// hermite is the curve with given slopes at its points.
func hermite(x, y, slopes []float64) (*Curve, error) {
	pieces := make([]Piece, len(x)-1)
	for i := range pieces {
		h, mean := x[i+1]-x[i], chord(x, y, i)
		pieces[i] = Piece{slopes[i], (3*mean - 2*slopes[i] - slopes[i+1]) / h,
			(slopes[i] + slopes[i+1] - 2*mean) / (h * h)}
	}
	return finite(&Curve{X: x, Y: y, Pieces: pieces, First: slopes[0], Last: slopes[len(slopes)-1]})
}

// Smooth returns the natural cubic spline: its curvature is continuous, and 0 at its ends, where it continues as
// straight lines.
func Smooth(x, y []float64) (*Curve, error) {
	if err := check(x, y); err != nil {
		return nil, err
	}
	n := len(x)
	// curvatures m: h m[i-1] + 2 (h + k) m[i] + k m[i+1] = 6 (chord after - chord before),
	// a tridiagonal system that elimination without exchanges solves
	m, factor := make([]float64, n), make([]float64, n)
	for i := 1; i < n-1; i++ {
		h, k := x[i]-x[i-1], x[i+1]-x[i]
		pivot := 2*(h+k) - h*factor[i-1]
		factor[i] = k / pivot
		m[i] = (6*(chord(x, y, i)-chord(x, y, i-1)) - h*m[i-1]) / pivot
	}
	for i := n - 2; i > 0; i-- {
		m[i] -= factor[i] * m[i+1]
	}
	m[0] = 0
	pieces := make([]Piece, n-1)
	for i := range pieces {
		h := x[i+1] - x[i]
		pieces[i] = Piece{chord(x, y, i) - h*(2*m[i]+m[i+1])/6, m[i] / 2, (m[i+1] - m[i]) / (6 * h)}
	}
	h := x[n-1] - x[n-2]
	return finite(&Curve{X: x, Y: y, Pieces: pieces, First: pieces[0].B, Last: chord(x, y, n-2) + h*(m[n-2]+2*m[n-1])/6,
		Smooth: true})
}

// Linear returns the straight lines between the points.
func Linear(x, y []float64) (*Curve, error) {
	if err := check(x, y); err != nil {
		return nil, err
	}
	pieces := make([]Piece, len(x)-1)
	for i := range pieces {
		pieces[i].B = chord(x, y, i)
	}
	return finite(&Curve{X: x, Y: y, Pieces: pieces, First: pieces[0].B, Last: pieces[len(pieces)-1].B})
}

// Hold returns the curve with constant values beyond its ends, where its slope then jumps.
func (c *Curve) Hold() *Curve { return c.Beyond(0, 0) }

// Beyond returns the curve with other slopes before its first and after its last point.
func (c *Curve) Beyond(first, last float64) *Curve {
	if first == c.First && last == c.Last {
		return c
	}
	other := *c
	other.First, other.Last, other.Smooth = first, last, false
	other.table = newTable(&other)
	return &other
}

// finite refuses a curve whose coefficients no number can hold.
func finite(c *Curve) (*Curve, error) {
	for i, p := range c.Pieces {
		if sum := p.B + 2*p.C + 6*p.D + c.Last; math.IsNaN(sum - sum) {
			return nil, &FormError{i + 1, fmt.Sprintf("is (%g, %g) after (%g, %g): too steep", c.X[i+1],
				c.Y[i+1], c.X[i], c.Y[i])}
		}
	}
	c.table = newTable(c)
	if sum := c.table.Integral.At(math.Inf(1)) - c.table.integralTo(0); math.IsNaN(sum - sum) {
		return nil, &FormError{-1, "has an integral that no number can hold: use smaller values"}
	}
	return c, nil
}

// Table returns the curve arranged for look-ups.
func (c *Curve) Table() *Table { return c.table }

// At returns the value of the curve, its slope and its curvature, the second derivative. At a point the values belong
// to the following piece.
func (c *Curve) At(x float64) (value, slope, curvature float64) { return c.table.At(x) }

// Integral returns the integral of the curve from its first point to x.
func (c *Curve) Integral(x float64) float64 { return c.table.integralTo(x) }
