package component

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var accumulatorType = Type{
	Word: "accumulator",
	Text: "gas behind a membrane in a closed vessel",
	Keys: slices.Concat([]keys.Key{fromNodeKey, toNodeKey,
		positive("volume", "m3", "volume of the gas at the pressure `precharge`, without oil"),
		positive("precharge", "Pa", "gauge pressure of the gas without oil"),
	}, gasKeys(""), []keys.Key{startOf("pressure", "Pa", "pressure of `from` less pressure of `to`")}),
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Accumulator{Header: h, Ends: readEnds(f), Volume: f.Scalar("volume"), Precharge: f.Scalar("precharge"),
			Gas: readGas(f), Start: givenStart(f, "pressure")}
	},
}

// Accumulator stores oil against a gas with (p + ambient) Vg^n = const. The gas has the volume V0 at the precharge p0.
type Accumulator struct {
	keys.Header
	noFrames
	Ends
	Volume, Precharge keys.Scalar // m3, Pa
	Gas
	Start *keys.Scalar // Pa, nil for none
}

// Check has nothing to add to the keys.
func (*Accumulator) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	H1 from -> to  q = C(p) p',  C = V0 (p0 + ambient)^(1/n)/(n (p + ambient)^(1 + 1/n))
func (c *Accumulator) ScalarEdges(*Scope) []graph.ScalarEdge {
	e := c.scalarEdge("H1", graph.Hydraulic, graph.Capacity)
	e.Start = c.Start
	return []graph.ScalarEdge{e}
}

// gas is the gas at a gauge pressure.
func (c *Accumulator) gas(b Builder, pressure *expr.Expr) gasAt {
	return c.at(b, pressure, b.Scalar("volume", "m3", c.Volume), b.Scalar("precharge", "Pa", c.Precharge))
}

// Relations implements Networked: the capacity is that of the gas.
func (c *Accumulator) Relations(b Builder) []Relation {
	return []Relation{{Storage: b.Define("capacity", c.capacity(b, c.gas(b, c.knownDrop(b, graph.Hydraulic))))}}
}

// Law publishes pressure, flow and the volume of the gas.
func (c *Accumulator) Law(b Builder) {
	publishHydraulic(b, "H1")
	b.Publish("gas_volume", "m3", "volume of the gas", c.gas(b, b.Drop("H1")).volume)
}

// Energy: the work of the oil on the gas.
func (c *Accumulator) Energy(b Builder) Energy {
	return Energy{Hydraulic: c.energy(b, c.gas(b, b.Drop("H1")))}
}
