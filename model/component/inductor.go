package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var inductorType = Type{
	Word: "inductor",
	Text: "electrical inductance between two nodes, with its resistance",
	Keys: []keys.Key{fromNodeKey, toNodeKey, positive("inductance", "H", "inductance"),
		nonnegative("resistance", "Ohm", "0", "resistance in series"),
		startOf("current", "A", "current from `from` to `to`"), heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Inductor{Header: h, Ends: readEnds(f), Inductance: f.Scalar("inductance"),
			Resistance: f.Scalar("resistance"), Start: givenStart(f, "current"), Heating: readHeating(f)}
	},
}

// Inductor has a drop in proportion to the rate of its current, and to the current by its resistance.
type Inductor struct {
	keys.Header
	noFrames
	Ends
	Inductance, Resistance keys.Scalar  // H, Ohm
	Start                  *keys.Scalar // A, nil for none
	Heating
}

// Check: the ends differ.
func (c *Inductor) Check(_ *Scope, r *keys.Reader) { c.checkEnds(&c.Header, r) }

// ScalarEdges:
//
//	E1 from -> to  drop = L i' + R i
//	Q1 ground -> heat  loss
func (c *Inductor) ScalarEdges(*Scope) []graph.ScalarEdge {
	e := c.scalarEdge("E1", graph.Electrical, graph.Inductance)
	e.Start = c.Start
	return c.withHeat([]graph.ScalarEdge{e})
}

// Relations implements Networked.
func (c *Inductor) Relations(b Builder) []Relation {
	list := []Relation{{Storage: b.Scalar("inductance", "H", c.Inductance),
		Resistance: b.Scalar("resistance", "Ohm", c.Resistance)}}
	return c.withLoss(list, func() *expr.Expr { return copperLoss(b, c.Resistance) })
}

// Law publishes voltage and current.
func (c *Inductor) Law(b Builder) { publishElectrical(b, "E1") }

// Energy: L i^2/2 stored, R i^2 dissipated.
func (c *Inductor) Energy(b Builder) Energy {
	p := b.Pool()
	return Energy{
		Electrical: p.Scale(expr.Fraction(1, 2), p.Mul(b.Scalar("inductance", "H", c.Inductance), p.Pow(b.Flow("E1"), 2))),
		Dissipated: copperLoss(b, c.Resistance),
	}
}
