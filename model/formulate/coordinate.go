package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// along finds the translation of frame `to` relative to `from` along an axis fixed in `from`. It is the coordinate of
// the branch with exactly this motion, if such a branch exists, otherwise a projected across variable.
func (f *Formulation) along(from, to int, axis [3]float64) component.Coordinate {
	if r, ok := f.branchMotion(graph.Translation, from, to, axis); ok {
		return r
	}
	p := f.Pool
	r := f.between(graph.Translation, from, to, f.fixedIn(max(f.classOf[from], 0), axis))
	frame := r.Axis.Frame
	d := p.DefineV("r_"+f.span(from, to), f.Across(from, to, Position, frame))
	w := f.AcrossRotation(graph.Ground, from, Velocity, frame)
	v := p.SubV(f.Across(from, to, Velocity, frame), p.Cross(w, d))
	r.Value, r.Rate = p.Dot(r.Axis, d), p.Dot(r.Axis, v)
	return r
}

// about finds the angular velocity of frame `to` relative to `from` about an
// axis fixed in `from`; the value is nil unless a branch is this motion.
func (f *Formulation) about(from, to int, axis [3]float64) component.Coordinate {
	if r, ok := f.branchMotion(graph.Rotation, from, to, axis); ok {
		return r
	}
	r := f.between(graph.Rotation, from, to, f.fixedIn(max(f.classOf[from], 0), axis))
	r.Rate = f.Pool.Dot(r.Axis, f.AcrossRotation(from, to, Velocity, r.Axis.Frame))
	return r
}

// between is a motion that is no speed of the model.
func (f *Formulation) between(d graph.Domain, from, to int, axis expr.Vector) component.Coordinate {
	nodes := f.Forest.Graph.Nodes
	return component.Coordinate{Domain: d, From: nodes[from], To: nodes[to], Speed: -1, Axis: axis}
}

// branchMotion looks for one free branch between two nodes with the given axis.
func (f *Formulation) branchMotion(d graph.Domain, from, to int, axis [3]float64) (component.Coordinate, bool) {
	path := f.Forest.Path(d, from, to)
	found := -1
	for i, s := range path {
		space := &f.Forest.Graph.Edges[s.Edge].Space
		guided := space.Guide != nil && d == graph.Translation
		if space.Free != nil || space.Motion != nil || guided || offset(space) || turns(space) {
			if found >= 0 {
				return component.Coordinate{}, false
			}
			found = i
		}
	}
	if found < 0 {
		return component.Coordinate{}, false
	}
	e := &f.Forest.Graph.Edges[path[found].Edge]
	m := e.Space.Motion
	if m == nil || m.Lead != nil || m.Prescribed && !m.Joint || offset(&e.Space) || m.Axis != axis {
		return component.Coordinate{}, false
	}
	sign := int64(path[found].Sign)
	s := f.motionOf(e)
	r := f.between(d, from, to, expr.Vector{})
	r.Value = f.Pool.Scale(expr.Integer(sign), s.Position)
	r.Rate = f.Pool.Scale(expr.Integer(sign), s.Rate)
	if !m.Prescribed {
		r.Speed, r.Sign = f.speedIndex[path[found].Edge][0], sign
	}
	r.Axis = f.fixedIn(max(f.classOf[from], 0), axis)
	return r, true
}

// line returns the motion along the line from one origin to the other.
func (f *Formulation) line(h *keys.Header, from, to int) component.Coordinate {
	p := f.Pool
	frame := f.classes[0].frame
	if f.points[from].velocity.Frame == f.points[to].velocity.Frame {
		frame = f.points[to].velocity.Frame
	}
	name := f.span(from, to)
	d := p.DefineV("r_"+name, f.Across(from, to, Position, frame))
	if d.IsZero() {
		g := f.Forest.Graph
		f.reject(h.Pos, "%s %s acts along the line between %q and %q, which always coincide",
			h.Type, h.Name, g.Nodes[from], g.Nodes[to])
		d = f.unit(frame, 0)
	}
	length := f.define("length_"+name, p.Call(expr.Sqrt, p.Dot(d, d)))
	axis := p.DefineV("e_"+name, p.ScaleV(p.Pow(length, -1), d))
	r := f.between(graph.Translation, from, to, axis)
	r.Value, r.Rate = length, f.define("length_rate_"+name, p.Dot(axis, f.Across(from, to, Velocity, frame)))
	return r
}

// angleBetween reads the angle of a turn about an axis from the orientation of
// two frames, between -pi and pi.
func (f *Formulation) angleBetween(from, to int, axis [3]float64) *expr.Expr {
	frame := f.classes[f.classOf[from]].frame
	normals := complement(axis)
	a := f.constant(frame, normals[0])
	b := f.Pool.Cross(f.constant(frame, axis), a)
	turned := f.resolve(f.constant(f.classes[f.classOf[to]].frame, normals[0]), frame)
	return f.Pool.Call(expr.Atan2, f.Pool.Dot(turned, b), f.Pool.Dot(turned, a))
}
