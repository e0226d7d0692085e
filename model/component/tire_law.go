package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// tireRows are the intermediates of a tire by the rows of the tire-component specification, section 5: quantities that
// its functions can request, by name, and further quantities of the rows.
type tireRows struct {
	values     map[string]*expr.Expr
	b          Builder
	plane      expr.Frame    // of the road
	axes       expr.Frame    // ISO tire axes ux, uy, uz
	terrain    *Plane        // nil on a road
	place      expr.Vector   // of the wheel relative to the plane
	moving     expr.Vector   // velocity of the wheel against the road, in tire axes
	w          [3]*expr.Expr // angular velocity likewise
	gamma      *expr.Expr    // inclination
	sine       *expr.Expr    // of it
	cosine     *expr.Expr
	radius     *expr.Expr // unloaded
	kz, cz     *expr.Expr
	deflection *expr.Expr // of the spring, along the normal of the road; below 0 in the air
	approach   *expr.Expr // speed against the road along its normal, the argument of the damper
	loaded     *expr.Expr // radius
	depth      *expr.Expr // of the contact point below the centre, which is at (0, side, -depth)
	side       *expr.Expr
	atCentre   expr.Vector // moment of the road about the centre
	effective  *expr.Expr  // rolling radius
	along      *expr.Expr  // slip velocity on the effective radius, and without the spin
	ahead      *expr.Expr
	across     *expr.Expr // velocity of the contact point to the left
	heading    *expr.Expr // its velocity along the heading without the spin
}

func (v *tireRows) set(name string, e *expr.Expr) *expr.Expr {
	e = v.b.Intermediate(name, e)
	v.values[name] = e
	return e
}

// Law makes the intermediates of the tire, its external calls and the contact forces they return
// (Morency 2007, chapters 3 and 4). All vectors are resolved in the ISO tire axes ux, uy, uz, where the axis of
// symmetry is uSym = (0, cos gamma, sin gamma).
func (c *Tire) Law(b Builder) {
	v := &tireRows{b: b, values: map[string]*expr.Expr{}, axes: expr.Frame(c.Name + " axes")}
	contact := c.contact()
	c.place(v, contact)
	c.motion(v)
	c.normalForce(v, contact)
	c.slipVelocities(v, contact)
	call := ExternalCall{Role: "force", Function: c.Force, Binds: contactForces[:], Pose: c.pose(b)}
	switch {
	case c.Slip.Carcass:
		c.carcassSlip(v, &call)
	case c.Slip.Delayed:
		c.delayedSlip(v)
	default:
		c.slidingSlip(v)
	}
	c.friction(v)
	call.Values, call.Offered = v.values, append(call.Offered, c.offered(v)...)
	force, ok := b.Call(call)
	switch {
	case !ok, c.Slip.Carcass && !c.deflect(v, force), c.Slip.Delayed && !c.Slip.Carcass && !c.relax(v):
		return
	}
	force = c.bore(v, force)
	c.apply(v, contact, force)
	c.keep(v, force)
	c.publish(v, force)
	contact.publish(v)
	c.watch(v, contact)
}

// place finds the road under the wheel and the tire axes, which stand on it.
func (c *Tire) place(v *tireRows, contact contactMethod) {
	b, p := v.b, v.b.Pool()
	v.plane = b.Axes(c.Road)
	if t, found := c.terrain(b); found {
		plane := t.Under(b.For(t), b, Standing{c.Frame, c.Axis, c.Enveloping})
		v.terrain, v.plane, v.place = &plane, plane.Axes, plane.Place
	}
	own := b.Unit(b.Axes(c.Frame), c.Axis)
	symmetry := b.Resolve(own, v.plane)

	cx, cy := contact.incline(v, symmetry)
	zero, one := p.Int(0), p.Int(1)
	b.AddAxes(v.axes, v.plane, [3][3]*expr.Expr{{cx, cy, zero}, {p.Neg(cy), cx, zero}, {zero, zero, one}})
	inTireAxes := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{zero, v.cosine, v.sine}}
	b.Know(symmetry, inTireAxes)
	b.Know(own, inTireAxes)
}

// terrain returns the terrain under the tire. It is false for a tire on a road.
func (c *Tire) terrain(b Builder) (Uneven, bool) {
	return First(b.Scope(), func(t Uneven) bool { return t.Carries(c.Road) })
}

// motion makes the velocities of the wheel relative to the road surface (section 4).
func (c *Tire) motion(v *tireRows) {
	b, p := v.b, v.b.Pool()
	if v.terrain == nil {
		v.place = b.Position(c.Road, c.Frame, v.plane)
	}
	v.set("height", v.place.X[2])
	velocity := b.Velocity(c.Road, c.Frame, v.plane)
	if v.terrain != nil {
		velocity = p.SubV(velocity, v.terrain.Rising)
	}
	if turning := b.AngularVelocity(graph.GroundFrame, c.Road, v.plane); !turning.IsZero() {
		velocity = p.SubV(velocity, p.Cross(turning, v.place))
	}
	v.moving = b.Resolve(b.DefineV("v", velocity), v.axes)
	w := b.AngularVelocity(c.Road, c.Frame, v.axes)
	for i, name := range [...]string{"wx", "wy", "wz"} {
		v.w[i] = v.set(name, w.X[i])
	}
}

// normalForce makes the force of spring and damper, rows 6 to 8. It is never negative: a road does not pull.
func (c *Tire) normalForce(v *tireRows, contact contactMethod) {
	b, p := v.b, v.b.Pool()
	v.radius = b.Scalar("unloaded_radius", "m", c.UnloadedRadius)
	v.kz = b.Scalar("vertical_stiffness", "N/m", c.VerticalStiffness)
	v.cz = b.Scalar("vertical_damping", "N.s/m", c.VerticalDamping)
	signed := contact.stand(v)
	b.Deflect(Motion{Position: v.deflection, Rate: p.Neg(v.approach)})
	b.Keep(penetrationKey, v.deflection)
	b.Keep(heightKey, v.values["height"])
	b.Keep(radiusKey, v.radius)
	v.set("Fz", p.Call(expr.Max, signed, p.Int(0)))
	b.Indicator("Fz_signed", "N", "normal force as if the road could pull; below 0 the tire is in the air", signed)
}

// slipVelocities are rows 9 to 18.
func (c *Tire) slipVelocities(v *tireRows, contact contactMethod) {
	v.effective = v.set("Reff", contact.rollingRadius(v))
	v.set("VCx", v.moving.X[0])
	v.set("VCy", v.moving.X[1])
	v.set("sinking", v.b.Pool().Neg(v.moving.X[2]))
	contact.slide(v)
	v.set("direction", direction(v.b.Pool(), v.values["VCx"]))
	v.values["wn"] = v.w[2]
}

// creeping [m/s] is the speed below which the trail turns with the direction of travel.
var creeping = expr.Fraction(1, 10)

// direction is the sign of a speed V with two continuous derivatives, 1 forward: x (15 - 10 x^2 + 3 x^4)/8 with
// x = V/creeping from -1 to 1.
func direction(p *expr.Pool, speed *expr.Expr) *expr.Expr {
	x := p.Call(expr.Clamp, p.Div(speed, p.Num(creeping)))
	square := p.Pow(x, 2)
	return p.Scale(expr.Fraction(1, 8), p.Mul(x, p.Add(p.Int(15),
		p.Mul(square, p.Sub(p.Scale(expr.Integer(3), square), p.Int(10))))))
}

// friction makes the friction of the road relative to the nominal one.
func (c *Tire) friction(v *tireRows) {
	mu := v.b.Pool().Int(1)
	if v.terrain != nil {
		mu = v.terrain.Friction()
	}
	if road, found := First(v.b.Scope(), func(r paved) bool { return r.Paves(c.Road) }); found {
		mu = road.Friction(v.b.For(road), "friction scale of the road")
	}
	v.values["mu"] = mu
}

// apply applies (4.2), (4.3). On C act the force and the moment M_P + r_P/C x F_P; on Q acts the opposite of both,
// moved to Q's origin (edges T3, R2, R3).
func (c *Tire) apply(v *tireRows, contact contactMethod, force map[string]*expr.Expr) {
	b, p := v.b, v.b.Pool()
	arm := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{p.Int(0), v.side, p.Neg(v.depth)}}
	onWheel := expr.Vector{Frame: v.axes, X: [3]*expr.Expr{force["Fx"], force["Fy"], force["Fz"]}}
	moment := contact.moment(v, force)
	v.atCentre = b.DefineV("M_at_centre", p.AddV(moment, p.Cross(arm, onWheel)))
	c.pull(v, onWheel, arm, moment)
	b.Force(c.Frame, onWheel)
	b.Moment(c.Frame, v.atCentre)
	b.Force(c.Road, p.NegV(onWheel))
	b.Counter(c.Road, func() expr.Vector {
		frame := b.Axes(c.Road)
		r := b.Position(c.Road, c.Frame, frame)
		return p.NegV(p.AddV(b.Resolve(v.atCentre, frame), p.Cross(r, b.Resolve(onWheel, frame))))
	})
	b.Resist(RollingResistance{Wheel: c.Frame, Road: c.Road, Axle: b.Unit(b.Axes(c.Frame), c.Axis),
		Axis: b.Unit(v.axes, 1), Moment: force["My"], Spin: v.values["Omega"]})
	if !c.Slip.Delayed {
		s, alpha := v.values["S"], v.values["alpha"]
		b.Sliding(Sliding{force["Fx"], "Fx", [2]string{"S", "alpha"}, [2]*expr.Expr{s, alpha}, 1})
		b.Sliding(Sliding{force["Fy"], "Fy", [2]string{"alpha", "S"}, [2]*expr.Expr{alpha, s}, -1})
	}
}

// pull tells implicit steps of the force at the contact point and of the moment about it.
func (c *Tire) pull(v *tireRows, force, arm, moment expr.Vector) {
	b, p := v.b, v.b.Pool()
	w := expr.Vector{Frame: v.axes, X: v.w}
	velocity := p.AddV(v.moving, p.Cross(w, arm))
	for i := range 3 {
		b.Pull(Pull{force.X[i], velocity.X[i]})
	}
	b.Pull(Pull{moment.X[2], w.X[2]})
}

func (c *Tire) publish(v *tireRows, force map[string]*expr.Expr) {
	b := v.b
	publishForces(b, force)
	b.Publish("kappa", "1", "longitudinal slip, input of the tire function", v.values["S"])
	b.Publish("alpha", "rad", "slip angle, input of the tire function", v.values["alpha"])
	b.Publish("gamma", "rad", "inclination", v.gamma)
	b.Publish("R_l", "m", "loaded radius", v.values["Rl"])
	b.Publish("R_eff", "m", "effective rolling radius", v.values["Reff"])
	if c.Slip.Carcass {
		b.Publish("u1", "m", "deflection of the carcass along the heading", v.values["u1"])
		b.Publish("u2", "m", "deflection of the carcass to the left", v.values["u2"])
	}
	if c.Slip.Delayed || c.Slip.Carcass {
		b.Publish("q1", "1", "delayed longitudinal slip", v.values["q1"])
		b.Publish("q2", "1", "tangent of the delayed slip angle", v.values["q2"])
		if c.Slip.TurnSlip {
			b.Publish("q3", "rad/m", "delayed turn slip", v.values["q3"])
		}
	}
}

// pose is the wheel's centre, its heading and the road's normal, in the axes of the road, on terrain of the ground.
func (c *Tire) pose(b Builder) func() [3]expr.Vector {
	return func() [3]expr.Vector {
		frame := b.Axes(c.Road)
		centre := b.Position(c.Road, c.Frame, frame)
		if _, terrain := c.terrain(b); terrain {
			frame = b.Axes(graph.GroundFrame)
			centre = b.Position(graph.GroundFrame, c.Frame, frame)
		}
		axes := expr.Frame(c.Name + " axes")
		pose := [3]expr.Vector{centre, b.Unit(axes, 0), b.Unit(axes, 2)}
		for i := range pose {
			pose[i] = b.Resolve(pose[i], frame)
		}
		return pose
	}
}

// IgnoresTurn: it is a body of revolution, unless it is the road that turns.
func (c *Tire) IgnoresTurn(t Turn) bool {
	return c.Axis == t.Axis && !t.Holds(c.Road) && !(t.Branch && c.Speeds == bodySpeeds)
}
