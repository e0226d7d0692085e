package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// kinematics is how frames move with the speeds.
type kinematics struct {
	classes    []class
	classOf    []int // by node, -1 for the frame of a point mass
	points     []point
	carriers   map[int]*carried // by edge
	known      map[resolution]expr.Vector
	speedIndex map[int][]int // branch edge -> indices into Speeds
	owner      [][2]int      // of each speed: branch edge and number within it
}

// class is a set of frames that are always parallel. The classes form a tree
// along the rotational branches that turn; class 0 holds the ground.
type class struct {
	frame  expr.Frame
	parent int // -1 for the ground
	edge   int // the branch that turns it against its parent
	// sign is +1 when the class holds the head of its edge.
	sign int
	// spinning: vectors of this class are resolved in the parent's frame, which
	// is exact because nothing in the class but the published angle depends on
	// how far it has turned (a wheel on its axle).
	spinning bool
	turn     expr.Rotation // components in this class to components in the parent
	axis     expr.Vector   // of a turn with one speed: its angular velocity for a rate of 1
	omega    expr.Vector   // angular velocity in frame() [rad/s]
	alpha    expr.Vector   // its inertial derivative without the terms in pdot
	moved    []int         // rotational speeds that turn the class

	ground *expr.Rotation // to the ground, once it has been asked for
}

// resolution is the key of a vector that has been resolved in another frame.
type resolution struct {
	x    [3]*expr.Expr
	from expr.Frame
	to   expr.Frame
}

// resolvingFrame returns the frame in which the vectors of class c are resolved.
func (f *Formulation) resolvingFrame(c int) expr.Frame {
	if f.classes[c].spinning {
		return f.resolvingFrame(f.classes[c].parent)
	}
	return f.classes[c].frame
}

// orientations finds the classes and, from the ground outwards, their
// rotations, angular velocities and accelerations.
func (f *Formulation) orientations() {
	g := f.Forest.Graph
	f.checkGuides()
	f.classOf = make([]int, len(g.Nodes))
	nodes := make([]int, 0, len(g.Nodes))
	for n := range g.Nodes {
		f.classOf[n] = -1
		if e, _ := f.Forest.Step(graph.Rotation, n); n == graph.Ground || e >= 0 {
			nodes = append(nodes, n)
		}
	}
	slices.SortStableFunc(nodes, func(a, b int) int {
		return f.Forest.Depth(graph.Rotation, a) - f.Forest.Depth(graph.Rotation, b)
	})
	for _, n := range nodes {
		if n == graph.Ground {
			f.classOf[n] = f.addClass(class{frame: expr.Frame(g.Nodes[n]), parent: -1})
			continue
		}
		edge, forward := f.Forest.Step(graph.Rotation, n)
		parent := f.classOf[f.Forest.Parent(graph.Rotation, n)]
		if !turns(&g.Edges[edge].Space) {
			f.classOf[n] = parent
			continue
		}
		sign := 1
		if !forward {
			sign = -1
		}
		f.classOf[n] = f.addClass(class{frame: expr.Frame(g.Nodes[n]), parent: parent, edge: edge, sign: sign})
	}
	f.findSpinning()
	f.numberSpeeds()
	for i := range f.classes {
		f.orient(i)
	}
}

func (f *Formulation) addClass(c class) int {
	f.classes = append(f.classes, c)
	return len(f.classes) - 1
}

func turns(s *graph.Space) bool {
	if s.Free != nil || s.Motion != nil || s.Guide != nil && s.Guide.Turning() {
		return true
	}
	for _, a := range s.Angles {
		if a.Formula || a.Value != 0 {
			return true
		}
	}
	return false
}

// findSpinning marks the classes whose angle of turn matters to nothing: a single free axis, no class hanging on it,
// and only components whose laws are the same however far it has turned.
func (f *Formulation) findSpinning() {
	g := f.Forest.Graph
	for i := range f.classes {
		c := &f.classes[i]
		if c.parent < 0 {
			continue
		}
		m := g.Edges[c.edge].Space.Motion
		if m == nil || m.Prescribed {
			continue
		}
		axis := graph.CoordinateAxis(m.Axis)
		c.spinning = axis >= 0
		for j := range f.classes {
			if f.classes[j].parent == i {
				c.spinning = false
			}
		}
		for k := range g.Edges {
			if e := &g.Edges[k]; f.classOf[e.Head] == i || f.classOf[e.Tail] == i {
				c.spinning = c.spinning && f.ignoresSpin(k, i, axis)
			}
		}
		each(f, func(r component.Rotating, _ component.Builder) {
			if frame := r.Carrier(); frame != "" && f.classOf[g.Node(frame)] == i {
				c.spinning = false
			}
		})
	}
}

// ignoresSpin reports whether what an edge between nodes, one of which is of a class, means is the same however far the
// class has turned about one of its coordinate axes. What it does not know does not.
func (f *Formulation) ignoresSpin(edge, class, axis int) bool {
	g := f.Forest.Graph
	e := &g.Edges[edge]
	turned := f.classOf[e.Tail] == class
	if turned && e.Domain == graph.Translation && (e.Space.Motion != nil || e.Space.Guide != nil || offset(&e.Space)) {
		return false
	}
	// a chord that constrains the orientation needs the frame itself
	if e.Domain == graph.Rotation && edge != f.classes[class].edge && e.ThroughDimension() > 0 && !f.isBranch(edge) {
		return false
	}
	c, known := component.Named[component.Indifferent](f.scope, e.Owner.Name)
	return known && c.IgnoresTurn(component.Turn{
		Axis: axis, Tail: turned, Branch: f.isBranch(edge),
		Holds: func(frame string) bool { return f.classOf[g.Node(frame)] == class },
	})
}

func (f *Formulation) isBranch(edge int) bool {
	return slices.Contains(f.Forest.Branch[f.Forest.Graph.Edges[edge].Domain], edge)
}

func offset(s *graph.Space) bool {
	for _, a := range s.Offset {
		if a.Formula || a.Value != 0 {
			return true
		}
	}
	return false
}

// numberSpeeds makes coordinates and speeds of all branches in graph order, the
// order of the state vector.
func (f *Formulation) numberSpeeds() {
	g := f.Forest.Graph
	// A guide's edge of rotation, which comes later, has the speed of that of translation, and all edges
	// that a steering wheel leads have the same.
	guides, leads := map[*graph.Guide][]int{}, map[*graph.Lead][]int{}
	for i := range g.Edges {
		e := &g.Edges[i]
		if !f.isBranch(i) {
			continue
		}
		add := func(q, p graph.Coordinate) {
			f.owner = append(f.owner, [2]int{i, len(f.speedIndex[i])})
			f.speedIndex[i] = append(f.speedIndex[i], len(f.Speeds))
			f.Coordinates, f.Speeds = append(f.Coordinates, f.newState(q)), append(f.Speeds, f.newState(p))
		}
		switch s := &e.Space; {
		case s.Free != nil:
			for _, k := range s.Free.Axes {
				add(s.Free.Coordinates[k], s.Free.Speeds[k])
			}
		case s.Guide != nil && e.Domain == graph.Translation:
			add(s.Guide.Coordinate, s.Guide.Speed)
			guides[s.Guide] = f.speedIndex[i]
		case s.Guide != nil && s.Guide.Turning():
			f.speedIndex[i] = guides[s.Guide]
		case s.Motion != nil && !s.Motion.Prescribed:
			add(s.Motion.Coordinate, s.Motion.Speed)
		case s.Motion != nil && s.Motion.Lead != nil:
			lead := s.Motion.Lead
			if leads[lead] == nil {
				add(lead.Coordinate, lead.Speed)
				leads[lead] = f.speedIndex[i]
			}
			f.speedIndex[i] = leads[lead]
		}
	}
}

func (f *Formulation) newState(c graph.Coordinate) State {
	return State{Name: c.Name, Unit: c.Unit, Symbol: f.Pool.Sym(c.Name, expr.State), start: c.Start}
}

// orient fills in the rotation and the motion of class i from its parent's.
func (f *Formulation) orient(i int) {
	p, c := f.Pool, &f.classes[i]
	if c.parent < 0 {
		c.omega, c.alpha = p.ZeroVector(c.frame), p.ZeroVector(c.frame)
		return
	}
	parent := &f.classes[c.parent]
	e := &f.Forest.Graph.Edges[c.edge]
	name := string(c.frame)
	c.moved = slices.Clone(parent.moved)
	for _, k := range f.speedIndex[c.edge] {
		if !slices.Contains(c.moved, k) { // a steering wheel may turn twice
			c.moved = append(c.moved, k)
		}
	}
	tail, head := parent.frame, c.frame
	if c.sign < 0 {
		tail, head = head, tail
	}
	turn, q := f.turnAlong(e, tail, head, name)
	if c.turn = turn; c.sign < 0 {
		c.turn = turn.Inverse()
	}
	own := f.resolvingFrame(i)
	omega := f.resolve(parent.omega, own)
	alpha := f.resolve(parent.alpha, own)
	sign := p.Int(int64(c.sign))
	switch s := &e.Space; {
	case s.Free != nil:
		relative := p.ScaleV(sign, f.resolve(freeSpeeds(p, s.Free, head), own))
		turning := omega // angular velocity of the head, in whose frame the speeds are components
		omega = p.AddV(omega, relative)
		if c.sign > 0 {
			turning = omega
		}
		alpha = p.AddV(alpha, p.Cross(turning, relative))
	case isCoordinateDriven(e):
		var bend expr.Vector
		c.axis, bend = f.guided(e, tail)
		speed := f.motionOf(e).Rate
		relative := p.ScaleV(p.Mul(sign, speed), f.resolve(c.axis, own))
		alpha = p.AddV(alpha, p.Cross(omega, relative), p.ScaleV(p.Mul(sign, p.Pow(speed, 2)), f.resolve(bend, own)))
		omega = p.AddV(omega, relative)
	case s.Motion != nil:
		c.axis = f.constant(own, s.Motion.Axis)
		relative := p.ScaleV(p.Mul(sign, q.Rate), c.axis)
		alpha = p.AddV(alpha, p.Cross(omega, relative))
		if q.Acceleration != nil {
			alpha = p.AddV(alpha, p.ScaleV(p.Mul(sign, q.Acceleration), c.axis))
		}
		omega = p.AddV(omega, relative)
	}
	c.omega = p.DefineV("w_"+name, omega)
	c.alpha = p.DefineV("alpha_"+name, alpha)
}

// turnAlong is the rotation of the head of an edge against its tail and, where it moves along one axis, its motion.
func (f *Formulation) turnAlong(e *graph.Edge, tail, head expr.Frame, name string) (expr.Rotation, component.Motion) {
	var angles [3]*expr.Expr
	sequence := e.Space.Sequence
	switch s := &e.Space; {
	case s.Free != nil:
		for k, q := range s.Free.Coordinates {
			angles[k] = f.Pool.Sym(q.Name, expr.State)
		}
		sequence = s.Free.Sequence
	case s.Guide != nil:
		_, turns := f.guideCurves(e)
		for k := range turns {
			angles[k] = turns[k].Value
		}
		sequence = "312"
	case s.Motion != nil:
		q := f.motionOf(e)
		return f.Pool.Turn(head, tail, f.constant(tail, s.Motion.Axis), q.Position), q
	default:
		angles = f.constantAngles(e)
	}
	return f.sequence(head, tail, sequence, angles, name), component.Motion{}
}

// constantAngles are those of an edge that holds its head turned.
func (f *Formulation) constantAngles(e *graph.Edge) (angles [3]*expr.Expr) {
	for k, a := range e.Space.Angles {
		angles[k] = f.scalar(e.Owner.Name+".angle"+string(rune('1'+k)), "rad", a)
	}
	return angles
}

// freeSpeeds are the speeds of a free turn, components in the head's frame.
func freeSpeeds(p *expr.Pool, free *graph.Free, head expr.Frame) expr.Vector {
	u := expr.Vector{Frame: head}
	for k, w := range free.Speeds {
		u.X[k] = p.Sym(w.Name, expr.State)
	}
	return u
}

// sequence returns the rotation of three elementary turns about the axes of the
// sequence, each in the frame turned by the preceding ones: components in
// turned to components in base.
func (f *Formulation) sequence(turned, base expr.Frame, axes string, angles [3]*expr.Expr, name string) expr.Rotation {
	p := f.Pool
	from := [...]expr.Frame{base, base + "'", base + "''", turned}
	r := p.Identity(base, base)
	for k := range 3 {
		r = p.Compose(r, p.Turn(from[k+1], from[k], f.unit(from[k], int(axes[k]-'1')), angles[k]))
	}
	for i := range r.M {
		for j := range r.M[i] {
			r.M[i][j] = f.define("R_"+name+"_"+string(rune('1'+i))+string(rune('1'+j)), r.M[i][j])
		}
	}
	return r
}

// motionOf is the prescribed or free motion of an edge along or about its axis or curves; where a coordinate leads it,
// the rate is that of the coordinate. The acceleration is nil when there is none or when the rate is a speed.
func (f *Formulation) motionOf(e *graph.Edge) component.Motion {
	p := f.Pool
	state := func(position, rate string) component.Motion {
		return component.Motion{Position: p.Sym(position, expr.State), Rate: p.Sym(rate, expr.State)}
	}
	if g := e.Space.Guide; g != nil {
		return state(g.Coordinate.Name, g.Speed.Name)
	}
	m := e.Space.Motion
	if !m.Prescribed {
		return state(m.Coordinate.Name, m.Speed.Name)
	}
	hand, course, led := f.leader(e)
	switch {
	case !led:
		x, v, a := f.motion(m.Coordinate.Name, m.Speed.Name, m.Acceleration, m.Coordinate.Unit, m.Text)
		return component.Motion{Position: x, Rate: v, Acceleration: a}
	case m.Lead != nil:
		return component.Motion{Position: course.Value, Rate: hand.Rate}
	}
	// delta, delta' D', and delta' D" + delta" D'^2
	driver := e.Owner.Name
	rate := f.define("rate_"+driver, p.Mul(course.Slope, hand.Rate))
	bend := p.Add(p.Mul(course.Slope, hand.Acceleration), p.Mul(course.Curvature, p.Pow(hand.Rate, 2)))
	return component.Motion{
		Position: course.Value, Rate: rate, Acceleration: f.define("acceleration_"+driver, bend),
	}
}

// leader is the motion that leads a motion driver, and the driver's position over it.
func (f *Formulation) leader(e *graph.Edge) (hand component.Motion, course component.Course, led bool) {
	c, led := component.ActingOn[component.Steers](f.scope, e.Owner.Name, component.Turned)
	if led {
		b := f.builder(c)
		hand = c.Hand(b)
		course = c.Course(b, e.Owner.Name, hand.Position)
	}
	return hand, course, led
}

// classWith returns the class whose own frame is named.
func (f *Formulation) classWith(frame expr.Frame) int {
	return slices.IndexFunc(f.classes, func(c class) bool { return c.frame == frame })
}

// resolve returns v with components in another frame, turn by turn along the
// tree of classes.
func (f *Formulation) resolve(v expr.Vector, to expr.Frame) expr.Vector {
	if v.Frame == to {
		return v
	}
	if v.IsZero() {
		return f.Pool.ZeroVector(to)
	}
	key := resolution{v.X, v.Frame, to}
	if r, ok := f.known[key]; ok {
		return r
	}
	a, b := f.classWith(v.Frame), f.classWith(to)
	var r expr.Vector
	if f.withoutMass && a == 0 {
		r = f.named(f.Pool.Resolve(f.toGround(b).Inverse(), v))
	} else if f.withoutMass && b == 0 {
		r = f.named(f.Pool.Resolve(f.toGround(a), v))
	} else if f.classDepth(a) >= f.classDepth(b) {
		r = f.resolve(f.named(f.Pool.Resolve(f.classes[a].turn, v)), to)
	} else {
		up := f.resolve(v, f.classes[f.classes[b].parent].frame)
		r = f.named(f.Pool.Resolve(f.classes[b].turn.Inverse(), up))
	}
	f.known[key] = r
	return r
}

// toGround is the rotation from class i to the ground. Long chains compose it once for each
// class: turning every vector link by link would cost the square of the length.
func (f *Formulation) toGround(i int) expr.Rotation {
	c := &f.classes[i]
	if c.parent <= 0 {
		return c.turn
	}
	if c.ground == nil {
		r := f.Pool.Compose(f.toGround(c.parent), c.turn)
		for k := range r.M {
			for j := range r.M[k] {
				r.M[k][j] = f.define("R_"+string(c.frame), r.M[k][j])
			}
		}
		c.ground = &r
	}
	return *c.ground
}

func (f *Formulation) classDepth(i int) int {
	d := 0
	for ; f.classes[i].parent >= 0; i = f.classes[i].parent {
		d++
	}
	return d
}

// named makes the components of a resolved vector atoms.
func (f *Formulation) named(v expr.Vector) expr.Vector {
	return f.Pool.DefineV("in_"+string(v.Frame), v)
}

// isCoordinateDriven reports whether an edge turns its head as a function of a coordinate.
func isCoordinateDriven(e *graph.Edge) bool {
	return e.Space.Guide != nil || e.Space.Motion != nil && e.Space.Motion.Lead != nil
}

// direction returns the axis of speed j of the branch that turns a class: the partial of the angular
// velocity of every class that this branch turns.
func (f *Formulation) direction(i, j int) expr.Vector {
	c := &f.classes[i]
	sign := f.Pool.Int(int64(c.sign))
	if s := &f.Forest.Graph.Edges[c.edge].Space; s.Motion != nil || s.Guide != nil {
		return f.Pool.ScaleV(sign, c.axis)
	}
	head := c.frame
	if c.sign < 0 {
		head = f.classes[c.parent].frame
	}
	return f.Pool.ScaleV(sign, f.unit(head, j))
}
