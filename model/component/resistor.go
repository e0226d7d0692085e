package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var resistorType = Type{
	Word: "resistor",
	Text: "electrical resistance between two nodes",
	Keys: []keys.Key{fromNodeKey, toNodeKey, positive("resistance", "Ohm", "resistance"), heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Resistor{Header: h, Ends: readEnds(f), Resistance: f.Scalar("resistance")}
	},
}

// Resistor has a drop in proportion to its current.
type Resistor struct {
	keys.Header
	noFrames
	Ends
	Resistance keys.Scalar // Ohm
}

// Check: the ends differ.
func (c *Resistor) Check(_ *Scope, r *keys.Reader) { c.checkEnds(&c.Header, r) }

// ScalarEdges:
//
//	E1 from -> to  drop = R i
func (c *Resistor) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("E1", graph.Electrical, graph.Affine)}
}

// Relations implements Networked.
func (c *Resistor) Relations(b Builder) []Relation {
	return []Relation{{Resistance: b.Scalar("resistance", "Ohm", c.Resistance)}}
}

// Law publishes voltage and current.
func (c *Resistor) Law(b Builder) { publishElectrical(b, "E1") }

// Energy: a resistor dissipates R i^2.
func (c *Resistor) Energy(b Builder) Energy {
	return Energy{Dissipated: copperLoss(b, c.Resistance)}
}

// copperLoss is R i^2 of the first edge.
func copperLoss(b Builder, resistance keys.Scalar) *expr.Expr {
	p := b.Pool()
	return p.Mul(b.Scalar("resistance", "Ohm", resistance), p.Pow(b.Flow("E1"), 2))
}

// publishElectrical publishes drop, current and the power that an edge takes.
func publishElectrical(b Builder, edge string) {
	drop, flow := b.Drop(edge), b.Flow(edge)
	b.Publish("voltage", "V", "voltage of `from` less voltage of `to`", drop)
	b.Publish("current", "A", "current from `from` to `to`", flow)
	b.Publish("power", "W", "power taken", b.Pool().Mul(drop, flow))
}
