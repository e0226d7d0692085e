package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
)

type rod struct{ *model.Rod }

// Close is Phi = |d| - L, Phi' = e.v, Phi” = e.a + (v.v - (e.v)^2)/|d|, or the difference of the squares of |d| and L.
func (c rod) Close(b Builder) {
	p := b.Pool()
	x := b.Line(c.From, c.To)
	frame, edge := x.Axis.Frame, c.Name+".T1"
	v := p.DefineV("v_"+edge, b.Velocity(c.From, c.To, frame))
	bias := p.Add(p.Dot(x.Axis, b.Acceleration(c.From, c.To, frame)), p.Div(p.Sub(p.Dot(v, v), p.Pow(x.Rate, 2)), x.Value))
	partials := b.PartialsAlong(c.From, c.To, x.Axis)
	length := b.Scalar("length", "m", c.Length)
	r := Row{
		Name: c.Name, Position: p.Sub(x.Value, length), Velocity: x.Rate, Partials: partials, Bias: bias,
		Active: activity(b, c.Active),
	}
	unit := "m"
	if c.Square { // 2 |d| e = 2 d
		twice := p.Define("twice_"+edge, p.Scale(expr.Integer(2), x.Value))
		r.Position, unit = p.Sub(p.Pow(x.Value, 2), p.Pow(length, 2)), "m2"
		r.Velocity = p.Mul(twice, x.Rate)
		r.Bias = p.Add(p.Mul(twice, bias), p.Scale(expr.Integer(2), p.Pow(x.Rate, 2)))
		for k := range partials {
			partials[k] = p.Mul(twice, partials[k])
		}
	}
	b.Row(r, "value", unit)
}

// IgnoresTurn: it knows origins only, which are on the axis.
func (c rod) IgnoresTurn(Turn) bool { return true }

// activity is the factor of a component's constraints: nil where they are always active.
func activity(b Builder, s model.Scalar) *expr.Expr {
	if !s.Formula && s.Value == 1 {
		return nil
	}
	return b.Settable("active", "1", "1: active, 0: inactive", s)
}
