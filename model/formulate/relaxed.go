package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// grip is a relaxed wheel: its rolling constraint, and what carries it.
type grip struct {
	wheel    *model.RelaxedWheel
	rolling  int        // constraint along the path
	normal   int        // constraint that carries it, -1 where a spring does
	load     *expr.Expr // of the spring
	radius   *expr.Expr // as rolled
	slip     *expr.Expr // omega r - v, forward where the wheel spins
	mu       *expr.Expr
	torque   *expr.Expr // of all drivers and brakes on the wheel
	stiction *expr.Expr // for the load that is found last
}

// Bounds in the quotients of the use of grip.
var (
	leastLoad     = expr.Integer(1) // N
	leastFriction = expr.Fraction(1, 1e6)
)

// relaxedContact is where a relaxed wheel touches the road: below its centre in its plane, at the
// height of the centre (half-car specification, section 2, in space). The velocity is that of the
// wheel's material there.
type relaxedContact struct {
	along            expr.Vector // of the path
	height           *expr.Expr  // of the centre
	radius           *expr.Expr
	velocity, centre expr.Vector // of the contact point and the centre, relative to the road
}

func (f *Formulation) relaxedContact(c *model.RelaxedWheel) relaxedContact {
	p := f.Pool
	wheel, road := f.node(c.Frame), f.node(c.Road)
	plane := f.resolvedIn(road)
	u := f.resolve(f.unit(f.resolvingFrame(f.classOf[wheel]), 1), plane)
	secant := f.define("secant_"+c.Name, p.Pow(p.Call(expr.Sqrt, p.Add(p.Pow(u.X[0], 2), p.Pow(u.X[1], 2))), -1))
	r := f.Across(road, wheel, Position, plane)
	t := relaxedContact{height: r.X[2]}
	t.along = p.DefineV("along_"+c.Name, expr.Vector{Frame: plane, X: [3]*expr.Expr{p.Mul(u.X[1], secant), p.Neg(p.Mul(u.X[0], secant)), p.Int(0)}})
	t.radius = f.define("radius_"+c.Name, p.Mul(r.X[2], secant))
	t.centre = f.Across(road, wheel, Velocity, plane)
	if turning := f.AcrossRotation(graph.Ground, road, Velocity, plane); !turning.IsZero() {
		t.centre = p.SubV(t.centre, p.Cross(turning, r))
	}
	arm := p.ScaleV(t.radius, p.Cross(u, t.along))
	t.velocity = p.DefineV("slip_"+c.Name, p.AddV(t.centre, p.Cross(f.AcrossRotation(road, wheel, Velocity, plane), arm)))
	return t
}

// relaxedWheel adds the constraint along the normal, which is never relaxed.
func (f *Formulation) relaxedWheel(c *model.RelaxedWheel) {
	if f.tree.Formulation != model.UdwadiaKalaba {
		f.reject(c.Pos, "relaxed-wheel %s needs a tree with formulation = %q", c.Name, model.UdwadiaKalaba)
		return
	}
	t := f.relaxedContact(c)
	if t.height.IsZero() {
		f.reject(c.Pos, "relaxed-wheel %s: the centre of %s always lies in the plane of %s, so that it has no radius; the road must be below the wheel", c.Name, c.Frame, c.Road)
		return
	}
	if c.Elastic {
		return
	}
	f.carrying[c.Name] = len(f.Constraints)
	radius := f.scalar(c.Name+".radius", "m", c.Radius)
	f.nonholonomic(c.Name+"_normal", f.Pool.Sub(t.height, radius), t.centre.X[2])
}

// rolls adds the constraint along the path, which grip relaxes.
func (f *Formulation) rolls(c *model.RelaxedWheel) {
	p := f.Pool
	t := f.relaxedContact(c)
	g := grip{wheel: c, rolling: len(f.Constraints), normal: -1, radius: t.radius, torque: p.Int(0)}
	f.nonholonomic(c.Name+"_rolling", p.Int(0), p.Dot(t.along, t.velocity))
	g.slip = p.Neg(f.Constraints[g.rolling].Velocity)
	if c.Elastic {
		g.load = f.springLoad[c.Name]
	} else {
		g.normal = f.carrying[c.Name]
	}
	wheel := f.node(c.Frame)
	for _, q := range f.torques {
		torque := q.torque
		switch wheel {
		case q.to:
		case q.from:
			torque = p.Neg(torque)
		default:
			continue
		}
		g.torque = p.Add(g.torque, p.Mul(f.resolve(q.axis, f.resolvingFrame(f.classOf[wheel])).X[1], torque))
	}
	g.torque = f.define("T_"+c.Name, g.torque)
	g.mu = p.Int(1)
	if surface, ok := f.roadOf(c.Road); ok {
		g.mu = f.friction(surface.Name, "friction of the road")
	}
	f.grips = append(f.grips, g)
}

// carry applies the spring that carries a relaxed wheel in place of a constraint: it pushes as far
// as the wheel's centre is below the height at which it is free (half-car specification, 3.5).
func (f *Formulation) carryRelaxed(c *model.RelaxedWheel) {
	if !c.Elastic {
		return
	}
	p := f.Pool
	t := f.relaxedContact(c)
	k, d := f.scalar(c.Name+".vertical_stiffness", "N/m", c.VerticalStiffness), f.scalar(c.Name+".vertical_damping", "N.s/m", c.VerticalDamping)
	free := p.Add(f.scalar(c.Name+".radius", "m", c.Radius), p.Div(f.scalar(c.Name+".load", "N", c.Load), k))
	load := f.define("N_"+c.Name, p.Call(expr.Max, p.Int(0), p.Sub(p.Mul(k, p.Sub(free, t.height)), p.Mul(d, t.centre.X[2]))))
	f.springLoad[c.Name] = load
	plane, wheel, road := t.along.Frame, f.node(c.Frame), f.node(c.Road)
	push := expr.Vector{Frame: plane, X: [3]*expr.Expr{p.Int(0), p.Int(0), load}}
	f.addForce(f.forces, wheel, push)
	f.addForce(f.forces, road, p.NegV(push))
	if len(f.classes[f.classOf[road]].moved) > 0 { // the line of the force passes the road's origin
		f.addMoment(f.forces, f.classOf[road], p.NegV(p.Cross(f.Across(road, wheel, Position, plane), push)))
	}
}

// passes is how often loads and weights are computed from each other: the loads decide about the
// grip, and what slides changes the loads, by about a seventh of the change each time.
const passes = 12

// grip finds the weights of the constraints, nil for 1, and the sliding forces in their directions,
// for the loads that they lead to themselves ((32), (33); half-car specification, 3.5).
func (f *Formulation) grip(q *bordered, g, stabilising []*expr.Expr) (weight, sliding []*expr.Expr) {
	p, m := f.Pool, len(f.Constraints)
	unit := func(i int) []*expr.Expr {
		e := make([]*expr.Expr, m)
		for k := range e {
			e[k] = p.Int(0)
		}
		e[i] = p.Int(1)
		return e
	}
	loads, rows := make([]*expr.Expr, len(f.grips)), make([][]*expr.Expr, len(f.grips))
	for w := range f.grips {
		if loads[w] = f.grips[w].load; loads[w] == nil {
			rows[w] = q.inverse(unit(f.grips[w].normal), "P") // the matrix is symmetric
		}
	}
	asked := make([]*expr.Expr, m)
	for i := range asked {
		asked[i] = f.define("asked", p.Add(g[i], stabilising[i]))
	}
	carried := func() {
		wanted := make([]*expr.Expr, m)
		for i := range wanted {
			wanted[i] = asked[i]
			if sliding != nil {
				wanted[i] = f.define("wanted", f.times(weight[i], p.Sub(asked[i], f.inner(q.s[i], sliding))))
			}
		}
		for w, row := range rows {
			if row != nil {
				loads[w] = f.define("N", f.inner(row, wanted))
			}
		}
	}
	slide := func() {
		weight, sliding = make([]*expr.Expr, m), unit(0)
		sliding[0] = p.Int(0)
		for w := range f.grips {
			i := f.grips[w].rolling
			f.grips[w].stiction, sliding[i] = f.grips[w].laws(f, loads[w])
			weight[i] = p.Pow(f.grips[w].stiction, 2)
		}
	}
	carried()
	for range passes {
		slide()
		carried()
	}
	slide()
	return weight, sliding
}

// laws are the stiction (32), which is the root of the weight of the rolling constraint, and the
// sliding force (33) along the path for a load. x is the use of the grip that rolling could have
// (half-car specification, 3.1, 3.4: friction acts on the wheel where it touches the road).
func (g *grip) laws(f *Formulation, load *expr.Expr) (stiction, sliding *expr.Expr) {
	p, c := f.Pool, g.wheel
	mu, normal := p.Call(expr.Max, g.mu, p.Num(leastFriction)), p.Call(expr.Max, load, p.Num(leastLoad))
	use := f.define("use_"+c.Name, p.Div(g.torque, p.Mul(p.Int(3), mu, normal, g.radius)))
	factor := func(key string, s model.Scalar) *expr.Expr {
		return p.Call(expr.Tanh, p.Mul(f.settable(c.Name+"."+key, "1", f.parameterText(c.Name+"."+key), s), use))
	}
	stiction = f.define("stiction_"+c.Name, p.Sub(p.Int(1), p.Pow(factor("stiction_factor", c.StictionFactor), 2)))
	slip := p.Call(expr.Tanh, p.Div(g.slip, f.scalar(c.Name+".sliding_speed", "m/s", c.SlidingSpeed)))
	limit := p.Mul(g.mu, p.Call(expr.Max, load, p.Int(0)))
	return stiction, f.define("sliding_"+c.Name, p.Mul(limit, p.Call(expr.Abs, factor("friction_factor", c.FrictionFactor)), slip))
}

// publish gives the forces of the road on the wheel, forward along the path.
func (g *grip) publish(f *Formulation, traction, stabilisation, sliding *expr.Expr, forces []*expr.Expr) {
	name, load := g.wheel.Name, g.load
	if load == nil {
		load = forces[g.normal]
	}
	f.publish(name+".traction", "N", "force of rolling on the wheel, forward", traction)
	f.publish(name+".stabilisation", "N", "force by which the rolling constraint is stabilised, forward", stabilisation)
	f.publish(name+".sliding", "N", "force of sliding friction on the wheel, forward", sliding)
	f.publish(name+".force", "N", "force of the road on the wheel, forward: traction, stabilisation, sliding friction, and constraint reactions caused by sliding", forces[g.rolling])
	f.publish(name+".Fz", "N", "normal force of the road on the wheel", load)
	f.publish(name+".stiction", "1", "1: rolls, 0: slides", g.stiction)
	f.publish(name+".slip_speed", "m/s", "speed of the circumference relative to the centre, positive where the wheel spins", g.slip)
}
