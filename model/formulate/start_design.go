package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// startInDesign gives free bodies with a place in the design position the start values that the file lacks. A body
// starts at its place in the design frame, unrotated and at rest in the frame. The parameters of these start values are
// differences from the design position: lengths in axes of the design frame, angles, and speeds. The map has the start
// values of all states.
func (f *Formulation) startInDesign(start map[*expr.Expr]*expr.Expr) {
	for _, speeds := range []bool{false, true} {
		for edge := range f.Forest.Graph.Edges {
			states, e := f.speedIndex[edge], &f.Forest.Graph.Edges[edge]
			if len(states) == 0 || e.Space.Free == nil || e.Space.Free.Design == nil {
				continue
			}
			design := f.node(e.Space.Free.Design.In)
			if f.carries(edge, design) {
				f.reject(e.Owner.Pos, "%s has its place in the design position in the frame %s, which it carries; name another "+
					"frame in design_in", e.Owner.Name, e.Space.Free.Design.In)
				return
			}
			list, first, given := f.Coordinates, 0, startsOf(e)
			if speeds {
				list, first = f.Speeds, len(states)
			}
			var moved [3]*expr.Expr
			for j, k := range states {
				if moved[j] = start[list[k].Symbol]; given[first+j].Name != "" {
					moved[j] = f.Pool.Int(0)
				}
			}
			values := f.inDesign(e, design, moved)
			if speeds {
				values = f.withDesign(e, design, moved)
			}
			memo, follows := map[*expr.Expr]*expr.Expr{}, map[*expr.Expr]*expr.Expr{}
			for j, k := range states {
				if given[first+j].Name == "" {
					follows[list[k].Symbol] = f.define("design_"+list[k].Name, substitute(f.Pool, values[j], start, memo))
				}
			}
			for symbol, value := range follows {
				start[symbol] = value
			}
		}
	}
}

// carries reports whether a branch moves a node.
func (f *Formulation) carries(edge, node int) bool {
	for d := graph.Translation; d <= graph.Rotation; d++ {
		if slices.ContainsFunc(f.Forest.Path(d, graph.Ground, node), func(s graph.Signed) bool { return s.Edge == edge }) {
			return true
		}
	}
	return false
}

// inDesign are the coordinates of a free edge of a rigid body at its place in a frame, moved by lengths along axes of
// the frame or by angles.
func (f *Formulation) inDesign(e *graph.Edge, design int, moved [3]*expr.Expr) []*expr.Expr {
	p, own, tail := f.Pool, f.axesOf(design), f.axesOf(e.Tail)
	if e.Domain == graph.Rotation {
		q := f.anglesBetween(design, e.Tail, e.Space.Free.Sequence)
		for j := range q {
			q[j] = p.Add(q[j], moved[j])
		}
		return q
	}
	place := f.vector(own, e.Owner.Name+".design", "m", e.Space.Free.Design.Offset)
	offset := p.AddV(place, expr.Vector{Frame: own, X: moved})
	r := p.AddV(f.Across(e.Tail, design, Position, tail), f.resolve(offset, tail))
	return r.X[:]
}

// withDesign are the start speeds of a free edge of a rigid body. The body moves as if fixed to a frame; more is added,
// in axes of the body.
func (f *Formulation) withDesign(e *graph.Edge, design int, more [3]*expr.Expr) []*expr.Expr {
	p, own := f.Pool, f.axesOf(e.Head)
	v := f.AcrossRotation(e.Tail, design, Velocity, own)
	if e.Domain == graph.Translation {
		v = p.AddV(f.Across(e.Tail, design, Velocity, own), p.Cross(v, f.Across(design, e.Head, Position, own)))
	}
	v = p.AddV(v, expr.Vector{Frame: own, X: more})
	return v.X[:]
}
