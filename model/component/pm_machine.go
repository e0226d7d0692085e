package component

import (
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var pmMachineType = Type{
	Word: "pm-machine",
	Text: "permanent-magnet machine with its inverter on a revolute joint, in the frame of its rotor",
	Keys: []keys.Key{fromNodeKey, toNodeKey, machineJointKey,
		{Name: "pole_pairs", Plain: true, Mirror: keys.Stays, Whole: &keys.Whole{Least: 1, Most: 100}, Text: "number " +
			"of pole pairs"},
		positive("flux", "Wb", "flux of the magnets, amplitude of a phase"),
		positive("resistance", "Ohm", "resistance of a phase"),
		positive("inductance", "H", "inductance Ld along the flux"),
		{Name: "inductance_q", Unit: "H", Positive: true, Optional: true,
			Text: "inductance Lq across the flux, at least `inductance`; default: `inductance`"},
		{Name: "lag", Unit: "s", Default: "2e-3", Positive: true, Text: "time constant of the currents"},
		limitKey("peak", "limit of the torque over the magnitude of the speed; default: none"),
		limitKey("continuous", "limit of the torque where the input `overload` is 0; needs `peak`, which is the limit at 1"),
		nonnegative("iron_loss", "W.s/rad", "0", "iron loss per speed"),
		nonnegative("eddy_loss", "W.s2/rad2", "0", "iron loss per square of the speed"),
		heatKey,
	},
	Read: readPMMachine,
}

// machineJointKey names the joint of a machine.
var machineJointKey = keys.Key{Name: "joint", Shape: keys.TextShape, Names: keys.Components,
	Text: "revolute joint that it turns"}

func limitKey(name, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.CurveShape, Unit: "rad/s, N.m", Optional: true, Mirror: keys.Stays, Text: text}
}

// PMMachine is a permanent-magnet machine whose currents follow the torque that is asked for, within the voltage of its
// supply. It draws its power from the supply.
type PMMachine struct {
	keys.Header
	noFrames
	Ends
	Joint              string
	PolePairs          int64
	Flux, Resistance   keys.Scalar  // Wb, Ohm
	Direct             keys.Scalar  // H, Ld
	Quadrature         *keys.Scalar // H, Lq; nil for that of Direct
	Lag                keys.Scalar  // s
	Peak, Continuous   *curve.Curve // N m over rad/s; nil for none
	IronLoss, EddyLoss keys.Scalar  // W s/rad, W s2/rad2
}

func readPMMachine(h keys.Header, f *keys.Fields) Component {
	c := &PMMachine{Header: h, Ends: readEnds(f), Joint: f.Text("joint"), PolePairs: int64(f.Number("pole_pairs")),
		Flux: f.Scalar("flux"), Resistance: f.Scalar("resistance"), Direct: f.Scalar("inductance"),
		Quadrature: optional(f, "inductance_q"), Lag: f.Scalar("lag"), Peak: f.Curve("peak"),
		Continuous: f.Curve("continuous"), IronLoss: f.Scalar("iron_loss"), EddyLoss: f.Scalar("eddy_loss")}
	if f.Given("continuous") && !f.Given("peak") {
		f.Fault("continuous", "%s goes with peak, the limit at full overload; add it, or call this limit peak",
			f.PathOf("continuous"))
	}
	return c
}

// Check: the ends differ, the joint turns, Lq is at least Ld, and the limits are not negative.
func (c *PMMachine) Check(s *Scope, r *keys.Reader) {
	c.checkEnds(&c.Header, r)
	checkTurning(s, r, &c.Header, c.Joint)
	if c.Quadrature != nil && c.Quadrature.Value < c.Direct.Value {
		r.Place(c.Quadrature.Pos, "%s.inductance_q is %s, below inductance = %s; a machine with magnets has at least "+
			"the same "+
			"inductance across its flux", c.Name, c.Quadrature.Text, c.Direct.Text)
	}
	checkNonnegative(&c.Header, r, "peak", "N.m", c.Peak, nil)
	checkNonnegative(&c.Header, r, "continuous", "N.m", c.Continuous, nil)
}

// Edges: the torque on the joint.
//
//	R1 A -> B
func (c *PMMachine) Edges(s *Scope) []graph.Edge { return []graph.Edge{lawOn(s, c.Joint, "1")} }

// ScalarEdges:
//
//	E1 from -> to  drop times i = power
func (c *PMMachine) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("E1", graph.Electrical, graph.PowerLoad)}
}

// dq are currents and parameters of a machine in the frame of its rotor.
type dq struct {
	id, iq, ld, lq, flux, resistance *expr.Expr
	coordinate                       Coordinate
}

func (c *PMMachine) dq(b Builder) dq {
	p := b.Pool()
	m := dq{id: p.Sym(c.Name+".current_d", expr.State), iq: p.Sym(c.Name+".current_q", expr.State),
		ld: b.Scalar("inductance", "H", c.Direct), flux: b.Scalar("flux", "Wb", c.Flux),
		resistance: b.Scalar("resistance", "Ohm", c.Resistance), coordinate: coordinateOf(b, c.Joint)}
	m.lq = m.ld
	if c.Quadrature != nil {
		m.lq = b.Scalar("inductance_q", "H", *c.Quadrature)
	}
	if m.coordinate.Value == nil {
		m.coordinate.Rate = p.Int(0)
	}
	return m
}

// linkage is the torque per current across the flux, 1.5 z (psi + (Ld - Lq) id).
func (c *PMMachine) linkage(p *expr.Pool, m dq) *expr.Expr {
	return p.Scale(expr.Fraction(3*c.PolePairs, 2), p.Add(m.flux, p.Mul(p.Sub(m.ld, m.lq), m.id)))
}

// loss is the copper loss and the iron loss.
func (c *PMMachine) loss(b Builder, m dq) *expr.Expr {
	p := b.Pool()
	copper := p.Scale(expr.Fraction(3, 2), p.Mul(m.resistance, p.Add(p.Pow(m.id, 2), p.Pow(m.iq, 2))))
	return p.Add(copper, p.Mul(b.Scalar("iron_loss", "W.s/rad", c.IronLoss), roundAbs(p, m.coordinate.Rate)),
		p.Mul(b.Scalar("eddy_loss", "W.s2/rad2", c.EddyLoss), p.Pow(m.coordinate.Rate, 2)))
}

// Relations: the power is torque times speed, with the losses. The energy of the field is neglected.
func (c *PMMachine) Relations(b Builder) []Relation {
	p, m := b.Pool(), c.dq(b)
	torque := b.Define("torque", p.Mul(c.linkage(p, m), m.iq))
	loss := b.Define("loss", c.loss(b, m))
	b.Keep("torque", torque)
	b.Keep("loss", loss)
	return []Relation{{Power: p.Add(p.Mul(torque, m.coordinate.Rate), loss)}}
}

// Law: the currents follow their references with a lag. The reference of iq gives the torque that is asked for, within
// the limits; the reference of id is 0, or the largest one with which the voltage of a phase stays within u/sqrt(3) of
// the supply,
//
//	abs(v)^2 = (R id - we Lq iq)^2 + (R iq + we Ld id + we psi)^2,  we = z w.
//
// Where no id is enough, iq is limited to 0.9999 of the largest one with which there is an id.
func (c *PMMachine) Law(b Builder) {
	publishElectrical(b, "E1")
	m := c.dq(b)
	if m.coordinate.Value == nil {
		return
	}
	p := b.Pool()
	square := func(x *expr.Expr) *expr.Expr { return p.Pow(x, 2) }
	we := b.Define("we", p.Scale(expr.Integer(c.PolePairs), m.coordinate.Rate))
	a := b.Define("impedance", p.Add(square(m.resistance), square(p.Mul(we, m.ld))))
	d := b.Define("impedance_q", p.Add(square(m.resistance), p.Mul(square(we), m.ld, m.lq)))
	// a and d are above 0, because the resistance is.
	available := b.Define("available", p.Scale(expr.Fraction(1, 3),
		p.Mul(square(p.Call(expr.Max, p.Int(0), b.Drop("E1"))), a)))
	induced := b.Define("induced", p.Mul(m.resistance, we, m.flux))
	reach := p.Scale(expr.Fraction(9999, 10000), p.Call(expr.Sqrt, p.Call(expr.Max, p.Num(expr.FromFloat(1e-12)),
		available)))
	iq := b.Define("wanted_iq", p.Div(c.limited(b, m), c.linkage(p, m)))
	iq = b.Define("reference_iq", limited(p, iq, p.Div(p.Sub(p.Neg(reach), induced), d), p.Div(p.Sub(reach, induced), d)))
	left := p.Call(expr.Max, p.Num(expr.FromFloat(1e-12)), p.Sub(available, square(p.Add(p.Mul(iq, d), induced))))
	middle := p.Mul(we, p.Add(p.Mul(m.resistance, p.Sub(m.ld, m.lq), iq), p.Mul(we, m.ld, m.flux)))
	id := b.Define("reference_id", p.Call(expr.Min, p.Int(0), p.Div(p.Sub(p.Call(expr.Sqrt, left), middle), a)))
	lag := b.Scalar("lag", "s", c.Lag)
	b.State(OwnState{Key: "current_d", Unit: "A", Text: "current along the flux", Symbol: m.id,
		Rate: p.Div(p.Sub(id, m.id), lag), Start: keys.Zero()})
	b.State(OwnState{Key: "current_q", Unit: "A", Text: "current across the flux", Symbol: m.iq,
		Rate: p.Div(p.Sub(iq, m.iq), lag), Start: keys.Zero()})
	b.Drive(m.coordinate, b.Kept("torque"))
	b.Publish("torque", "N.m", "torque on the head of "+c.Joint, b.Kept("torque"))
	b.Publish("loss", "W", "copper loss and iron loss", b.Kept("loss"))
}

// limited is the torque that is asked for, within the limits.
func (c *PMMachine) limited(b Builder, m dq) *expr.Expr {
	p := b.Pool()
	demand := b.Input("demand", "N.m", "torque that is asked for", 0)
	if c.Peak == nil {
		return demand
	}
	speed := b.Define("speed", roundAbs(p, m.coordinate.Rate))
	limit := b.Curve("peak_"+c.Name, c.Peak, speed).Value
	if c.Continuous != nil {
		over := limited(p, b.Input("overload", "1", "share of the torque between the limits continuous and peak", 1),
			p.Int(0),
			p.Int(1))
		low := b.Curve("continuous_"+c.Name, c.Continuous, speed).Value
		limit = p.Add(low, p.Mul(over, p.Sub(limit, low)))
	}
	limit = b.Define("limit", p.Call(expr.Max, p.Int(0), limit))
	return limited(p, demand, p.Neg(limit), limit)
}

// IgnoresTurn: it acts about the axis of a joint.
func (*PMMachine) IgnoresTurn(Turn) bool { return true }

// Energy: the losses; the rest goes to the joint.
func (*PMMachine) Energy(b Builder) Energy { return Energy{Dissipated: b.Kept("loss")} }
