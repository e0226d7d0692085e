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
	Keys: append([]keys.Key{
		{Name: "input", Shape: keys.TextShape, Names: keys.Components,
			Text: "revolute joint of the crankshaft, on which the clutch acts"},
		{Name: "drives", Shape: keys.TextShape, Names: keys.Components, Text: "revolute joint or differential"},
		{Name: "ratios", Shape: keys.ScalarsShape, Unit: "1", Positive: true,
			Text: "speed of the input divided by the speed of the driven component, from first gear up"},
		{Name: "reverse", Unit: "1", Optional: true, Positive: true,
			Text: "ratio of the reverse gear, without its sign; default: no reverse gear"},
		{Name: "efficiency", Shape: keys.ScalarsShape, Unit: "1", Optional: true, Positive: true, AtMostOne: true,
			Text: "of each of the gears in `ratios`: share of the power of the driving side that reaches the other side, in " +
				"either direction; default: no loss"},
		{Name: "reverse_efficiency", Unit: "1", Default: "1", Positive: true, AtMostOne: true,
			Text: "efficiency of the reverse gear"},
		jointEfficiencyKey("to what it drives"),
		positive("capacity", "N.m", "largest torque of the clutch"),
		{Name: "sliding_speed", Unit: "rad/s", Default: "10", Positive: true,
			Text: "slip at which the clutch torque is tanh 1 of its largest value"},
		{Name: "shift_time", Unit: "s", Optional: true, Positive: true,
			Text: "time of a shift from a gear to the next one, in which no torque gets through; at least ten steps of the " +
				"solver; default: gears shift at once"},
		heatKey,
	}, spinningKeys("the shafts and gears that turn with what it drives", "that turns forward")...),
	Read: readGearbox,
}

// Gearbox couples the shaft of a revolute joint, Input, with a revolute joint or a differential by a
// friction clutch and gears. Inputs are <name>.gear and <name>.clutch.
type Gearbox struct {
	keys.Header
	Input, Drives string
	Ratios        []keys.Scalar // speed of the input divided by the speed of the driven component, gears 1, 2, ...
	HasReverse    bool
	Reverse       keys.Scalar // likewise, without its sign
	// Efficiencies has an efficiency for each of Ratios, none without losses; ReverseEfficiency belongs to the reverse
	// gear.
	Efficiencies      []keys.Scalar
	ReverseEfficiency keys.Scalar
	JointEfficiency   keys.Scalar // behind the gears
	Capacity          keys.Scalar // N m, of the clutch
	SlidingSpeed      keys.Scalar // rad/s
	TakesTime         bool
	ShiftTime         keys.Scalar // s
	Spinning                      // with the driven component

	inputAt, drivesAt keys.Position
}

func readGearbox(h keys.Header, f *keys.Fields) Component {
	g := &Gearbox{
		Header: h, Input: f.Text("input"), Drives: f.Text("drives"), Ratios: f.Scalars("ratios"),
		HasReverse: f.Given("reverse"), Reverse: f.Scalar("reverse"), Capacity: f.Scalar("capacity"),
		SlidingSpeed: f.Scalar("sliding_speed"),
		inputAt:      f.Position("input"), drivesAt: f.Position("drives"),
		Efficiencies: f.Scalars("efficiency"), ReverseEfficiency: f.Scalar("reverse_efficiency"),
		JointEfficiency: f.Scalar("joint_efficiency"), TakesTime: f.Given("shift_time"), ShiftTime: f.Scalar("shift_time"),
		Spinning: readSpinning(h, f),
	}
	if n := len(g.Efficiencies); n > 0 && n != len(g.Ratios) {
		f.Fault("efficiency", "%s has %d numbers; it needs one for each of the %d ratios", f.PathOf("efficiency"), n,
			len(g.Ratios))
	}
	if f.Given("reverse_efficiency") && !g.HasReverse {
		f.Fault("reverse_efficiency", "%s goes with a reverse gear; give the key \"reverse\", too",
			f.PathOf("reverse_efficiency"))
	}
	return g
}

func (c *Gearbox) Frames() Frames { return Frames{Uses: given(c.Frame), Axes: given(c.Frame)} }

func (c *Gearbox) Edges(s *Scope) []graph.Edge {
	return driven(s, "", c.Input, c.Drives)
}

// Check rejects a gearbox that drives its own input, and rotating parts with more inertia than their carrier.
func (c *Gearbox) Check(s *Scope, r *keys.Reader) {
	c.check(c.Name, s, r)
	if c.Input == c.Drives {
		r.Place(c.drivesAt, "gearbox %s drives its own input; let it drive another shaft", c.Name)
	}
}

// Terminal returns the driver's terminal.
func (*Gearbox) Terminal() Terminal { return Terminal{} }

// Acts are the torques on its input, which an engine drives, and on its output.
func (c *Gearbox) Acts() []Act {
	return []Act{
		{On: c.Input, Part: Coupled, Needs: "a revolute joint", Shared: true, Pos: c.inputAt},
		{On: c.Drives, Part: Powered, Needs: "a revolute joint or a differential", Pos: c.drivesAt},
	}
}

// Law couples a shaft of speed w1 with a shaft of speed w2. The clutch has the capacity C and the engaged share u; the
// gear has the ratio i, negative in reverse. The torque
//
//	T = C u tanh((w1 - i w2)/sliding speed)
//
// brakes the first shaft and reacts on its tail; i T drives the second shaft. In neutral i and T are 0. With
// efficiencies, the gears take lossTorque from T at the speed i w2. The second shaft gets i times the rest, less the
// loss of the joints.
func (c *Gearbox) Law(b Builder) {
	p := b.Pool()
	gear := b.Input("gear", "1", "-1: reverse, 0: neutral, 1: first gear; the nearest available gear counts", 0)
	clutch := b.Input("clutch", "1", "0: open, 1: engaged", 1)
	closed := p.Call(expr.Max, p.Int(0), p.Call(expr.Min, p.Int(1), clutch))
	if c.TakesTime {
		var in *expr.Expr
		gear, in = c.shift(b, gear)
		closed = p.Mul(closed, in)
	}
	engaged, ratio, giving, getting := c.engage(b, gear)
	input, output := shaftOf(b, c.Input, ""), shaftOf(b, c.Drives, "")
	slip := b.Define("slip", p.Sub(p.Mul(engaged, input.Speed), p.Mul(ratio, output.Speed)))
	torque := b.Define("T", p.Mul(
		b.Scalar("capacity", "N.m", c.Capacity), closed,
		p.Call(expr.Tanh, p.Div(slip, b.Scalar("sliding_speed", "rad/s", c.SlidingSpeed)))))
	through, lost := torque, p.Int(0)
	if !giving.IsZero() {
		turning, sliding := p.Mul(ratio, output.Speed), b.Scalar("sliding_speed", "rad/s", c.SlidingSpeed)
		drag := b.Define("T_loss", lossTorque(p, torque, turning, sliding, giving, getting))
		through, lost = p.Sub(torque, drag), p.Mul(drag, turning)
	}
	onOutput := p.Define("T_on_"+c.Drives, p.Mul(ratio, through))
	if !lossless(c.JointEfficiency) {
		drag := b.Define("T_joint", jointLoss(b, c.JointEfficiency, c.SlidingSpeed, onOutput, output.Speed))
		onOutput, lost = p.Sub(onOutput, drag), p.Add(lost, p.Mul(drag, output.Speed))
	}
	input.Turn(p.Neg(torque))
	output.Turn(onOutput)
	c.Rotor(b).load(b, c.Frame)
	b.Publish("ratio", "1", "ratio of the gear, negative in reverse, 0 in neutral", ratio)
	b.Publish("slip", "rad/s", "speed of the input minus the ratio times the speed of the output; 0 in neutral", slip)
	b.Publish("clutch_torque", "N.m", "torque of the clutch, positive when the input drives", torque)
	b.Publish("torque", "N.m", "torque on "+c.Drives, onOutput)
	loss := p.Add(p.Mul(torque, slip), lost)
	b.Publish("loss", "W", "power lost in the clutch, in gears and joints", loss)
	b.Keep("loss", loss)
}

// Rotor is the inertia that turns with the driven component, nil without inertia.
func (c *Gearbox) Rotor(b Builder) *Rotor {
	on := shaftOf(b, c.Drives, "")
	return c.rotor(on, on.Speed, b.Pool().Int(1), b)
}

// shift gives a shift its time. The lever x moves to the number n of the requested gear, past the gears between,
//
//	x' = clamp((n - x)/e, -1, 1)/time,  e = 1/10
//
// and a torque gets through from |n - x| = e exp(-1) on, which it reaches after the time for each gear: the share
// 2 - 2 exp(1) |n - x|/e, at most 1. The gear in is the nearest to x.
func (c *Gearbox) shift(b Builder, gear *expr.Expr) (lever, in *expr.Expr) {
	p := b.Pool()
	number := p.Int(0)
	for i := range c.Ratios {
		number = p.Add(number, beyond(p, gear, int64(i+1)))
	}
	if c.HasReverse {
		number = p.Sub(number, beyond(p, p.Neg(gear), 1))
	}
	lever = p.Sym(c.Name+".lever", expr.State)
	clamp := func(x *expr.Expr, low int64) *expr.Expr {
		return p.Call(expr.Max, p.Int(low), p.Call(expr.Min, p.Int(1), x))
	}
	away := b.Define("away", p.Mul(p.Int(10), p.Sub(number, lever)))
	rate := p.Div(clamp(away, -1), b.Scalar("shift_time", "s", c.ShiftTime))
	b.State(OwnState{Key: "lever", Unit: "1", Symbol: lever, Rate: rate, Begin: number,
		Text: "gear in which the lever is; between two gears during a shift"})
	return lever, clamp(p.Sub(p.Int(2), p.Mul(p.Num(expr.Fraction(5436563657, 1_000_000_000)), p.Call(expr.Abs, away))), 0)
}

// beyond is 1 for x > k - 1/2, else 0.
func beyond(p *expr.Pool, x *expr.Expr, k int64) *expr.Expr {
	return p.Call(expr.Step, p.Sub(x, p.Num(expr.Fraction(2*k-1, 2))))
}

// engage returns the data of the engaged gear, which is the gear nearest to the input: engaged (1, or 0 in neutral),
// its ratio, and the shares of power lost in it, 0 without losses. Each is a sum over all gears with weight 0 for every
// other gear.
func (c *Gearbox) engage(b Builder, gear *expr.Expr) (engaged, ratio, giving, getting *expr.Expr) {
	p := b.Pool()
	engaged, ratio, giving, getting = beyond(p, gear, 1), p.Int(0), p.Int(0), p.Int(0)
	loses := func(own *expr.Expr, name string, efficiency keys.Scalar) {
		if !lossless(efficiency) {
			give, get := lossShares(p, b.Scalar(name, "1", efficiency))
			giving, getting = p.Add(giving, p.Mul(own, give)), p.Add(getting, p.Mul(own, get))
		}
	}
	for i, r := range c.Ratios {
		number, last := int64(i+1), i == len(c.Ratios)-1
		own := beyond(p, gear, number)
		if !last {
			own = p.Sub(own, beyond(p, gear, number+1))
		}
		ratio = p.Add(ratio, p.Mul(own, b.Scalar(fmt.Sprintf("ratio_%d", number), "1", r)))
		if len(c.Efficiencies) > 0 {
			loses(own, fmt.Sprintf("efficiency_%d", number), c.Efficiencies[i])
		}
	}
	if c.HasReverse {
		back := beyond(p, p.Neg(gear), 1)
		engaged = p.Add(engaged, back)
		ratio = p.Sub(ratio, p.Mul(back, b.Scalar("reverse", "1", c.Reverse)))
		loses(back, "reverse_efficiency", c.ReverseEfficiency)
	}
	return engaged, b.Define("ratio", ratio), giving, getting
}

// IgnoresTurn: it acts about the axes of joints.
func (c *Gearbox) IgnoresTurn(Turn) bool { return true }

// Energy: clutch, gears and joints dissipate power; the rotor of the driven side has kinetic energy.
func (c *Gearbox) Energy(b Builder) Energy {
	return Energy{Dissipated: b.Kept("loss"), Kinetic: c.Rotor(b).kinetic(b, c.Frame)}
}
