package formulate

import (
	"slices"

	"skidpad/model"
	"skidpad/model/expr"
)

type steering struct{ *model.Steering }

// Leads reports whether the hand wheel turns a motion driver.
func (c steering) Leads(driver string) bool { return c.wheel(driver) >= 0 }

func (c steering) wheel(driver string) int {
	return slices.IndexFunc(c.Wheels, func(w model.SteeredWheel) bool { return w.Driver == driver })
}

// Hand is the motion of the hand wheel: prescribed, or a coordinate of the model.
func (c steering) Hand(b Builder) Motion {
	if c.HandWheel == nil {
		return b.Prescribed("angle", "rad", "hand wheel, positive to the left")
	}
	x := c.freedom(b)
	return Motion{x.Value, x.Rate, nil}
}

func (c steering) freedom(b Builder) Coordinate { return b.Freedom("wheel_angle", "wheel_rate") }

// Course is the angle delta(D) of a driver over the angle D of the hand wheel. In the middle delta is D over the
// ratio, m. A wheel y to the left of the middle, whose axis meets those of the others on the axle a wheelbase l behind
// (Ackermann), has tan delta = l sin m/(l cos m - y sin m), which is tan(delta - m) = y sin^2 m/(l - y sin m cos m)
// without a pole.
func (c steering) Course(b Builder, driver string, x *expr.Expr) Course {
	p, wheel := b.Pool(), &c.Wheels[c.wheel(driver)]
	angle := p.Div(x, b.Scalar("ratio", "1", c.Ratio))
	lateral := b.Scalar(driver+"_lateral", "m", wheel.Lateral)
	switch {
	case wheel.Angle != nil:
		angle = b.Curve("curve_"+driver, wheel.Angle, b.Define("angle", angle)).Value
	case !lateral.IsZero():
		base := b.Scalar("wheelbase", "m", c.Wheelbase)
		middle := b.Define("angle", angle)
		sin, cos := p.Call(expr.Sin, middle), p.Call(expr.Cos, middle)
		angle = p.Add(middle, p.Call(expr.Atan, p.Div(p.Mul(lateral, p.Pow(sin, 2)), p.Sub(base, p.Mul(lateral, sin, cos)))))
	}
	angle = p.Define("angle_"+driver, angle)
	slope := p.Define("slope_"+driver, p.Diff(angle, x))
	return Course{angle, slope, p.Diff(slope, x)}
}

// Law publishes the angles of the wheels. A free hand wheel has the equation
//
//	I D" = T - c D' - F tanh(D'/s) + sum over the wheels of delta' M,
//	T = torque + hold (k (angle - D) + d (rate - D') + I acceleration)
//
// where T is the driver's torque and M are the moments about the axes of the drivers of all that they
// turn, which the projection finds.
func (c steering) Law(b Builder) {
	for i := range c.Wheels {
		driver := c.Wheels[i].Driver
		angle := b.Driven(driver).Position
		b.Unnamed().Publish(driver+".angle", "rad", "angle that the hand wheel gives", angle)
	}
	h := c.HandWheel
	if h == nil {
		return
	}
	p := b.Pool()
	x := c.freedom(b)
	wanted := b.Prescribed("angle", "rad", "what hands hold the hand wheel to, positive to the left")
	hold := b.Input("hold", "1", "1: hands hold the hand wheel, 0: they let it go", 1)
	given := b.Input("torque", "N.m", "torque of the driver beside that of holding, positive to the left", 0)
	inertia := b.Scalar("inertia", "kg.m2", h.Inertia)
	torque := b.Define("T", p.Add(given, p.Mul(hold, p.Add(
		p.Mul(b.Scalar("hold_stiffness", "N.m/rad", h.HoldStiffness), p.Sub(wanted.Position, x.Value)),
		p.Mul(b.Scalar("hold_damping", "N.m.s/rad", h.HoldDamping), p.Sub(wanted.Rate, x.Rate)),
		p.Mul(inertia, wanted.Acceleration)))))
	b.Publish("wheel_torque", "N.m", "torque of the driver on the hand wheel, positive to the left", torque)
	load := p.Sub(torque, p.Mul(b.Scalar("damping", "N.m.s/rad", h.Damping), x.Rate))
	if friction := b.Scalar("friction", "N.m", h.Friction); !friction.IsZero() {
		sliding := b.Scalar("sliding_speed", "rad/s", h.SlidingSpeed)
		load = p.Sub(load, p.Mul(friction, p.Call(expr.Tanh, p.Div(x.Rate, sliding))))
	}
	b.OnSpeed(x.Speed, load)
}

// Couples: all that a free hand wheel turns is coupled by it.
func (c steering) Couples() bool { return c.HandWheel != nil }

// OwnInertia is that of a free hand wheel, on its speed; nil for none.
func (c steering) OwnInertia(b Builder) (speed int, inertia *expr.Expr) {
	if c.HandWheel == nil {
		return -1, nil
	}
	return c.freedom(b).Speed, b.Scalar("inertia", "kg.m2", c.HandWheel.Inertia)
}
