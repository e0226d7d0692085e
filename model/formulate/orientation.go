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
	called     string        // name of the vector that is being resolved, "" for none
	speedIndex map[int][]int // branch edge -> indices into Speeds
	owner      [][2]int      // of each speed: branch edge and number within it
	ofStarts   bool          // the speeds of free motions are start speeds
}

// class is a set of frames that are always parallel. Several classes can be fixed to each other. The axes of a base
// class then resolve their vectors, and the rest are fixed classes of the base. The classes form a tree along the
// rotational branches that turn; class 0 holds the ground.
type class struct {
	frame  expr.Frame
	parent int // -1 for the ground
	// fixed: the class never turns against its parent, and moves like it.
	fixed bool
	// joints are the branches in series that turn the class against its parent. Several joints share one axis, given in
	// the axes of class tail. At zero angles the class is parallel to class reference.
	joints          []joint
	tail, reference int
	place           []turnAbout // from the reference
	// spinning: vectors of this class are resolved in the parent's frame. This is exact because only the published angle
	// depends on the rotation of the class (a wheel on its axle).
	spinning bool
	turn     expr.Rotation   // components in this class to components in the parent
	turns    []expr.Rotation // turn as a sequence, that of this class first
	omega    expr.Vector     // angular velocity in resolvingFrame() [rad/s]
	alpha    expr.Vector     // its inertial derivative without the terms in pdot
	moved    []int           // rotational speeds that turn the class

	ground *expr.Rotation // to the ground, once it has been asked for
}

// joint is a branch that turns a class.
type joint struct {
	edge int
	sign int         // +1 when the class holds the head of the edge
	axis expr.Vector // of a turn with one speed: its angular velocity for a rate of 1
	// second is the angular velocity for a rate of 1 of a guide's second variable; it has no frame without such a
	// variable.
	second expr.Vector
	axes   [3]expr.Vector // of a free turn by rates of its angles: its angular velocities for rates of 1
}

// resolution is the key of a vector that has been resolved in another frame.
type resolution struct {
	x    [3]*expr.Expr
	from expr.Frame
	to   expr.Frame
}

// resolvingFrame returns the frame that resolves the vectors of class c.
func (f *Formulation) resolvingFrame(c int) expr.Frame {
	if f.classes[c].spinning || f.classes[c].fixed {
		return f.resolvingFrame(f.classes[c].parent)
	}
	return f.classes[c].frame
}

// axes returns the axes that resolve vectors fixed in class c: its own axes, or its carrier's axes if the class is
// spinning.
func (f *Formulation) axes(c int) expr.Frame {
	if f.classes[c].spinning {
		return f.axes(f.classes[c].tail)
	}
	return f.classes[c].frame
}

// moving returns the class that moves as class c does, and is not fixed to another.
func (f *Formulation) moving(c int) int {
	if f.classes[c].fixed {
		return f.classes[c].parent
	}
	return c
}

// carrying is the moving class that carries the head of a translational edge.
func (f *Formulation) carrying(e *graph.Edge) int { return f.moving(max(f.classOf[e.Tail], 0)) }

// fixedIn is a vector with given components in the axes of a class.
func (f *Formulation) fixedIn(c int, x [3]float64) expr.Vector {
	return f.resolve(f.constant(f.axes(c), x), f.resolvingFrame(c))
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
			f.classOf[n] = f.addClass(class{frame: expr.Frame(g.Nodes[n]), parent: -1, tail: -1})
			continue
		}
		f.classOf[n] = f.addNode(n)
	}
	f.findSpinning()
	f.numberSpeeds()
	f.followSecond()
	f.fixClasses()
	for i := range f.classes {
		if f.classes[i].fixed {
			f.orientFixed(i)
		}
	}
	for i := range f.classes {
		if !f.classes[i].fixed {
			f.orient(i)
		}
	}
	for i := range f.classes {
		if c := &f.classes[i]; c.fixed {
			base := &f.classes[c.parent]
			c.omega, c.alpha, c.moved = base.omega, base.alpha, base.moved
		}
	}
}

// addNode returns the class of a node, which is its carrier's class unless they turn against each other.
func (f *Formulation) addNode(n int) int {
	edge, forward := f.Forest.Step(graph.Rotation, n)
	tail := f.classOf[f.Forest.Parent(graph.Rotation, n)]
	e := &f.Forest.Graph.Edges[edge]
	if !turns(&e.Space) {
		return tail
	}
	c := class{frame: expr.Frame(f.Forest.Graph.Nodes[n]), parent: tail, tail: tail,
		joints: []joint{{edge: edge, sign: 1}}}
	if !forward {
		c.joints[0].sign = -1
	}
	// parameters and inputs are made in this order
	switch s := &e.Space; {
	case s.Free != nil:
	case s.Guide != nil:
		f.guideCurves(e)
	case s.Motion != nil:
		f.motionOf(e)
	default:
		c.fixed = true
		turn := elementary(s.Sequence, f.constantAngles(e))
		if !forward {
			turn = f.inverted(turn)
		}
		c.place = f.joined(f.classes[tail].place, turn)
	}
	return f.addClass(c)
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

// findSpinning marks the classes whose angle of rotation affects no result. Such a class has a single free axis, no
// child class, and only components whose laws do not depend on the angle.
func (f *Formulation) findSpinning() {
	g := f.Forest.Graph
	for i := range f.classes {
		c := &f.classes[i]
		if c.tail < 0 {
			continue
		}
		m := g.Edges[c.joints[0].edge].Space.Motion
		if m == nil || m.Prescribed {
			continue
		}
		axis := graph.CoordinateAxis(m.Axis)
		c.spinning = axis >= 0
		for j := range f.classes {
			if f.classes[j].tail == i {
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

// ignoresSpin reports whether an edge at a node of a class is independent of the rotation of the class about one of its
// coordinate axes. An unknown type of edge depends on it.
func (f *Formulation) ignoresSpin(edge, class, axis int) bool {
	g := f.Forest.Graph
	e := &g.Edges[edge]
	turned := f.classOf[e.Tail] == class
	if turned && e.Domain == graph.Translation && (e.Space.Motion != nil || e.Space.Guide != nil || offset(&e.Space)) {
		return false
	}
	// a chord that constrains the orientation needs the frame itself
	if e.Domain == graph.Rotation && edge != f.classes[class].joints[0].edge && e.ThroughDimension() > 0 &&
		!f.isBranch(edge) {
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

// orientFixed fills in the rotation of a class that is fixed to another.
func (f *Formulation) orientFixed(i int) {
	c := &f.classes[i]
	base := &f.classes[c.parent]
	f.turnBy(c, base.frame, f.joined(f.inverted(base.place), c.place))
}

// turnBy gives a class its rotation against a frame.
func (f *Formulation) turnBy(c *class, base expr.Frame, list []turnAbout) {
	c.turns = f.rotations(c.frame, base, list)
	if c.turn = f.composed(c.frame, base, c.turns, string(c.frame)); len(c.turns) > cheapTurns {
		c.turns = []expr.Rotation{c.turn}
	}
}

// cheapTurns is how many turns about coordinate axes of a tensor are as dear as one about any axis.
const cheapTurns = 4

// orient fills in the rotation and the motion of class i from its parent's.
func (f *Formulation) orient(i int) {
	p, c := f.Pool, &f.classes[i]
	if c.parent < 0 {
		c.omega, c.alpha = p.ZeroVector(c.frame), p.ZeroVector(c.frame)
		return
	}
	parent := &f.classes[c.parent]
	name := string(c.frame)
	c.moved = slices.Clone(parent.moved)
	for _, j := range c.joints {
		for _, k := range f.speedIndex[j.edge] {
			if !slices.Contains(c.moved, k) { // a steering wheel may turn twice
				c.moved = append(c.moved, k)
			}
		}
	}
	f.turnAgainstParent(c)
	own := f.resolvingFrame(i)
	omega := f.resolve(parent.omega, own)
	alpha := f.resolve(parent.alpha, own)
	var relative expr.Vector
	turning := omega
	switch s := &f.Forest.Graph.Edges[c.joints[0].edge].Space; {
	case s.Free != nil:
		var bias expr.Vector
		relative, bias, turning = f.freeTurn(c, own, omega)
		alpha = p.AddV(alpha, bias)
	case s.Guide != nil:
		j := &c.joints[0]
		e := &f.Forest.Graph.Edges[j.edge]
		speed := f.motionOf(e).Rate
		sign := p.Int(int64(j.sign))
		if other, given := f.secondMotion(s.Guide); given {
			var acceleration expr.Vector
			j.axis, j.second, acceleration = f.guidedByTwo(e, f.tailOf(c))
			turn := p.AddV(p.ScaleV(speed, f.resolve(j.axis, own)), p.ScaleV(other.Rate, f.resolve(j.second, own)))
			relative = p.ScaleV(sign, turn)
			alpha = p.AddV(alpha, p.ScaleV(sign, f.resolve(acceleration, own)))
			break
		}
		axis, bend := f.guided(e, f.tailOf(c))
		j.axis = axis
		relative = p.ScaleV(p.Mul(sign, speed), f.resolve(axis, own))
		alpha = p.AddV(alpha, p.ScaleV(p.Mul(sign, p.Pow(speed, 2)), f.resolve(bend, own)))
	default:
		axis := f.resolve(f.constant(f.classes[c.reference].frame, s.Motion.Axis), own)
		if c.spinning {
			axis = f.resolve(f.constant(f.classes[c.tail].frame, s.Motion.Axis), own)
		}
		rate, acceleration := f.ratesAbout(c, axis)
		relative = p.ScaleV(rate, axis)
		alpha = p.AddV(alpha, p.ScaleV(acceleration, axis))
	}
	c.omega = p.DefineV("w_"+name, p.AddV(omega, relative))
	c.alpha = p.DefineV("alpha_"+name, p.AddV(alpha, p.Cross(turning, relative)))
}

// tailOf and headOf are the axes of the tail and of the head of the joint of a class.
func (f *Formulation) tailOf(c *class) expr.Frame {
	if c.joints[0].sign < 0 {
		return f.classes[c.reference].frame
	}
	return f.classes[c.tail].frame
}

func (f *Formulation) headOf(c *class) expr.Frame {
	if c.joints[0].sign < 0 {
		return f.classes[c.tail].frame
	}
	return f.classes[c.reference].frame
}

// ratesAbout gives the joints of a class, which turn it about one axis, their axes. It returns the sum of their
// rates and of their accelerations.
func (f *Formulation) ratesAbout(c *class, axis expr.Vector) (rate, acceleration *expr.Expr) {
	p := f.Pool
	rate, acceleration = p.Int(0), p.Int(0)
	for k := range c.joints {
		j := &c.joints[k]
		e, sign := &f.Forest.Graph.Edges[j.edge], p.Int(int64(j.sign))
		q := f.motionOf(e)
		j.axis = axis
		if isCoordinateDriven(e) { // delta' D' and delta" D'^2
			_, course, _ := f.leader(e)
			j.axis = p.ScaleV(course.Slope, axis)
			q.Acceleration = p.Mul(course.Curvature, p.Pow(q.Rate, 2))
			q.Rate = p.Mul(course.Slope, q.Rate)
		}
		rate = p.Add(rate, p.Mul(sign, q.Rate))
		if q.Acceleration != nil {
			acceleration = p.Add(acceleration, p.Mul(sign, q.Acceleration))
		}
	}
	name := string(c.frame)
	return f.define("rate_"+name, rate), f.define("acceleration_"+name, acceleration)
}

// turnAgainstParent fills in the rotation of a class against its parent: the rotation of the tail, the rotations of the
// joints, and the rotation of the class against the reference. Rotations by parameters on both sides that cancel leave
// a rotation about a skew axis.
func (f *Formulation) turnAgainstParent(c *class) {
	p, parent := f.Pool, &f.classes[c.parent]
	before := f.joined(f.inverted(parent.place), f.classes[c.tail].place)
	if m := f.Forest.Graph.Edges[c.joints[0].edge].Space.Motion; m != nil {
		angle := p.Int(0)
		for _, j := range c.joints {
			position := f.motionOf(&f.Forest.Graph.Edges[j.edge]).Position
			angle = p.Add(angle, p.Mul(p.Int(int64(j.sign)), position))
		}
		angle = f.define("angle_"+string(c.frame), angle)
		if len(f.joined(before, c.place)) == 0 {
			axis := f.resolve(f.constant(f.classes[c.tail].frame, m.Axis), parent.frame)
			c.turn = p.Turn(c.frame, parent.frame, axis, angle)
			c.turns = []expr.Rotation{c.turn}
			return
		}
		middle := []turnAbout{{graph.CoordinateAxis(m.Axis), angle}}
		if middle[0].axis >= 0 {
			if m.Axis[middle[0].axis] < 0 {
				middle[0].angle = p.Neg(angle)
			}
			f.turnBy(c, parent.frame, f.joined(before, middle, c.place))
			return
		}
		tail, reference := f.classes[c.tail].frame, f.classes[c.reference].frame
		c.turns = slices.Concat(f.rotations(c.frame, reference+" turned", c.place),
			[]expr.Rotation{p.Turn(reference+" turned", tail+" placed", f.constant(tail+" placed", m.Axis), angle)},
			f.rotations(tail+" placed", parent.frame, before))
		if len(c.place) == 0 {
			c.turns[0].From = c.frame
		}
		if len(before) == 0 {
			c.turns[len(c.turns)-1].To = parent.frame
		}
		c.turn = f.composed(c.frame, parent.frame, c.turns, string(c.frame))
		c.turns = []expr.Rotation{c.turn}
		return
	}
	s := &f.Forest.Graph.Edges[c.joints[0].edge].Space
	var angles [3]*expr.Expr
	sequence := "312"
	if s.Free != nil {
		sequence = s.Free.Sequence
		for k, q := range s.Free.Coordinates {
			angles[k] = p.Sym(q.Name, expr.State)
		}
	} else {
		_, curves := f.guideCurves(&f.Forest.Graph.Edges[c.joints[0].edge])
		for k := range curves {
			angles[k] = curves[k].Value
		}
	}
	turn := elementary(sequence, angles)
	if c.joints[0].sign < 0 {
		turn = f.inverted(turn)
	}
	f.turnBy(c, parent.frame, f.joined(before, turn, c.place))
}

// constantAngles are the angles of an edge that holds its head at a fixed rotation.
func (f *Formulation) constantAngles(e *graph.Edge) (angles [3]*expr.Expr) {
	for k, a := range e.Space.Angles {
		angles[k] = f.scalar(e.Owner.Name+".angle"+string(rune('1'+k)), "rad", a)
	}
	return angles
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
	f.nameRotation(&r, name)
	return r
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
		r = f.named(v, f.Pool.Resolve(f.toGround(b).Inverse(), v))
	} else if f.withoutMass && b == 0 {
		r = f.named(v, f.Pool.Resolve(f.toGround(a), v))
	} else if f.classDepth(a) >= f.classDepth(b) {
		r = f.resolve(f.named(v, f.Pool.Resolve(f.classes[a].turn, v)), to)
	} else {
		up := f.resolve(v, f.classes[f.classes[b].parent].frame)
		r = f.named(up, f.Pool.Resolve(f.classes[b].turn.Inverse(), up))
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
