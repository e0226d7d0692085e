package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// heatKey is the key of components whose loss can heat a node.
var heatKey = keys.Key{Name: "heat", Shape: keys.NodeShape, Optional: true,
	Text: "thermal node that the loss heats; default: none"}

// Heating sends the loss of a component to a thermal node, "" for none.
type Heating struct{ Heat string }

func readHeating(f *keys.Fields) Heating { return Heating{f.Text("heat")} }

// withHeat adds the edge of the loss, which comes after the others:
//
//	Q1 ground -> node  loss
func (h Heating) withHeat(edges []graph.ScalarEdge) []graph.ScalarEdge {
	if h.Heat == "" {
		return edges
	}
	return append(edges, graph.ScalarEdge{Name: "Q1", Domain: graph.Thermal, To: h.Heat, Kind: graph.FlowSource})
}

// withLoss adds the relation of the loss [W], which is made once all drops and flows of other domains are known.
func (h Heating) withLoss(list []Relation, loss func() *expr.Expr) []Relation {
	if h.Heat == "" {
		return list
	}
	return append(list, Relation{Late: loss})
}
