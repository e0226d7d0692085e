package course

import (
	"math"
	"sort"
)

// knots are the places of points by the length of chords, with what smoothing needs of them.
type knots struct {
	closed  bool
	at      []float64 // of the points; one more for a closed line, where the first point is again
	lambda  float64
	weights []float64
	factors *factors
}

// newKnots prepares cubic smoothing splines: of all functions f they have the least of
//
//	sum of w (f - y)^2 + lambda int f"^2 dt
//
// with w the mean distance to both neighbours and lambda = (smoothing/(2 pi))^4, so that a wave of the length smoothing
// keeps half of its amplitude whatever the spacing. The second derivatives g in the points follow from
// (R + lambda Q' W^-1 Q) g = Q' y (Green and Silverman, Nonparametric Regression and Generalized Linear Models, 1994,
// section 2.3.3); a closed line has Q and R round the ring, and g is 0 at the ends of an open one.
func newKnots(p *Points, closed bool, smoothing float64) *knots {
	n := len(p.X)
	k := &knots{closed: closed, lambda: math.Pow(smoothing/(2*math.Pi), 4), at: make([]float64, 1, n+1),
		weights: make([]float64, n)}
	for i := 1; i < n; i++ {
		k.at = append(k.at, k.at[i-1]+p.chord(i-1, i))
	}
	if closed {
		k.at = append(k.at, k.at[n-1]+p.chord(n-1, 0))
	}
	for i := range k.at[1:] {
		h := k.at[i+1] - k.at[i]
		k.weights[i] += h / 2
		k.weights[(i+1)%n] += h / 2
	}
	matrix := newRing(n)
	for i := range n {
		if k.isEnd(i) {
			*matrix.element(i, i) = 1
			continue
		}
		before, after := k.distances(i)
		*matrix.element(i, i) += (before + after) / 3
		if next := (i + 1) % n; !k.isEnd(next) {
			*matrix.element(i, next) += after / 6
		}
		column := k.column(i)
		for d := range 3 { // Q' W^-1 Q of the columns i and i+d, which share rows
			other := (i + d) % n
			if !closed && i+d >= n || k.isEnd(other) {
				continue
			}
			of, sum := k.column(other), 0.0
			for at := d; at < 3; at++ {
				sum += column[at] * of[at-d] / k.weights[(i-1+at+n)%n]
			}
			*matrix.element(i, other) += k.lambda * sum
		}
	}
	k.factors, _ = matrix.factorise() // R is positive definite, and the rest is not negative
	return k
}

// isEnd reports whether a point is an end of an open line.
func (k *knots) isEnd(i int) bool { return !k.closed && (i == 0 || i == len(k.weights)-1) }

// distances returns the distances of a point from both neighbours.
func (k *knots) distances(i int) (before, after float64) {
	n := len(k.weights)
	if before = k.at[i] - k.at[max(i-1, 0)]; i == 0 {
		before = k.at[n] - k.at[n-1]
	}
	return before, k.at[i+1] - k.at[i]
}

// column has the elements of column i of Q in the rows i-1, i and i+1: the second difference.
func (k *knots) column(i int) [3]float64 {
	before, after := k.distances(i)
	return [3]float64{1 / before, -1/before - 1/after, 1 / after}
}

// spline is a cubic spline through knots with its values and second derivatives there.
type spline struct {
	*knots
	values, second []float64
}

// smooth is the smoothing spline of values in the points.
func (k *knots) smooth(y []float64) *spline {
	n := len(y)
	right := make([]float64, n)
	for i := range n {
		if !k.isEnd(i) {
			for at, q := range k.column(i) {
				right[i] += q * y[(i-1+at+n)%n]
			}
		}
	}
	s := &spline{knots: k, values: make([]float64, n), second: k.factors.solve(right)}
	copy(s.values, y)
	for i := range n {
		if !k.isEnd(i) {
			for at, q := range k.column(i) {
				row := (i - 1 + at + n) % n
				s.values[row] -= k.lambda / k.weights[row] * q * s.second[i]
			}
		}
	}
	return s
}

// in returns the value and the derivatives in piece i, at a share u of it.
func (s *spline) in(i int, u float64) (value, slope, second float64) {
	next := (i + 1) % len(s.values)
	h := s.at[i+1] - s.at[i]
	a, b, ga, gb := s.values[i], s.values[next], s.second[i], s.second[next]
	v := 1 - u
	value = v*a + u*b + h*h/6*((v*v*v-v)*ga+(u*u*u-u)*gb)
	slope = (b-a)/h + h/6*((1-3*v*v)*ga+(3*u*u-1)*gb)
	return value, slope, v*ga + u*gb
}

// line is a smoothed line in the plan.
type line struct {
	x, y *spline
	from []float64 // distance along the line of each knot [m]
}

// Nodes and weights of the rule of Gauss with five points on 0 to 1.
var gauss = [5][2]float64{
	{0.5, 64.0 / 225},
	{0.5 - 0.2692346550528415, 0.2393143352496832}, {0.5 + 0.2692346550528415, 0.2393143352496832},
	{0.5 - 0.4530899229693320, 0.1184634425280945}, {0.5 + 0.4530899229693320, 0.1184634425280945},
}

// along is the length of the line in piece i up to a share u of it.
func (l *line) along(i int, u float64) (length float64) {
	h := l.x.at[i+1] - l.x.at[i]
	for _, g := range gauss {
		_, dx, _ := l.x.in(i, u*g[0])
		_, dy, _ := l.y.in(i, u*g[0])
		length += g[1] * u * h * math.Hypot(dx, dy)
	}
	return length
}

// find is the piece at a distance along the line, and the share of the piece there.
func (l *line) find(s float64) (i int, u float64) {
	i = min(max(sort.SearchFloat64s(l.from, s)-1, 0), len(l.from)-2)
	whole := l.from[i+1] - l.from[i]
	u = (s - l.from[i]) / whole
	h := l.x.at[i+1] - l.x.at[i]
	for range 8 { // Newton: the speed changes little within a piece
		_, dx, _ := l.x.in(i, u)
		_, dy, _ := l.y.in(i, u)
		step := (s - l.from[i] - l.along(i, u)) / (h * math.Hypot(dx, dy))
		u += step
		if math.Abs(step) < 1e-14 {
			break
		}
	}
	return i, min(max(u, 0), 1)
}

// course is the course of points that are a line, with the point of the file before each of its points.
func (p *Points) course(closed bool, o Options) (c *Course, pieces []int, err error) {
	k := newKnots(p, closed, o.Smoothing)
	l := &line{x: k.smooth(p.X), y: k.smooth(p.Y), from: []float64{0}}
	for i := range k.at[1:] {
		l.from = append(l.from, l.from[i]+l.along(i, 1))
	}
	length := l.from[len(l.from)-1]
	steps := math.Ceil(length/o.Step - 1e-9)
	if steps > mostPoints {
		return nil, nil, p.file("%.6g m in steps of %g m are more than %d points; take longer steps", length, o.Step,
			mostPoints)
	}
	c = &Course{Closed: closed, Smoothing: o.Smoothing, MovedAt: p.place(0)}
	for i := range p.X {
		if d := math.Hypot(l.x.values[i]-p.X[i], l.y.values[i]-p.Y[i]); d > c.Moved {
			c.Moved, c.MovedAt = d, p.place(i)
		}
	}
	var z, bank *spline
	if p.Z != nil {
		z = k.smooth(p.Z)
	}
	if p.Bank != nil {
		bank = k.smooth(p.Bank)
	}
	for i := range int(steps) + 1 {
		s := length * float64(i) / steps
		piece, u := l.find(s)
		x, dx, ddx := l.x.in(piece, u)
		y, dy, ddy := l.y.in(piece, u)
		speed := math.Hypot(dx, dy)
		heading := math.Atan2(dy, dx)
		if i > 0 {
			before := c.Heading[i-1]
			heading = before + math.Remainder(heading-before, 2*math.Pi)
		}
		next := (piece + 1) % len(p.X)
		c.S, c.X, c.Y = append(c.S, s), append(c.X, x), append(c.Y, y)
		c.Heading = append(c.Heading, heading)
		c.Curvature = append(c.Curvature, (dx*ddy-dy*ddx)/(speed*speed*speed))
		c.Left = append(c.Left, p.Left[piece]+u*(p.Left[next]-p.Left[piece]))
		c.Right = append(c.Right, p.Right[piece]+u*(p.Right[next]-p.Right[piece]))
		c.Z, c.Slope, c.Bank = append(c.Z, 0), append(c.Slope, 0), append(c.Bank, 0)
		if z != nil {
			height, rise, _ := z.in(piece, u)
			c.Z[i], c.Slope[i] = height, math.Atan(rise/speed)
		}
		if bank != nil {
			c.Bank[i], _, _ = bank.in(piece, u)
		}
		pieces = append(pieces, piece)
	}
	if closed { // without the rounding of the search
		last := len(c.S) - 1
		c.X[last], c.Y[last], c.Z[last] = c.X[0], c.Y[0], c.Z[0]
		c.Curvature[last], c.Slope[last], c.Bank[last] = c.Curvature[0], c.Slope[0], c.Bank[0]
	}
	return c, pieces, nil
}

// folds refuses courses with a border beyond the centre of curvature.
func (p *Points) folds(c *Course, pieces []int) error {
	for i, k := range c.Curvature {
		if inner := c.inner(i); inner*math.Abs(k) >= 1 {
			return p.fault(pieces[i], "the borders fold: the inner one is %.4g m from the line, and the centre of "+
				"curvature is %.4g m away, %.4g m along the track; make the track narrower or the turn wider", inner,
				1/math.Abs(k), c.S[i])
		}
	}
	return nil
}

// inner is the distance from the line to the border on the inner side of its turn.
func (c *Course) inner(i int) float64 {
	if c.Curvature[i] > 0 {
		return c.Left[i]
	}
	return c.Right[i]
}
