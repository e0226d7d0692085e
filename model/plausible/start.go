package plausible

import (
	"skidpad/model/component"
	"skidpad/model/graph"
)

// start is where the vehicle is at the start and how it moves, both by the start values of one body.
type start struct {
	base     component.Component
	at       vector // of the root, in axes of ground
	axes     axes   // of the root in axes of ground
	point    vector // of the base, in axes of the root
	velocity vector // of that point, in axes of the root
	angular  vector // likewise
}

// start is nil where the vehicle starts as several bodies, or no body has the start values.
func (c *checker) start(trees graph.Selection) *start {
	g := c.scope.Graph()
	forest, err := graph.Select(g, trees)
	if err != nil {
		return nil // reported when the equations are made
	}
	var translation, turn *graph.Edge
	for d := graph.Translation; d <= graph.Rotation; d++ {
		for _, i := range forest.Branch[d] {
			e := &g.Edges[i]
			if e.From != graph.GroundFrame || e.Space.Free == nil || c.layout.poses[e.To] == nil {
				continue
			}
			place := e.Space.Free.Design
			switch {
			case place != nil && place.In != graph.GroundFrame: // starts with the body that has this frame
			case d == graph.Translation && translation == nil:
				translation = e
			case d == graph.Rotation && turn == nil:
				turn = e
			default:
				return nil
			}
		}
	}
	if translation == nil || turn == nil || translation.To != turn.To {
		return nil
	}
	base, t, r := c.layout.poses[translation.To], translation.Space.Free, turn.Space.Free
	own := axes{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for i, digit := range r.Sequence {
		unit := vector{}
		unit[int(digit-'1')] = 1
		own = own.times(about(unit, startOf(r.Coordinates[i], c.values)))
	}
	s := &start{base: c.scope.Find(translation.Owner.Name), point: base.at, axes: own.times(base.axes.transposed())}
	s.at = add(c.startsOf(t.Coordinates), scaled(s.axes.of(base.at), -1))
	s.velocity = s.inRoot(c.startsOf(t.Starts.Of), t.Starts.Along == graph.OfHead, base)
	s.angular = s.inRoot(c.startsOf(r.Starts.Of), r.Starts.Along == graph.OfHead, base)
	return s
}

func (c *checker) startsOf(list [3]graph.Coordinate) (v vector) {
	for i, x := range list {
		v[i] = startOf(x, c.values)
	}
	return v
}

// inRoot is a vector of the base or of ground in axes of the root.
func (s *start) inRoot(v vector, ofBase bool, base *pose) vector {
	if ofBase {
		return base.axes.of(v)
	}
	return s.axes.transposed().of(v)
}

// over maps a point in the root's axes to axes of ground.
func (s *start) over(at vector) vector { return add(s.at, s.axes.of(at)) }

// velocityOf is the velocity of a point fixed to the base, in axes of the root.
func (s *start) velocityOf(at vector) vector {
	return add(s.velocity, cross(s.angular, add(at, scaled(s.point, -1))))
}
