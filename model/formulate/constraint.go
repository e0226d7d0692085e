package formulate

import (
	"math"
	"slices"

	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// constraints projects the circuits of all chords with a through space on that
// space, at three levels (linear-graph specification, section 7, step 5), and
// stabilises them: C pdot = -(bias) - 2 alpha Phi' - beta^2 Phi (Baumgarte).
func (f *Formulation) constraints(t model.Tree) {
	p := f.Pool
	for d := graph.Translation; d <= graph.Rotation; d++ {
		for _, i := range f.Forest.Chords(d) {
			e := &f.Forest.Graph.Edges[i]
			switch {
			case e.ThroughDimension() == 0 || e.Space.Free != nil:
			case e.Space.Distance != nil:
				f.distance(e)
			case d == graph.Translation:
				f.carriedConstraint(i, e)
			default:
				f.turnConstraint(e)
			}
		}
	}
	damping := p.Num(expr.FromFloat(2 * t.BaumgarteAlpha))
	stiffness := p.Num(expr.FromFloat(t.BaumgarteBeta * t.BaumgarteBeta))
	for i := range f.Constraints {
		c := &f.Constraints[i]
		c.Bias = f.define("e_"+c.Name, p.Add(c.Bias, p.Mul(damping, c.Velocity), p.Mul(stiffness, c.Position)))
		for k := range c.Row {
			c.Row[k] = f.define("C_"+c.Name, c.Row[k])
		}
	}
}

func (f *Formulation) zeroRow() []*expr.Expr {
	row := make([]*expr.Expr, len(f.Speeds))
	for k := range row {
		row[k] = f.Pool.Int(0)
	}
	return row
}

// carriedConstraint: the head may leave its place in the tail's frame only
// along the edge's axis. With d the actual relative position and u its rate in
// the tail's frame,
//
//	Phi   = n.(d - prescribed)
//	Phi'  = n.u,  u = v_B - v_A - w x d
//	Phi'' = n.(a_B - a_A - alpha x d - w x (w x d + 2 u)).
func (f *Formulation) carriedConstraint(edge int, e *graph.Edge) {
	p := f.Pool
	class := &f.classes[max(f.classOf[e.Tail], 0)]
	c := f.carry(edge)
	free := e.Space.Motion != nil && !e.Space.Motion.Prescribed
	d := p.DefineV("d_"+e.Name, f.Across(e.Tail, e.Head, Position, c.frame))
	turn := p.Cross(class.omega, d)
	u := p.DefineV("u_"+e.Name, p.SubV(f.Across(e.Tail, e.Head, Velocity, c.frame), turn))
	bias := p.SubV(f.Across(e.Tail, e.Head, Acceleration, c.frame),
		p.AddV(p.Cross(class.alpha, d), p.Cross(class.omega, p.AddV(turn, p.ScaleV(p.Int(2), u)))))
	position, velocity := d, u
	normals := coordinateNormals()
	if free {
		normals = complement(e.Space.Motion.Axis)
	} else {
		position = p.SubV(position, c.offset)
		if c.rate != nil {
			velocity = p.SubV(velocity, p.ScaleV(c.rate, c.axis))
		}
		if c.acceleration != nil {
			bias = p.SubV(bias, p.ScaleV(c.acceleration, c.axis))
		}
	}
	head, tail := &f.points[e.Head], &f.points[e.Tail]
	for i, normal := range normals {
		n := f.constant(c.frame, normal)
		row := f.zeroRow()
		for _, k := range union(union(head.moved, tail.moved), class.moved) {
			v := p.ZeroVector(c.frame)
			if w, ok := head.partials[k]; ok {
				v = p.AddV(v, f.resolve(w, c.frame))
			}
			if w, ok := tail.partials[k]; ok {
				v = p.SubV(v, f.resolve(w, c.frame))
			}
			if slices.Contains(class.moved, k) {
				v = p.SubV(v, p.Cross(f.resolve(f.speedAxis(k), c.frame), d))
			}
			row[k] = p.Dot(n, v)
		}
		f.Constraints = append(f.Constraints, Constraint{
			Name: e.Name + "_" + string(rune('1'+i)), Position: p.Dot(n, position), Velocity: p.Dot(n, velocity), Row: row, Bias: p.Dot(n, bias),
		})
	}
}

// turnConstraint: the head may turn against the tail only about the edge's axis
// (two constraints n_i.u, u the axis fixed in the head), or not at all beyond
// what is prescribed (three constraints between the turned tail and the head).
// With n fixed in the tail A, u in the head B, and wr = w_B - w_A,
//
//	Phi   = n.u
//	Phi'  = wr.(u x n)
//	Phi'' = n.((alpha_B - alpha_A - w_A x wr) x u + wr x (wr x u)).
func (f *Formulation) turnConstraint(e *graph.Edge) {
	p := f.Pool
	a, b := f.classOf[e.Tail], f.classOf[e.Head]
	frame := f.classes[a].frame
	type pair struct{ n, u expr.Vector } // both resolved in frame
	var pairs []pair
	relative := p.ZeroVector(frame) // prescribed angular velocity
	prescribed := p.ZeroVector(frame)
	if m := e.Space.Motion; m != nil && !m.Prescribed {
		u := f.resolve(f.constant(f.classes[b].frame, m.Axis), frame)
		for _, n := range complement(m.Axis) {
			pairs = append(pairs, pair{f.constant(frame, n), u})
		}
	} else {
		turned := f.prescribedTurn(e, frame)
		if m != nil {
			s := f.motionOf(e)
			axis := f.constant(frame, m.Axis)
			relative = p.ScaleV(s.rate, axis)
			if s.acceleration != nil {
				prescribed = p.ScaleV(s.acceleration, axis)
			}
		}
		for i := range 3 {
			n := p.Resolve(turned, f.unit(turned.From, i))
			u := f.resolve(f.unit(f.classes[b].frame, (i+1)%3), frame)
			pairs = append(pairs, pair{n, u})
		}
	}
	wa := f.resolve(f.classes[a].omega, frame)
	wr := p.DefineV("w_"+e.Name, p.SubV(p.SubV(f.resolve(f.classes[b].omega, frame), wa), relative))
	// derivative of wr in the (turned) tail's frame
	tail := p.AddV(wa, relative)
	alpha := p.SubV(f.resolve(f.classes[b].alpha, frame), p.AddV(f.resolve(f.classes[a].alpha, frame), prescribed, p.Cross(wa, relative)))
	alpha = p.DefineV("alpha_"+e.Name, p.SubV(alpha, p.Cross(tail, wr)))
	for i, s := range pairs {
		across := p.DefineV("across_"+e.Name, p.Cross(s.u, s.n))
		row := f.zeroRow()
		for _, k := range union(f.classes[a].moved, f.classes[b].moved) {
			axis := f.speedAxis(k)
			along := p.Dot(axis, f.resolve(across, axis.Frame))
			if slices.Contains(f.classes[b].moved, k) {
				row[k] = p.Add(row[k], along)
			}
			if slices.Contains(f.classes[a].moved, k) {
				row[k] = p.Sub(row[k], along)
			}
		}
		wu := p.Cross(wr, s.u)
		f.Constraints = append(f.Constraints, Constraint{
			Name:     e.Name + "_" + string(rune('1'+i)),
			Position: f.define("Phi_"+e.Name, p.Dot(s.n, s.u)),
			Velocity: f.define("Phi_dot_"+e.Name, p.Dot(wr, across)),
			Row:      row,
			Bias:     p.Dot(s.n, p.AddV(p.Cross(alpha, s.u), p.Cross(wr, wu))),
		})
	}
}

// prescribedTurn returns the rotation of the tail as turned by what the edge
// prescribes, components to the tail's frame.
func (f *Formulation) prescribedTurn(e *graph.Edge, frame expr.Frame) expr.Rotation {
	turned := frame + " turned"
	if m := e.Space.Motion; m != nil {
		return f.Pool.Turn(turned, frame, f.constant(frame, m.Axis), f.motionOf(e).position)
	}
	if !turns(&e.Space) {
		return f.Pool.Identity(turned, frame)
	}
	var angles [3]*expr.Expr
	for k, a := range e.Space.Angles {
		angles[k] = f.scalar(e.Component.Head().Name+".angle"+string(rune('1'+k)), "rad", a)
	}
	return f.sequence(turned, frame, e.Space.Sequence, angles, e.Name)
}

// distance: Phi = |d| - L, Phi' = e.v, Phi” = e.a + (v.v - (e.v)^2)/|d|.
func (f *Formulation) distance(e *graph.Edge) {
	p := f.Pool
	r := f.line(e.Component, e.Tail, e.Head)
	frame := r.axis.Frame
	v := p.DefineV("v_"+e.Name, f.Across(e.Tail, e.Head, Velocity, frame))
	bias := p.Add(p.Dot(r.axis, f.Across(e.Tail, e.Head, Acceleration, frame)),
		p.Div(p.Sub(p.Dot(v, v), p.Pow(r.rate, 2)), r.coordinate))
	head, tail := &f.points[e.Head], &f.points[e.Tail]
	row := f.zeroRow()
	for _, k := range union(head.moved, tail.moved) {
		for _, end := range []struct {
			p    *point
			sign int64
		}{{head, 1}, {tail, -1}} {
			if w, ok := end.p.partials[k]; ok {
				row[k] = p.Add(row[k], p.Scale(expr.Integer(end.sign), p.Dot(w, f.resolve(r.axis, w.Frame))))
			}
		}
	}
	length := f.scalar(e.Component.Head().Name+".length", "m", *e.Space.Distance)
	f.Constraints = append(f.Constraints, Constraint{
		Name: e.Name, Position: p.Sub(r.coordinate, length), Velocity: r.rate, Row: row, Bias: bias,
	})
}

func coordinateNormals() [][3]float64 {
	return [][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
}

// complement returns two unit vectors normal to u and to each other; coordinate
// axes when u is one.
func complement(u [3]float64) [][3]float64 {
	least := 0
	for i := range u {
		if math.Abs(u[i]) < math.Abs(u[least]) {
			least = i
		}
	}
	if k := coordinateAxis(u); k >= 0 {
		all := coordinateNormals()
		return slices.Delete(all, k, k+1)
	}
	var e [3]float64
	e[least] = 1
	a := unitCross(u, e)
	return [][3]float64{a, unitCross(u, a)}
}

func unitCross(u, v [3]float64) [3]float64 {
	c := [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
	n := math.Sqrt(c[0]*c[0] + c[1]*c[1] + c[2]*c[2])
	return [3]float64{c[0] / n, c[1] / n, c[2] / n}
}
