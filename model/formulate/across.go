package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// Level is the derivative level of an across variable.
type Level int

// The levels.
const (
	Position Level = iota
	Velocity
	Acceleration // without the terms in pdot
)

// Across returns the translational across variable between any two nodes: the
// motion of `to` relative to `from`, resolved in a frame. At levels 1 and 2 it
// is the difference of the inertial derivatives (linear-graph specification,
// section 6).
func (f *Formulation) Across(from, to int, level Level, frame expr.Frame) expr.Vector {
	p := f.Pool
	a, b := &f.points[from], &f.points[to]
	switch level {
	case Velocity:
		return f.difference(a.velocity, b.velocity, frame)
	case Acceleration:
		return f.difference(a.specific, b.specific, frame)
	}
	if ground := f.classes[0].frame; f.withoutMass && from == graph.Ground && frame == ground {
		return f.place(to)
	}
	// the common part of both paths cancels frame by frame before resolving
	offsets := slices.Clone(b.offsets)
	for _, v := range a.offsets {
		offsets = f.addOffset(offsets, p.NegV(v))
	}
	r := p.ZeroVector(frame)
	for _, v := range offsets {
		r = p.AddV(r, f.resolveAs("r_"+f.Forest.Graph.Nodes[to], v, frame))
	}
	return r
}

func (f *Formulation) difference(a, b expr.Vector, frame expr.Frame) expr.Vector {
	if a == b {
		return f.Pool.ZeroVector(frame)
	}
	return f.Pool.SubV(f.resolve(b, frame), f.resolve(a, frame))
}

// AcrossRotation returns the angular velocity, or its inertial derivative, of
// node `to` relative to `from`, resolved in a frame.
func (f *Formulation) AcrossRotation(from, to int, level Level, frame expr.Frame) expr.Vector {
	a, b := f.classOf[from], f.classOf[to]
	if level == Acceleration {
		return f.difference(f.classes[a].alpha, f.classes[b].alpha, frame)
	}
	return f.Pool.SubV(f.omegaIn(b, frame), f.omegaIn(a, frame))
}

// place is the position of a node in ground, computed from its parent's position.
func (f *Formulation) place(n int) expr.Vector {
	ground, pt := f.classes[0].frame, &f.points[n]
	if pt.place == nil {
		edge, forward := f.Forest.Step(graph.Translation, n)
		var r expr.Vector
		switch {
		case n == graph.Ground:
			r = f.Pool.ZeroVector(ground)
		case f.Forest.Graph.Edges[edge].Flies():
			r = pt.offsets[0]
		default:
			offset := f.resolve(f.carry(edge).offset, ground)
			if !forward {
				offset = f.Pool.NegV(offset)
			}
			r = f.Pool.DefineV("r_"+f.Forest.Graph.Nodes[n], f.Pool.AddV(f.place(f.Forest.Parent(graph.Translation, n)), offset))
		}
		pt.place = &r
	}
	return *pt.place
}

// omegaIn returns the angular velocity of a class in any frame. Along the path
// to the ground only the parent's angular velocity and the axis of the branch
// are resolved, which sister classes share.
func (f *Formulation) omegaIn(i int, frame expr.Frame) expr.Vector {
	c := &f.classes[i]
	if c.fixed {
		return f.omegaIn(c.parent, frame)
	}
	if c.parent < 0 || c.omega.Frame == frame || len(c.joints) == 0 || c.joints[0].axis.Frame == "" {
		return f.resolve(c.omega, frame)
	}
	w := f.omegaIn(c.parent, frame)
	for _, j := range c.joints {
		edge := f.Forest.Graph.Edges[j.edge].Name
		q := f.motionOf(&f.Forest.Graph.Edges[j.edge])
		rate := f.Pool.Scale(expr.Integer(int64(j.sign)), q.Rate)
		w = f.Pool.AddV(w, f.Pool.ScaleV(rate, f.resolveAs("axis_"+edge, j.axis, frame)))
		if j.second.Frame != "" {
			other, _ := f.secondMotion(f.Forest.Graph.Edges[j.edge].Space.Guide)
			rate := f.Pool.Scale(expr.Integer(int64(j.sign)), other.Rate)
			w = f.Pool.AddV(w, f.Pool.ScaleV(rate, f.resolveAs("second_axis_"+edge, j.second, frame)))
		}
	}
	return w
}

// Orientation returns the rotation that maps components in the frame of node
// `from` to components in the frame of node `to`.
func (f *Formulation) Orientation(from, to int) expr.Rotation {
	a, b := f.classes[f.classOf[from]].frame, f.classes[f.classOf[to]].frame
	r := f.Pool.Identity(a, b)
	for j := range 3 {
		v := f.resolveAs("e_"+axisNames[j]+"_"+string(a), f.unit(a, j), b)
		for i := range 3 {
			r.M[i][j] = v.X[i]
		}
	}
	return r
}

func (f *Formulation) node(frame string) int { return f.Forest.Graph.Node(frame) }

// axesOf returns the axes that resolve vectors fixed in a node.
func (f *Formulation) axesOf(node int) expr.Frame { return f.axes(max(f.classOf[node], 0)) }
