package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// startInDesign gives free bodies with a place in the design position their start values, except those of the file: a
// body starts at its place in the design frame, unrotated and at rest in it. The map has the start values of all
// states.
func (f *Formulation) startInDesign(start map[*expr.Expr]*expr.Expr) {
	p := f.Pool
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
		memo := map[*expr.Expr]*expr.Expr{}
		at := func(e *expr.Expr) *expr.Expr { return substitute(p, e, start, memo) }
		q, v := f.inDesign(e, design)
		given := startsOf(e)
		follows := map[*expr.Expr]*expr.Expr{}
		for j, k := range states {
			if _, is := given[j]; !is {
				follows[f.Coordinates[k].Symbol] = f.define("design_"+f.Coordinates[k].Name, at(q[j]))
			}
			if _, is := given[len(states)+j]; !is {
				follows[f.Speeds[k].Symbol] = f.define("design_"+f.Speeds[k].Name, at(v[j]))
			}
		}
		for symbol, value := range follows {
			start[symbol] = value
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

// inDesign are the coordinates and speeds of a free edge of a rigid body that moves as if fixed to a frame, at its
// place
// there. The start speeds of rigid bodies are components in axes of the body, which are parallel to the frame's.
func (f *Formulation) inDesign(e *graph.Edge, design int) (q, v []*expr.Expr) {
	p, free, own := f.Pool, e.Space.Free, f.axesOf(design)
	offset := f.vector(own, e.Owner.Name+".design", "m", free.Design.Offset)
	turn := f.AcrossRotation(e.Tail, design, Velocity, own)
	if e.Domain == graph.Rotation {
		return f.anglesBetween(design, e.Tail, free.Sequence), turn.X[:]
	}
	tail := f.axesOf(e.Tail)
	r := p.AddV(f.Across(e.Tail, design, Position, tail), f.resolve(offset, tail))
	u := p.AddV(f.Across(e.Tail, design, Velocity, own), p.Cross(turn, offset))
	return r.X[:], u.X[:]
}
