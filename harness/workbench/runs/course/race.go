package course

import (
	"fmt"
	"math"
)

// LeastCurvature is the line within the borders with the least integral of the squared curvature over its length, for a
// car of a width that stays a margin away from the borders [m]. Its borders are those of the track, seen from the line.
//
// The line has a point on the normal of each point of the course, at an offset e to the left. The integral is the sum
// of theta^2/w, with theta the angle between two chords and w half of their length. Its Gauss-Newton model, a quadratic
// programme with bounds of e, is solved by an interior-point method until e changes by less than 0.1 mm; a step goes as
// far as the sum falls. The matrix has two places beside its diagonal, round the ring for a closed course.
func (c *Course) LeastCurvature(width, margin float64) (*Course, error) {
	l := &offsets{course: c, n: len(c.S)}
	if c.Closed {
		l.n--
	}
	aside := width/2 + margin
	for i := range l.n {
		low, high := aside-c.Right[i], c.Left[i]-aside
		if !(high-low >= narrowest) {
			return nil, fmt.Errorf("track %s: a car of %.4g m with a margin of %.4g m on both sides does not fit into the %.4g "+
				"m between the borders %.4g m along the track; take a smaller margin", c.Name, width, margin,
				c.Left[i]+c.Right[i], c.S[i])
		}
		l.low, l.high = append(l.low, low), append(l.high, high)
		l.e = append(l.e, (low+high)/2)
	}
	l.solve()
	return l.line()
}

const (
	narrowest = 1e-3 // between the bounds of an offset [m]
	settled   = 1e-4 // change of an offset by a step that ends the search [m]
	mostSteps = 100
)

// offsets are the offsets of a line from a course, to the left [m].
type offsets struct {
	course       *Course
	n            int
	low, high, e []float64
}

// point is a point of the line for an offset from the course.
func (l *offsets) point(i int, e float64) (x, y float64) {
	sin, cos := math.Sincos(l.course.Heading[i])
	return l.course.X[i] - e*sin, l.course.Y[i] + e*cos
}

// residual is the root of the part of the integral at point i, with its derivatives by the offsets of the point before,
// the point and the next one. It is 0 at the ends of an open course.
func (l *offsets) residual(e []float64, i int) (r float64, by [3]float64) {
	if !l.course.Closed && (i == 0 || i == l.n-1) {
		return 0, by
	}
	before, after := (i+l.n-1)%l.n, (i+1)%l.n
	px, py := l.point(before, e[before])
	qx, qy := l.point(i, e[i])
	sx, sy := l.point(after, e[after])
	ax, ay, bx, byy := qx-px, qy-py, sx-qx, sy-qy
	a, b := math.Hypot(ax, ay), math.Hypot(bx, byy)
	theta := math.Atan2(ax*byy-ay*bx, ax*bx+ay*byy)
	w := (a + b) / 2
	root := math.Sqrt(w)
	r = theta / root
	// by the chords: the angle of a chord v changes by (-vy, vx)/v^2, its length by v/|v|
	rate := theta / (2 * w * root) / 2
	gax, gay := ay/(a*a)/root-rate*ax/a, -ax/(a*a)/root-rate*ay/a
	gbx, gby := -byy/(b*b)/root-rate*bx/b, bx/(b*b)/root-rate*byy/b
	normal := func(i int) (x, y float64) {
		sin, cos := math.Sincos(l.course.Heading[i])
		return -sin, cos
	}
	nx, ny := normal(before)
	by[0] = -gax*nx - gay*ny
	nx, ny = normal(i)
	by[1] = (gax-gbx)*nx + (gay-gby)*ny
	nx, ny = normal(after)
	by[2] = gbx*nx + gby*ny
	return r, by
}

// integral is the integral of the squared curvature [1/m].
func (l *offsets) integral(e []float64) (sum float64) {
	for i := range l.n {
		r, _ := l.residual(e, i)
		sum += r * r
	}
	return sum
}

// solve finds the offsets.
func (l *offsets) solve() {
	now := l.integral(l.e)
	for range mostSteps {
		change := l.step(now)
		most := 0.0
		for _, d := range change {
			most = max(most, math.Abs(d))
		}
		for share := 1.0; ; share /= 2 {
			if most*share < settled {
				return
			}
			next := make([]float64, l.n)
			for i := range next {
				next[i] = l.e[i] + share*change[i]
			}
			if then := l.integral(next); then < now {
				l.e, now = next, then
				break
			}
		}
	}
}

// step is the change of the offsets by the quadratic model: the least of (r + J d)^2 with low <= e + d <= high.
func (l *offsets) step(now float64) []float64 {
	n := l.n
	jacobian, gradient := make([][3]float64, n), make([]float64, n)
	for i := range n {
		r, by := l.residual(l.e, i)
		jacobian[i] = by
		for at, d := range by {
			gradient[(i-1+at+n)%n] += d * r
		}
	}
	product := func(d []float64) []float64 { // J' J d
		list := make([]float64, n)
		for i := range n {
			sum := 0.0
			for at, by := range jacobian[i] {
				sum += by * d[(i-1+at+n)%n]
			}
			for at, by := range jacobian[i] {
				list[(i-1+at+n)%n] += by * sum
			}
		}
		return list
	}
	hessian := newRing(n)
	for i := range n {
		for at, by := range jacobian[i] {
			for other := at; other < 3; other++ {
				*hessian.element((i-1+at+n)%n, (i-1+other+n)%n) += by * jacobian[i][other]
			}
		}
	}
	return quadratic{l.low, l.high, l.e, gradient, hessian, product}.least(now)
}

// quadratic is a convex quadratic function g d + d H d/2 of changes d with bounds of e + d.
type quadratic struct {
	low, high, e, gradient []float64
	hessian                *ring
	product                func(d []float64) []float64 // H d, with less rounding than by the hessian
}

// factors are the factors of H with more on its diagonal.
func (b quadratic) factors(diagonal []float64) *factors {
	for share := 0.0; ; share = max(1e-15, 10*share) { // rounding can make the matrix of a long line indefinite
		matrix := b.hessian.clone()
		for i, d := range diagonal {
			on := matrix.element(i, i)
			*on += d + share**on
		}
		if f, is := matrix.factorise(); is {
			return f
		}
	}
}

// least is where the function is least, by a primal-dual interior-point method (Nocedal and Wright, Numerical
// Optimization, 2006, section 16.6) from the middle of the bounds, until the duality gap is below a millionth of scale.
func (b quadratic) least(scale float64) []float64 {
	const (
		centring  = 0.1
		boundary  = 0.995 // share of the way to a bound
		accuracy  = 1e-6
		least     = 1e-12 // gap that counts as none [1/m]
		mostTimes = 100
	)
	n := len(b.e)
	d, below, above := make([]float64, n), make([]float64, n), make([]float64, n)
	gap := max(scale, least) / float64(2*n)
	for i := range n {
		d[i] = (b.low[i]+b.high[i])/2 - b.e[i]
		room := (b.high[i] - b.low[i]) / 2
		below[i], above[i] = gap/room, gap/room
	}
	diagonal, right := make([]float64, n), make([]float64, n)
	for range mostTimes {
		hd, sum := b.product(d), 0.0
		for i := range n {
			from, to := b.e[i]+d[i]-b.low[i], b.high[i]-b.e[i]-d[i]
			sum += below[i]*from + above[i]*to
		}
		if sum < accuracy*scale+least {
			break
		}
		target := centring * sum / float64(2*n)
		for i := range n {
			from, to := b.e[i]+d[i]-b.low[i], b.high[i]-b.e[i]-d[i]
			diagonal[i] = below[i]/from + above[i]/to
			right[i] = -hd[i] - b.gradient[i] + target/from - target/to
		}
		move := b.factors(diagonal).solve(right)
		primal, dual := 1.0, 1.0
		moveBelow, moveAbove := make([]float64, n), make([]float64, n)
		for i, m := range move {
			from, to := b.e[i]+d[i]-b.low[i], b.high[i]-b.e[i]-d[i]
			moveBelow[i] = target/from - below[i] - below[i]*m/from
			moveAbove[i] = target/to - above[i] + above[i]*m/to
			if m < 0 {
				primal = min(primal, -boundary*from/m)
			} else if m > 0 {
				primal = min(primal, boundary*to/m)
			}
			if moveBelow[i] < 0 {
				dual = min(dual, -boundary*below[i]/moveBelow[i])
			}
			if moveAbove[i] < 0 {
				dual = min(dual, -boundary*above[i]/moveAbove[i])
			}
		}
		for i, m := range move {
			d[i] += primal * m
			below[i] += dual * moveBelow[i]
			above[i] += dual * moveAbove[i]
		}
	}
	return d
}

// line is the line as a course in steps of the track.
func (l *offsets) line() (*Course, error) {
	c := l.course
	p := &Points{File: c.Name, Lines: make([]int, l.n)}
	for i, e := range l.e {
		x, y := l.point(i, e)
		p.X, p.Y, p.Z = append(p.X, x), append(p.Y, y), append(p.Z, c.Z[i]+e*math.Tan(c.Bank[i]))
		p.Left, p.Right = append(p.Left, c.Left[i]-e), append(p.Right, c.Right[i]+e)
		p.Bank = append(p.Bank, c.Bank[i])
	}
	line, _, err := p.course(c.Closed, Options{Step: c.S[1]})
	if err != nil {
		return nil, err
	}
	line.Name, line.Title, line.Smoothing, line.Moved, line.MovedAt = c.Name, c.Title, c.Smoothing, c.Moved, c.MovedAt
	return line, nil
}
