package course

import (
	"math"
	"slices"
	"strings"
)

// sides are the words for the side of a cone, seen in the direction of the track, and colours that stand for them in
// Formula Student.
var sides = map[string]int{"left": 0, "blue": 0, "right": 1, "yellow": 1}

var sideNames = [2]string{"left", "right"}

const (
	leastCones = 5    // of a side
	mostCones  = 5000 // of a file
	// A chain of cones goes on with the cone for which distance*(1 + (turn/preferred)^2) is least.
	preferred = math.Pi / 4
	sharp     = 5 * math.Pi / 9 // largest turn from one cone to the next [rad]
	gap       = 3.0             // largest distance of two cones, times the median of distances to the nearest cone
)

// cones are the cones of one side.
type cones struct {
	side  int
	x, y  []float64
	lines []int // of the file
}

// lane is the line between the cones of both sides. Its first point is between the first cone of each side in the file,
// and it leads away from there with the left cone on its left. The other cones can have any order.
func (r *reader) lane(text []byte) (*Points, error) {
	p := &Points{File: r.file, Lines: r.lines, Counts: aLine, Opening: anOpenLine}
	of := [2]cones{{side: 0}, {side: 1}}
	for i, side := range r.sides {
		c := &of[side]
		c.x, c.y, c.lines = append(c.x, r.values["x"][i]), append(c.y, r.values["y"][i]), append(c.lines, r.lines[i])
	}
	for i := range of {
		if n := len(of[i].x); n < leastCones {
			return nil, p.file("%d cones on the %s side; a track has at least %d on each side", n, sideNames[i], leastCones)
		}
	}
	if len(r.lines) > mostCones {
		return nil, p.file("%d cones; at most %d are possible", len(r.lines), mostCones)
	}
	across := math.Atan2(of[0].y[0]-of[1].y[0], of[0].x[0]-of[1].x[0])
	closed := [2]bool{}
	for i := range of {
		var err error
		if closed[i], err = of[i].chain(p, across-math.Pi/2); err != nil {
			return nil, err
		}
	}
	if closed[0] != closed[1] {
		return nil, p.file("the cones on the left side are %s, the cones on the right side %s; both sides begin and end "+
			"together", words(closed[0]), words(closed[1]))
	}
	p.between(&of[0], &of[1], closed[0])
	p.comments(text)
	return p, nil
}

func words(closed bool) string {
	if closed {
		return "a ring"
	}
	return "a line with two ends"
}

// chain puts the cones into the order of the track, from the first one on. It reports whether they are a ring.
func (c *cones) chain(p *Points, direction float64) (closed bool, err error) {
	n := len(c.x)
	away := func(i, k int) float64 { return math.Hypot(c.x[k]-c.x[i], c.y[k]-c.y[i]) }
	nearest := make([]float64, n)
	for i := range n {
		nearest[i] = math.Inf(1)
		for k := range n {
			if k != i {
				nearest[i] = min(nearest[i], away(i, k))
			}
		}
	}
	slices.Sort(nearest)
	most := gap * nearest[n/2]
	order, used := []int{0}, make([]bool, n)
	used[0] = true
	// cost is the cost of cone k after cone i and a direction, infinite where the cone is too far away
	cost := func(i, k int, direction float64) (cost, new float64) {
		new = math.Atan2(c.y[k]-c.y[i], c.x[k]-c.x[i])
		turn := math.Abs(math.Remainder(new-direction, 2*math.Pi))
		d := away(i, k)
		if turn > sharp || d > most {
			return math.Inf(1), new
		}
		return d * (1 + turn*turn/(preferred*preferred)), new
	}
	for {
		at, next, least, turned := order[len(order)-1], -1, math.Inf(1), 0.0
		for k := range n {
			if used[k] {
				continue
			}
			if x, new := cost(at, k, direction); x < least {
				next, least, turned = k, x, new
			}
		}
		back, home := cost(at, 0, direction)
		if len(order) > 2 && back < least && math.Abs(math.Remainder(home-direction, 2*math.Pi)) <= sharpest {
			closed = true
			break
		}
		if next < 0 {
			break
		}
		order, used[next], direction = append(order, next), true, turned
	}
	if left := slices.Index(used, false); left >= 0 {
		end := order[len(order)-1]
		return false, p.file("the cones on the %s side are a chain from line %d to line %d, which does not reach the cone "+
			"of line %d; the next cone is at most %.3g m away, 3 times the usual distance, and the chain turns by at most 100 "+
			"degrees there; add or remove cones", sideNames[c.side], c.lines[0], c.lines[end], c.lines[left], most)
	}
	sorted := cones{side: c.side}
	for _, i := range order {
		sorted.x, sorted.y = append(sorted.x, c.x[i]), append(sorted.y, c.y[i])
		sorted.lines = append(sorted.lines, c.lines[i])
	}
	*c = sorted
	return closed, nil
}

// between makes the points of the middle line: in the middle of the shortest ties from side to side that make triangles
// of the lane. The width on each side is the distance to the straight lines between the cones.
func (p *Points) between(left, right *cones, closed bool) {
	a, b := len(left.x), len(right.x)
	if closed { // the first cones are there again
		left.x, left.y = append(left.x, left.x[0]), append(left.y, left.y[0])
		right.x, right.y = append(right.x, right.x[0]), append(right.y, right.y[0])
		left.lines, right.lines = append(left.lines, left.lines[0]), append(right.lines, right.lines[0])
	} else {
		a, b = a-1, b-1
	}
	p.Lines = nil
	tie := func(i, k int) float64 { return math.Hypot(left.x[i]-right.x[k], left.y[i]-right.y[k]) }
	for i, k := 0, 0; ; {
		p.X, p.Y = append(p.X, (left.x[i]+right.x[k])/2), append(p.Y, (left.y[i]+right.y[k])/2)
		p.Lines = append(p.Lines, left.lines[i])
		switch {
		case i == a && k == b:
			p.Left, p.Right = left.distances(p), right.distances(p)
			p.Ends = Open
			if closed {
				p.Ends = Closed
			}
			return
		case i == a || k < b && tie(i, k+1) < tie(i+1, k):
			k++
		default:
			i++
		}
	}
}

// distances returns the distances of points from the straight lines between the cones.
func (c *cones) distances(p *Points) []float64 {
	list := make([]float64, len(p.X))
	for i := range list {
		list[i] = math.Inf(1)
		for k := 1; k < len(c.x); k++ {
			dx, dy := c.x[k]-c.x[k-1], c.y[k]-c.y[k-1]
			rx, ry := p.X[i]-c.x[k-1], p.Y[i]-c.y[k-1]
			along := min(max((rx*dx+ry*dy)/(dx*dx+dy*dy), 0), 1)
			list[i] = min(list[i], math.Hypot(rx-along*dx, ry-along*dy))
		}
	}
	return list
}

// side is the side of a cone by its word.
func (r *reader) side(field int, text string) error {
	side, is := sides[strings.ToLower(strings.TrimSpace(text))]
	if !is {
		return r.fault(field, "%s is no side of a cone; it is left (blue) or right (yellow), seen in the direction of the "+
			"track", quoted(text))
	}
	r.sides = append(r.sides, side)
	return nil
}
