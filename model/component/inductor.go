package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var inductorType = Type{
	Word: "inductor",
	Text: "electrical inductance between two nodes, with its resistance",
	Keys: []keys.Key{fromNodeKey, toNodeKey, positive("inductance", "H", "inductance"),
		nonnegative("resistance", "Ohm", "0", "resistance in series"),
		startOf("current", "A", "current from `from` to `to`"), stateKey("only the resistance is left"), heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Inductor{Header: h, Ends: readEnds(f), Inductance: f.Scalar("inductance"),
			Resistance: f.Scalar("resistance"), Start: givenStart(f, "current"), Stateless: readStateless(f)}
	},
}

// Inductor has a drop in proportion to the rate of its current, and to the current by its resistance.
type Inductor struct {
	keys.Header
	noFrames
	Ends
	Inductance, Resistance keys.Scalar  // H, Ohm
	Start                  *keys.Scalar // A, nil for none
	Stateless              bool
}

// Check: the ends differ.
func (c *Inductor) Check(_ *Scope, r *keys.Reader) { c.checkEnds(&c.Header, r) }

// ScalarEdges:
//
//	E1 from -> to  drop = L i' + R i, or drop = R i without a state
func (c *Inductor) ScalarEdges(*Scope) []graph.ScalarEdge {
	e := c.scalarEdge("E1", graph.Electrical, graph.Inductance)
	e.Start, e.Without = c.Start, noState
	if c.Stateless {
		e.Kind = resistiveOr(!zero(c.Resistance))
	}
	return []graph.ScalarEdge{e}
}

// Relations implements Networked.
func (c *Inductor) Relations(b Builder) []Relation {
	resistance := b.Scalar("resistance", "Ohm", c.Resistance)
	if c.Stateless {
		return []Relation{{Value: b.Pool().Int(0), Resistance: resistance}}
	}
	return []Relation{{Storage: b.Scalar("inductance", "H", c.Inductance), Resistance: resistance}}
}

// Law publishes voltage and current.
func (c *Inductor) Law(b Builder) { publishElectrical(b, "E1") }

// Energy: L i^2/2 stored, R i^2 dissipated.
func (c *Inductor) Energy(b Builder) Energy {
	e := Energy{Dissipated: copperLoss(b, c.Resistance)}
	if !c.Stateless {
		e.Electrical = halfSquare(b, b.Scalar("inductance", "H", c.Inductance), b.Flow("E1"))
	}
	return e
}
