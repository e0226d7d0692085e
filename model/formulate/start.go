package formulate

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// starts gives every state its start value. Start values are given in the coordinates of one tree (startForest). The
// states of another tree follow from the across variables between the frames, so that they satisfy the constraints for
// any start values of the user.
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
	reference.startInDesign(start)
	for _, list := range [][]State{reference.Speeds, reference.Coordinates} {
		for _, s := range list {
			own := func(x Parameter) bool { return x.StartValue && x.Name == s.Name && x.Symbol != start[s.Symbol] }
			if i := slices.IndexFunc(f.Parameters, own); i >= 0 {
				f.Parameters[i].Follows = true
			}
		}
	}
	for _, list := range [][]State{f.Speeds, f.Coordinates, f.Internal} {
		for i := range list {
			list[i].Start = start[list[i].Symbol] // nil where the first tree has no such state
		}
	}
	f.agreeing(reference, start)
	f.checkNetworkStarts()
	if reference == f {
		return
	}
	memo := map[*expr.Expr]*expr.Expr{}
	at := func(e *expr.Expr) *expr.Expr { return substitute(p, e, start, memo) }
	for edge := range f.Forest.Graph.Edges {
		speeds, e := f.speedIndex[edge], &f.Forest.Graph.Edges[edge]
		if len(speeds) == 0 {
			continue
		}
		if reference.Forest == f.Forest { // it has the same coordinates
			if free := e.Space.Free; free != nil && free.Chosen() {
				for j, v := range reference.speedsBetween(e, &free.Speeds, f.symbolsOf(speeds)) {
					f.Speeds[speeds[j]].Start = f.define("start_"+f.Speeds[speeds[j]].Name, at(v))
				}
			}
			continue
		}
		q, v := reference.coordinatesOf(e, false)
		for j, k := range speeds[:len(q)] { // without the second variable of a guide
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
	if err != nil || forest == f.Forest && !f.choosesSpeeds() {
		return f, err
	}
	r := newFormulation(f.Model, f.scope, forest, f.Pool)
	r.tree, r.symbols, r.ofStarts = f.Model.Trees[0], f.symbols, true
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

// choosesSpeeds reports whether the states of some branch are other speeds than the start speeds.
func (f *Formulation) choosesSpeeds() bool {
	for edge := range f.speedIndex {
		if free := f.Forest.Graph.Edges[edge].Space.Free; free != nil && free.Chosen() {
			return true
		}
	}
	return false
}

// symbolsOf are the coordinates of speeds.
func (f *Formulation) symbolsOf(speeds []int) (q []*expr.Expr) {
	for _, k := range speeds {
		q = append(q, f.Coordinates[k].Symbol)
	}
	return q
}

// coordinatesOf finds the coordinates and speeds that an edge would have as a branch from the across variables between
// its nodes. With ofStarts the speeds are start speeds.
func (f *Formulation) coordinatesOf(e *graph.Edge, ofStarts bool) (q, v []*expr.Expr) {
	p, free := f.Pool, e.Space.Free
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
	}
	speeds := &free.Speeds
	if ofStarts {
		speeds = &free.Starts
	}
	if e.Domain == graph.Translation {
		r := f.Across(e.Tail, e.Head, Position, f.axesOf(e.Tail))
		for _, k := range free.Axes {
			q = append(q, r.X[k])
		}
		return q, f.speedsBetween(e, speeds, q)
	}
	if speeds.Along != graph.OfCoordinates {
		v = f.speedsBetween(e, speeds, nil)
	}
	q = f.anglesBetween(e.Head, e.Tail, free.Sequence)
	if v == nil {
		v = f.speedsBetween(e, speeds, q)
	}
	return q, v
}

// speedsBetween finds the speeds of a free edge with the coordinates q from the velocities of its nodes.
func (f *Formulation) speedsBetween(e *graph.Edge, speeds *graph.Speeds, q []*expr.Expr) (v []*expr.Expr) {
	p := f.Pool
	frame := f.axesOfSpeeds(e, speeds.Along)
	var u expr.Vector
	switch {
	case e.Domain == graph.Rotation && speeds.Along == graph.OfCoordinates:
		w := f.AcrossRotation(e.Tail, e.Head, Velocity, f.axesOfSpeeds(e, graph.OfHead))
		u.X = f.turnRates(e, [3]*expr.Expr(q), w)
	case e.Domain == graph.Rotation:
		u = f.AcrossRotation(e.Tail, e.Head, Velocity, frame)
	case speeds.Along == graph.OfCoordinates && !e.Flies():
		tail := f.axesOf(e.Tail)
		r := f.Across(e.Tail, e.Head, Position, tail)
		u = p.SubV(f.Across(e.Tail, e.Head, Velocity, tail), p.Cross(f.omegaIn(max(f.classOf[e.Tail], 0), tail), r))
	default:
		u = f.Across(e.Tail, e.Head, Velocity, frame)
	}
	for _, k := range e.Space.Free.Axes {
		v = append(v, u.X[k])
	}
	return v
}

// anglesBetween are the angles of a sequence for the rotation of the head against the tail.
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
