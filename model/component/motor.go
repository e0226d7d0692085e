package component

import (
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var motorType = Type{
	Word: "motor",
	Text: "electric motor by its limits and its loss, on a revolute joint",
	Keys: []keys.Key{fromNodeKey, toNodeKey, machineJointKey,
		nonnegative("lag", "s", "5e-3", "time constant of the torque; 0: none, for limits that do not depend on the voltage"),
		{Name: "limit", Shape: keys.CurveShape, Unit: "rad/s, N.m", Second: "V", Optional: true, Mirror: keys.Stays,
			Text: "limit of the torque over the magnitude of the speed, or a surface over it and the voltage"},
		{Name: "efficiency", Shape: keys.AnyShape, Default: "1", Mirror: keys.Stays, Any: []keys.Key{
			{Unit: "1", Positive: true, AtMostOne: true}, {Shape: keys.CurveShape, Unit: "N.m, 1", Second: "rad/s"}},
			Text: "power of the driven side over the power of the driving side: a number, a curve over the magnitude of the " +
				"torque, or a surface over the magnitudes of torque and speed"},
		{Name: "loss", Shape: keys.CurveShape, Unit: "N.m, W", Second: "rad/s", Optional: true, Mirror: keys.Stays,
			Text: "in place of an efficiency: lost power over the magnitude of the torque, or a surface over the " +
				"magnitudes of " +
				"torque and speed"},
		heatKey,
	},
	Read: readMotor,
}

// Motor gives its joint the torque that is asked for, and draws the power of the torque and its loss.
type Motor struct {
	keys.Header
	noFrames
	Ends
	Joint        string
	Lag          keys.Scalar    // s
	Limit        *curve.Curve   // N m over rad/s; nil for none
	LimitSurface *curve.Surface // in its place: N m over rad/s and V
	Efficiency   CurveOrNumber  // 1 over N m, or over N m and rad/s
	Loss         *curve.Curve   // W over N m; nil for none
	LossSurface  *curve.Surface // in its place: W over N m and rad/s

	efficiencyAt, lagAt keys.Position
}

func readMotor(h keys.Header, f *keys.Fields) Component {
	c := &Motor{Header: h, Ends: readEnds(f), Joint: f.Text("joint"), Lag: f.Scalar("lag"),
		Efficiency: readCurveOrNumber(f, "efficiency"), efficiencyAt: f.Position("efficiency"), lagAt: f.Position("lag")}
	c.Limit, c.LimitSurface = f.CurveOrSurface("limit")
	c.Loss, c.LossSurface = f.CurveOrSurface("loss")
	if f.Given("loss") && f.Given("efficiency") {
		f.Fault("loss", "%s has both loss and efficiency; take one of them out", h.Name)
	}
	return c
}

// Check: the ends differ, the joint turns, an efficiency is above 0 and at most 1, losses and limits are not negative,
// and a limit over the voltage has a lag.
func (c *Motor) Check(s *Scope, r *keys.Reader) {
	c.checkEnds(&c.Header, r)
	checkTurning(s, r, &c.Header, c.Joint)
	low, high := 1.0, 1.0
	if c.Efficiency.Curve != nil {
		low, high = smallestOf(c.Efficiency.Curve), largestOf(c.Efficiency.Curve)
	}
	if c.Efficiency.Surface != nil {
		low, high = rangeOfSurface(c.Efficiency.Surface)
	}
	if low <= 0 || high > 1 {
		r.Place(c.efficiencyAt, "%s.efficiency has values from %g to %g; an efficiency is above 0, and at most 1", c.Name,
			low,
			high)
	}
	checkNonnegative(&c.Header, r, "loss", "W", c.Loss, c.LossSurface)
	checkNonnegative(&c.Header, r, "limit", "N.m", c.Limit, c.LimitSurface)
	if c.LimitSurface != nil && zero(c.Lag) {
		r.Place(c.lagAt, "%s.lag is 0, and its limit depends on the voltage, which depends on the torque; write a lag "+
			"above 0, "+
			"such as lag = \"5 ms\"", c.Name)
	}
}

// Edges: the torque on the joint.
//
//	R1 A -> B
func (c *Motor) Edges(s *Scope) []graph.Edge { return []graph.Edge{lawOn(s, c.Joint, "1")} }

// ScalarEdges:
//
//	E1 from -> to  drop times i = power
func (c *Motor) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("E1", graph.Electrical, graph.PowerLoad)}
}

func (c *Motor) rate(b Builder) *expr.Expr {
	if x := coordinateOf(b, c.Joint); x.Value != nil {
		return x.Rate
	}
	return b.Pool().Int(0)
}

// torque is the state with a lag, and the limited demand without.
func (c *Motor) torque(b Builder) *expr.Expr {
	if zero(c.Lag) {
		return c.limited(b)
	}
	return b.Pool().Sym(c.Name+".torque", expr.State)
}

// limited is the torque that is asked for, within the limits.
func (c *Motor) limited(b Builder) *expr.Expr {
	p := b.Pool()
	demand := b.Input("demand", "N.m", "torque that is asked for", 0)
	var limit *expr.Expr
	switch speed := roundAbs(p, c.rate(b)); {
	case c.Limit != nil:
		limit = b.Curve("limit_"+c.Name, c.Limit, speed).Value
	case c.LimitSurface != nil:
		limit = b.Surface("limit_"+c.Name, c.LimitSurface, speed, b.Drop("E1"))
	default:
		return demand
	}
	limit = b.Define("limit", p.Call(expr.Max, p.Int(0), limit))
	return b.Define("torque", limited(p, demand, p.Neg(limit), limit))
}

// Relations: the power is torque times speed, with the loss.
func (c *Motor) Relations(b Builder) []Relation {
	p, torque := b.Pool(), c.torque(b)
	mechanical := b.Define("mechanical", p.Mul(torque, c.rate(b)))
	power := mechanical
	size, speed := roundAbs(p, torque), roundAbs(p, c.rate(b))
	switch {
	case c.Loss != nil:
		power = p.Add(power, p.Call(expr.Max, p.Int(0), b.Curve("loss_"+c.Name, c.Loss, size).Value))
	case c.LossSurface != nil:
		power = p.Add(power, p.Call(expr.Max, p.Int(0), b.Surface("loss_"+c.Name, c.LossSurface, size, speed)))
	case !c.Efficiency.number() || !lossless(c.Efficiency.Number):
		efficiency := c.Efficiency.at(b, "efficiency", "1", size, func() *expr.Expr { return speed })
		if !c.Efficiency.number() { // beyond the points, too
			efficiency = limited(p, efficiency, p.Num(expr.Fraction(1, 100)), p.Int(1))
		}
		power = drawn(p, power, b.Define("efficiency", efficiency))
	}
	power = b.Define("power", power)
	b.Keep("torque", torque)
	b.Keep("loss", b.Define("loss", p.Sub(power, mechanical)))
	return []Relation{{Power: power}}
}

// Law is the torque on the head of the joint, which reacts on its tail.
func (c *Motor) Law(b Builder) {
	publishElectrical(b, "E1")
	x := coordinateOf(b, c.Joint)
	if x.Value == nil {
		return
	}
	p, torque := b.Pool(), b.Kept("torque")
	text := "torque on the head of " + c.Joint
	if zero(c.Lag) {
		b.Publish("torque", "N.m", text, torque)
	} else {
		b.State(OwnState{Key: "torque", Unit: "N.m", Text: text, Symbol: torque,
			Rate: p.Div(p.Sub(c.limited(b), torque), b.Scalar("lag", "s", c.Lag)), Start: keys.Zero()})
	}
	b.Drive(x, torque)
	b.Publish("loss", "W", "lost power", b.Kept("loss"))
}

// IgnoresTurn: it acts about the axis of a joint.
func (*Motor) IgnoresTurn(Turn) bool { return true }

// Energy: the loss; the rest goes to the joint.
func (*Motor) Energy(b Builder) Energy { return Energy{Dissipated: b.Kept("loss")} }
