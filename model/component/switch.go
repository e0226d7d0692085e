package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// Conductances of switches and diodes, where the file does not give them [S].
const onConductance, offConductance = "1e3", "1e-9"

var switchType = Type{
	Word: "switch",
	Text: "electrical switch between two nodes",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		{Name: "closed", Shape: keys.CourseShape, Unit: "1", Nonnegative: true, AtMostOne: true,
			Text: "0: open, 1: closed; a number, a formula over parameters and time, or \"input\""},
		conductanceKey("on", onConductance, "conductance of the closed switch"),
		conductanceKey("off", offConductance, "conductance of the open switch"),
		heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Switch{Header: h, Ends: readEnds(f), Closed: readTimeCourse(f, "closed", "1"), On: f.Scalar("on"),
			Off: f.Scalar("off")}
	},
}

// conductanceKey is the key of a conductance with a default.
func conductanceKey(name, def, text string) keys.Key {
	return keys.Key{Name: name, Unit: "S", Default: def, Positive: true, Text: text}
}

// Switch has a conductance between Off and On, whose logarithm is linear in Closed.
type Switch struct {
	keys.Header
	noFrames
	Ends
	Closed  TimeCourse
	On, Off keys.Scalar // S
}

// Check: the ends differ, and the closed switch conducts better.
func (c *Switch) Check(_ *Scope, r *keys.Reader) {
	c.checkEnds(&c.Header, r)
	checkConductances(&c.Header, r, c.On, c.Off)
}

// checkConductances notes a conductance on that is not above the conductance off.
func checkConductances(h *keys.Header, r *keys.Reader, on, off keys.Scalar) {
	if on.Value <= off.Value {
		r.Place(on.Pos, "%s.on is %s and %s.off is %s; on must be above off", h.Name, on.Text, h.Name, off.Text)
	}
}

// ScalarEdges:
//
//	E1 from -> to  i = G drop
func (c *Switch) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("E1", graph.Electrical, graph.Affine)}
}

// Relations: the conductance is off^(1-u) on^u, with u limited to 0 and 1.
func (c *Switch) Relations(b Builder) []Relation {
	p := b.Pool()
	value, _ := c.Closed.value(b)
	u := b.Define("closed", limited(p, value, p.Int(0), p.Int(1)))
	on, off := b.Scalar("on", "S", c.On), b.Scalar("off", "S", c.Off)
	share := p.Add(p.Mul(u, p.Call(expr.Log, on)), p.Mul(p.Sub(p.Int(1), u), p.Call(expr.Log, off)))
	resistance := b.Define("R", p.Call(expr.Exp, p.Neg(share)))
	b.Keep("resistance", resistance)
	return []Relation{{Resistance: resistance}}
}

// Law publishes voltage and current.
func (c *Switch) Law(b Builder) { publishElectrical(b, "E1") }

// Energy: a switch dissipates R i^2.
func (c *Switch) Energy(b Builder) Energy {
	p := b.Pool()
	return Energy{Dissipated: p.Mul(b.Kept("resistance"), p.Pow(b.Flow("E1"), 2))}
}
