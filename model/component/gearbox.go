package component

import (
	"fmt"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var gearboxType = Type{
	Word:   "gearbox",
	Text:   "friction clutch and shiftable gears between two shafts",
	Middle: true,
	Keys: []keys.Key{
		{Name: "input", Shape: keys.TextShape, Names: keys.Components,
			Text: "revolute joint of the crankshaft, on which the clutch acts"},
		{Name: "drives", Shape: keys.TextShape, Names: keys.Components, Text: "revolute joint or differential"},
		{Name: "ratios", Shape: keys.ScalarsShape, Unit: "1", Positive: true,
			Text: "speed of the input divided by the speed of the driven component, from first gear up"},
		{Name: "reverse", Unit: "1", Optional: true, Positive: true,
			Text: "ratio of the reverse gear, without its sign; default: no reverse gear"},
		positive("capacity", "N.m", "largest torque of the clutch"),
		{Name: "sliding_speed", Unit: "rad/s", Default: "10", Positive: true,
			Text: "slip at which the clutch torque is tanh 1 of its largest value"},
	},
	Read: readGearbox,
}

// Gearbox couples the shaft of a revolute joint, Input, with a revolute joint or a differential by a
// friction clutch and gears. Inputs are <name>.gear and <name>.clutch.
type Gearbox struct {
	keys.Header
	Input, Drives string
	Ratios        []keys.Scalar // of the speed of the input to that of what it drives, of the gears 1, 2, ...
	HasReverse    bool
	Reverse       keys.Scalar // likewise, without its sign
	Capacity      keys.Scalar // N m, of the clutch
	SlidingSpeed  keys.Scalar // rad/s

	inputAt, drivesAt keys.Position
}

func readGearbox(h keys.Header, f *keys.Fields) Component {
	return &Gearbox{
		Header: h, Input: f.Text("input"), Drives: f.Text("drives"), Ratios: f.Scalars("ratios"),
		HasReverse: f.Given("reverse"), Reverse: f.Scalar("reverse"), Capacity: f.Scalar("capacity"),
		SlidingSpeed: f.Scalar("sliding_speed"),
		inputAt:      f.Position("input"), drivesAt: f.Position("drives"),
	}
}

func (*Gearbox) Frames() Frames { return Frames{} }

func (c *Gearbox) Edges(s *Scope) []graph.Edge {
	return driven(s, "", c.Input, c.Drives)
}

// Check: it does not drive its own input.
func (c *Gearbox) Check(_ *Scope, r *keys.Reader) {
	if c.Input == c.Drives {
		r.Place(c.drivesAt, "gearbox %s drives its own input; let it drive another shaft", c.Name)
	}
}

// Terminal is that of the driver.
func (*Gearbox) Terminal() Terminal { return Terminal{} }

// Acts are the torques on its input, which an engine drives, and on its output.
func (c *Gearbox) Acts() []Act {
	return []Act{
		{On: c.Input, Part: Coupled, Needs: "a revolute joint", Shared: true, Pos: c.inputAt},
		{On: c.Drives, Part: Powered, Needs: "a revolute joint or a differential", Pos: c.drivesAt},
	}
}

// Law couples a shaft of speed w1 with one of speed w2 by a clutch of capacity C, engaged by the
// share u, and the ratio i of the gear, negative in reverse:
//
//	T = C u tanh((w1 - i w2)/sliding speed)
//
// brakes the first and reacts on its tail; i T drives the second. In neutral i is 0, and T, too.
func (c *Gearbox) Law(b Builder) {
	p := b.Pool()
	gear := b.Input("gear", "1", "-1: reverse, 0: neutral, 1: first gear; the nearest available gear counts", 0)
	clutch := b.Input("clutch", "1", "0: open, 1: engaged", 1)
	engaged, ratio := c.ratio(b, gear)
	input, output := shaftOf(b, c.Input, ""), shaftOf(b, c.Drives, "")
	slip := b.Define("slip", p.Sub(p.Mul(engaged, input.Speed), p.Mul(ratio, output.Speed)))
	closed := p.Call(expr.Max, p.Int(0), p.Call(expr.Min, p.Int(1), clutch))
	torque := b.Define("T", p.Mul(
		b.Scalar("capacity", "N.m", c.Capacity), closed,
		p.Call(expr.Tanh, p.Div(slip, b.Scalar("sliding_speed", "rad/s", c.SlidingSpeed)))))
	onOutput := p.Define("T_on_"+c.Drives, p.Mul(ratio, torque))
	input.Turn(p.Neg(torque))
	output.Turn(onOutput)
	b.Publish("ratio", "1", "ratio of the gear, negative in reverse, 0 in neutral", ratio)
	b.Publish("slip", "rad/s", "speed of the input minus the ratio times the speed of the output; 0 in neutral", slip)
	b.Publish("clutch_torque", "N.m", "torque of the clutch, positive when the input drives", torque)
	b.Publish("torque", "N.m", "torque on "+c.Drives, onOutput)
	loss := p.Mul(torque, slip)
	b.Publish("loss", "W", "power lost in the clutch", loss)
	b.Keep("loss", loss)
}

// ratio is that of the nearest gear there is, a sum in which all others count nothing, and whether one is engaged: 1,
// or 0 in neutral.
func (c *Gearbox) ratio(b Builder, gear *expr.Expr) (engaged, ratio *expr.Expr) {
	p := b.Pool()
	beyond := func(x *expr.Expr, k int64) *expr.Expr { // 1 for x > k - 1/2
		return p.Call(expr.Step, p.Sub(x, p.Num(expr.Fraction(2*k-1, 2))))
	}
	engaged, ratio = beyond(gear, 1), p.Int(0)
	for i, r := range c.Ratios {
		number, last := int64(i+1), i == len(c.Ratios)-1
		own := beyond(gear, number)
		if !last {
			own = p.Sub(own, beyond(gear, number+1))
		}
		ratio = p.Add(ratio, p.Mul(own, b.Scalar(fmt.Sprintf("ratio_%d", number), "1", r)))
	}
	if c.HasReverse {
		back := beyond(p.Neg(gear), 1)
		engaged = p.Add(engaged, back)
		ratio = p.Sub(ratio, p.Mul(back, b.Scalar("reverse", "1", c.Reverse)))
	}
	return engaged, b.Define("ratio", ratio)
}

// IgnoresTurn: it acts about the axes of joints.
func (c *Gearbox) IgnoresTurn(Turn) bool { return true }
