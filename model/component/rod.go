package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var rodType = Type{
	Word: "rod",
	Text: "massless rod of fixed length between two frames",
	Keys: []keys.Key{
		fromKey, toKey, {Name: "length", Unit: "m", Optional: true, Positive: true, Text: "length; default: the " +
			"distance of its ends in the design position, where both are known (BODY@POINT)"},
		{Name: "form", Shape: keys.WordShape, Default: "distance", Choices: []string{"distance", "square"},
			Text: "distance: the constraint is distance - length = 0; square: it is distance^2 - length^2 = 0"},
		activeKey, reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		if !f.Given("length") {
			f.FaultOfTable("%s lacks its length; only a rod between points of the design position (BODY@POINT) can "+
				"do without", h.Name)
		}
		return &Rod{h, f.Text("from"), f.Text("to"), f.Scalar("length"), f.Text("form") == "square", f.Scalar("active")}
	},
}

// Rod is a massless rigid link between the origins of two frames. Active is 1, or 0 where
// it is inactive.
type Rod struct {
	keys.Header
	From, To string
	Length   keys.Scalar // m
	Square   bool        // the squares of distance and length are compared
	Active   keys.Scalar
}

func (c *Rod) Frames() Frames {
	return Frames{Uses: []string{c.From, c.To}}
}

// Balls implements Balled.
func (c *Rod) Balls() []Ball {
	return []Ball{{At: c.From, Of: c.From, Meets: true}, {At: c.To, Of: c.To, Meets: true}}
}

// Edges: only the distance is given, so that it is always a chord.
//
//	T1 A -> B  |r| = L
func (c *Rod) Edges(*Scope) []graph.Edge {
	return []graph.Edge{{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To,
		Space: graph.Space{Distance: &c.Length}}}
}

// Check has nothing to add to the keys.
func (*Rod) Check(*Scope, *keys.Reader) {}

// Law: its constraint is all.
func (*Rod) Law(Builder) {}

// Close is Phi = |d| - L, Phi' = e.v, Phi” = e.a + (v.v - (e.v)^2)/|d|, or the difference of the squares of |d| and
// L.
func (c *Rod) Close(b Builder) {
	p := b.Pool()
	x := b.Line(c.From, c.To)
	frame, edge := x.Axis.Frame, c.Name+".T1"
	v := p.DefineV("v_"+edge, b.Velocity(c.From, c.To, frame))
	bias := p.Add(p.Dot(x.Axis, b.Acceleration(c.From, c.To, frame)),
		p.Div(p.Sub(p.Dot(v, v), p.Pow(x.Rate, 2)), x.Value))
	partials := b.PartialsAlong(c.From, c.To, x.Axis)
	length := b.Scalar("length", "m", c.Length)
	r := Row{
		Name: c.Name, Position: p.Sub(x.Value, length), Velocity: x.Rate, Partials: partials, Bias: bias,
		Active: activity(b, c.Active),
	}
	unit := "m"
	if c.Square { // 2 |d| e = 2 d
		twice := p.Define("twice_"+edge, p.Scale(expr.Integer(2), x.Value))
		b.Keep("twice", twice)
		r.Position, unit = p.Sub(p.Pow(x.Value, 2), p.Pow(length, 2)), "m2"
		r.Velocity = p.Mul(twice, x.Rate)
		r.Bias = p.Add(p.Mul(twice, bias), p.Scale(expr.Integer(2), p.Pow(x.Rate, 2)))
		for k := range partials {
			partials[k] = p.Mul(twice, partials[k])
		}
	}
	b.Row(r, "value", unit)
}

// Holds: it pulls the head towards the tail.
func (c *Rod) Holds() (tail, head string) { return c.From, c.To }

// Tension: the gradient of Phi is e, or 2 d, and the force on the head is the multiplier times the opposite of that.
func (c *Rod) Tension(b Builder, multiplier func(row string) *expr.Expr) *expr.Expr {
	p := b.Pool()
	tension := multiplier("value")
	if c.Square {
		tension = p.Mul(b.Kept("twice"), tension)
	}
	if active := activity(b, c.Active); active != nil {
		tension = p.Mul(active, tension)
	}
	return b.Define("tension", tension)
}

// Wrenches are the tension on both ends.
func (c *Rod) Wrenches(b Builder, multiplier func(row string) *expr.Expr) []Wrench {
	pull := b.Pool().ScaleV(c.Tension(b, multiplier), b.Line(c.From, c.To).Axis)
	return []Wrench{{Frame: c.To, Force: b.Pool().NegV(pull)}, {Frame: c.From, Force: pull}}
}

// IgnoresTurn: the component depends on origins only, which are on the axis of the rotation.
func (c *Rod) IgnoresTurn(Turn) bool { return true }

// activity is the factor of a component's constraints: nil where they are always active.
func activity(b Builder, s keys.Scalar) *expr.Expr {
	if !s.Formula && s.Value == 1 {
		return nil
	}
	return b.Settable("active", "1", "1: active, 0: inactive", s)
}
