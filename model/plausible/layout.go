package plausible

import (
	"math"

	"skidpad/model/component"
	"skidpad/model/graph"
)

type (
	vector [3]float64
	axes   [3]vector // columns: the axes of a frame in axes of the root
)

// pose is where a frame is, in axes of the root.
type pose struct {
	at   vector
	axes axes
	by   *link // that leads to the frame from the side of the root; nil for the root
	back bool  // from the head of the link
}

// link connects two frames, with its coordinate at the start.
type link struct {
	name        string // of the component
	from, to    string
	translation *graph.Edge
	rotation    *graph.Edge // nil where the head turns freely
	start       float64     // of the coordinate
}

// layout has the positions of frames at the start, relative to the heaviest body. Frames that only rods, springs or
// tires hold are not in it.
type layout struct {
	root  string
	poses map[string]*pose
}

// layOut walks from the heaviest body along joints and arms.
func layOut(s *component.Scope, values map[string]float64) *layout {
	l, heaviest := &layout{poses: map[string]*pose{}}, -1.0
	for _, c := range component.All[component.Heavy](s) {
		if lump := c.Lump(); lump.Rigid && lump.Mass.Value > heaviest {
			l.root, heaviest = lump.Frame, lump.Mass.Value
		}
	}
	if l.root == "" {
		return l
	}
	l.poses[l.root] = &pose{axes: axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}
	links := linksOf(s.Graph(), values)
	for frames := []string{l.root}; len(frames) > 0; frames = frames[1:] {
		for _, k := range links[frames[0]] {
			other, back := k.to, false
			if other == frames[0] {
				other, back = k.from, true
			}
			if l.poses[other] == nil {
				l.poses[other] = l.poses[frames[0]].beyond(k, back)
				frames = append(frames, other)
			}
		}
	}
	return l
}

// linksOf lists the joints and arms of each frame. A part that moves freely from the ground has no link.
func linksOf(g *graph.Graph, values map[string]float64) map[string][]*link {
	byName, order := map[string]*link{}, []*link(nil)
	for i := range g.Edges {
		e := &g.Edges[i]
		if e.From == graph.GroundFrame || e.To == graph.GroundFrame || !e.Selectable() {
			continue
		}
		k := byName[e.Owner.Name]
		if k == nil {
			k = &link{name: e.Owner.Name, from: e.From, to: e.To}
			byName[e.Owner.Name] = k
			order = append(order, k)
		}
		if e.Domain == graph.Translation {
			k.translation = e
		} else {
			k.rotation = e
		}
		switch {
		case e.Space.Motion != nil && !e.Space.Motion.Prescribed:
			k.start = startOf(e.Space.Motion.Coordinate, values)
		case e.Space.Guide != nil:
			k.start = startOf(e.Space.Guide.Coordinate, values)
		}
	}
	links := map[string][]*link{}
	for _, k := range order {
		if k.translation != nil && k.translation.Space.Free == nil && k.rotation != nil {
			links[k.from] = append(links[k.from], k)
			links[k.to] = append(links[k.to], k)
		}
	}
	return links
}

// startOf is where a coordinate, or a speed, starts: at the value that is set, or that of the file.
func startOf(x graph.Coordinate, values map[string]float64) float64 {
	if value, set := values[x.Name]; set {
		return value
	}
	return x.Start.Value
}

// beyond is the pose of the frame on the other side of a link.
func (p *pose) beyond(k *link, back bool) *pose {
	offset, turn := k.offset(), k.turn()
	next := &pose{by: k, back: back}
	if !back {
		next.at, next.axes = add(p.at, p.axes.of(offset)), p.axes.times(turn)
		return next
	}
	next.axes = p.axes.times(turn.transposed())
	next.at = add(p.at, scaled(next.axes.of(offset), -1))
	return next
}

// offset is the head's place in axes of the tail.
func (k *link) offset() vector {
	s := k.translation.Space
	v := vector{s.Offset[0].Value, s.Offset[1].Value, s.Offset[2].Value}
	switch {
	case s.Motion != nil:
		v = add(v, scaled(s.Motion.Axis, k.start))
	case s.Guide != nil:
		for i, c := range s.Guide.Displacement {
			v[i] += along(c, k.start)
		}
	}
	return v
}

// along is the value of a course.
func along(c graph.Course, x float64) float64 {
	if c.Curve == nil {
		if !c.Own {
			x = 0
		}
	} else {
		x, _, _ = c.Curve.At(x)
	}
	if c.Negative {
		return -x
	}
	return x
}

// turn is the head's axes in axes of the tail.
func (k *link) turn() axes {
	s := k.rotation.Space
	t := axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for i, digit := range s.Sequence {
		unit := vector{}
		unit[int(digit-'1')] = 1
		t = t.times(about(unit, s.Angles[i].Value))
	}
	switch {
	case s.Motion != nil:
		t = t.times(about(s.Motion.Axis, k.start))
	case s.Guide != nil:
		for i, axis := range []vector{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}} {
			t = t.times(about(axis, along(s.Guide.Turns[i], k.start)))
		}
	}
	return t
}

// about is a turn about a unit vector.
func about(u vector, angle float64) axes {
	sin, cos := math.Sincos(angle)
	var t axes
	for i := range t {
		e := vector{}
		e[i] = 1
		t[i] = add(scaled(e, cos), add(scaled(u, (1-cos)*u[i]), scaled(cross(u, e), sin)))
	}
	return t
}

func (a axes) of(v vector) vector {
	return add(scaled(a[0], v[0]), add(scaled(a[1], v[1]), scaled(a[2], v[2])))
}

func (a axes) times(b axes) axes { return axes{a.of(b[0]), a.of(b[1]), a.of(b[2])} }

func (a axes) transposed() (t axes) {
	for i := range a {
		for j := range a {
			t[i][j] = a[j][i]
		}
	}
	return t
}

func add(a, b vector) vector { return vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func scaled(a vector, x float64) vector { return vector{a[0] * x, a[1] * x, a[2] * x} }

func cross(a, b vector) vector {
	return vector{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func dot(a, b vector) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
