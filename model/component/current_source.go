package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var currentSourceType = Type{
	Word: "current-source",
	Text: "current between two nodes: a number, a formula over parameters and time, or an input",
	Keys: []keys.Key{fromNodeKey, toNodeKey, courseKey("current", "A", "current into `to`")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &CurrentSource{Header: h, Ends: readEnds(f), Current: readTimeCourse(f, "current", "A")}
	},
}

// CurrentSource has a given current.
type CurrentSource struct {
	keys.Header
	noFrames
	Ends
	Current TimeCourse
}

// Check: the ends differ.
func (c *CurrentSource) Check(_ *Scope, r *keys.Reader) { c.checkEnds(&c.Header, r) }

// ScalarEdges:
//
//	E1 from -> to  given current
func (c *CurrentSource) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("E1", graph.Electrical, graph.FlowSource)}
}

// Relations implements Networked.
func (c *CurrentSource) Relations(b Builder) []Relation {
	value, rate := c.Current.value(b)
	return []Relation{{Value: value, Rate: rate}}
}

// Law publishes voltage and current.
func (c *CurrentSource) Law(b Builder) { publishSupply(b, graph.Electrical, c.Current, true) }

// Terminal joins the given current with the voltage.
func (c *CurrentSource) Terminal() Terminal { return plug(graph.Electrical, c.Current) }

// Energy: the source supplies its power.
func (c *CurrentSource) Energy(b Builder) Energy {
	p := b.Pool()
	return Energy{Supplied: p.Neg(p.Mul(b.Drop("E1"), b.Flow("E1")))}
}
