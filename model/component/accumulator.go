package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var accumulatorType = Type{
	Word: "accumulator",
	Text: "gas behind a membrane in a closed vessel",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		positive("volume", "m3", "volume of the gas at the pressure `precharge`, without oil"),
		positive("precharge", "Pa", "gauge pressure of the gas without oil"),
		withDefault("exponent", "1", "1.4", "exponent of the gas: 1 for a slow change, 1.4 for a fast one"),
		withDefault("ambient", "Pa", "101325", "ambient pressure, which gauge pressures lack"),
		startOf("pressure", "Pa", "pressure of `from` less pressure of `to`")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Accumulator{Header: h, Ends: readEnds(f), Volume: f.Scalar("volume"), Precharge: f.Scalar("precharge"),
			Exponent: f.Scalar("exponent"), Ambient: f.Scalar("ambient"), Start: givenStart(f, "pressure")}
	},
}

// Accumulator stores oil against a gas with (p + ambient) Vg^n = const. The gas has the volume V0 at the precharge p0.
type Accumulator struct {
	keys.Header
	noFrames
	Ends
	Volume, Precharge, Exponent, Ambient keys.Scalar  // m3, Pa, 1, Pa
	Start                                *keys.Scalar // Pa, nil for none
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

// isothermal reports whether the exponent is exactly 1, so that it does not become a parameter.
func (c *Accumulator) isothermal() bool { return !c.Exponent.Formula && c.Exponent.Value == 1 }

// gas is the volume of the gas at a gauge pressure, with the absolute pressures now and at the precharge.
func (c *Accumulator) gas(b Builder, pressure *expr.Expr) (volume, absolute, first *expr.Expr) {
	p := b.Pool()
	ambient := b.Scalar("ambient", "Pa", c.Ambient)
	absolute = b.Define("absolute_pressure", p.Add(pressure, ambient))
	first = p.Add(b.Scalar("precharge", "Pa", c.Precharge), ambient)
	share := p.Div(first, absolute)
	if !c.isothermal() {
		share = p.Call(expr.Exp, p.Div(p.Call(expr.Log, share), c.exponent(b)))
	}
	return b.Define("gas_volume", p.Mul(b.Scalar("volume", "m3", c.Volume), share)), absolute, first
}

func (c *Accumulator) exponent(b Builder) *expr.Expr {
	if c.isothermal() {
		return b.Pool().Int(1)
	}
	return b.Scalar("exponent", "1", c.Exponent)
}

// Relations implements Networked: the capacity is Vg/(n (p + ambient)), which is the same.
func (c *Accumulator) Relations(b Builder) []Relation {
	p := b.Pool()
	volume, absolute, _ := c.gas(b, c.knownDrop(b, graph.Hydraulic))
	return []Relation{{Storage: b.Define("capacity", p.Div(volume, p.Mul(c.exponent(b), absolute)))}}
}

// Law publishes pressure, flow and the volume of the gas.
func (c *Accumulator) Law(b Builder) {
	publishHydraulic(b, "H1")
	volume, _, _ := c.gas(b, b.Drop("H1"))
	b.Publish("gas_volume", "m3", "volume of the gas", volume)
}

// Energy is the work of the oil on the gas since the precharge, less that of the ambient: with absolute pressures P,
//
//	(P Vg - P0 V0)/(n - 1) - ambient (V0 - Vg),  and P0 V0 ln(P/P0) in place of the first term for n = 1
func (c *Accumulator) Energy(b Builder) Energy {
	p := b.Pool()
	volume, absolute, first := c.gas(b, b.Drop("H1"))
	full := b.Scalar("volume", "m3", c.Volume)
	outside := p.Mul(b.Scalar("ambient", "Pa", c.Ambient), p.Sub(full, volume))
	work := p.Mul(first, full, p.Call(expr.Log, p.Div(absolute, first)))
	if !c.isothermal() {
		work = p.Div(p.Sub(p.Mul(absolute, volume), p.Mul(first, full)), p.Sub(c.exponent(b), p.Int(1)))
	}
	return Energy{Hydraulic: p.Sub(work, outside)}
}
