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
		startOf("current", "A", "current from `from` to `to`")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Inductor{Header: h, Ends: readEnds(f), Inductance: f.Scalar("inductance"),
			Resistance: f.Scalar("resistance"), Start: givenStart(f, "current")}
	},
}

// Inductor has a drop in proportion to the rate of its current, and to the current by its resistance.
type Inductor struct {
	keys.Header
	noFrames
	Ends
	Inductance, Resistance keys.Scalar  // H, Ohm
	Start                  *keys.Scalar // A, nil for none
}

// Check: the ends differ.
func (c *Inductor) Check(_ *Scope, r *keys.Reader) { c.checkEnds(&c.Header, r) }

// ScalarEdges:
//
//	E1 from -> to  drop = L i' + R i
func (c *Inductor) ScalarEdges(*Scope) []graph.ScalarEdge {
	e := c.scalarEdge("E1", graph.Electrical, graph.Inductance)
	e.Start = c.Start
	return []graph.ScalarEdge{e}
}

// Relations implements Networked.
func (c *Inductor) Relations(b Builder) []Relation {
	return []Relation{{Storage: b.Scalar("inductance", "H", c.Inductance),
		Resistance: b.Scalar("resistance", "Ohm", c.Resistance)}}
}

// Law publishes voltage and current.
func (c *Inductor) Law(b Builder) { publishElectrical(b, "E1") }

// Energy: L i^2/2 stored, R i^2 dissipated.
func (c *Inductor) Energy(b Builder) Energy {
	p := b.Pool()
	square := p.Pow(b.Flow("E1"), 2)
	return Energy{
		Electrical: p.Scale(expr.Fraction(1, 2), p.Mul(b.Scalar("inductance", "H", c.Inductance), square)),
		Dissipated: p.Mul(b.Scalar("resistance", "Ohm", c.Resistance), square),
	}
}
