package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// point is the translational motion of a node.
type point struct {
	// offsets sum to the position relative to the ground, one vector per frame.
	offsets []expr.Vector
	// velocity, inertial, in any frame [m/s]
	velocity expr.Vector
	// specific: acceleration minus gravity, without the terms in pdot [m/s^2].
	// Carrying gravity as an acceleration of the ground resolves it only once.
	specific expr.Vector
	// partials of the velocity with respect to the speeds that move the node
	moved    []int
	partials map[int]expr.Vector

	place *expr.Vector // position in ground, once it has been asked for
}

// carried is the relative motion along a branch whose across variable is fixed
// in, or moves along an axis of, the tail's frame.
type carried struct {
	frame        expr.Frame
	offset       expr.Vector // r [m]
	lever        expr.Vector // r as far as the tail's turning moves the head: 0 adrift
	adrift       bool        // the motion is a difference of inertial velocities
	slides       []slide     // the motion, and with a guide that has one the second
	acceleration expr.Vector // of the motion as the tail sees it, without the term in pdot
	turn         expr.Vector // w x r
}

// slide is a motion: the velocity for a rate of 1, and the rate. Those with a speed are in the order of speedIndex.
type slide struct {
	axis expr.Vector
	rate *expr.Expr
}

func (c *carried) rigid() bool { return len(c.slides) == 0 }

// velocity of the motion as the tail sees it.
func (f *Formulation) velocity(c *carried) expr.Vector {
	v := f.Pool.ScaleV(c.slides[0].rate, c.slides[0].axis)
	for _, s := range c.slides[1:] {
		v = f.Pool.AddV(v, f.Pool.ScaleV(s.rate, s.axis))
	}
	return v
}

// pointMotions finds position, velocity and acceleration of every node from the
// ground outwards, by the terminal equations of the branches at levels 0, 1, 2
// (linear-graph specification, section 4).
func (f *Formulation) pointMotions() {
	g := f.Forest.Graph
	f.points = make([]point, len(g.Nodes))
	nodes := make([]int, len(g.Nodes))
	for n := range nodes {
		nodes[n] = n
	}
	slices.SortStableFunc(nodes, func(a, b int) int {
		return f.Forest.Depth(graph.Translation, a) - f.Forest.Depth(graph.Translation, b)
	})
	for _, n := range nodes {
		if n == graph.Ground {
			frame := f.classes[0].frame
			f.points[n] = point{
				velocity: f.Pool.ZeroVector(frame),
				specific: f.Pool.NegV(f.gravity()),
				partials: map[int]expr.Vector{},
			}
			continue
		}
		edge, forward := f.Forest.Step(graph.Translation, n)
		parent := &f.points[f.Forest.Parent(graph.Translation, n)]
		if e := &g.Edges[edge]; e.Flies() {
			f.points[n] = f.freePoint(n, edge)
		} else {
			f.points[n] = f.carriedPoint(n, edge, forward, parent)
		}
	}
}

func (f *Formulation) gravity() expr.Vector {
	frame := f.classes[0].frame
	g := expr.Vector{Frame: frame}
	for i, axis := range [...]string{"gravity_x", "gravity_y", "gravity_z"} {
		g.X[i] = f.scalar(axis, "m/s2", f.Model.Gravity[i])
	}
	return g
}

// carry evaluates the relative motion along an edge, once.
func (f *Formulation) carry(edge int) *carried {
	if c := f.carriers[edge]; c != nil {
		return c
	}
	p, e := f.Pool, &f.Forest.Graph.Edges[edge]
	name := e.Owner.Name
	class := max(f.classOf[e.Tail], 0)
	c, own := &carried{frame: f.resolvingFrame(class)}, f.axes(class)
	f.carriers[edge] = c
	c.offset = f.resolve(f.vector(own, name+".translation", "m", e.Space.Offset), c.frame)
	c.acceleration = p.ZeroVector(c.frame)
	if e.Space.Guide != nil {
		f.carryAlong(e, c, own)
	}
	if m := e.Space.Motion; m != nil {
		frame := own
		if m.AxisInHead {
			frame = f.classes[f.classOf[e.Head]].frame
		}
		s := f.motionOf(e)
		axis := f.resolve(f.constant(frame, m.Axis), c.frame)
		c.slides = []slide{{axis, s.Rate}}
		c.offset = p.AddV(c.offset, p.ScaleV(s.Position, axis))
		if m.Lead != nil { // s' D' and s" D'^2 of the leader D
			_, course, _ := f.leader(e)
			c.slides[0].axis = f.resolveAs("slide_"+e.Name, p.ScaleV(course.Slope, f.constant(frame, m.Axis)), c.frame)
			s.Acceleration = p.Mul(course.Curvature, p.Pow(s.Rate, 2))
		}
		if s.Acceleration != nil {
			c.acceleration = p.ScaleV(s.Acceleration, axis)
		}
	}
	if e.Space.Free != nil {
		f.carryFreely(e, c, own)
	}
	c.lever = c.offset
	if c.adrift {
		c.lever, c.turn = p.ZeroVector(c.frame), p.ZeroVector(c.frame)
		return c
	}
	c.turn = p.DefineV("turn_"+e.Name, p.Cross(f.classes[class].omega, c.offset))
	return c
}

// carryAlong fills in the motion along the curves of a guide, in axes of the tail.
func (f *Formulation) carryAlong(e *graph.Edge, c *carried, own expr.Frame) {
	p, g := f.Pool, e.Space.Guide
	r, _ := f.guideCurves(e)
	rate := p.Sym(g.Speed.Name, expr.State)
	second, given := f.secondMotion(g)
	place, slope, bend, across := p.ZeroVector(own), p.ZeroVector(own), p.ZeroVector(own), p.ZeroVector(own)
	for i := range r {
		place.X[i], slope.X[i], bend.X[i] = r[i].Value, r[i].Slope, f.bend(&r[i], rate, second)
		across.X[i] = f.bySecond(&r[i])
	}
	c.offset = f.resolveAs("r_"+e.Name, place, c.frame)
	c.slides = []slide{{f.resolveAs("slope_"+e.Name, slope, c.frame), rate}}
	c.acceleration = f.resolveAs("bend_"+e.Name, bend, c.frame)
	if given {
		c.slides = append(c.slides, slide{f.resolve(across, c.frame), second.Rate})
	}
}

// carriedPoint applies v = v_A + w x r + rate u and
// a = a_A + alpha x r + w x (w x r + 2 rate u) + acceleration.
func (f *Formulation) carriedPoint(n, edge int, forward bool, parent *point) point {
	p := f.Pool
	e := &f.Forest.Graph.Edges[edge]
	name := f.Forest.Graph.Nodes[n]
	c := f.carry(edge)
	if c.offset.IsZero() && c.rigid() {
		return *parent
	}
	sign := expr.Integer(1)
	if !forward {
		sign = expr.Integer(-1)
	}
	signed := func(v expr.Vector) expr.Vector { return p.ScaleV(p.Num(sign), v) }
	class := &f.classes[max(f.classOf[e.Tail], 0)]

	pt := point{partials: map[int]expr.Vector{}}
	pt.offsets = f.addOffset(parent.offsets, signed(c.offset))
	relative := c.turn
	coriolis := c.turn
	if !c.rigid() {
		v := f.velocity(c)
		relative = p.AddV(relative, v)
		coriolis = p.AddV(coriolis, p.ScaleV(p.Int(2), v))
	}
	pt.velocity = p.DefineV("v_"+name, p.AddV(f.resolve(parent.velocity, c.frame), signed(relative)))
	specific := c.acceleration
	if !c.adrift {
		specific = p.AddV(p.Cross(class.alpha, c.offset),
			p.Cross(class.omega, p.DefineV("coriolis_"+e.Name, coriolis)), c.acceleration)
	}
	pt.specific = p.DefineV("a_"+name, p.AddV(f.resolve(parent.specific, c.frame), signed(specific)))

	pt.moved = union(union(parent.moved, class.moved), f.speedIndex[edge])
	if f.withoutMass {
		return pt
	}
	for _, k := range pt.moved {
		v := p.ZeroVector(c.frame)
		if u, ok := parent.partials[k]; ok {
			v = f.resolve(u, c.frame)
		}
		if slices.Contains(class.moved, k) {
			v = p.AddV(v, signed(p.Cross(f.speedDirection(k, f.speedAxis(k, max(f.classOf[e.Tail], 0)), c.frame), c.lever)))
		}
		if j := slices.Index(f.speedIndex[edge], k); j >= 0 {
			v = p.AddV(v, signed(c.slides[j].axis))
		}
		if !v.IsZero() {
			pt.partials[k] = p.DefineV("dv_"+name+"_"+f.Speeds[k].Name, v)
		}
	}
	return pt
}

// speedAxis returns the partial of the angular velocity of a class by a rotational speed k that moves it. It is the
// axis of the only branch with this speed on the way to the ground, or the sum over all branches led by a steering
// wheel.
func (f *Formulation) speedAxis(k, class int) expr.Vector {
	var axis expr.Vector
	for ; f.classes[class].parent >= 0; class = f.classes[class].parent {
		speeds, directions := f.speedsOf(class)
		j := slices.Index(speeds, k)
		switch {
		case j < 0:
		case axis.Frame == "":
			axis = directions[j]
		default:
			axis = f.Pool.DefineV("axis_"+f.Speeds[k].Name, f.Pool.AddV(axis, f.speedDirection(k, directions[j], axis.Frame)))
		}
	}
	return axis
}

func (f *Formulation) addOffset(offsets []expr.Vector, v expr.Vector) []expr.Vector {
	offsets = slices.Clone(offsets)
	for i := range offsets {
		if offsets[i].Frame == v.Frame {
			offsets[i] = f.Pool.AddV(offsets[i], v)
			return offsets
		}
	}
	return append(offsets, v)
}

// union returns the sorted union of two sorted lists.
func union(a, b []int) []int {
	c := slices.Concat(a, b)
	slices.Sort(c)
	return slices.Compact(c)
}
