package formulate

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// starts gives every state its start value. Start values are given in the
// coordinates of one tree (startForest); the states of another tree are found
// from them by the across variables between the frames, so that they meet the
// constraints whatever the user sets.
func (f *Formulation) starts(first bool) {
	p := f.Pool
	reference, err := f.reference(first)
	if err != nil {
		f.fail(err)
		return
	}
	start := map[*expr.Expr]*expr.Expr{}
	for _, list := range [][]State{reference.Speeds, reference.Coordinates, f.Internal} {
		for _, s := range list {
			if s.begin != nil {
				start[s.Symbol] = s.begin
				continue
			}
			name, unit := s.Name, s.Unit
			if s.startName != "" {
				name, unit = s.startName, s.startUnit
			}
			start[s.Symbol] = f.startValue(name, unit, s.start)
		}
	}
	for _, list := range [][]State{f.Speeds, f.Coordinates, f.Internal} {
		for i := range list {
			list[i].Start = start[list[i].Symbol] // nil where the first tree has no such state
		}
	}
	f.agreeing(reference, start)
	if reference == f {
		return
	}
	memo := map[*expr.Expr]*expr.Expr{}
	at := func(e *expr.Expr) *expr.Expr { return substitute(p, e, start, memo) }
	for edge := range f.Forest.Graph.Edges {
		speeds := f.speedIndex[edge]
		if len(speeds) == 0 {
			continue
		}
		q, v := reference.coordinatesOf(&f.Forest.Graph.Edges[edge])
		for j, k := range speeds[:len(q)] { // without what a guide follows besides
			f.Coordinates[k].Start = f.define("start_"+f.Coordinates[k].Name, at(q[j]))
			f.Speeds[k].Start = f.define("start_"+f.Speeds[k].Name, at(v[j]))
		}
	}
}

// reference formulates positions and velocities in the tree of starts, with the same symbols as f; f itself if it has
// that tree.
func (f *Formulation) reference(first bool) (*Formulation, error) {
	own := f.Forest
	if !first {
		var err error
		if own, err = graph.Select(f.Forest.Graph, f.Model.Trees[0].Selection); err != nil {
			return nil, fmt.Errorf("start values: %w", err)
		}
	}
	forest, err := startForest(f.Forest.Graph, own)
	if err != nil || forest == f.Forest {
		return f, err
	}
	r := newFormulation(f.Model, f.scope, forest, f.Pool)
	r.tree, r.symbols = f.Model.Trees[0], f.symbols
	r.orientations()
	r.pointMotions()
	if r.err != nil {
		return nil, r.err
	}
	if len(r.Inputs) != len(f.Inputs) {
		return nil, fmt.Errorf("start values: tree %s has inputs that this tree does not have", f.Model.Trees[0].Name)
	}
	f.Parameters = r.Parameters
	return r, nil
}

// coordinatesOf returns coordinates and speeds of an edge, as it would have
// them as a branch, from the across variables between its nodes.
func (f *Formulation) coordinatesOf(e *graph.Edge) (q, v []*expr.Expr) {
	p := f.Pool
	ground := f.classes[0].frame
	free := e.Space.Free
	switch {
	case e.Space.Guide != nil: // a branch of every tree
		m := f.motionOf(e)
		return []*expr.Expr{m.Position}, []*expr.Expr{m.Rate}
	case e.Space.Motion != nil && e.Space.Motion.Lead != nil: // likewise
		lead := e.Space.Motion.Lead
		return []*expr.Expr{p.Sym(lead.Coordinate.Name, expr.State)}, []*expr.Expr{p.Sym(lead.Speed.Name, expr.State)}
	case free == nil && e.Domain == graph.Translation:
		r := f.along(e.Tail, e.Head, e.Space.Motion.Axis)
		return []*expr.Expr{r.Value}, []*expr.Expr{r.Rate}
	case free == nil:
		r := f.about(e.Tail, e.Head, e.Space.Motion.Axis)
		angle := r.Value
		if angle == nil {
			angle = f.angleBetween(e.Tail, e.Head, e.Space.Motion.Axis)
		}
		return []*expr.Expr{angle}, []*expr.Expr{r.Rate}
	case e.Domain == graph.Translation && !e.Flies():
		tail := f.axes(max(f.classOf[e.Tail], 0))
		r := f.Across(e.Tail, e.Head, Position, tail)
		u := p.SubV(f.Across(e.Tail, e.Head, Velocity, tail), p.Cross(f.omegaIn(max(f.classOf[e.Tail], 0), tail), r))
		for _, k := range free.Axes {
			q, v = append(q, r.X[k]), append(v, u.X[k])
		}
		return q, v
	case e.Domain == graph.Translation:
		frame := ground
		if free.HeadSpeeds {
			frame = f.classes[f.classOf[e.Head]].frame
		}
		r, u := f.Across(e.Tail, e.Head, Position, ground), f.Across(e.Tail, e.Head, Velocity, frame)
		for _, k := range free.Axes {
			q, v = append(q, r.X[k]), append(v, u.X[k])
		}
		return q, v
	}
	head := f.classes[f.classOf[e.Head]].frame
	w := f.AcrossRotation(e.Tail, e.Head, Velocity, head)
	return f.anglesBetween(e.Head, e.Tail, free.Sequence), slices.Clone(w.X[:])
}

// anglesBetween are the angles of a sequence by which the head is turned against the tail.
func (f *Formulation) anglesBetween(head, tail int, sequence string) []*expr.Expr {
	p := f.Pool
	m := f.Orientation(head, tail).M
	a, b, c := int(sequence[0]-'1'), int(sequence[1]-'1'), int(sequence[2]-'1')
	third := 3 - a - b
	even := (a+1)%3 == b
	signed := func(e *expr.Expr) *expr.Expr {
		if even {
			return e
		}
		return p.Neg(e)
	}
	if a == c { // R_aa = cos q2, R_ba = sin q1 sin q2, R_ab = sin q2 sin q3
		sine := p.Call(expr.Sqrt, p.Add(p.Pow(m[a][b], 2), p.Pow(m[a][third], 2)))
		return []*expr.Expr{
			p.Call(expr.Atan2, m[b][a], p.Neg(signed(m[third][a]))),
			p.Call(expr.Atan2, sine, m[a][a]),
			p.Call(expr.Atan2, m[a][b], signed(m[a][third])),
		}
	}
	return []*expr.Expr{ // R_ac = +-sin q2, + for even sequences
		p.Call(expr.Atan2, p.Neg(signed(m[b][c])), m[c][c]),
		p.Call(expr.Asin, p.Call(expr.Clamp, signed(m[a][c]))),
		p.Call(expr.Atan2, p.Neg(signed(m[a][b])), m[a][a]),
	}
}

// substitute replaces symbols in e, inside definitions too.
func substitute(p *expr.Pool, e *expr.Expr, values, memo map[*expr.Expr]*expr.Expr) *expr.Expr {
	return p.Map(e, func(x *expr.Expr) *expr.Expr {
		if r := values[x]; r != nil {
			return r
		}
		if x.Kind() != expr.Definition || x.Constant() {
			return nil
		}
		r := memo[x]
		if r == nil {
			r = p.Derive(x, "start_"+x.Name(), substitute(p, x.Args()[0], values, memo))
			memo[x] = r
		}
		return r
	})
}
