package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
)

type engine struct{ *model.Engine }

// Law gives what the engine drives the torque
//
//	T = drag(w) + throttle (full load(w) - drag(w))
//
// times its ratio; w is the ratio times the speed of what it drives, throttle is limited to 0..1. What
// has inertia I and turns with w about an axis a of a frame that turns with W has the momentum I w a
// beside what it would have if it stood still in the frame: its kinetic energy adds to the equations
//
//	I w^2/2 + I w a.W
//
// as mass, and, as loads, what does not depend on accelerations.
func (c engine) Law(b Builder) {
	p := b.Pool()
	on, speed := c.shaft(b)
	full := b.Curve("full_load_"+c.Name, c.FullLoad, speed).Value
	drag := p.Int(0)
	if c.Drag != nil {
		drag = b.Curve("drag_"+c.Name, c.Drag, speed).Value
	}
	throttle := b.Input("throttle", "1", "0: closed, 1: open", 0)
	open := b.Define("throttle", p.Call(expr.Max, p.Int(0), p.Call(expr.Min, p.Int(1), throttle)))
	torque := b.Define("T", p.Add(drag, p.Mul(open, p.Sub(full, drag))))
	b.Publish("speed", "rad/s", "speed of the engine", speed)
	b.Publish("torque", "N.m", "torque of the engine by speed and throttle", torque)
	ratio := b.Scalar("ratio", "1", c.Ratio)
	if r := c.Rotor(b); r != nil {
		w := b.AngularVelocity(model.GroundFrame, c.Frame, r.Axis.Frame)
		alpha := b.AngularAcceleration(model.GroundFrame, c.Frame, r.Axis.Frame)
		load := b.Define("inertia", p.Mul(r.Inertia, p.Add(r.bias, p.Dot(r.Axis, alpha))))
		for k, e := range r.Partials {
			b.OnSpeed(k, p.Neg(p.Mul(load, e)))
		}
		momentum := b.DefineV("H", p.ScaleV(p.Mul(r.Inertia, speed), r.Axis))
		rest := p.AddV(p.ScaleV(p.Mul(r.Inertia, r.bias), r.Axis), p.Cross(w, momentum))
		b.Moment(c.Frame, p.NegV(rest))
	}
	on.Turn(p.Define("T_on_"+c.Drives, p.Mul(ratio, torque)))
}

// shaft returns what the engine drives, and the speed of the engine.
func (c engine) shaft(b Builder) (on Shaft, speed *expr.Expr) {
	on = shaftOf(b, c.Drives, "")
	return on, b.Define("speed", b.Pool().Mul(b.Scalar("ratio", "1", c.Ratio), on.Speed))
}

// Powers reports whether it drives a joint or differential.
func (c engine) Powers(name string) bool { return c.Drives == name }

// Couples: its inertia couples what it drives with what carries it.
func (c engine) Couples() bool { return c.Inertia.Formula || c.Inertia.Value != 0 }

// Carrier is the frame that carries what turns with the engine.
func (c engine) Carrier() string { return c.Frame }

// Rotor is what turns with the engine, nil without inertia.
func (c engine) Rotor(b Builder) *Rotor {
	p := b.Pool()
	inertia := b.Scalar("inertia", "kg.m2", c.Inertia)
	if inertia.IsZero() {
		return nil
	}
	on, _ := c.shaft(b)
	ratio := b.Scalar("ratio", "1", c.Ratio)
	r := &Rotor{
		Inertia: inertia, Axis: b.Constant(b.Axes(c.Frame), c.Axis),
		Partials: b.NoPartials(), Along: b.NoPartials(), bias: p.Mul(ratio, on.Bias),
	}
	for k := range on.Partials {
		r.Partials[k] = p.Mul(ratio, on.Partials[k])
	}
	for k, axis := range b.Partials(c.Frame) {
		r.Along[k] = p.Dot(r.Axis, b.Resolve(axis, r.Axis.Frame))
	}
	return r
}

// Rotor is an inertia that turns against a frame that carries it.
type Rotor struct {
	Inertia *expr.Expr
	Axis    expr.Vector
	// The rate of its speed against the carrier is the partials times the rates of the model's speeds
	// and the bias; along is how much the carrier turns about the axis with each.
	Partials, Along []*expr.Expr
	bias            *expr.Expr
}

// IgnoresTurn: it acts about the axes of joints; what its rotor turns in is carried, and so no frame that turns unseen.
func (c engine) IgnoresTurn(t Turn) bool { return true }
