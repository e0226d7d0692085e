package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var capacitorType = Type{
	Word: "capacitor",
	Text: "electrical capacity between two nodes",
	Keys: []keys.Key{fromNodeKey, toNodeKey, positive("capacitance", "F", "capacitance"),
		startOf("voltage", "V", "voltage of `from` less voltage of `to`")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Capacitor{Header: h, Ends: readEnds(f), Capacitance: f.Scalar("capacitance"),
			Start: givenStart(f, "voltage")}
	},
}

// Capacitor has a current in proportion to the rate of its voltage.
type Capacitor struct {
	keys.Header
	noFrames
	Ends
	Capacitance keys.Scalar  // F
	Start       *keys.Scalar // V, nil for none
}

// Check has nothing to add to the keys.
func (*Capacitor) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	E1 from -> to  i = C e'
func (c *Capacitor) ScalarEdges(*Scope) []graph.ScalarEdge {
	e := c.scalarEdge("E1", graph.Electrical, graph.Capacity)
	e.Start = c.Start
	return []graph.ScalarEdge{e}
}

// Relations implements Networked.
func (c *Capacitor) Relations(b Builder) []Relation {
	return []Relation{{Storage: b.Scalar("capacitance", "F", c.Capacitance)}}
}

// Law publishes voltage and current.
func (c *Capacitor) Law(b Builder) { publishElectrical(b, "E1") }

// Energy: C e^2/2.
func (c *Capacitor) Energy(b Builder) Energy {
	p := b.Pool()
	return Energy{Electrical: p.Scale(expr.Fraction(1, 2),
		p.Mul(b.Scalar("capacitance", "F", c.Capacitance), p.Pow(b.Drop("E1"), 2)))}
}
