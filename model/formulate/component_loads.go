package formulate

import (
	"slices"

	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// componentLoads adds the through variables that components give as explicit
// laws: springs, drivers, tires.
func (f *Formulation) componentLoads() {
	f.forces = f.newLoads()
	f.direct = make([]*expr.Expr, len(f.Speeds))
	for k := range f.direct {
		f.direct[k] = f.Pool.Int(0)
	}
	f.terrains()
	for _, c := range f.Model.Components {
		switch c := c.(type) {
		case *model.SpringDamper:
			f.springDamper(c)
		case *model.AntiRollBar:
			f.antiRollBar(c)
		case *model.Revolute:
			if from, to := f.node(c.From), f.node(c.To); c.Torque {
				f.drive(from, to, f.about(from, to, c.Axis), f.input(c.Name+".torque", "N.m", "torque about the axis, reacting on "+c.From, 0))
			}
		case *model.RigidBody:
			if damping := f.scalar(c.Name+".angular_damping", "N.m.s/rad", c.Damping); !damping.IsZero() {
				class := f.classOf[f.node(c.Frame)]
				f.addMoment(f.forces, class, f.Pool.NegV(f.Pool.ScaleV(damping, f.classes[class].omega)))
			}
		case *model.TorqueDriver:
			f.torqueDriver(c)
		case *model.ForceDriver:
			f.forceDriver(c)
		case *model.SideForce:
			f.sideForce(c)
		case *model.Aerodynamics:
			f.aerodynamics(c)
		case *model.Steering:
			f.steering(c)
		case *model.Differential:
			if f.Model.Driver(c.Name) == nil {
				f.differential(c).turn(f.input(c.Name+".torque", "N.m", "torque on the input", 0))
			}
		case *model.Engine:
			f.engine(c)
		case *model.Gearbox:
			f.gearbox(c)
		case *model.Tire:
			f.tire(c)
		case *model.WheelContact:
			f.wheelContact(c)
		case *model.LinearEquations:
			f.linearEquations(c)
		case *model.Equations:
			f.equationsOfComponent(c)
		case *model.TireForces:
			f.tireForces(c)
		case *model.RelaxedWheel:
			f.carryRelaxed(c)
		}
	}
	f.applyChordBrakes()
}

// relative is the motion of one frame against another along or about an axis.
type relative struct {
	coordinate, rate *expr.Expr
	speed            int // the speed that is this motion, -1 when it is none
	sign             int64
	axis             expr.Vector // in the frame of `from`
}

// along finds the translation of frame `to` relative to `from` along an axis
// fixed in `from`: the coordinate of the branch that is exactly this motion, if
// there is one, otherwise a projected across variable.
func (f *Formulation) along(from, to int, axis [3]float64) relative {
	if r, ok := f.branchMotion(graph.Translation, from, to, axis); ok {
		return r
	}
	p := f.Pool
	frame := f.resolvedIn(from)
	r := relative{speed: -1, axis: f.constant(frame, axis)}
	d := p.DefineV("r_along", f.Across(from, to, Position, frame))
	w := f.AcrossRotation(graph.Ground, from, Velocity, frame)
	v := p.SubV(f.Across(from, to, Velocity, frame), p.Cross(w, d))
	r.coordinate, r.rate = p.Dot(r.axis, d), p.Dot(r.axis, v)
	return r
}

// about finds the angular velocity of frame `to` relative to `from` about an
// axis fixed in `from`; the coordinate is nil unless a branch is this motion.
func (f *Formulation) about(from, to int, axis [3]float64) relative {
	if r, ok := f.branchMotion(graph.Rotation, from, to, axis); ok {
		return r
	}
	frame := f.resolvedIn(from)
	r := relative{speed: -1, axis: f.constant(frame, axis)}
	r.rate = f.Pool.Dot(r.axis, f.AcrossRotation(from, to, Velocity, frame))
	return r
}

// branchMotion looks for one free branch between two nodes with the given axis.
func (f *Formulation) branchMotion(d graph.Domain, from, to int, axis [3]float64) (relative, bool) {
	path := f.Forest.Path(d, from, to)
	found := -1
	for i, s := range path {
		space := &f.Forest.Graph.Edges[s.Edge].Space
		if space.Free != nil || space.Motion != nil || space.Guide != nil && d == graph.Translation || offset(space) || turns(space) {
			if found >= 0 {
				return relative{}, false
			}
			found = i
		}
	}
	if found < 0 {
		return relative{}, false
	}
	e := &f.Forest.Graph.Edges[path[found].Edge]
	m := e.Space.Motion
	if m == nil || m.Prescribed || offset(&e.Space) || m.Axis != axis {
		return relative{}, false
	}
	sign := int64(path[found].Sign)
	s := f.motionOf(e)
	return relative{
		coordinate: f.Pool.Scale(expr.Integer(sign), s.position),
		rate:       f.Pool.Scale(expr.Integer(sign), s.rate),
		speed:      f.speedIndex[path[found].Edge][0],
		sign:       sign,
		axis:       f.constant(f.resolvedIn(from), axis),
	}, true
}

// applyEqualOpposite applies a force or moment of magnitude e along the relative motion: on
// `to`, with the opposite on `from`.
func (f *Formulation) applyEqualOpposite(d graph.Domain, r relative, from, to int, e *expr.Expr) {
	p := f.Pool
	if r.speed >= 0 {
		f.direct[r.speed] = p.Add(f.direct[r.speed], p.Scale(expr.Integer(r.sign), e))
		return
	}
	v := p.ScaleV(e, r.axis)
	if d == graph.Translation {
		f.addForce(f.forces, to, v)
		f.addForce(f.forces, from, p.NegV(v))
		return
	}
	f.addMoment(f.forces, f.classOf[to], v)
	f.addMoment(f.forces, f.classOf[from], p.NegV(v))
}

// unitsOf are the units of stiffness, damping, quadratic damping and coordinate of a load.
func unitsOf(d graph.Domain) (stiffness, damping, quadratic, coordinate string) {
	if d == graph.Rotation {
		return "N.m/rad", "N.m.s/rad", "N.m.s2/rad2", "rad"
	}
	return "N/m", "N.s/m", "N.s2/m2", "m"
}

// springDamper applies F = -(k (L - L0) + (c + d |dL/dt|) dL/dt) e on the head, and what curves over
// L - L0 and dL/dt add, on a line or on the coordinate of a joint (linear-graph specification,
// section 4).
func (f *Formulation) springDamper(c *model.SpringDamper) {
	p := f.Pool
	l := jointLoad{graph.Translation, f.node(c.From), f.node(c.To), relative{}}
	if c.Joint == "" {
		l.on = f.line(c, l.from, l.to)
	} else if l = f.loadOn(c, c.Joint); f.err != nil {
		return
	}
	kUnit, cUnit, qUnit, lUnit := unitsOf(l.domain)
	stiffness, damping := f.scalar(c.Name+".stiffness", kUnit, c.Stiffness), f.scalar(c.Name+".damping", cUnit, c.Damping)
	free := f.scalar(c.Name+".free_length", lUnit, c.FreeLength)
	tension := p.Add(p.Mul(stiffness, p.Sub(l.on.coordinate, free)), p.Mul(damping, l.on.rate))
	if quadratic := f.scalar(c.Name+".quadratic_damping", qUnit, c.QuadraticDamping); !quadratic.IsZero() {
		tension = p.Add(tension, p.Mul(quadratic, l.on.rate, p.Call(expr.Abs, l.on.rate)))
	}
	if c.SpringForce != nil {
		force, _, _ := f.curveAt("spring_"+c.Name, c.SpringForce, f.define("deflection_"+c.Name, p.Sub(l.on.coordinate, free)))
		tension = p.Add(tension, force)
	}
	if c.DamperForce != nil {
		force, _, _ := f.curveAt("damper_"+c.Name, c.DamperForce, l.on.rate)
		tension = p.Add(tension, force)
	}
	tension = f.define("tension_"+c.Name, tension)
	f.apply(l, p.Neg(tension))
	if l.domain == graph.Translation {
		f.publish(c.Name+".force", "N", "force, tension positive", tension)
		f.publish(c.Name+".length", "m", "current length", l.on.coordinate)
	} else {
		f.publish(c.Name+".torque", "N.m", "torque, against the positive angle", tension)
		f.publish(c.Name+".angle", "rad", "current angle", l.on.coordinate)
	}
}

// antiRollBar applies k d + c d' and what a curve over d adds against the coordinate of the left
// joint and along that of the right one, d being their difference.
func (f *Formulation) antiRollBar(c *model.AntiRollBar) {
	p := f.Pool
	left, right := f.loadOn(c, c.Left), f.loadOn(c, c.Right)
	if f.err != nil {
		return
	}
	kUnit, cUnit, _, _ := unitsOf(left.domain)
	difference := f.define("difference_"+c.Name, p.Sub(left.on.coordinate, right.on.coordinate))
	force := p.Add(
		p.Mul(f.scalar(c.Name+".stiffness", kUnit, c.Stiffness), difference),
		p.Mul(f.scalar(c.Name+".damping", cUnit, c.Damping), p.Sub(left.on.rate, right.on.rate)))
	if c.Force != nil {
		more, _, _ := f.curveAt("bar_"+c.Name, c.Force, difference)
		force = p.Add(force, more)
	}
	force = f.define("force_"+c.Name, force)
	f.apply(left, p.Neg(force))
	f.apply(right, force)
	if left.domain == graph.Translation {
		f.publish(c.Name+".force", "N", "force against the coordinate of "+c.Left+" and along that of "+c.Right, force)
	} else {
		f.publish(c.Name+".torque", "N.m", "torque against the angle of "+c.Left+" and along that of "+c.Right, force)
	}
}

// jointLoad is a load on the coordinate of a joint, or on a line.
type jointLoad struct {
	domain   graph.Domain
	from, to int
	on       relative
}

// loadOn finds the motion that a component's load on a joint acts on.
func (f *Formulation) loadOn(c model.Component, joint string) jointLoad {
	switch j := f.component(joint).(type) {
	case *model.Prismatic:
		from, to := f.node(j.From), f.node(j.To)
		return jointLoad{graph.Translation, from, to, f.along(from, to, j.Axis)}
	case *model.Suspension:
		edge := slices.IndexFunc(f.Forest.Graph.Edges, func(e graph.Edge) bool { return e.Owner == j.Head() })
		m := f.motionOf(&f.Forest.Graph.Edges[edge])
		return jointLoad{graph.Translation, f.node(j.From), f.node(j.To), relative{m.position, m.rate, f.speedIndex[edge][0], 1, expr.Vector{}}}
	case *model.Revolute:
		from, to := f.node(j.From), f.node(j.To)
		r := f.about(from, to, j.Axis)
		if r.coordinate == nil {
			f.reject(c.Head().Pos, "%s %s acts on the angle of %s, which is not a branch of this tree; prefer %s.R2 in the tree", c.Head().Type, c.Head().Name, joint, joint)
		}
		return jointLoad{graph.Rotation, from, to, r}
	}
	panic("formulate: no coordinate in " + joint)
}

// apply applies a force or moment along the motion: on its head, with the opposite on its tail.
func (f *Formulation) apply(l jointLoad, e *expr.Expr) {
	f.applyEqualOpposite(l.domain, l.on, l.from, l.to, e)
}

// line returns the motion along the line from one origin to the other.
func (f *Formulation) line(c model.Component, from, to int) relative {
	p := f.Pool
	frame := f.classes[0].frame
	if f.points[from].velocity.Frame == f.points[to].velocity.Frame {
		frame = f.points[to].velocity.Frame
	}
	d := p.DefineV("r_line", f.Across(from, to, Position, frame))
	if d.IsZero() {
		g := f.Forest.Graph
		f.reject(c.Head().Pos, "%s %s acts along the line between %q and %q, which always coincide", c.Head().Type, c.Head().Name, g.Nodes[from], g.Nodes[to])
		d = f.unit(frame, 0)
	}
	length := f.define("length", p.Call(expr.Sqrt, p.Dot(d, d)))
	axis := p.DefineV("e_line", p.ScaleV(p.Pow(length, -1), d))
	return relative{
		coordinate: length,
		rate:       f.define("length_rate", p.Dot(axis, f.Across(from, to, Velocity, frame))),
		speed:      -1,
		axis:       axis,
	}
}

func (f *Formulation) component(name string) model.Component {
	for _, c := range f.Model.Components {
		if c.Head().Name == name {
			return c
		}
	}
	return nil
}

// torqueDriver applies the input about the axis on the head and its opposite on
// the tail. A brake's magnitude acts against the relative spin.
func (f *Formulation) torqueDriver(c *model.TorqueDriver) {
	from, to := f.node(c.From), f.node(c.To)
	r := f.about(from, to, c.Axis)
	if c.Brake {
		f.brakes = append(f.brakes, brake{c.Name, from, to, r, f.brakeTorque(c.Name)})
		return
	}
	f.drive(from, to, r, f.input(c.Name+".torque", "N.m", "torque about the axis, reacting on "+c.From, 0))
}

// wheelTorque is the torque of a driver or brake on its head, which reacts on its tail.
type wheelTorque struct {
	from, to int
	axis     expr.Vector
	torque   *expr.Expr
}

// drive applies a torque, and keeps it for the grip of wheels.
func (f *Formulation) drive(from, to int, r relative, torque *expr.Expr) {
	f.applyEqualOpposite(graph.Rotation, r, from, to, torque)
	f.torques = append(f.torques, wheelTorque{from, to, r.axis, torque})
}

// brake is a brake that waits until the other loads are known.
type brake struct {
	name     string
	from, to int
	on       relative
	torque   *expr.Expr
}

// applied is the load that a brake of torque T gives a joint of spin w with the load b. As w
// falls below 1 rad/s the brake goes over from T, against the spin with the sign s, to what
// holds the joint, as far as T reaches:
//
//	-T s - (1 - |s|) max(-T, min(T, b))
//
// At standstill nothing is left that would turn the joint while |b| <= T: it neither creeps
// nor needs a state for sticking. The magnitude never exceeds T.
func (f *Formulation) applied(c *brake, spin, load *expr.Expr) *expr.Expr {
	p := f.Pool
	torque := f.define("T_"+c.name, p.Call(expr.Abs, c.torque))
	sign := f.smoothSign(c.name, spin)
	holding := f.define("hold_"+c.name, p.Call(expr.Max, p.Neg(torque), p.Call(expr.Min, torque, load)))
	return p.Neg(p.Add(p.Mul(torque, sign), p.Mul(p.Sub(p.Int(1), p.Call(expr.Abs, sign)), holding)))
}

// applyChordBrakes adds the brakes of joints that are not branches: what they have to hold are the
// moments on the outer body.
func (f *Formulation) applyChordBrakes() {
	p := f.Pool
	for i := range f.brakes {
		c := &f.brakes[i]
		if c.on.speed >= 0 {
			continue
		}
		load := p.Int(0)
		for _, m := range f.forces.moment[f.classOf[c.to]] {
			load = p.Add(load, p.Dot(f.resolve(c.on.axis, m.Frame), p.DefineV("M_"+c.name, m)))
		}
		f.drive(c.from, c.to, c.on, f.applied(c, c.on.rate, f.define("free_"+c.name, load)))
	}
}

// applyBranchBrakes adds the brakes of joints that are branches: what they have to hold is the load on
// their speed.
func (f *Formulation) applyBranchBrakes() {
	for i := range f.brakes {
		c := &f.brakes[i]
		if k := c.on.speed; k >= 0 {
			load := f.define("free_"+c.name, f.Load[k])
			torque := f.applied(c, f.Speeds[k].Symbol, load)
			f.Load[k] = f.Pool.Add(load, torque)
			f.torques = append(f.torques, wheelTorque{c.from, c.to, c.on.axis, f.Pool.Scale(expr.Integer(c.on.sign), torque)})
		}
	}
}

// smoothSign returns the sign of a spin w [rad/s] with two continuous
// derivatives: x (15 - 10 x^2 + 3 x^4)/8 with x = w s/rad limited to [-1, 1]. It
// is exactly +-1 from 1 rad/s on. A brake can take a wheel across its rise in one
// step; implicit steps are therefore given the slope of its secants through zero,
// which knows of the rise from afar.
func (f *Formulation) smoothSign(name string, spin *expr.Expr) *expr.Expr {
	p := f.Pool
	x := f.define("spin_"+name, p.Call(expr.Clamp, spin))
	square := f.define("spin_square_"+name, p.Pow(x, 2))
	secant := f.define("secant_"+name, p.Scale(expr.Fraction(1, 8), p.Add(p.Int(15), p.Mul(square, p.Sub(p.Scale(expr.Integer(3), square), p.Int(10))))))
	sign := f.define("sign_"+name, p.Mul(x, secant))
	// the tangent is 15/8 (1 - x^2)^2, nothing beyond
	far := p.Div(secant, p.Call(expr.Max, p.Int(1), p.Call(expr.Abs, spin)))
	tangent := p.Scale(expr.Fraction(15, 8), p.Pow(p.Sub(p.Int(1), square), 2))
	f.secants = append(f.secants, secantSlope{sign, spin, p.Add(tangent, p.Scale(expr.Integer(overshoot), p.Sub(far, tangent)))})
	return sign
}

// secantSlope is the slope of a value by an argument that implicit steps use.
type secantSlope struct{ value, argument, slope *expr.Expr }

// forceDriver applies the input along the axis on the head and its opposite on the tail.
func (f *Formulation) forceDriver(c *model.ForceDriver) {
	from, to := f.node(c.From), f.node(c.To)
	r := f.along(from, to, c.Axis)
	f.applyEqualOpposite(graph.Translation, r, from, to, f.input(c.Name+".force", "N", "force along the axis, reacting on "+c.From, 0))
}

// sideForce applies -c v_y at the origin of a frame along its y axis, v_y the inertial velocity of
// the origin along it (linearised-eom specification, 2.3).
func (f *Formulation) sideForce(c *model.SideForce) {
	p := f.Pool
	node := f.node(c.Frame)
	across := f.unit(f.resolvedIn(node), 1)
	slip := p.Dot(across, f.Across(graph.Ground, node, Velocity, across.Frame))
	force := f.define("side_"+c.Name, p.Neg(p.Mul(f.scalar(c.Name+".coefficient", "N.s/m", c.Coefficient), slip)))
	f.addForce(f.forces, node, p.ScaleV(force, across))
	f.publish(c.Name+".force", "N", "force on the frame along its y axis", force)
}

func (f *Formulation) publish(name, unit, text string, e *expr.Expr) {
	f.published = append(f.published, Output{name, unit, text, e})
}
