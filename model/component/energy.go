package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// Energetic is answered by what stores energy, dissipates or supplies it. Masses and their weight are known from Heavy,
// what moves a frame from its motion. Each law is counted as it is meant, not by what its forces do to the vehicle, so
// that a law whose forces do something else shows in the balance.
type Energetic interface {
	Component
	Energy(b Builder) Energy
}

// Energy is what a component adds to the ledger; nil is nothing.
type Energy struct {
	Kinetic, Potential   *expr.Expr // J
	Supplied, Dissipated *expr.Expr // W
}

// springEnergy is that of a linear spring.
func springEnergy(b Builder, stiffness, deflection *expr.Expr) *expr.Expr {
	p := b.Pool()
	return p.Scale(expr.Fraction(1, 2), p.Mul(stiffness, p.Pow(deflection, 2)))
}

// power is what a load along a motion does, as Apply applies it.
func power(b Builder, x Coordinate, load *expr.Expr) *expr.Expr {
	p := b.Pool()
	switch {
	case x.Speed >= 0:
		return p.Mul(load, x.Rate)
	case x.Domain == graph.Translation:
		return p.Mul(load, p.Dot(x.Axis, b.Velocity(x.From, x.To, x.Axis.Frame)))
	}
	return p.Mul(load, p.Dot(x.Axis, b.AngularVelocity(x.From, x.To, x.Axis.Frame)))
}

// Energy is that of the springs over their deflection, and of the dampers.
func (c *SpringDamper) Energy(b Builder) Energy {
	p, x := b.Pool(), c.motion(b)
	u := unitsOf(x.Domain)
	deflection := b.Define("deflection", p.Sub(x.Value, b.Scalar("free_length", u.coordinate, c.FreeLength)))
	stored := springEnergy(b, b.Scalar("stiffness", u.stiffness, c.Stiffness), deflection)
	if c.SpringForce != nil {
		stored = p.Add(stored, b.CurveIntegral("spring_"+c.Name, c.SpringForce, deflection))
	}
	square := p.Pow(x.Rate, 2)
	lost := p.Add(p.Mul(b.Scalar("damping", u.damping, c.Damping), square),
		p.Mul(b.Scalar("quadratic_damping", u.quadratic, c.QuadraticDamping), square, p.Call(expr.Abs, x.Rate)))
	if c.DamperForce != nil {
		lost = p.Add(lost, p.Mul(b.Curve("damper_"+c.Name, c.DamperForce, x.Rate).Value, x.Rate))
	}
	if c.SpringSurface != nil || c.DamperSurface != nil {
		lost = p.Add(lost, p.Mul(b.Kept("surfaces"), x.Rate))
	}
	return Energy{Potential: stored, Dissipated: lost}
}

// Energy is that of the bar over the difference of the two coordinates, and of its damping.
func (c *AntiRollBar) Energy(b Builder) Energy {
	p := b.Pool()
	left, right := coordinateOf(b, c.Left), coordinateOf(b, c.Right)
	u := unitsOf(left.Domain)
	difference := b.Define("difference", p.Sub(left.Value, right.Value))
	stored := springEnergy(b, b.Scalar("stiffness", u.stiffness, c.Stiffness), difference)
	if c.Force != nil {
		stored = p.Add(stored, b.CurveIntegral("bar_"+c.Name, c.Force, difference))
	}
	lost := p.Mul(b.Scalar("damping", u.damping, c.Damping), p.Pow(p.Sub(left.Rate, right.Rate), 2))
	return Energy{Potential: stored, Dissipated: lost}
}

// Energy is what the force does.
func (c *ForceDriver) Energy(b Builder) Energy {
	return Energy{Supplied: power(b, b.Along(c.From, c.To, c.Axis), b.Input("force", "N", "", 0))}
}

// Energy is what the torque does; that of a brake is dissipated.
func (c *TorqueDriver) Energy(b Builder) Energy {
	x := b.About(c.From, c.To, c.Axis)
	if c.Brake {
		return Energy{Dissipated: b.Pool().Neg(power(b, x, b.Kept("applied")))}
	}
	return Energy{Supplied: power(b, x, b.Input("torque", "N.m", "", 0))}
}

// Energy is what the torque of the input does.
func (c *Revolute) Energy(b Builder) Energy {
	if !c.Torque {
		return Energy{}
	}
	return Energy{Supplied: power(b, c.Coordinate(b), b.Input("torque", "N.m", "", 0))}
}

// Energy is what the engine's torque does, drag included, and the kinetic energy of what turns with the engine beside
// what it would have if it stood still in its frame, I w^2/2 + I w a.W.
func (c *Engine) Energy(b Builder) Energy {
	p := b.Pool()
	_, speed := c.shaft(b)
	return Energy{Supplied: p.Mul(b.Kept("torque"), speed), Kinetic: c.Rotor(b).kinetic(b, c.Frame)}
}

// Energy is what the clutch, gears and joints lose, and the kinetic energy of what turns with the driven side.
func (c *Gearbox) Energy(b Builder) Energy {
	return Energy{Dissipated: b.Kept("loss"), Kinetic: c.Rotor(b).kinetic(b, c.Frame)}
}

// Energy is what gears, joints and the friction between the outputs lose, the kinetic energy of what turns with the
// input, and what an input of the model does.
func (c *Differential) Energy(b Builder) Energy {
	e := Energy{Dissipated: b.Kept("loss"), Kinetic: c.Rotor(b).kinetic(b, c.Frame)}
	if !isDriven(b, c.Name) {
		e.Supplied = b.Pool().Mul(b.Input("torque", "N.m", "", 0), b.Kept("speed"))
	}
	return e
}

// Energy is that of a free steering wheel: what the driver's torque does, and damping and friction lose.
func (c *Steering) Energy(b Builder) Energy {
	h := c.HandWheel
	if h == nil {
		return Energy{}
	}
	p, rate := b.Pool(), c.freedom(b).Rate
	lost := p.Mul(b.Scalar("damping", "N.m.s/rad", h.Damping), p.Pow(rate, 2))
	if friction := b.Scalar("friction", "N.m", h.Friction); !friction.IsZero() {
		sliding := b.Scalar("sliding_speed", "rad/s", h.SlidingSpeed)
		lost = p.Add(lost, p.Mul(friction, rate, p.Call(expr.Tanh, p.Div(rate, sliding))))
	}
	return Energy{
		Kinetic:  springEnergy(b, b.Scalar("inertia", "kg.m2", h.Inertia), rate),
		Supplied: p.Mul(b.Kept("torque"), rate), Dissipated: lost,
	}
}

// Energy is what the air takes; wind that drives gives.
func (c *Aerodynamics) Energy(b Builder) Energy {
	p, frame := b.Pool(), b.Axes(c.Frame)
	force, moment := keptVector(b, "F", frame), keptVector(b, "M", frame)
	given := p.Add(p.Dot(force, b.Velocity(graph.GroundFrame, c.Frame, frame)),
		p.Dot(moment, b.AngularVelocity(graph.GroundFrame, c.Frame, frame)))
	return Energy{Dissipated: p.Neg(given)}
}

// Energy is what the damping against the angular velocity takes.
func (c *RigidBody) Energy(b Builder) Energy {
	damping := b.Scalar("angular_damping", "N.m.s/rad", c.Damping)
	if damping.IsZero() {
		return Energy{}
	}
	w := b.AngularVelocity(graph.GroundFrame, c.Frame, b.Axes(c.Frame))
	return Energy{Dissipated: b.Pool().Mul(damping, b.Pool().Dot(w, w))}
}

// Energy is what the damper takes.
func (c *SideForce) Energy(b Builder) Energy {
	p, across := b.Pool(), b.Unit(b.Axes(c.Frame), 1)
	slip := p.Dot(across, b.Velocity(graph.GroundFrame, c.Frame, across.Frame))
	return Energy{Dissipated: p.Mul(b.Scalar("coefficient", "N.s/m", c.Coefficient), p.Pow(slip, 2))}
}

// Energy is what the rolling resistance takes. What an impact takes is known to the engine, which makes it.
func (c *WheelContact) Energy(b Builder) Energy {
	p, ground := b.Pool(), b.Axes(graph.GroundFrame)
	friction := keptVector(b, "friction", ground)
	return Energy{Dissipated: p.Neg(p.Dot(friction, b.Velocity(graph.GroundFrame, c.Rim, ground)))}
}

// Energy is that of the spring that carries an elastic wheel, its damper and the slip of its grip.
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

// keep keeps the rows of a tire of which its energy is made.
func (c *Tire) keep(v *tireRows, force map[string]*expr.Expr) {
	for _, name := range [...]string{"VCx", "VCy", "VEx", "VPx", "VPy"} {
		v.b.Keep(name, v.values[name])
	}
	v.b.Keep("side", v.side)
	keepVector(v.b, "moment", v.atCentre)
	v.b.Keep("deflection", v.deflection)
	v.b.Keep("approach", v.approach)
	if c.Slip.Carcass {
		for _, name := range [...]string{"p1", "p2"} {
			v.b.Keep(name, v.values[name])
			v.b.Keep(name+"dot", force[name+"dot"])
		}
	}
	for i, name := range [...]string{"wx", "wy", "wz"} {
		v.b.Keep(name, v.w[i])
	}
	for _, name := range [...]string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
		v.b.Keep(name, force[name])
	}
	v.b.Keep("kz", v.kz)
}

// Energy is that of the vertical spring and of the carcass. What is dissipated are the power of the force function on
// the slip velocities and turns of the wheel, and what the normal force has beside the spring's. A rolling resistance
// with a term in Fx holds what the longitudinal force has by its arm, so that both count together: the force then has
// the velocity of the point at which it acts.
func (c *Tire) Energy(b Builder) Energy {
	p := b.Pool()
	deflection := b.Define("deflection", p.Call(expr.Max, p.Int(0), b.Kept("deflection")))
	along := "VEx"
	if c.HeldByResistance() {
		along = "VPx"
	}
	var given []*expr.Expr
	for _, pair := range [...][2]string{{"Fx", along}, {"Fy", "VPy"}, {"Mx", "wx"}, {"My", "wy"}, {"Mz", "wz"}} {
		given = append(given, p.Mul(b.Kept(pair[0]), b.Kept(pair[1])))
	}
	damper := p.Sub(b.Kept("Fz"), p.Mul(b.Kept("kz"), deflection))
	given = append(given, p.Mul(damper, b.Kept("approach")))
	e := Energy{Potential: springEnergy(b, b.Kept("kz"), deflection), Dissipated: p.Neg(p.Add(given...))}
	if c.Slip.Carcass {
		for _, name := range [...]string{"p1", "p2"} {
			e.Potential = p.Add(e.Potential, springEnergy(b, p.Int(1), b.Kept(name)))
			e.Dissipated = p.Sub(e.Dissipated, p.Mul(b.Kept(name), b.Kept(name+"dot")))
		}
	}
	return e
}

// keepVector keeps a vector for a later answer, keptVector finds it again.
func keepVector(b Builder, key string, v expr.Vector) {
	for i, e := range v.X {
		b.Keep(key+"xyz"[i:i+1], e)
	}
}

func keptVector(b Builder, key string, in expr.Frame) expr.Vector {
	v := expr.Vector{Frame: in}
	for i := range v.X {
		v.X[i] = b.Kept(key + "xyz"[i:i+1])
	}
	return v
}
