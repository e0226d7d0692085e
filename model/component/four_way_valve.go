package component

import (
	"fmt"
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var fourWayValveType = Type{
	Word: "four-way-valve",
	Text: "valve that joins two nodes with supply and tank, in either order",
	Keys: slices.Concat([]keys.Key{
		{Name: "supply", Shape: keys.NodeShape, Text: "node of the supply"},
		{Name: "tank", Shape: keys.NodeShape, Default: graph.GroundFrame, Text: "node of the return"},
		{Name: "a", Shape: keys.NodeShape, Text: "node that a positive opening joins with `supply`"},
		{Name: "b", Shape: keys.NodeShape, Text: "node that a positive opening joins with `tank`"},
	}, restrictionKeys(), []keys.Key{
		courseKey("opening", "1", "from -1 to 1: share of `k` that is open on both ways"), lagKey, heatKey}),
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &FourWayValve{Header: h, Supply: f.Text("supply"), Tank: f.Text("tank"), A: f.Text("a"), B: f.Text("b"),
			Restriction: readRestriction(h, f), Opening: readOpening(f)}
	},
}

// FourWayValve joins A with Supply and B with Tank at a positive opening, and the other way round at a negative one.
type FourWayValve struct {
	keys.Header
	noFrames
	Supply, Tank, A, B string // nodes
	Restriction
	Opening
}

// Check has nothing to add to the keys.
func (*FourWayValve) Check(*Scope, *keys.Reader) {}

// ways are the nodes of the edges, and whether they open with a positive opening.
func (c *FourWayValve) ways() []way {
	return []way{{c.Supply, c.A, true}, {c.B, c.Tank, true}, {c.Supply, c.B, false}, {c.A, c.Tank, false}}
}

type way struct {
	from, to string
	positive bool
}

// ScalarEdges:
//
//	H1 supply -> a, H2 b -> tank  with the positive part of the opening
//	H3 supply -> b, H4 a -> tank  with the negative part
func (c *FourWayValve) ScalarEdges(*Scope) []graph.ScalarEdge {
	var edges []graph.ScalarEdge
	for i, w := range c.ways() {
		edges = append(edges, graph.ScalarEdge{Name: fmt.Sprintf("H%d", i+1), Domain: graph.Hydraulic, From: w.from,
			To: w.to, Kind: graph.Conductance})
	}
	return edges
}

// open is the share of k that is open on a way.
func (c *FourWayValve) open(b Builder, w way) *expr.Expr {
	p := b.Pool()
	at := c.at(b, p.Int(-1))
	if !w.positive {
		at = p.Neg(at)
	}
	return p.Call(expr.Max, p.Int(0), at)
}

// Relations implements Networked.
func (c *FourWayValve) Relations(b Builder) []Relation {
	var list []Relation
	for _, w := range c.ways() {
		list = append(list, Relation{Law: func(drop *expr.Expr) *expr.Expr { return c.flow(b, c.open(b, w), drop) }})
	}
	return list
}

// loss is the power of all ways.
func (c *FourWayValve) loss(b Builder) *expr.Expr {
	p := b.Pool()
	var terms []*expr.Expr
	for i, w := range c.ways() {
		drop := b.Drop(fmt.Sprintf("H%d", i+1))
		terms = append(terms, p.Mul(drop, c.flow(b, c.open(b, w), drop)))
	}
	return p.Add(terms...)
}

// Law publishes the flows into a and b and from the supply.
func (c *FourWayValve) Law(b Builder) {
	p := b.Pool()
	b.Publish("flow_a", flowUnit, "flow into `a`", p.Sub(b.Flow("H1"), b.Flow("H4")))
	b.Publish("flow_b", flowUnit, "flow into `b`", p.Sub(b.Flow("H3"), b.Flow("H2")))
	b.Publish("flow", flowUnit, "flow from `supply`", p.Add(b.Flow("H1"), b.Flow("H3")))
	b.Publish("power", "W", "power taken", c.loss(b))
	c.follow(b, p.Int(-1))
}

// Energy: a valve dissipates all that it takes.
func (c *FourWayValve) Energy(b Builder) Energy { return Energy{Dissipated: c.loss(b)} }
