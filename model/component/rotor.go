package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// Spinning describes parts that turn with a shaft and are not bodies; a frame carries them.
type Spinning struct {
	Inertia keys.Scalar // kg m^2, about its axis
	Frame   string      // that carries it, "" without inertia
	Axis    [3]float64
}

// spinningKeys are the keys of parts that turn with a shaft. parts names the parts; sense says when they turn in the
// positive sense.
func spinningKeys(parts, sense string) []keys.Key {
	return []keys.Key{
		nonnegative("inertia", "kg.m2", "0", "moment of inertia of "+parts+", about their axis"),
		{Name: "frame", Shape: keys.FrameShape, Optional: true, Text: "frame that carries the rotating parts"},
		{Name: "axis", Shape: keys.AxisShape, Plain: true, Optional: true, Mirror: keys.SpinAxis,
			Text: "axis in `frame`, about which they rotate in the positive sense when " + sense},
	}
}

func readSpinning(h keys.Header, f *keys.Fields) Spinning {
	for _, key := range []string{"frame", "axis"} {
		switch turns := f.Given("inertia"); {
		case turns && !f.Given(key):
			f.FaultOfTable("%s has inertia and lacks the key %q, of what carries it", h.Name, key)
		case !turns && f.Given(key):
			f.Fault(key, "%s.%s goes with inertia only", h.Name, key)
		}
	}
	return Spinning{Inertia: f.Scalar("inertia"), Frame: f.Text("frame"), Axis: f.Axis("axis")}
}

// check rejects rotating parts with more inertia than their carrier about the axis.
func (c Spinning) check(name string, s *Scope, r *keys.Reader) {
	for _, other := range All[Heavy](s) {
		b := other.Lump()
		if !b.Rigid || b.Frame != c.Frame {
			continue
		}
		about, j := 0.0, b.Inertia.Matrix()
		for i := range 3 {
			for k := range 3 {
				about += c.Axis[i] * j[i][k] * c.Axis[k]
			}
		}
		if c.Inertia.Value > about {
			r.Place(c.Inertia.Pos, "%s.inertia is %s; it is a part of %s, which has %.6g kg m2 about that axis",
				name, c.Inertia.Text, other.Head().Name, about)
		}
	}
}

// Couples: the inertia couples its shaft with its carrier.
func (c Spinning) Couples() bool { return c.Inertia.Formula || c.Inertia.Value != 0 }

// Carrier is the frame that carries the rotating parts.
func (c Spinning) Carrier() string { return c.Frame }

// Rotor is an inertia that turns against a frame that carries it.
type Rotor struct {
	Inertia *expr.Expr
	Axis    expr.Vector
	// The rate of the rotor's speed relative to the carrier is Partials times the rates of the model's speeds, plus bias.
	// Along has the partials of the carrier's angular velocity about the axis.
	Partials, Along []*expr.Expr
	speed, bias     *expr.Expr
	On              func() []Geared // shafts and joints that turn the rotor
}

// rotor returns the Rotor of parts that turn with a shaft; speed is ratio times the shaft's speed. It is nil without
// inertia.
func (c Spinning) rotor(on Shaft, speed, ratio *expr.Expr, b Builder) *Rotor {
	p := b.Pool()
	inertia := b.Scalar("inertia", "kg.m2", c.Inertia)
	if inertia.IsZero() {
		return nil
	}
	r := &Rotor{
		Inertia: inertia, Axis: b.Constant(b.Axes(c.Frame), c.Axis),
		Partials: b.NoPartials(), Along: b.NoPartials(), speed: speed, bias: p.Mul(ratio, on.Bias),
		On: func() []Geared { return times(p, ratio, on.On()) },
	}
	for k := range on.Partials {
		r.Partials[k] = p.Mul(ratio, on.Partials[k])
	}
	for k, axis := range b.Partials(c.Frame) {
		r.Along[k] = p.Dot(r.Axis, b.Resolve(axis, r.Axis.Frame))
	}
	return r
}

// load applies the loads of a rotor of c that do not depend on accelerations; a nil rotor has none. The rotor has the
// inertia I and turns with w about an axis a of a frame that turns with W. Its additional momentum, relative to a rotor
// at rest in the frame, is I w a. The kinetic energy adds to the equations
//
//	I w^2/2 + I w a.W
//
// as mass, and the rest as loads.
func (r *Rotor) load(b Builder, frame string) {
	if r == nil {
		return
	}
	p := b.Pool()
	w := b.AngularVelocity(graph.GroundFrame, frame, r.Axis.Frame)
	alpha := b.AngularAcceleration(graph.GroundFrame, frame, r.Axis.Frame)
	load := b.Define("inertia", p.Mul(r.Inertia, p.Add(r.bias, p.Dot(r.Axis, alpha))))
	for k, e := range r.Partials {
		b.OnSpeed(k, p.Neg(p.Mul(load, e)))
	}
	momentum := b.DefineV("H", p.ScaleV(p.Mul(r.Inertia, r.speed), r.Axis))
	rest := p.AddV(p.ScaleV(p.Mul(r.Inertia, r.bias), r.Axis), p.Cross(w, momentum))
	b.Moment(frame, p.NegV(rest))
}

// Resistance returns the d'Alembert torque of the rotor's inertia on the shaft, and the moment on the carrier that load
// does not apply. rates are the rates of the model's speeds, carrier the angular acceleration of the carrier.
func (r *Rotor) Resistance(b Builder, rates []*expr.Expr, carrier expr.Vector) (shaft *expr.Expr, moment expr.Vector) {
	p := b.Pool()
	rate := p.Int(0)
	for k, e := range r.Partials {
		rate = p.Add(rate, p.Mul(e, rates[k]))
	}
	along := p.Dot(r.Axis, b.Resolve(carrier, r.Axis.Frame))
	shaft = b.Define("inertia_torque", p.Neg(p.Mul(r.Inertia, p.Add(rate, r.bias, along))))
	return shaft, p.ScaleV(p.Neg(p.Mul(r.Inertia, rate)), r.Axis)
}

// kinetic returns the kinetic energy in addition to the energy of a rotor at rest in its frame, I w^2/2 + I w a.W; a
// nil rotor has none.
func (r *Rotor) kinetic(b Builder, frame string) *expr.Expr {
	if r == nil {
		return nil
	}
	p := b.Pool()
	carrier := p.Dot(r.Axis, b.AngularVelocity(graph.GroundFrame, frame, r.Axis.Frame))
	return p.Mul(r.Inertia, r.speed, p.Add(p.Scale(expr.Fraction(1, 2), r.speed), carrier))
}
