package road

import (
	"fmt"
	"math"
)

// referenceLine is the line along which a curved regular grid lies: points at equal distances du of u, joined by
// chords. At a point the borders of both chords meet in the bisector of their normals. Before the first and behind the
// last point the line continues straight, unless it is closed (ASAM OpenCRG 1.2, chapters 3.1 and 3.4.2).
type referenceLine struct {
	u0, du      float64 // u of the first point, and from point to point [m]
	x, y        []float64
	right, left float64 // borders of the grid [m], v from right to left
	closure     closure
	blocks      []block
}

// closure says how the ends of a line belong together.
type closure struct {
	joined         bool    // the last point is the first
	before, behind float64 // lengths of the straight extensions of both ends [m]; 0 without extensions
}

func (c *closure) extended() bool { return c.before+c.behind > 0 }

func (c *closure) closed() bool { return c.joined || c.extended() }

// block is a circle around some chords with their part of the grid.
type block struct {
	first, last int // chords
	x, y, r     float64
}

// lineCoordinates are a place relative to a reference line, with the gradients of u and v by x and y.
type lineCoordinates struct {
	u, v           float64
	ux, uy, vx, vy float64
	chord          int // from its point to the next one
}

// length returns the length of the line from its first point to its last one [m].
func (l *referenceLine) length() float64 { return float64(float64(len(l.x)-1) * l.du) }

// period is the length after which a closed line is where it was.
func (l *referenceLine) period() float64 { return l.closure.before + l.length() + l.closure.behind }

// sharpestClosure is the cosine of the largest angle between the ends of a closed line. The C library of the format has
// the same limit (crgCalcUtilityData of version 1.2).
const sharpestClosure = 0.5

// close closes the line, either because its last point is its first one, or by straight extensions of both ends.
func (l *referenceLine) close() error {
	n := len(l.x)
	gapX, gapY := l.x[0]-l.x[n-1], l.y[0]-l.y[n-1] // from the end to the beginning
	gap := math.Hypot(gapX, gapY)
	switch {
	case n < 4:
		return fmt.Errorf("REFLINE_CONTINUATION is 1; a closed track has 4 cross-sections or more, not %d", n)
	case gap <= 1e-2*l.du:
		l.closure.joined = true
		return nil
	}
	unit := func(from, to int) (x, y float64) {
		x, y = l.x[to]-l.x[from], l.y[to]-l.y[from]
		c := math.Hypot(x, y)
		return x / c, y / c
	}
	beginX, beginY := unit(0, 1)
	endX, endY := unit(n-2, n-1)
	cos, sin := beginX*endX+beginY*endY, endX*beginY-endY*beginX
	if cos <= sharpestClosure {
		return fmt.Errorf("REFLINE_CONTINUATION is 1, but the end of the reference line and its beginning, %.3g m "+
			"apart, differ in direction by %.3g degrees; up to 60 degrees are closed", gap,
			math.Abs(math.Atan2(sin, cos))*180/math.Pi)
	}
	// along each end, the distance to the other point
	behind, before := gapX*endX+gapY*endY, gapX*beginX+gapY*beginY
	if !(behind > 0 && before > 0) {
		return fmt.Errorf("REFLINE_CONTINUATION is 1, but the end of the reference line overlaps its beginning: their "+
			"points are %.3g m apart, and the first point lies %.3g m behind the last cross-section; take the "+
			"cross-sections out that are there twice", gap, min(behind, before))
	}
	l.closure.before, l.closure.behind = behind/2, before/2 // as in the C library
	if math.Abs(sin) <= 1e-6 {                              // parallel
		return nil
	}
	// where both straight lines meet, if that is between the points
	fromEnd, fromBegin := (gapX*beginY-gapY*beginX)/sin, (gapY*endX-gapX*endY)/sin
	if fromEnd >= 0 && fromBegin >= 0 {
		l.closure.before, l.closure.behind = fromBegin, fromEnd
	}
	return nil
}

// direction returns the direction of the line at point i, normal to the border there: the sum of both chords.
func (l *referenceLine) direction(i int) (x, y float64) {
	before, after := i-1, i+1
	n := len(l.x)
	switch {
	case l.closure.joined && (i == 0 || i == n-1):
		return l.x[n-1] - l.x[n-2] + l.x[1] - l.x[0], l.y[n-1] - l.y[n-2] + l.y[1] - l.y[0]
	case i == 0:
		before = 0
	case i == n-1:
		after = n - 1
	}
	return l.x[after] - l.x[before], l.y[after] - l.y[before]
}

// signedBorderDistance is positive for a place behind the border of the chords that meet in point i.
func (l *referenceLine) signedBorderDistance(i int, x, y float64) float64 {
	mx, my := l.direction(i)
	return float64((x-l.x[i])*mx) + float64((y-l.y[i])*my)
}

// behindSeam is positive for a place behind the seam, the border between both straight extensions.
func (l *referenceLine) behindSeam(x, y float64) float64 {
	n := len(l.x)
	bx, by, ex, ey := l.x[1]-l.x[0], l.y[1]-l.y[0], l.x[n-1]-l.x[n-2], l.y[n-1]-l.y[n-2]
	before, behind := l.closure.before/l.du, l.closure.behind/l.du
	// the ends meet there, or pass each other in parallel
	mx := (l.x[0] - float64(before*bx) + l.x[n-1] + float64(behind*ex)) / 2
	my := (l.y[0] - float64(before*by) + l.y[n-1] + float64(behind*ey)) / 2
	return float64((x-mx)*(bx+ex)) + float64((y-my)*(by+ey))
}

// leaves returns -1 for a place before the borders of a chord, 1 for one behind them, and 0 for one between. The first
// and the last chord of a line that is not closed have no borders towards its ends.
func (l *referenceLine) leaves(k int, x, y float64) int {
	switch last := len(l.x) - 2; {
	case (k > 0 || l.closure.joined) && !(l.signedBorderDistance(k, x, y) >= 0):
		return -1
	case (k < last || l.closure.joined) && !(l.signedBorderDistance(k+1, x, y) < 0):
		return 1
	case !l.closure.extended() || k > 0 && k < last:
		return 0
	case k == 0 && !(l.behindSeam(x, y) >= 0):
		return -1
	case k == last && !(l.behindSeam(x, y) < 0):
		return 1
	}
	return 0
}

// on returns the coordinates of a place in the part of the grid of a chord. v is the distance from the chord; u goes
// from border to border in proportion to the distances along the chord.
func (l *referenceLine) on(k int, x, y float64) lineCoordinates {
	cx, cy := l.x[k+1]-l.x[k], l.y[k+1]-l.y[k]
	c := math.Sqrt(float64(cx*cx) + float64(cy*cy))
	p := lineCoordinates{vx: -cy / c, vy: cx / c, chord: k}
	p.v = float64((x-l.x[k])*p.vx) + float64((y-l.y[k])*p.vy)
	if !l.closure.joined {
		// before the first and behind the last point: extrapolated linearly
		along := (float64((x-l.x[k])*cx) + float64((y-l.y[k])*cy)) / c
		if k == 0 && along < 0 {
			p.u, p.ux, p.uy = l.u0+along, cx/c, cy/c
			return p
		}
		if k == len(l.x)-2 && along > c {
			p.u, p.ux, p.uy = l.u0+l.length()+along-c, cx/c, cy/c
			return p
		}
	}
	ax, ay := l.direction(k)
	bx, by := l.direction(k + 1)
	a, b := float64(ax*cx)+float64(ay*cy), float64(bx*cx)+float64(by*cy)
	ax, ay, bx, by = ax/a, ay/a, bx/b, by/b
	ta := float64((x-l.x[k])*ax) + float64((y-l.y[k])*ay)
	tb := float64((l.x[k+1]-x)*bx) + float64((l.y[k+1]-y)*by)
	sum := ta + tb
	if !(sum > 0) { // beyond the centre of curvature, where the borders have crossed
		p.u = l.u0 + float64((float64(k)+0.5)*l.du)
		return p
	}
	p.u = l.u0 + float64((float64(k)+ta/sum)*l.du)
	s := l.du / (sum * sum)
	p.ux, p.uy = s*(float64(ax*tb)+float64(bx*ta)), s*(float64(ay*tb)+float64(by*ta))
	return p
}

// inside reports whether a place is on the grid.
func (l *referenceLine) inside(p *lineCoordinates) bool {
	return p.v >= l.right && p.v <= l.left && (l.closure.closed() || p.u >= l.u0 && p.u <= l.u0+l.length())
}

// steps bounds the search from chord to chord.
const steps = 64

// chord returns the chord at u.
func (l *referenceLine) chord(u float64) int {
	return int(max(0, min(float64(len(l.x)-2), (u-l.u0)/l.du)))
}

// walk goes from chord to chord until one holds the place.
func (l *referenceLine) walk(k int, x, y float64) (chord int, found bool) {
	last, turned := len(l.x)-2, 0
	for range steps {
		step := l.leaves(k, x, y)
		if step == 0 {
			return k, true
		}
		if turned == -step {
			return k, false
		}
		turned = step
		k = (k + step + last + 1) % (last + 1)
	}
	return k, false
}

// search looks at all chords. Where the grid lies over itself, the place of the least rank counts;
// beside the grid the nearest point of the line does.
func (l *referenceLine) search(x, y float64, rankOf func(p lineCoordinates) float64) lineCoordinates {
	var best lineCoordinates
	width := max(math.Abs(l.right), math.Abs(l.left))
	rank := math.Inf(1)
	for i := range l.blocks {
		b := &l.blocks[i]
		if math.Hypot(x-b.x, y-b.y) > b.r+width {
			continue
		}
		for k := b.first; k <= b.last; k++ {
			if l.leaves(k, x, y) != 0 {
				continue
			}
			if p := l.on(k, x, y); l.inside(&p) {
				if r := rankOf(p); r < rank {
					best, rank = p, r
				}
			}
		}
	}
	if rank < math.Inf(1) {
		return best
	}
	for i := range l.blocks {
		b := &l.blocks[i]
		if math.Hypot(x-b.x, y-b.y)-b.r > rank {
			continue
		}
		for k := b.first; k <= b.last; k++ {
			cx, cy := l.x[k+1]-l.x[k], l.y[k+1]-l.y[k]
			along, square := float64((x-l.x[k])*cx)+float64((y-l.y[k])*cy), float64(cx*cx)+float64(cy*cy)
			share := max(0, min(1, along/square))
			if r := math.Hypot(x-l.x[k]-float64(share*cx), y-l.y[k]-float64(share*cy)); r < rank {
				best.chord, rank = k, r
			}
		}
	}
	k, _ := l.walk(best.chord, x, y)
	return l.on(k, x, y)
}

// arrange prepares the search.
func (l *referenceLine) arrange() {
	chords := len(l.x) - 1
	size := max(16, int(math.Sqrt(float64(chords))))
	for first := 0; first < chords; first += size {
		b := block{first: first, last: min(first+size, chords) - 1}
		lowX, highX, lowY, highY := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for i := b.first; i <= b.last+1; i++ {
			lowX, highX = min(lowX, l.x[i]), max(highX, l.x[i])
			lowY, highY = min(lowY, l.y[i]), max(highY, l.y[i])
		}
		b.x, b.y, b.r = (lowX+highX)/2, (lowY+highY)/2, math.Hypot(highX-lowX, highY-lowY)/2
		l.blocks = append(l.blocks, b)
	}
}

// check refuses lines along which no place can be found.
func (l *referenceLine) check() error {
	for i := 1; i < len(l.x); i++ {
		cx, cy := l.x[i]-l.x[i-1], l.y[i]-l.y[i-1]
		if c := math.Hypot(cx, cy); !(math.Abs(c-l.du) <= 0.1*l.du) {
			return fmt.Errorf("the points %d and %d of the reference line are %g m apart, not %g m; are its "+
				"coordinates too large for its increment?", i, i+1, c, l.du)
		}
		if i > 1 && cx*(l.x[i-1]-l.x[i-2])+cy*(l.y[i-1]-l.y[i-2]) <= 0 {
			return fmt.Errorf("the reference line turns by 90 degrees or more at its point %d", i)
		}
	}
	return nil
}

// describeFolds describes where the grid is wider than the radius of the line, if it is anywhere: there
// cross-sections meet, and places belong to several of them.
func (l *referenceLine) describeFolds() string {
	count, first, tightest := 0, 0, 0.0
	for i := 1; i < len(l.x)-1; i++ {
		ax, ay, bx, by := l.x[i]-l.x[i-1], l.y[i]-l.y[i-1], l.x[i+1]-l.x[i], l.y[i+1]-l.y[i]
		curvature := (ax*by - ay*bx) / (l.du * l.du * l.du)
		if curvature*l.left < 1 && curvature*l.right < 1 {
			continue
		}
		if count == 0 {
			first = i
		}
		if count++; math.Abs(curvature) > math.Abs(tightest) {
			tightest = curvature
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("the grid folds at %d of %d cross-sections, first at u = %g m: its borders at v = %g m and "+
		"%g m reach beyond the centre of curvature, which is as near as %.3g m", count, len(l.x),
		l.u0+float64(first)*l.du, l.right, l.left, 1/tightest)
}

// point returns the place at u and v, and the direction of the line there [rad].
func (l *referenceLine) point(u, v float64) (x, y, heading float64) {
	k := l.chord(u)
	cx, cy := l.x[k+1]-l.x[k], l.y[k+1]-l.y[k]
	c := math.Hypot(cx, cy)
	share := (u-l.u0)/l.du - float64(k)
	// where the line parallel to the chord meets the borders
	border := func(i int) (x, y float64) {
		mx, my := l.direction(i)
		s := v * c / (mx*cx + my*cy)
		return l.x[i] - s*my, l.y[i] + s*mx
	}
	x0, y0 := border(k)
	x1, y1 := border(k + 1)
	heading = math.Atan2(cy, cx)
	switch {
	case share < 0:
		return x0 + share*l.du*cx/c, y0 + share*l.du*cy/c, heading
	case share > 1:
		return x1 + (share-1)*l.du*cx/c, y1 + (share-1)*l.du*cy/c, heading
	}
	return x0 + share*(x1-x0), y0 + share*(y1-y0), heading
}
