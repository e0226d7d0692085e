package component

import (
	"strings"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var motorType = Type{
	Word: "motor",
	Text: "electric motor by its limits and its loss, on a revolute joint or a differential",
	Keys: append([]keys.Key{fromNodeKey, toNodeKey,
		{Name: "joint", Shape: keys.TextShape, Names: keys.Components, Optional: true, Text: machineJointKey.Text},
		{Name: "drives", Shape: keys.TextShape, Names: keys.Components, Optional: true,
			Text: "in place of `joint`: differential that it turns, or a revolute joint that nothing else drives"},
		{Name: "ratio", Unit: "1", Default: "1", Positive: true,
			Text: "speed of the motor divided by the speed of what it turns; 1: no gear, and then no parameter"},
		nonnegative("lag", "s", "5e-3", "time constant of the torque; 0: none, for limits that do not depend on the voltage"),
		motorLimitKey("limit", "limit of the torque over the magnitude of the speed, or a surface over it and the voltage"),
		motorLimitKey("continuous", "limit of the torque where the input `overload` is 0; needs `limit`, which is the "+
			"limit at 1"),
		{Name: "efficiency", Shape: keys.AnyShape, Default: "1", Mirror: keys.Stays, Any: []keys.Key{
			{Unit: "1", Positive: true, AtMostOne: true}, {Shape: keys.CurveShape, Unit: "N.m, 1", Second: "rad/s"}},
			Text: "power of the driven side over the power of the driving side: a number, a curve over the magnitude of the " +
				"torque, or a surface over the magnitudes of torque and speed"},
		{Name: "loss", Shape: keys.CurveShape, Unit: "N.m, W", Second: "rad/s", Optional: true, Mirror: keys.Stays,
			Text: "in place of an efficiency: lost power over the magnitude of the torque, or a surface over the " +
				"magnitudes of " +
				"torque and speed"},
		lossFactor("copper_loss", "W/N2/m2", "in place of an efficiency: copper loss per square of the torque"),
		lossFactor("iron_loss", "W.s/rad", "in place of an efficiency: iron loss per speed"),
		lossFactor("eddy_loss", "W.s2/rad2", "in place of an efficiency: iron loss per square of the speed"),
		heatKey,
	}, spinningKeys("the rotor", "it drives forward")...),
	Read: readMotor,
}

func motorLimitKey(name, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.CurveShape, Unit: "rad/s, N.m", Second: "V", Optional: true,
		Mirror: keys.Stays, Text: text}
}

func lossFactor(name, unit, text string) keys.Key {
	return keys.Key{Name: name, Unit: unit, Nonnegative: true, Optional: true, Mirror: keys.Stays, Text: text}
}

// Motor gives its joint the torque that is asked for, and draws the power of the torque and its loss.
type Motor struct {
	keys.Header
	Ends
	Joint, Drives     string      // one of them is ""
	Ratio             keys.Scalar // speed of the motor divided by the speed of the joint
	Lag               keys.Scalar // s
	Limit, Continuous motorLimit
	Efficiency        CurveOrNumber  // 1 over N m, or over N m and rad/s
	Loss              *curve.Curve   // W over N m; nil for none
	LossSurface       *curve.Surface // in its place: W over N m and rad/s
	Copper            *keys.Scalar   // in its place: W/(N m)^2, W s/rad, W s^2/rad^2; nil: 0
	Iron, Eddy        *keys.Scalar
	Spinning          // the rotor

	efficiencyAt, lagAt, jointAt, drivesAt keys.Position
}

// motorLimit is a limit of the torque: N m over rad/s, or over rad/s and V. Both are nil for none.
type motorLimit struct {
	Curve   *curve.Curve
	Surface *curve.Surface
}

func (l motorLimit) given() bool { return l.Curve != nil || l.Surface != nil }

// at is the limit at a speed, not below 0.
func (l motorLimit) at(b Builder, key string, speed *expr.Expr) *expr.Expr {
	p := b.Pool()
	name := key + "_" + b.Head().Name
	if l.Surface != nil {
		return p.Call(expr.Max, p.Int(0), b.Surface(name, l.Surface, speed, b.Drop("E1")))
	}
	return p.Call(expr.Max, p.Int(0), b.Curve(name, l.Curve, speed).Value)
}

func readMotor(h keys.Header, f *keys.Fields) Component {
	c := &Motor{Header: h, Ends: readEnds(f), Joint: f.Text("joint"), Drives: f.Text("drives"),
		Ratio: f.Scalar("ratio"), Lag: f.Scalar("lag"),
		Efficiency: readCurveOrNumber(f, "efficiency"), Copper: optional(f, "copper_loss"), Iron: optional(f, "iron_loss"),
		Eddy: optional(f, "eddy_loss"), Spinning: readSpinning(h, f),
		efficiencyAt: f.Position("efficiency"), lagAt: f.Position("lag"), jointAt: f.Position("joint"),
		drivesAt: f.Position("drives")}
	c.Limit.Curve, c.Limit.Surface = f.CurveOrSurface("limit")
	c.Continuous.Curve, c.Continuous.Surface = f.CurveOrSurface("continuous")
	c.Loss, c.LossSurface = f.CurveOrSurface("loss")
	if f.Given("continuous") && !f.Given("limit") {
		f.Fault("continuous", "%s goes with limit, the limit at full overload; add it, or call this limit limit",
			f.PathOf("continuous"))
	}
	switch joint, drives := f.Given("joint"), f.Given("drives"); {
	case joint && drives:
		f.Fault("drives", "%s has both joint and drives; take one of them out", h.Name)
	case !joint && !drives:
		f.FaultOfTable("%s lacks the key \"joint\", a revolute joint that it turns, or \"drives\", a differential", h.Name)
	}
	first := ""
	for _, key := range []string{"efficiency", "loss", "copper_loss", "iron_loss", "eddy_loss"} {
		switch factor := strings.HasSuffix(key, "_loss"); {
		case !f.Given(key) || factor && strings.HasSuffix(first, "_loss"):
		case first != "":
			f.Fault(key, "%s has both %s and %s; take one of them out", h.Name, key, first)
		default:
			first = key
		}
	}
	return c
}

// Frames implements Component: a frame carries the rotor.
func (c *Motor) Frames() Frames { return Frames{Uses: given(c.Frame), Axes: given(c.Frame)} }

// Check: the ends differ, the joint turns, an efficiency is above 0 and at most 1, losses and limits are not negative,
// a limit over the voltage has a lag, and a rotor is on a shaft.
func (c *Motor) Check(s *Scope, r *keys.Reader) {
	c.checkEnds(&c.Header, r)
	if c.Drives == "" && c.Joint != "" {
		checkTurning(s, r, &c.Header, c.Joint)
	}
	if _, is := Named[shafted](s, c.Joint); c.Couples() && !is && s.Find(c.Joint) != nil {
		r.Place(c.jointAt, "%s.joint is %q, a %s; a motor with inertia needs a revolute joint or a differential", c.Name,
			c.Joint, s.Find(c.Joint).Head().Type)
	}
	c.check(c.Name, s, r)
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
	checkNonnegative(&c.Header, r, "limit", "N.m", c.Limit.Curve, c.Limit.Surface)
	checkNonnegative(&c.Header, r, "continuous", "N.m", c.Continuous.Curve, c.Continuous.Surface)
	if (c.Limit.Surface != nil || c.Continuous.Surface != nil) && zero(c.Lag) {
		r.Place(c.lagAt, "%s.lag is 0, and its limit depends on the voltage, which depends on the torque; write a lag "+
			"above 0, "+
			"such as lag = \"5 ms\"", c.Name)
	}
}

// Edges: the torque on the joint. A differential has its own edges.
//
//	R1 A -> B
func (c *Motor) Edges(s *Scope) []graph.Edge {
	if c.Drives != "" {
		return driven(s, "", c.Drives)
	}
	return []graph.Edge{lawOn(s, c.Joint, "1")}
}

// ScalarEdges:
//
//	E1 from -> to  drop times i = power
func (c *Motor) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("E1", graph.Electrical, graph.PowerLoad)}
}

// shaft is the driven joint or differential, and the speed of the motor.
func (c *Motor) shaft(b Builder) (on Shaft, speed *expr.Expr) {
	p := b.Pool()
	if c.Drives != "" {
		on = shaftOf(b, c.Drives, "")
	} else if x := coordinateOf(b, c.Joint); x.Value == nil { // refused
		on = Shaft{Speed: p.Int(0), Partials: b.NoPartials(), Bias: p.Int(0), Turn: func(*expr.Expr) {}}
	} else if _, is := Named[shafted](b.Scope(), c.Joint); is {
		on = shaftOf(b, c.Joint, "")
	} else {
		on = Shaft{Speed: x.Rate, Turn: func(torque *expr.Expr) { b.Drive(x, torque) }}
	}
	return on, p.Mul(c.ratio(b), on.Speed)
}

func (c *Motor) ratio(b Builder) *expr.Expr {
	if lossless(c.Ratio) {
		return b.Pool().Int(1)
	}
	return b.Scalar("ratio", "1", c.Ratio)
}

// Rotor is the inertia that turns with the motor, nil without inertia.
func (c *Motor) Rotor(b Builder) *Rotor {
	on, speed := c.shaft(b)
	return c.rotor(on, speed, c.ratio(b), b)
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
	if !c.Limit.given() {
		return demand
	}
	_, rate := c.shaft(b)
	speed := roundAbs(p, rate)
	limit := c.Limit.at(b, "limit", speed)
	if c.Continuous.given() {
		over := limited(p, b.Input("overload", "1", "share of the torque between the limits continuous and limit", 1),
			p.Int(0), p.Int(1))
		low := b.Define("continuous", c.Continuous.at(b, "continuous", speed))
		limit = p.Add(low, p.Mul(over, p.Sub(limit, low)))
	}
	limit = b.Define("limit", limit)
	b.Keep("limit", limit)
	return b.Define("torque", limited(p, demand, p.Neg(limit), limit))
}

// Relations: the power is torque times speed, with the loss.
func (c *Motor) Relations(b Builder) []Relation {
	p, torque := b.Pool(), c.torque(b)
	_, rate := c.shaft(b)
	mechanical := b.Define("mechanical", p.Mul(torque, rate))
	power := mechanical
	size, speed := roundAbs(p, torque), roundAbs(p, rate)
	switch {
	case c.Loss != nil:
		power = p.Add(power, p.Call(expr.Max, p.Int(0), b.Curve("loss_"+c.Name, c.Loss, size).Value))
	case c.LossSurface != nil:
		power = p.Add(power, p.Call(expr.Max, p.Int(0), b.Surface("loss_"+c.Name, c.LossSurface, size, speed)))
	case c.Copper != nil || c.Iron != nil || c.Eddy != nil:
		for _, part := range []struct {
			key, unit string
			factor    *keys.Scalar
			of        *expr.Expr
		}{
			{"copper_loss", "W/N2/m2", c.Copper, p.Pow(torque, 2)},
			{"iron_loss", "W.s/rad", c.Iron, speed},
			{"eddy_loss", "W.s2/rad2", c.Eddy, p.Pow(rate, 2)},
		} {
			if part.factor != nil {
				power = p.Add(power, p.Mul(b.Scalar(part.key, part.unit, *part.factor), part.of))
			}
		}
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

// Law is the torque of the motor times the ratio on the head of the joint, which reacts on its tail, and the loads of
// the rotor.
func (c *Motor) Law(b Builder) {
	publishElectrical(b, "E1")
	p, torque := b.Pool(), b.Kept("torque")
	on, speed := c.shaft(b)
	text := "torque on " + c.Drives
	if c.Joint != "" {
		text = "torque on the head of " + c.Joint
	}
	if !lossless(c.Ratio) {
		text += ", divided by the ratio"
	}
	limited := c.limited(b)
	if zero(c.Lag) {
		b.Publish("torque", "N.m", text, torque)
	} else {
		b.State(OwnState{Key: "torque", Unit: "N.m", Text: text, Symbol: torque,
			Rate: p.Div(p.Sub(limited, torque), b.Scalar("lag", "s", c.Lag)), Start: keys.Zero()})
	}
	c.Rotor(b).load(b, c.Frame)
	on.Turn(p.Define("T_on_"+c.Joint+c.Drives, p.Mul(c.ratio(b), torque)))
	b.Publish("speed", "rad/s", "speed of the motor", speed)
	if c.Limit.given() {
		b.Publish("limit", "N.m", "largest torque at this speed", b.Kept("limit"))
	}
	b.Publish("loss", "W", "lost power", b.Kept("loss"))
}

// Acts is the torque on what it drives. A joint can have several motors.
func (c *Motor) Acts() []Act {
	if c.Drives == "" {
		return nil
	}
	return []Act{{On: c.Drives, Part: Powered, Needs: "a revolute joint or a differential", Pos: c.drivesAt}}
}

// IgnoresTurn: it acts about the axis of a joint.
func (*Motor) IgnoresTurn(Turn) bool { return true }

// Energy: the loss, and the kinetic energy of the rotor; the rest goes to the joint.
func (c *Motor) Energy(b Builder) Energy {
	return Energy{Dissipated: b.Kept("loss"), Kinetic: c.Rotor(b).kinetic(b, c.Frame)}
}
