package formulate

import (
	"slices"

	"skidpad/model"
	"skidpad/model/expr"
)

type differential struct{ *model.Differential }

// Law is the torque of an input, where nothing drives the differential.
func (c differential) Law(b Builder) {
	if !driven(b, c.Name) {
		c.Shaft(b, "").Turn(b.Input("torque", "N.m", "torque on the input", 0))
	}
}

// Powers reports whether an output is a joint or differential.
func (c differential) Powers(name string) bool { return slices.Contains(c.Outputs[:], name) }

// Shaft is that of the input. The speed w of the carrier is that of the input over the ratio; with the share s of the
// first output
//
//	w = s w1 + (1 - s) w2
//	T1 = s T - L/2,  T2 = (1 - s) T + L/2
//	L = (preload + lock |T|) tanh((w1 - w2)/sliding speed) + viscosity (w1 - w2)
//
// where lock is that of the sign of T, so that T w = T1 w1 + T2 w2 + L (w1 - w2)/2, of which the last
// is lost.
func (c differential) Shaft(b Builder, _ string) Shaft {
	p := b.Pool()
	first, second := shaftOf(b, c.Outputs[0], c.Housing), shaftOf(b, c.Outputs[1], c.Housing)
	ratio, share := b.Scalar("ratio", "1", c.Ratio), b.Scalar("share", "1", c.Share)
	rest := p.Sub(p.Int(1), share)
	mean := func(x, y *expr.Expr) *expr.Expr { return p.Mul(ratio, p.Add(p.Mul(share, x), p.Mul(rest, y))) }
	s := Shaft{
		Speed:    b.Define("speed", mean(first.Speed, second.Speed)),
		Partials: b.NoPartials(), Bias: mean(first.Bias, second.Bias),
	}
	for k := range s.Partials {
		s.Partials[k] = mean(first.Partials[k], second.Partials[k])
	}
	s.Turn = func(input *expr.Expr) {
		carrier := b.Define("T", p.Mul(ratio, input))
		slide := b.Define("slide", p.Sub(first.Speed, second.Speed))
		locked := c.lock(b, carrier, slide)
		half := p.Scale(expr.Fraction(1, 2), locked)
		for i, output := range []struct {
			Shaft
			torque *expr.Expr
		}{{first, p.Sub(p.Mul(share, carrier), half)}, {second, p.Add(p.Mul(rest, carrier), half)}} {
			number := string(rune('1' + i))
			torque := p.Define("T_"+c.Name+"_"+number, output.torque)
			output.Turn(torque)
			b.Publish("torque_"+number, "N.m", "torque on "+c.Outputs[i], torque)
		}
		b.Publish("speed", "rad/s", "speed of the input", s.Speed)
		b.Publish("loss", "W", "power lost by friction", p.Mul(half, slide))
		if driven(b, c.Name) {
			b.Publish("torque", "N.m", "torque on the input", input)
		}
	}
	return s
}

// lock is the difference of the output torques.
func (c differential) lock(b Builder, carrier, slide *expr.Expr) *expr.Expr {
	p := b.Pool()
	drive, coast := b.Scalar("lock_drive", "1", c.LockDrive), b.Scalar("lock_coast", "1", c.LockCoast)
	friction := p.Add(
		b.Scalar("preload", "N.m", c.Preload),
		p.Mul(drive, p.Call(expr.Max, p.Int(0), carrier)),
		p.Mul(coast, p.Call(expr.Max, p.Int(0), p.Neg(carrier))),
	)
	locked := p.Mul(b.Scalar("viscosity", "N.m.s/rad", c.Viscosity), slide)
	if !friction.IsZero() {
		sliding := b.Scalar("sliding_speed", "rad/s", c.SlidingSpeed)
		locked = p.Add(locked, p.Mul(friction, p.Call(expr.Tanh, p.Div(slide, sliding))))
	}
	return b.Define("lock", locked)
}

// IgnoresTurn: it acts about the axes of joints.
func (c differential) IgnoresTurn(Turn) bool { return true }
