package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var heatCapacityType = Type{
	Word: "heat-capacity",
	Text: "thermal capacity of a node",
	Keys: []keys.Key{fromNodeKey, toNodeKey, positive("capacity", "J/K", "thermal capacity"),
		startOf("temperature", "K", "temperature of `from` less temperature of `to`; the ground is at 0 K")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &HeatCapacity{Header: h, Ends: readEnds(f), Capacity: f.Scalar("capacity"),
			Start: givenStart(f, "temperature")}
	},
}

// HeatCapacity takes a flow of heat in proportion to the rate of its temperature.
type HeatCapacity struct {
	keys.Header
	noFrames
	Ends
	Capacity keys.Scalar  // J/K
	Start    *keys.Scalar // K, nil for none
}

// Check has nothing to add to the keys.
func (*HeatCapacity) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	Q1 from -> to  flow of heat = C T'
func (c *HeatCapacity) ScalarEdges(*Scope) []graph.ScalarEdge {
	e := c.scalarEdge("Q1", graph.Thermal, graph.Capacity)
	e.Start = c.Start
	return []graph.ScalarEdge{e}
}

// Relations implements Networked.
func (c *HeatCapacity) Relations(b Builder) []Relation {
	return []Relation{{Storage: b.Scalar("capacity", "J/K", c.Capacity)}}
}

// Law publishes temperature and heat.
func (c *HeatCapacity) Law(b Builder) { publishThermal(b, "Q1") }

// publishThermal publishes the drop and the flow of heat of an edge.
func publishThermal(b Builder, edge string) {
	b.Publish("temperature", "K", "temperature of `from` less temperature of `to`", b.Drop(edge))
	b.Publish("heat", "W", "flow of heat from `from` to `to`", b.Flow(edge))
}
