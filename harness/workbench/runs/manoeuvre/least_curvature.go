package manoeuvre

import (
	"cmp"
	"math"
	"slices"

	"skidpad/harness/workbench/results/figures"
	"skidpad/model/keys"
)

// leastCurvature is the path through the lanes of a track whose largest curvature is least, for a body that stays a
// margin [m] away from all borders. The path begins straight ahead at the origin, and goes straight ahead behind
// the track. false if there is none.
//
// The path is y(x) in steps, with a curvature y" that is constant in each and at most k. The pairs (y, y') to which the
// body can come with that k are a convex polygon at each x: that of the step before, moved by the step, widened by the
// curvatures from -k to k, and cut by the borders. The least k for which no polygon is empty is found by halving. Going
// back from a point of the last polygon, each step takes the least curvature that leads from a point of the polygon
// before.
func leastCurvature(track []figures.Section, body figures.Outline, margin float64) (*Path, bool) {
	l := reach{body: body, margin: margin, track: track}
	last := track[len(track)-1].To + body.Rear
	l.count = int(math.Ceil(last / step))
	const largest, halvings = 1.0, 25 // 1/m
	if l.polygons(largest) == nil {
		return nil, false
	}
	low, high := 0.0, largest
	for range halvings {
		middle := (low + high) / 2
		if l.polygons(middle) != nil {
			high = middle
		} else {
			low = middle
		}
	}
	return l.path(high), true
}

// step is the length of a step [m].
const step = 1.0

// reach finds what a body can reach on a track.
type reach struct {
	track  []figures.Section
	body   figures.Outline
	margin float64
	count  int // of steps
}

// state is an offset y [m] and a slope y' of a path.
type state [2]float64

// polygons are the states that can be reached before and after each step with curvatures up to k; nil if there is a
// step after which there are none.
func (l *reach) polygons(k float64) [][]state {
	list := [][]state{{{0, 0}}}
	const h = step
	for i := 1; i <= l.count; i++ {
		var moved []state
		for _, s := range list[i-1] {
			for _, u := range [2]float64{-k, k} {
				moved = append(moved, state{s[0] + s[1]*h + u*h*h/2, s[1] + u*h})
			}
		}
		polygon := distinct(l.cut(hull(moved), float64(i)*h))
		if len(polygon) == 0 {
			return nil
		}
		list = append(list, polygon)
	}
	return list
}

// cut leaves the states with which a body whose reference point is at x touches no border.
func (l *reach) cut(polygon []state, x float64) []state {
	aside := l.body.Width/2 + l.margin
	for i := range l.track {
		s := &l.track[i]
		from, to := max(-l.body.Rear, s.From-x), min(l.body.Front, s.To-x)
		if !s.Lane() || from > to {
			continue
		}
		for _, at := range [2]float64{from, to} { // of the body, ahead of its reference point
			polygon = below(polygon, 1, at, s.Left-aside)
			polygon = below(polygon, -1, -at, -s.Right-aside)
		}
	}
	return polygon
}

// tiny is the rounding of states that counts as none.
const tiny = 1e-12

// below leaves the part of a polygon with a y + b y' <= c.
func below(polygon []state, a, b, c float64) (list []state) {
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		dp, dq := a*p[0]+b*p[1]-c, a*q[0]+b*q[1]-c
		if dp <= tiny {
			list = append(list, p)
		}
		if dp > tiny != (dq > tiny) {
			share := dp / (dp - dq)
			list = append(list, state{p[0] + share*(q[0]-p[0]), p[1] + share*(q[1]-p[1])})
		}
	}
	return list
}

// distinct leaves one of corners that are nearly the same: the side between them has no direction.
func distinct(polygon []state) (list []state) {
	const near = 1e-9
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		if len(polygon) == 1 || math.Abs(p[0]-q[0])+math.Abs(p[1]-q[1]) > near {
			list = append(list, p)
		}
	}
	if list == nil && len(polygon) > 0 {
		list = polygon[:1]
	}
	return list
}

// hull is the convex polygon around states, counterclockwise.
func hull(all []state) []state {
	slices.SortFunc(all, func(a, b state) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	half := func(list []state) (chain []state) {
		for _, p := range list {
			for n := len(chain); n >= 2; n = len(chain) {
				a, b := chain[n-2], chain[n-1]
				if (b[0]-a[0])*(p[1]-a[1])-(b[1]-a[1])*(p[0]-a[0]) > 0 {
					break
				}
				chain = chain[:n-1]
			}
			chain = append(chain, p)
		}
		return chain
	}
	lower := half(all)
	slices.Reverse(all)
	upper := half(all)
	return append(lower[:len(lower)-1], upper[:len(upper)-1]...)
}

// path is a path with curvatures up to k.
func (l *reach) path(k float64) *Path {
	polygons := l.polygons(k)
	const h = step
	var at state // after the last step: the middle
	for _, s := range polygons[l.count] {
		at[0], at[1] = at[0]+s[0]/float64(len(polygons[l.count])), at[1]+s[1]/float64(len(polygons[l.count]))
	}
	y := make([]float64, l.count+1)
	y[l.count] = at[0]
	for i := l.count; i > 0; i-- {
		before := func(u float64) state {
			slope := at[1] - u*h
			return state{at[0] - slope*h - u*h*h/2, slope}
		}
		from, to := -k, k
		polygon := polygons[i-1]
		for n, p := range polygon { // inside is to the left of every side
			q := polygon[(n+1)%len(polygon)]
			side := func(s state) float64 { return (q[0]-p[0])*(s[1]-p[1]) - (q[1]-p[1])*(s[0]-p[0]) }
			a, b := side(before(-k)), side(before(k))
			if a < 0 && b > a {
				from = max(from, -k+2*k*min(1, -a/(b-a)))
			}
			if b < 0 && a > b {
				to = min(to, -k+2*k*max(0, a/(a-b)))
			}
		}
		at = before(min(max(0, from), to))
		y[i-1] = at[0]
	}
	y[0] = 0 // where all begin
	p := &Path{StraightAhead: true, Curvature: k}
	for i := range y {
		p.X, p.Y = append(p.X, float64(i)*h), append(p.Y, y[i])
	}
	return p
}

// averaged are the means over as many values to both sides, with the ends as points of symmetry. The curvature of a
// path changes evenly then, and the path is moved by k (w/2)^2/6 at most, for a curvature k and a transition w.
func averaged(y []float64, aside int) []float64 {
	last := len(y) - 1
	aside = min(aside, last)
	at := func(i int) float64 {
		switch {
		case i < 0:
			return 2*y[0] - y[-i]
		case i > last:
			return 2*y[last] - y[2*last-i]
		}
		return y[i]
	}
	list := make([]float64, len(y))
	for i := range list {
		for k := i - aside; k <= i+aside; k++ {
			list[i] += at(k)
		}
		list[i] /= float64(2*aside + 1)
	}
	return list
}

var leastCurvatureKeys = []keys.Key{
	{Name: "margin", Unit: "m", Text: "distance of the body from all borders", Nonnegative: true},
	{Name: "transition", Unit: "m", Default: "0", Nonnegative: true,
		Text: "way over which the curvature changes, for which the path leaves the margin a little"},
	key("body_front", number, "m", "front of the body ahead of its reference point"),
	key("body_rear", number, "m", "rear of the body behind it"),
	above0("body_width", "m", "width of the body"),
}

// leastCurvature reads a path of that kind.
func (r *manoeuvreReader) leastCurvature(f *keys.Fields, track []figures.Section) *Path {
	if len(track) == 0 {
		f.FaultOfTable("a path of least curvature needs a table [track]")
		return nil
	}
	body := figures.Outline{Front: f.Number("body_front"), Rear: f.Number("body_rear"), Width: f.Number("body_width")}
	margin := f.Number("margin")
	for _, s := range track {
		if free := s.Left - s.Right - body.Width - 2*margin; s.Lane() && !(free > 0) {
			f.FaultOfTable("a body of %g m with a margin of %g m on both sides does not fit into a lane of %g m", body.Width,
				margin, s.Left-s.Right)
			return nil
		}
	}
	path, is := leastCurvature(track, body, margin)
	if !is {
		f.FaultOfTable("no path leads the body through the track")
		return nil
	}
	path.Y = averaged(path.Y, int(math.Round(f.Number("transition")/step/2)))
	return path
}
