package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// heatKey is the key of components whose loss can heat a node. The loss is what Energy dissipates, whatever it depends
// on; a component with this key does nothing else for it.
var heatKey = keys.Key{Name: keys.HeatKey, Shape: keys.NodeShape, Optional: true,
	Text: "thermal node that the loss heats; default: none"}

// ScalarEdges are the edges of a component in scalar domains: its own ones, and the edge of its loss:
//
//	Q1 ground -> heat  loss
func ScalarEdges(s *Scope, c Component) []graph.ScalarEdge {
	var edges []graph.ScalarEdge
	if n, is := As[Networked](c); is {
		edges = n.ScalarEdges(s)
	}
	if node := c.Head().Heat; node != "" {
		edges = append(edges, graph.ScalarEdge{Name: "Q1", Domain: graph.Thermal, To: node, Kind: graph.FlowSource})
	}
	return edges
}
