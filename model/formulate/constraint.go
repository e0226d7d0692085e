package formulate

import (
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// restraints are the constraints of chords and components.
type restraints struct {
	Constraints []Constraint
	enforced    int            // number of constraints that are active without weights, the first ones
	demands     int            // control that is the first demand of the constraints
	rowOf       map[string]int // constraints that components ask for again
	grips       []relaxedRow
	edges       []edgeRow
}

// edgeRow is a constraint of an edge: its multiplier is the opposite of the force or moment along an axis.
type edgeRow struct {
	row, edge int
	axis      expr.Vector
}

// constraints projects the circuits of all chords with a through space on that space, at three levels (linear-graph
// specification, section 7, step 5). It adds the constraints of components, and stabilises all:
//
//	C pdot = -(bias) - damping Phi' - stiffness Phi - demand
//
// damping and stiffness are 2 alpha and beta^2 of Baumgarte's method times controls, which are 1, and the demand 0,
// unless a solver sets them otherwise. Constraints that grip relaxes come last; their damping belongs to the law of the
// wheel and does not depend on the solver.
func (f *Formulation) constraints() {
	p := f.Pool
	for d := graph.Translation; d <= graph.Rotation; d++ {
		for _, i := range f.Forest.Chords(d) {
			e := &f.Forest.Graph.Edges[i]
			switch {
			case e.ThroughDimension() == 0 || e.Space.Free != nil:
			case e.Space.Distance != nil:
				c, _ := component.Named[component.Closing](f.scope, e.Owner.Name)
				c.Close(f.builder(c))
			case d == graph.Translation:
				f.carriedConstraint(i, e)
			default:
				f.turnConstraint(i, e)
			}
		}
	}
	each(f, func(c component.Restrained, b component.Builder) { c.Restrain(b) })
	f.networkConstraints()
	f.enforced = len(f.Constraints)
	if f.err == nil {
		each(f, func(c component.Relaxed, b component.Builder) { c.Relax(b) })
	}
	if len(f.Constraints) == 0 || f.err != nil {
		return
	}
	damping, stiffness := f.baumgarte()
	var damped, held *expr.Expr
	if f.enforced > 0 {
		damped, held = f.control("constraint damping", "1", 1), f.control("constraint stiffness", "1", 1)
	}
	f.demands = len(f.Controls)
	for i := range f.Constraints {
		c := &f.Constraints[i]
		c.Position = f.define("Phi_"+c.Name, f.times(c.Active, c.Position))
		c.Velocity = f.define("Phi_dot_"+c.Name, f.times(c.Active, c.Velocity))
		c.Stabilising, c.damping = p.Mul(damping, c.Velocity), damping
		if i < f.enforced {
			c.damping, c.stiffness = p.Mul(damped, damping), p.Mul(held, stiffness)
			demand := f.control("demand of "+c.Name, "1/s2", 0)
			c.Stabilising = p.Add(p.Mul(damped, c.Stabilising), p.Mul(held, stiffness, c.Position), f.times(c.Active, demand))
		}
		c.Bias = f.times(c.Active, c.Bias)
		c.own = c.Bias
		if f.tree.Formulation != vehicle.UdwadiaKalaba {
			c.Bias = p.Add(c.Bias, c.Stabilising)
		}
		c.Bias, c.Stabilising = f.define("e_"+c.Name, c.Bias), f.define("stabilising_"+c.Name, c.Stabilising)
		for k := range c.Row {
			c.Row[k] = f.define("C_"+c.Name+"_"+f.Speeds[k].Name, f.times(c.Active, c.Row[k]))
		}
	}
}

// baumgarte returns 2 alpha and beta^2.
func (f *Formulation) baumgarte() (damping, stiffness *expr.Expr) {
	p := f.Pool
	damping = p.Mul(p.Int(2), f.stabilisation("alpha", f.tree.BaumgarteAlpha))
	return damping, p.Pow(f.stabilisation("beta", f.tree.BaumgarteBeta), 2)
}

// stabilisation is alpha or beta of Baumgarte's method: a number, or a formula over parameters.
func (f *Formulation) stabilisation(name string, s keys.Scalar) *expr.Expr {
	if s.Formula {
		return f.scalar("baumgarte."+name, "1/s", s)
	}
	return f.Pool.Num(expr.FromFloat(s.Value))
}

// times multiplies, where there is a factor.
func (f *Formulation) times(factor, e *expr.Expr) *expr.Expr {
	if factor == nil {
		return e
	}
	return f.Pool.Mul(factor, e)
}

func (f *Formulation) zeroRow() []*expr.Expr { return f.zeros(len(f.Speeds)) }

func (f *Formulation) zeros(n int) []*expr.Expr {
	row := make([]*expr.Expr, n)
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
		if !c.rigid() {
			velocity = p.SubV(velocity, f.velocity(c))
		}
		bias = p.SubV(bias, c.acceleration)
	}
	head, tail := &f.points[e.Head], &f.points[e.Tail]
	for i, normal := range normals {
		n := f.resolve(f.constant(f.axesOf(e.Tail), normal), c.frame)
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
				v = p.SubV(v, p.Cross(f.speedDirection(k, f.speedAxis(k, max(f.classOf[e.Tail], 0)), c.frame), d))
			}
			row[k] = p.Dot(n, v)
		}
		f.edges = append(f.edges, edgeRow{len(f.Constraints), edge, n})
		f.Constraints = append(f.Constraints, Constraint{
			Name:     e.Name + "_" + string(rune('1'+i)),
			Position: p.Dot(n, position), Velocity: p.Dot(n, velocity), Row: row, Bias: p.Dot(n, bias),
		})
	}
}

// turnConstraint constrains the head's rotation against the tail. Either the head turns only about the edge's axis (two
// constraints n_i.u, u the axis fixed in the head), or it has the prescribed rotation only (three constraints between
// the turned tail and the head). With n fixed in the tail A, u in the head B, and wr = w_B - w_A,
//
//	Phi   = n.u
//	Phi'  = wr.(u x n)
//	Phi'' = n.((alpha_B - alpha_A - w_A x wr) x u + wr x (wr x u)).
func (f *Formulation) turnConstraint(edge int, e *graph.Edge) {
	p := f.Pool
	a, b := f.classOf[e.Tail], f.classOf[e.Head]
	frame := f.classes[a].frame
	type pair struct{ n, u expr.Vector } // both resolved in frame
	var pairs []pair
	relative := p.ZeroVector(frame) // prescribed angular velocity
	prescribed := p.ZeroVector(frame)
	if m := e.Space.Motion; m != nil && !m.Prescribed {
		u := f.resolveAs("axis_"+e.Name, f.constant(f.classes[b].frame, m.Axis), frame)
		for _, n := range complement(m.Axis) {
			pairs = append(pairs, pair{f.constant(frame, n), u})
		}
	} else {
		turned := f.prescribedTurn(e, frame)
		if m != nil {
			s := f.motionOf(e)
			axis := f.constant(frame, m.Axis)
			relative = p.ScaleV(s.Rate, axis)
			if s.Acceleration != nil {
				prescribed = p.ScaleV(s.Acceleration, axis)
			}
		}
		for i := range 3 {
			n := p.Resolve(turned, f.unit(turned.From, i))
			u := f.resolveAs("e_"+e.Name, f.unit(f.classes[b].frame, (i+1)%3), frame)
			pairs = append(pairs, pair{n, u})
		}
	}
	wa := f.resolve(f.classes[a].omega, frame)
	wr := p.DefineV("w_"+e.Name, p.SubV(p.SubV(f.resolve(f.classes[b].omega, frame), wa), relative))
	// derivative of wr in the (turned) tail's frame
	tail := p.AddV(wa, relative)
	alpha := f.resolve(f.classes[b].alpha, frame)
	alpha = p.SubV(alpha, p.AddV(f.resolve(f.classes[a].alpha, frame), prescribed, p.Cross(wa, relative)))
	alpha = p.DefineV("alpha_"+e.Name, p.SubV(alpha, p.Cross(tail, wr)))
	for i, s := range pairs {
		name := e.Name + "_" + string(rune('1'+i))
		across := p.DefineV("across_"+name, p.Cross(s.u, s.n))
		row := f.turnPartials(a, b, across)
		wu := p.Cross(wr, s.u)
		f.edges = append(f.edges, edgeRow{len(f.Constraints), edge, across})
		f.Constraints = append(f.Constraints, Constraint{
			Name:     name,
			Position: f.define("Phi_"+name, p.Dot(s.n, s.u)),
			Velocity: f.define("Phi_dot_"+name, p.Dot(wr, across)),
			Row:      row,
			Bias:     p.Dot(s.n, p.AddV(p.Cross(alpha, s.u), p.Cross(wr, wu))),
		})
	}
}

// turnPartials are the partial derivatives, along a vector, of the angular velocity of class b less the angular
// velocity of class a.
func (f *Formulation) turnPartials(a, b int, across expr.Vector) []*expr.Expr {
	p, row := f.Pool, f.zeroRow()
	along := func(k, class int) *expr.Expr {
		axis := f.speedAxis(k, class)
		return p.Dot(axis, f.resolveAs("across", across, axis.Frame))
	}
	for _, k := range union(f.classes[a].moved, f.classes[b].moved) {
		if slices.Contains(f.classes[b].moved, k) {
			row[k] = p.Add(row[k], along(k, b))
		}
		if slices.Contains(f.classes[a].moved, k) {
			row[k] = p.Sub(row[k], along(k, a))
		}
	}
	return row
}

// prescribedTurn returns the rotation of the tail after the edge's prescribed rotation, from its components to the
// tail's frame.
func (f *Formulation) prescribedTurn(e *graph.Edge, frame expr.Frame) expr.Rotation {
	turned := frame + " turned"
	if m := e.Space.Motion; m != nil {
		return f.Pool.Turn(turned, frame, f.constant(frame, m.Axis), f.motionOf(e).Position)
	}
	if !turns(&e.Space) {
		return f.Pool.Identity(turned, frame)
	}
	return f.sequence(turned, frame, e.Space.Sequence, f.constantAngles(e), e.Name)
}

// partialsAlong are the partial derivatives, along an axis, of the velocity of node `to` less the velocity of node
// `from`.
func (f *Formulation) partialsAlong(from, to int, axis expr.Vector) []*expr.Expr {
	p, row := f.Pool, f.zeroRow()
	head, tail := &f.points[to], &f.points[from]
	for _, k := range union(head.moved, tail.moved) {
		for _, end := range []struct {
			p    *point
			sign int64
		}{{head, 1}, {tail, -1}} {
			if w, ok := end.p.partials[k]; ok {
				row[k] = p.Add(row[k], p.Scale(expr.Integer(end.sign), p.Dot(w, f.resolve(axis, w.Frame))))
			}
		}
	}
	return row
}

// leg is the motion of node b against node a.
func (f *Formulation) leg(a, b int) component.Leg {
	p, frame, name := f.Pool, f.classes[0].frame, f.span(a, b)
	r := component.Leg{
		Position:     p.DefineV("r_"+name, f.Across(a, b, Position, frame)),
		Velocity:     p.DefineV("v_"+name, f.Across(a, b, Velocity, frame)),
		Acceleration: p.DefineV("a_"+name, f.Across(a, b, Acceleration, frame)),
		Partials:     map[int]expr.Vector{},
	}
	// in the order of the speeds: that of a map would change from run to run, and with it the order of sums
	for _, k := range f.points[b].moved {
		if v, ok := f.points[b].partials[k]; ok {
			r.Partials[k] = f.resolve(v, frame)
		}
	}
	for _, k := range f.points[a].moved {
		v, ok := f.points[a].partials[k]
		if !ok {
			continue
		}
		v = p.NegV(f.resolve(v, frame))
		if w, ok := r.Partials[k]; ok {
			v = p.AddV(w, v)
		}
		r.Partials[k] = v
	}
	return r
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
	if k := graph.CoordinateAxis(u); k >= 0 {
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
