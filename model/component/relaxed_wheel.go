package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var relaxedWheelType = Type{
	Word: "relaxed-wheel",
	Text: "wheel that rolls without slip up to its grip limit and slides beyond it, on a plane road; needs the " +
		"formulation udwadia-kalaba",
	Keys: []keys.Key{
		frame("frame", "frame of the wheel at its centre, y axis to the left"),
		frame("road", "frame of the road"),
		positive("radius", "m", "radius"),
		nonnegative("stiction_factor", "1", "1", "k_s, share of the torque that uses up available friction in rolling"),
		nonnegative("friction_factor", "1", "1", "k_F, share of the torque that counts in sliding"),
		{Name: "sliding_speed", Unit: "m/s", Default: "1", Positive: true,
			Text: "v_s, sliding speed at which friction is tanh 1 of its full value"},
		{Name: "vertical_stiffness", Unit: "N/m", Optional: true, Positive: true,
			Text: "stiffness of a spring that carries the wheel, instead of a constraint"},
		nonnegative("vertical_damping", "N.s/m", "0", "damping parallel to the spring"),
		nonnegative("load", "N", "0", "load at which the spring gives the wheel its radius"),
		{Name: "friction_law", Shape: keys.WordShape, Default: "contact", Choices: []string{"contact", "printed"},
			Text: "contact: friction acts on the wheel at its contact; printed: on another frame, as (33) is printed, so " +
				"that a driving torque brakes"},
		{Name: "printed_on", Shape: keys.FrameShape, Optional: true,
			Text: "frame on which the friction of friction_law = \"printed\" acts"},
		reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		w := &RelaxedWheel{
			Header: h, Frame: f.Text("frame"), Road: f.Text("road"), Radius: f.Scalar("radius"),
			StictionFactor: f.Scalar("stiction_factor"), FrictionFactor: f.Scalar("friction_factor"),
			SlidingSpeed: f.Scalar("sliding_speed"),
			Elastic:      f.Given("vertical_stiffness"), VerticalStiffness: f.Scalar("vertical_stiffness"),
			VerticalDamping: f.Scalar("vertical_damping"), Load: f.Scalar("load"),
		}
		for _, key := range []string{"vertical_damping", "load"} {
			if f.Given(key) && !w.Elastic {
				f.Fault(key, "%s.%s goes with vertical_stiffness only", h.Name, key)
			}
		}
		printed := f.Text("friction_law") == "printed"
		switch w.PrintedOn = f.Frame("printed_on", ""); {
		case printed && !f.Given("printed_on"):
			f.Fault("friction_law", "%s.friction_law = \"printed\" needs printed_on, the frame on which the friction acts",
				h.Name)
		case !printed && f.Given("printed_on"):
			f.Fault("printed_on", "%s.printed_on goes with friction_law = \"printed\" only", h.Name)
		}
		return w
	},
}

// RelaxedWheel lets a wheel roll on the plane of a road up to its grip limit, and slide beyond it (Ikoki 2022). The y
// axis of the wheel's frame points to the left. The road's forces act along the path and along the normal, not across.
type RelaxedWheel struct {
	keys.Header
	Frame, Road           string
	Radius                keys.Scalar // m
	StictionFactor        keys.Scalar // k_s, 1
	FrictionFactor        keys.Scalar // k_F, 1
	SlidingSpeed          keys.Scalar // v_s, m/s
	Elastic               bool        // a spring and a damper carry the wheel instead of a constraint
	VerticalStiffness     keys.Scalar // N/m, of the spring
	VerticalDamping, Load keys.Scalar // N s/m; N, load at the length `radius`
	PrintedOn             string      // frame for the friction law as printed; "" for the wheel
}

func (c *RelaxedWheel) Frames() Frames {
	f := Frames{Uses: []string{c.Frame, c.Road}, Axes: []string{c.Frame, c.Road}}
	if c.PrintedOn != "" {
		f.Uses = append(f.Uses, c.PrintedOn)
	}
	return f
}

// Edges:
//
//	T1 road -> frame
//	T2 road -> printed_on  where there is one
func (c *RelaxedWheel) Edges(*Scope) []graph.Edge {
	edges := law("T1", graph.Translation, c.Road, c.Frame)
	if c.PrintedOn != "" {
		edges = append(edges, graph.Law("T2", graph.Translation, c.Road, c.PrintedOn))
	}
	return edges
}

// Check: the road is a plane.
func (c *RelaxedWheel) Check(s *Scope, r *keys.Reader) { checkPlane(s, r, c.Head(), c.Road) }

// Wheel spins about y.
func (c *RelaxedWheel) Wheel() Wheel {
	return Wheel{Frame: c.Frame, Axis: 1, Radius: c.Radius, Road: c.Road}
}

// relaxedContact is where a relaxed wheel touches the road: below its centre in its plane, at the height of the centre
// (half-car specification, section 2, in space). The velocity belongs to the wheel's material at the contact.
type relaxedContact struct {
	along            expr.Vector // of the path
	height           *expr.Expr  // of the centre
	radius           *expr.Expr
	velocity, centre expr.Vector // of the contact point and the centre, relative to the road
}

func (c *RelaxedWheel) contact(b Builder) relaxedContact {
	p := b.Pool()
	plane := b.Axes(c.Road)
	u := b.Resolve(b.Unit(b.Axes(c.Frame), 1), plane)
	secant := b.Define("secant", p.Pow(p.Call(expr.Sqrt, p.Add(p.Pow(u.X[0], 2), p.Pow(u.X[1], 2))), -1))
	r := b.Position(c.Road, c.Frame, plane)
	t := relaxedContact{height: r.X[2]}
	t.along = b.DefineV("along", expr.Vector{Frame: plane, X: [3]*expr.Expr{
		p.Mul(u.X[1], secant), p.Neg(p.Mul(u.X[0], secant)), p.Int(0),
	}})
	t.radius = b.Define("radius", p.Mul(r.X[2], secant))
	t.centre = relativeVelocity(b, c.Road, c.Frame, r)
	arm := p.ScaleV(t.radius, p.Cross(u, t.along))
	t.velocity = b.DefineV("slip", p.AddV(t.centre, p.Cross(b.AngularVelocity(c.Road, c.Frame, plane), arm)))
	return t
}

// Law is the spring that carries the wheel in place of a constraint. The spring only pushes. Its deflection is the
// height of the free wheel's centre less the height of the centre (half-car specification, 3.5).
func (c *RelaxedWheel) Law(b Builder) {
	if !c.Elastic {
		return
	}
	p := b.Pool()
	t := c.contact(b)
	k := b.Scalar("vertical_stiffness", "N/m", c.VerticalStiffness)
	d := b.Scalar("vertical_damping", "N.s/m", c.VerticalDamping)
	free := p.Add(b.Scalar("radius", "m", c.Radius), p.Div(b.Scalar("load", "N", c.Load), k))
	load := b.Define("N", p.Call(expr.Max, p.Int(0), p.Sub(p.Mul(k, p.Sub(free, t.height)), p.Mul(d, t.centre.X[2]))))
	b.Keep("load", load)
	push := expr.Vector{Frame: t.along.Frame, X: [3]*expr.Expr{p.Int(0), p.Int(0), load}}
	b.Force(c.Frame, push)
	b.Force(c.Road, p.NegV(push))
	b.Counter(c.Road, func() expr.Vector { // the line of the force passes the road's origin
		return p.NegV(p.Cross(b.Position(c.Road, c.Frame, push.Frame), push))
	})
}

// Restrain is the constraint along the normal, which is never relaxed.
func (c *RelaxedWheel) Restrain(b Builder) {
	if !b.Generalised() {
		b.Reject(c.Pos, "relaxed-wheel %s needs a tree with formulation = %q", c.Name, UdwadiaKalaba)
		return
	}
	t := c.contact(b)
	if t.height.IsZero() {
		b.Reject(c.Pos, "relaxed-wheel %s: the centre of %s always lies in the plane of %s, so that it has no radius; "+
			"the road must be below the wheel", c.Name, c.Frame, c.Road)
		return
	}
	if !c.Elastic {
		b.Rate("normal", b.Pool().Sub(t.height, b.Scalar("radius", "m", c.Radius)), t.centre.X[2])
	}
}

// Relax is the constraint along the path, which grip relaxes. The slip is omega r - v, forward where the wheel spins.
func (c *RelaxedWheel) Relax(b Builder) {
	p := b.Pool()
	t := c.contact(b)
	slip := p.Neg(b.Rate("rolling", p.Int(0), p.Dot(t.along, t.velocity)))
	torque := p.Int(0)
	for axis, e := range b.Torques(c.Frame) {
		torque = p.Add(torque, p.Mul(b.Resolve(axis, b.Axes(c.Frame)).X[1], e))
	}
	torque = b.Define("T", torque)
	mu := p.Int(1)
	if road, found := First(b.Scope(), func(r paved) bool { return r.Paves(c.Road) }); found {
		mu = road.Friction(b.For(road), "friction of the road")
	}
	g := Grip{Load: b.Kept("load")}
	if !c.Elastic {
		g.Normal = "normal"
	}
	slides := slip
	if c.PrintedOn != "" {
		slides = c.printedSlip(b, t, slip)
		g.Along = b.PartialsAlong(c.Road, c.PrintedOn, t.along)
	}
	g.Laws = func(load *expr.Expr) (stiction, sliding *expr.Expr) {
		return c.laws(b, load, mu, torque, t.radius, slides)
	}
	g.Publish = func(found GripForces) { c.publish(b, found, mu, slip) }
	b.Relax("rolling", g)
}

// printedSlip is the slip of equation (33) as printed: omega r - v, with the velocity v of the frame PrintedOn.
func (c *RelaxedWheel) printedSlip(b Builder, t relaxedContact, slip *expr.Expr) *expr.Expr {
	if b.Turns(c.Road) {
		b.Reject(c.Pos, "relaxed-wheel %s: friction_law = \"printed\" needs a road that does not turn; %s turns", c.Name,
			c.Road)
	}
	p := b.Pool()
	pushed := relativeVelocity(b, c.Road, c.PrintedOn, b.Position(c.Road, c.PrintedOn, t.along.Frame))
	return b.Define("printed_slip", p.Add(slip, p.Dot(t.along, p.SubV(t.centre, pushed))))
}

// Bounds in the quotients of the use of grip.
var (
	leastLoad     = expr.Integer(1) // N
	leastFriction = expr.Fraction(1, 1e6)
)

// laws are the stiction (32), which is the root of the weight of the rolling constraint, and the sliding force (33)
// along the path for a load. x is the fraction of the grip that rolling needs (half-car specification, 3.1, 3.4:
// friction acts on the wheel at the contact). The printed friction law has the sign of the torque, and pushes back
// where the wheel spins.
func (c *RelaxedWheel) laws(b Builder, load, mu, torque, radius, slip *expr.Expr) (stiction, sliding *expr.Expr) {
	p := b.Pool()
	least, normal := p.Call(expr.Max, mu, p.Num(leastFriction)), p.Call(expr.Max, load, p.Num(leastLoad))
	use := b.Define("use", p.Div(torque, p.Mul(p.Int(3), least, normal, radius)))
	factor := func(key string, s keys.Scalar) *expr.Expr {
		return p.Call(expr.Tanh, p.Mul(b.Settable(key, "1", "", s), use))
	}
	stiction = b.Define("stiction", p.Sub(p.Int(1), p.Pow(factor("stiction_factor", c.StictionFactor), 2)))
	direction := p.Call(expr.Tanh, p.Div(slip, b.Scalar("sliding_speed", "m/s", c.SlidingSpeed)))
	limit := p.Mul(mu, p.Call(expr.Max, load, p.Int(0)))
	used := factor("friction_factor", c.FrictionFactor)
	if c.PrintedOn == "" {
		used = p.Call(expr.Abs, used)
	} else {
		used = p.Neg(used)
	}
	return stiction, b.Define("sliding", p.Mul(limit, used, direction))
}

// publish gives the forces of the road on the wheel, forward along the path.
func (c *RelaxedWheel) publish(b Builder, g GripForces, mu, slip *expr.Expr) {
	b.Publish("traction", "N", "force of rolling on the wheel, forward", g.Traction)
	b.Publish("stabilisation", "N", "force by which the rolling constraint is stabilised, forward", g.Stabilisation)
	if c.PrintedOn == "" {
		b.Publish("sliding", "N", "force of sliding friction on the wheel, forward", g.Sliding)
		b.Publish("force", "N", "force of the road on the wheel, forward: traction, stabilisation, sliding friction, "+
			"and constraint reactions caused by sliding", g.Force)
	} else {
		b.Publish("sliding", "N", "force of sliding friction on "+c.PrintedOn+", forward", g.Sliding)
		b.Publish("force", "N", "force of the road on the wheel, forward: traction, stabilisation, "+
			"and constraint reactions caused by sliding", g.Force)
	}
	b.Publish("Fz", "N", "normal force of the road on the wheel", g.Load)
	b.Keep("force", g.Force)
	b.Keep("slip", slip)
	b.Keep("sliding", g.Sliding)
	p := b.Pool()
	b.Publish("grip", "N", "largest force of friction, mu N", p.Mul(mu, p.Call(expr.Max, g.Load, p.Int(0))))
	b.Publish("stiction", "1", "1: rolls, 0: slides", g.Stiction)
	b.Publish("slip_speed", "m/s",
		"speed of the circumference relative to the centre, positive where the wheel spins", slip)
}

// Couples: its constraints do.
func (c *RelaxedWheel) Couples() bool { return true }

// Holds: the road is the tail.
func (c *RelaxedWheel) Holds() (tail, head string) { return c.Road, c.Frame }

// Wrenches are the normal force of a constraint on the centre, and the force along the path at the contact. The
// friction law as printed pushes the frame PrintedOn.
func (c *RelaxedWheel) Wrenches(b Builder, multiplier func(row string) *expr.Expr) []Wrench {
	p, t := b.Pool(), c.contact(b)
	plane := t.along.Frame
	arm := p.ScaleV(t.radius, p.Cross(b.Resolve(b.Unit(b.Axes(c.Frame), 1), plane), t.along))
	list := atContact(b, c.Road, c.Frame, arm, b.DefineV("along_path", p.ScaleV(p.Neg(multiplier("rolling")), t.along)))
	if !c.Elastic {
		normal := p.ScaleV(p.Neg(multiplier("normal")), b.Unit(plane, 2))
		list = append(list, atContact(b, c.Road, c.Frame, p.ZeroVector(plane), normal)...)
	}
	if c.PrintedOn != "" {
		push := p.ScaleV(b.Kept("sliding"), t.along)
		list = append(list, Wrench{Frame: c.PrintedOn, Force: push}, Wrench{Frame: c.Road, Force: p.NegV(push)})
	}
	return list
}

// IgnoresTurn: its axle is y.
func (c *RelaxedWheel) IgnoresTurn(t Turn) bool { return t.Axis == 1 && !t.Tail }

// Energy: the spring of an elastic wheel stores energy; its damper and the slip dissipate power.
func (c *RelaxedWheel) Energy(b Builder) Energy {
	p := b.Pool()
	e := Energy{Dissipated: p.Mul(b.Kept("force"), b.Kept("slip"))}
	if c.Elastic {
		t := c.contact(b)
		k := b.Scalar("vertical_stiffness", "N/m", c.VerticalStiffness)
		free := p.Add(b.Scalar("radius", "m", c.Radius), p.Div(b.Scalar("load", "N", c.Load), k))
		deflection := b.Define("deflection", p.Call(expr.Max, p.Int(0), p.Sub(free, t.height)))
		e.Potential = springEnergy(b, k, deflection)
		damper := p.Sub(b.Kept("load"), p.Mul(k, deflection))
		e.Dissipated = p.Sub(e.Dissipated, p.Mul(damper, t.centre.X[2]))
	}
	return e
}
