package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
)

type revolute struct{ *model.Revolute }

// Law is the torque of the joint's input.
func (c revolute) Law(b Builder) {
	if c.Torque {
		b.Drive(c.Coordinate(b), b.Input("torque", "N.m", "torque about the axis, reacting on "+c.From, 0))
	}
}

// Coordinate is the angle of the joint.
func (c revolute) Coordinate(b Builder) Coordinate { return b.About(c.From, c.To, c.Axis) }

// Observed are angle and rate.
func (c revolute) Observed(b Builder) {
	x := c.Coordinate(b)
	if x.Value == nil {
		x.Value = b.AngleBetween(c.From, c.To, c.Axis)
	}
	b.Publish("phi", "rad", "angle about the joint axis", x.Value)
	b.Publish("omega", "rad/s", "rate about the joint axis", x.Rate)
}

// IgnoresTurn: of a joint its own; a chord keeps its head at a place along the tail's axes.
func (c revolute) IgnoresTurn(t Turn) bool { return !t.Tail || t.Branch }

// Shaft is that of the joint: from its tail, or with universal joints from a housing that need not be parallel to the
// tail, whose torque and speed are taken about the joint's axis, too.
func (c revolute) Shaft(b Builder, housing string) Shaft {
	p := b.Pool()
	x := c.Coordinate(b)
	frame := b.Axes(c.From)
	if housing != "" && !b.Parallel(housing, c.From) {
		x = Coordinate{Domain: x.Domain, From: housing, To: c.To, Speed: -1, Axis: b.Constant(frame, c.Axis)}
		x.Rate = p.Dot(x.Axis, b.AngularVelocity(housing, c.To, frame))
	}
	s := Shaft{
		Speed: b.Define("speed", x.Rate), Partials: b.NoPartials(), Bias: p.Int(0),
		Turn: func(torque *expr.Expr) { b.Drive(x, torque) },
	}
	if x.Speed >= 0 {
		s.Partials[x.Speed] = p.Int(x.Sign)
		return s
	}
	for _, end := range []struct {
		frame string
		sign  int64
	}{{x.To, 1}, {x.From, -1}} {
		for k, axis := range b.Partials(end.frame) {
			part := p.Scale(expr.Integer(end.sign), p.Dot(x.Axis, b.Resolve(axis, frame)))
			s.Partials[k] = b.Define("d_speed", p.Add(s.Partials[k], part))
		}
	}
	turning := p.Cross(b.AngularVelocity(model.GroundFrame, c.From, frame), x.Axis)
	s.Bias = p.Add(p.Dot(x.Axis, b.AngularAcceleration(x.From, x.To, frame)),
		p.Dot(turning, b.AngularVelocity(x.From, x.To, frame)))
	return s
}

// Shaft is what a torque acts on: a joint, or the input of a differential.
type Shaft struct {
	Speed *expr.Expr // rad/s
	// Partials of the speed by the speeds of the model, and what its rate is beside their rates.
	Partials []*expr.Expr
	Bias     *expr.Expr
	Turn     func(torque *expr.Expr)
}

// shaftOf is what a component drives.
func shaftOf(b Builder, name, housing string) Shaft {
	s, own, _ := peer[shafted](b, name)
	return s.Shaft(own, housing)
}

// driven reports whether something drives a joint or differential.
func driven(b Builder, name string) bool {
	_, _, found := find(b, func(d driving) bool { return d.Powers(name) })
	return found
}
