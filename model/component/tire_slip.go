package component

import "skidpad/model/expr"

// kinematicSlip is (3.20), (3.21), rows 19 and 20: slip and slip angle.
func (c *Tire) kinematicSlip(v *tireRows) (s, alpha *expr.Expr) {
	b, p := v.b, v.b.Pool()
	least := b.Scalar("minimum_speed", "m/s", c.Slip.MinimumSpeed)
	along, across := v.set("along", divisor(p, v.ahead, least)), v.set("across", divisor(p, v.heading, least))
	return p.Neg(p.Div(v.along, along)), p.Call(expr.Atan, p.Div(v.across, across))
}

// slidingSlip is kinematic slip without states, which solvers are told how steep it is at standstill.
func (c *Tire) slidingSlip(v *tireRows) {
	b, p := v.b, v.b.Pool()
	s, alpha := c.kinematicSlip(v)
	v.set("S", s)
	v.set("alpha", alpha)
	along, across := v.values["along"], v.values["across"]
	one := p.Int(1)
	// arctan r, whose secant is r/sqrt(1 + r^2/2) to 5 %
	ratio := p.Div(v.across, across)
	turn := p.Pow(p.Call(expr.Sqrt, p.Add(one, p.Scale(expr.Fraction(1, 2), p.Pow(ratio, 2)))), -1)
	b.Secant(v.values["S"], v.along, p.Neg(p.Div(one, along)))
	b.Secant(v.values["alpha"], v.across, p.Div(turn, across))
}

// SlipPerSpeed is 2 over the minimum speed for kinematic slip, which divides by half of it, and the damping of delayed
// slip.
func (c *Tire) SlipPerSpeed(b Builder) *expr.Expr {
	if c.Slip.Carcass { // its damper is limited to a rate that steps can follow
		return b.Pool().Int(0)
	}
	if c.Slip.Delayed {
		return b.Scalar("low_speed_damping", "s/m", c.Slip.LowSpeedDamping)
	}
	p := b.Pool()
	return p.Div(p.Int(2), b.Scalar("minimum_speed", "m/s", c.Slip.MinimumSpeed))
}

// divisor is the speed |v| that kinematic slip divides by. Below least, a negligible speed, divisor is (v^2/least +
// least)/2, a smooth continuation down to least/2.
func divisor(p *expr.Pool, v, least *expr.Expr) *expr.Expr {
	magnitude := p.Call(expr.Abs, v)
	low := p.Call(expr.Min, magnitude, least)
	smooth := p.Scale(expr.Fraction(1, 2), p.Add(p.Div(p.Pow(low, 2), least), least))
	return p.Add(p.Sub(magnitude, low), smooth)
}

// delayedSlip is (3.24), (3.25).
func (c *Tire) delayedSlip(v *tireRows) {
	p := v.b.Pool()
	v.values["q1"], v.values["q2"] = p.Sym(c.Name+".q1", expr.State), p.Sym(c.Name+".q2", expr.State)
	if c.Slip.TurnSlip {
		v.values["q3"] = p.Sym(c.Name+".q3", expr.State)
	}
	damping := c.lowSpeed(v)
	v.set("S", p.Sub(v.values["q1"], p.Mul(damping, v.along)))
	v.set("alpha", p.Call(expr.Atan, p.Add(v.values["q2"], p.Mul(damping, v.across))))
}

// A standing tire with delayed slip holds slip up to 1/heldSlip; slip in excess decays at releaseRate.
const (
	heldSlip    = 10 // 1/slip
	releaseRate = 50 // 1/s
)

// lowSpeed is the slip [s/m] that is added to the delayed slip for a sliding speed. A
// standing tire with delayed slip is a spring without a damper: its relaxation damps by the
// distance rolled. As in Pacejka's treatment of starting from standstill (Tire and Vehicle
// Dynamics, section 8.6) a damper stands beside it, which vanishes, with its slope, towards
// the low speed: (1 - VCx^2/Vlow^2)^2 times its share at standstill.
func (c *Tire) lowSpeed(v *tireRows) *expr.Expr {
	b, p := v.b, v.b.Pool()
	standing := b.Scalar("low_speed_damping", "s/m", c.Slip.LowSpeedDamping)
	if standing.IsZero() {
		v.values["standing"] = standing
		return standing
	}
	low := b.Scalar("low_speed", "m/s", c.Slip.LowSpeed)
	share := p.Call(expr.Min, p.Mul(p.Pow(v.values["VCx"], 2), p.Pow(low, -2)), p.Int(1))
	v.values["standing"] = b.Define("standing", p.Pow(p.Sub(p.Int(1), share), 2))
	return b.Define("damping", p.Mul(standing, v.values["standing"]))
}

// excessSlipDecay is the decay rate, in a standing tire, of slip in excess of the slip of the largest force. Locked
// wheels slide with a slip of 1; a relaxation by the distance rolled would keep that deflection at standstill and draw
// the vehicle back.
func (v *tireRows) excessSlipDecay(q *expr.Expr) *expr.Expr {
	p := v.b.Pool()
	held := p.Scale(expr.Fraction(1, heldSlip), p.Call(expr.Clamp, p.Scale(expr.Integer(heldSlip), q)))
	return p.Scale(expr.Integer(releaseRate), p.Mul(v.values["standing"], p.Sub(q, held)))
}

// relax makes the delayed slips states, whose rates the relaxation function returns.
func (c *Tire) relax(v *tireRows) bool {
	b, p := v.b, v.b.Pool()
	rates, ok := b.Call(ExternalCall{Role: "relaxation", Function: c.Slip.Relaxation, Values: v.values,
		Offered: c.askable(v), Borrows: true, Binds: c.Slip.rates()})
	if !ok {
		return false
	}
	q1, q2 := v.values["q1"], v.values["q2"]
	rate1 := p.Sub(rates["q1dot"], v.excessSlipDecay(q1))
	b.State(OwnState{Key: "q1", Unit: "1", Symbol: q1, Rate: rate1, Start: c.Slip.Q1})
	rate2 := p.Sub(rates["q2dot"], v.excessSlipDecay(q2))
	b.State(OwnState{Key: "q2", Unit: "1", Symbol: q2, Rate: rate2, Start: c.Slip.Q2})
	if c.Slip.TurnSlip {
		b.State(OwnState{Key: "q3", Unit: "rad/m", Symbol: v.values["q3"], Rate: rates["q3dot"], Start: c.Slip.Q3})
	}
	return true
}
