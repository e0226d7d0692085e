package component

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var orificeType = Type{
	Word: "orifice",
	Text: "turbulent restriction between two nodes",
	Keys: slices.Concat([]keys.Key{fromNodeKey, toNodeKey}, restrictionKeys(), []keys.Key{heatKey}),
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Orifice{Header: h, Ends: readEnds(f), Restriction: readRestriction(h, f)}
	},
}

// Orifice is a restriction that is always open.
type Orifice struct {
	keys.Header
	noFrames
	Ends
	Restriction
}

// Check has nothing to add to the keys.
func (*Orifice) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	H1 from -> to  q = k d/(d^2 + t^2)^(1/4)
func (c *Orifice) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("H1", graph.Hydraulic, graph.Invertible)}
}

// Relations implements Networked.
func (c *Orifice) Relations(b Builder) []Relation {
	return []Relation{{
		Law:     func(drop *expr.Expr) *expr.Expr { return c.flow(b, b.Pool().Int(1), drop) },
		Inverse: func(flow *expr.Expr) *expr.Expr { return c.drop(b, flow) },
	}}
}

// loss is the power of the law at its drop.
func (c *Orifice) loss(b Builder) *expr.Expr {
	drop := b.Drop("H1")
	return b.Pool().Mul(drop, c.flow(b, b.Pool().Int(1), drop))
}

// Law publishes pressure and flow.
func (c *Orifice) Law(b Builder) { publishHydraulic(b, "H1") }

// Energy: an orifice dissipates all that it takes.
func (c *Orifice) Energy(b Builder) Energy { return Energy{Dissipated: c.loss(b)} }
