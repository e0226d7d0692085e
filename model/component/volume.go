package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var volumeType = Type{
	Word: "volume",
	Text: "oil in a closed volume, or another hydraulic capacity",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		optionally(positive("volume", "m3", "volume of oil; or else `capacity`")),
		withDefault("bulk_modulus", "Pa", "1.4e9", "bulk modulus of the oil and its walls, with `volume`"),
		optionally(positive("capacity", capacityUnit, "volume per pressure, in place of `volume`")),
		startOf("pressure", "Pa", "pressure of `from` less pressure of `to`")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		c := &Volume{Header: h, Ends: readEnds(f), Volume: optional(f, "volume"), Modulus: f.Scalar("bulk_modulus"),
			Capacity: optional(f, "capacity"), Start: givenStart(f, "pressure")}
		switch {
		case c.Volume == nil && c.Capacity == nil:
			f.FaultOfTable("volume %s has neither volume nor capacity; give it one of them", h.Name)
		case c.Volume != nil && c.Capacity != nil:
			f.Fault("capacity", "%s has both volume and capacity; leave one of them out", f.Path)
		case c.Capacity != nil && f.Given("bulk_modulus"):
			f.Fault("bulk_modulus", "%s has no effect, because capacity is given; leave one of the two out",
				f.PathOf("bulk_modulus"))
		}
		return c
	},
}

// optionally is a key that may be missing.
func optionally(k keys.Key) keys.Key {
	k.Optional = true
	return k
}

// Volume takes a flow in proportion to the rate of its pressure.
type Volume struct {
	keys.Header
	noFrames
	Ends
	Volume, Capacity *keys.Scalar // m3, m3/Pa; one of them is nil
	Modulus          keys.Scalar  // Pa
	Start            *keys.Scalar // Pa, nil for none
}

// Check has nothing to add to the keys.
func (*Volume) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	H1 from -> to  q = C p'
func (c *Volume) ScalarEdges(*Scope) []graph.ScalarEdge {
	e := c.scalarEdge("H1", graph.Hydraulic, graph.Capacity)
	e.Start = c.Start
	return []graph.ScalarEdge{e}
}

// capacity is V/K.
func (c *Volume) capacity(b Builder) *expr.Expr {
	p := b.Pool()
	switch {
	case c.Capacity != nil:
		return b.Scalar("capacity", capacityUnit, *c.Capacity)
	case c.Volume == nil:
		return p.Int(1) // the reader has a fault
	}
	return p.Div(b.Scalar("volume", "m3", *c.Volume), b.Scalar("bulk_modulus", "Pa", c.Modulus))
}

// Relations implements Networked.
func (c *Volume) Relations(b Builder) []Relation { return []Relation{{Storage: c.capacity(b)}} }

// Law publishes pressure and flow.
func (c *Volume) Law(b Builder) { publishHydraulic(b, "H1") }

// Energy: C p^2/2.
func (c *Volume) Energy(b Builder) Energy {
	return Energy{Hydraulic: halfSquare(b, c.capacity(b), b.Drop("H1"))}
}
