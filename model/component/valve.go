package component

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var valveType = Type{
	Word: "valve",
	Text: "restriction between two nodes that opens by an input, a formula or a number",
	Keys: slices.Concat([]keys.Key{fromNodeKey, toNodeKey}, restrictionKeys(), []keys.Key{
		courseKey("opening", "1", "from 0 to 1: share of `k` that is open; of a valve that is normally open, share that is "+
			"closed"),
		{Name: "normally", Shape: keys.WordShape, Default: "closed", Choices: []string{"closed", "open"},
			Text: "state of the valve at the opening 0"},
		lagKey, heatKey}),
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Valve{Header: h, Ends: readEnds(f), Restriction: readRestriction(h, f), Opening: readOpening(f),
			NormallyOpen: f.Text("normally") == "open"}
	},
}

// Valve is a restriction with a variable opening.
type Valve struct {
	keys.Header
	noFrames
	Ends
	Restriction
	Opening
	NormallyOpen bool
}

// Check has nothing to add to the keys.
func (*Valve) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	H1 from -> to  q = u k d/(d^2 + t^2)^(1/4)
func (c *Valve) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("H1", graph.Hydraulic, graph.Conductance)}
}

// open is the share of k that is open.
func (c *Valve) open(b Builder) *expr.Expr {
	p := b.Pool()
	at := c.at(b, p.Int(0))
	if c.NormallyOpen {
		return p.Sub(p.Int(1), at)
	}
	return at
}

// Relations implements Networked.
func (c *Valve) Relations(b Builder) []Relation {
	return []Relation{{Law: func(drop *expr.Expr) *expr.Expr { return c.flow(b, c.open(b), drop) }}}
}

func (c *Valve) loss(b Builder) *expr.Expr {
	drop := b.Drop("H1")
	return b.Pool().Mul(drop, c.flow(b, c.open(b), drop))
}

// Law publishes pressure and flow.
func (c *Valve) Law(b Builder) {
	publishHydraulic(b, "H1")
	c.follow(b, b.Pool().Int(0))
}

// Energy: a valve dissipates all that it takes.
func (c *Valve) Energy(b Builder) Energy { return Energy{Dissipated: c.loss(b)} }
