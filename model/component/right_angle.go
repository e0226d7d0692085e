package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var rightAngleType = Type{
	Word: "right-angle",
	Text: "two lines from one corner that stay perpendicular to each other",
	Keys: []keys.Key{
		frame("corner", "frame where the lines meet"),
		frame("from", "end of the first line"),
		frame("to", "end of the second line"),
		{Name: "length", Unit: "m", Optional: true, Positive: true,
			Text: "length of the second line, if another component fixes it; the constraint then uses the Pythagorean theorem"},
		activeKey, reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &RightAngle{h, f.Text("corner"), f.Text("from"), f.Text("to"), f.Given("length"), f.Scalar("length"),
			f.Scalar("active")}
	},
}

// RightAngle keeps the lines from Corner to From and to To perpendicular:
//
//	2 r.e + L^2 - e.e = 0,  r = From - Corner, e = To - Corner
//
// which is |r|^2 + L^2 - |From - To|^2 (van Iwaarden 2003, 2.7). Without Length it is 2 r.e = 0.
type RightAngle struct {
	keys.Header
	Corner, From, To string
	WithLength       bool
	Length           keys.Scalar // m
	Active           keys.Scalar
}

func (c *RightAngle) Frames() Frames {
	return Frames{Uses: []string{c.Corner, c.From, c.To}}
}

func (c *RightAngle) Edges(*Scope) []graph.Edge {
	return []graph.Edge{
		graph.Law("T1", graph.Translation, c.Corner, c.From), graph.Law("T2", graph.Translation, c.Corner, c.To),
	}
}

// Check has nothing to add to the keys.
func (*RightAngle) Check(*Scope, *keys.Reader) {}

// Law applies no load: the component has a constraint only.
func (*RightAngle) Law(Builder) {}

// Restrain adds the constraint as a row, with r and e from the corner:
//
//	Phi   = 2 r.e + L^2 - e.e
//	Phi'  = 2 (v.e + r.w) - 2 e.w,  v = r', w = e'
//	Phi'' = 2 (a.e + 2 v.w + r.b) - 2 (w.w + e.b),  a = r'', b = e''
//
// (van Iwaarden 2003, 2.7); without a length the terms in L, e.e and their rates are missing.
func (c *RightAngle) Restrain(b Builder) {
	p := b.Pool()
	r, e := b.Leg(c.Corner, c.From), b.Leg(c.Corner, c.To)
	if r.Position.IsZero() || e.Position.IsZero() {
		b.Reject(c.Pos, "right-angle %s has a line without length: its ends always coincide", c.Name)
		return
	}
	two := p.Int(2)
	// Phi' = across.v + along.w with across = 2 e and along = 2 r, or along = 2 (r - e) with a length
	across, along := p.ScaleV(two, e.Position), p.ScaleV(two, r.Position)
	position := p.Dot(along, e.Position)
	curvature := p.Mul(p.Int(4), p.Dot(r.Velocity, e.Velocity))
	if c.WithLength {
		length := b.Scalar("length", "m", c.Length)
		position = p.Add(position, p.Pow(length, 2), p.Neg(p.Dot(e.Position, e.Position)))
		curvature = p.Sub(curvature, p.Mul(two, p.Dot(e.Velocity, e.Velocity)))
		along = p.SubV(along, across)
	}
	along = b.DefineV("along", along)
	keepVector(b, "along", along)
	partials := b.NoPartials()
	for k := range partials {
		if v, ok := r.Partials[k]; ok {
			partials[k] = p.Add(partials[k], p.Dot(across, v))
		}
		if v, ok := e.Partials[k]; ok {
			partials[k] = p.Add(partials[k], p.Dot(along, v))
		}
	}
	b.Row(Row{
		Name: c.Name, Position: position, Partials: partials, Active: activity(b, c.Active),
		Velocity: p.Add(p.Dot(across, r.Velocity), p.Dot(along, e.Velocity)),
		Bias:     p.Add(curvature, p.Dot(across, r.Acceleration), p.Dot(along, e.Acceleration)),
	}, "value", "m2")
}

// Holds: the corner is the tail, the end of the second line the head.
func (c *RightAngle) Holds() (tail, head string) { return c.Corner, c.To }

// Wrenches are forces on the three points. The forces and their moments sum to zero.
func (c *RightAngle) Wrenches(b Builder, multiplier func(row string) *expr.Expr) []Wrench {
	p := b.Pool()
	e := b.Leg(c.Corner, c.To).Position
	factor := p.Neg(multiplier("value"))
	if active := activity(b, c.Active); active != nil {
		factor = p.Mul(active, factor)
	}
	head := b.DefineV("on_to", p.ScaleV(factor, keptVector(b, "along", e.Frame)))
	side := b.DefineV("on_from", p.ScaleV(p.Scale(expr.Integer(2), factor), e))
	return []Wrench{
		{Frame: c.To, Force: head}, {Frame: c.From, Force: side}, {Frame: c.Corner, Force: p.NegV(p.AddV(head, side))},
	}
}

// Couples: the constraint couples the bodies of the three frames.
func (c *RightAngle) Couples() bool { return true }

// IgnoresTurn: the component depends on origins only, which are on the axis of the rotation.
func (c *RightAngle) IgnoresTurn(Turn) bool { return true }
