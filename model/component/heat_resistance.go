package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var heatResistanceType = Type{
	Word: "heat-resistance",
	Text: "thermal resistance between two nodes",
	Keys: []keys.Key{fromNodeKey, toNodeKey, positive("resistance", "K/W", "thermal resistance")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &HeatResistance{Header: h, Ends: readEnds(f), Resistance: f.Scalar("resistance")}
	},
}

// HeatResistance has a drop of temperature in proportion to its flow of heat.
type HeatResistance struct {
	keys.Header
	noFrames
	Ends
	Resistance keys.Scalar // K/W
}

// Check has nothing to add to the keys.
func (*HeatResistance) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	Q1 from -> to  drop = R times flow of heat
func (c *HeatResistance) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("Q1", graph.Thermal, graph.Affine)}
}

// Relations implements Networked.
func (c *HeatResistance) Relations(b Builder) []Relation {
	return []Relation{{Resistance: b.Scalar("resistance", "K/W", c.Resistance)}}
}

// Law publishes temperature and heat.
func (c *HeatResistance) Law(b Builder) { publishThermal(b, "Q1") }
