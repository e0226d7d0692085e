package component

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var volumeType = Type{
	Word: "volume",
	Text: "oil in a closed volume, or another hydraulic capacity",
	Keys: slices.Concat([]keys.Key{fromNodeKey, toNodeKey,
		optionally(positive("volume", "m3", "volume of oil; or else `capacity`")),
		withDefault("bulk_modulus", "Pa", "1.4e9", "bulk modulus of the oil and its walls, with `volume`"),
		optionally(positive("capacity", capacityUnit, "volume per pressure, in place of `volume`")),
		{Name: "air", Shape: keys.AnyShape, Default: "0", Mirror: keys.Stays, Any: []keys.Key{
			{Unit: "1", Nonnegative: true, AtMostOne: true}, {Shape: keys.CurveShape, Unit: "Pa, 1"}},
			Text: "share of air bubbles in `volume`: a number, at ambient pressure; or a curve over the pressure, which " +
				"does not rise"},
	}, gasKeys(", with a number as `air`"), []keys.Key{
		startOf("pressure", "Pa", "pressure of `from` less pressure of `to`"), stateKey("the volume takes no oil")}),
	Read: readVolume,
}

func readVolume(h keys.Header, f *keys.Fields) Component {
	c := &Volume{Header: h, Ends: readEnds(f), Volume: optional(f, "volume"), Modulus: f.Scalar("bulk_modulus"),
		Capacity: optional(f, "capacity"), Air: readCurveOrNumber(f, "air"), Gas: readGas(f),
		Start: givenStart(f, "pressure"), Stateless: readStateless(f)}
	switch {
	case c.Volume == nil && c.Capacity == nil:
		f.FaultOfTable("volume %s has neither volume nor capacity; give it one of them", h.Name)
	case c.Volume != nil && c.Capacity != nil:
		f.Fault("capacity", "%s has both volume and capacity; leave one of them out", f.Path)
	}
	for _, key := range []string{"bulk_modulus", "air"} {
		if c.Capacity != nil && f.Given(key) {
			f.Fault(key, "%s has no effect, because capacity is given; leave one of the two out", f.PathOf(key))
		}
	}
	for _, key := range []string{"exponent", "ambient"} {
		if f.Given(key) && !(f.Given("air") && c.Air.number()) {
			f.Fault(key, "%s has no effect without a number as air; leave it out", f.PathOf(key))
		}
	}
	if c.Air.Curve != nil {
		c.checkAir(f)
	}
	return c
}

// checkAir notes a share of air that rises with the pressure, or that is no share.
func (c *Volume) checkAir(f *keys.Fields) {
	if low, high := smallestOf(c.Air.Curve), largestOf(c.Air.Curve); low < 0 || high > 1 {
		f.Fault("air", "%s has values from %g to %g; a share is from 0 to 1", f.PathOf("air"), low, high)
	}
	if slope := largestSlope(c.Air.Curve); slope > 0 {
		f.Fault("air", "%s rises somewhere, by %g/Pa; pressure makes air smaller, so let no share exceed the one before it",
			f.PathOf("air"), slope)
	}
}

// optionally is a key that may be missing.
func optionally(k keys.Key) keys.Key {
	k.Optional = true
	return k
}

// Volume takes a flow in proportion to the rate of its pressure: by the compression of oil, and of air in it. The air
// has the share a of the volume,
//
//	C = V (1/K - da/dp),  a = air (ambient/(p + ambient))^(1/n) or a curve
type Volume struct {
	keys.Header
	noFrames
	Ends
	Volume, Capacity *keys.Scalar  // m3, m3/Pa; one of them is nil
	Modulus          keys.Scalar   // Pa
	Air              CurveOrNumber // 1, or 1 over Pa
	Gas                            // of a number
	Start            *keys.Scalar  // Pa, nil for none
	Stateless        bool
}

// Check has nothing to add to the keys.
func (*Volume) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	H1 from -> to  q = C p', or q = 0 without a state
func (c *Volume) ScalarEdges(*Scope) []graph.ScalarEdge {
	e := c.scalarEdge("H1", graph.Hydraulic, graph.Capacity)
	e.Start, e.Without = c.Start, noState
	if c.Stateless {
		e.Kind = graph.FlowSource
	}
	return []graph.ScalarEdge{e}
}

// oil is V/K, or the capacity in its place.
func (c *Volume) oil(b Builder) *expr.Expr {
	p := b.Pool()
	switch {
	case c.Capacity != nil:
		return b.Scalar("capacity", capacityUnit, *c.Capacity)
	case c.Volume == nil:
		return p.Int(1) // the reader has a fault
	}
	return p.Div(c.size(b), b.Scalar("bulk_modulus", "Pa", c.Modulus))
}

func (c *Volume) size(b Builder) *expr.Expr { return b.Scalar("volume", "m3", *c.Volume) }

// aired reports whether there is air.
func (c *Volume) aired() bool { return c.Volume != nil && !(c.Air.number() && zero(c.Air.Number)) }

// air is the share of air at a pressure, with its slope.
func (c *Volume) air(b Builder, pressure *expr.Expr) Course {
	if c.Air.Curve != nil {
		return b.Curve("air_"+c.Name, c.Air.Curve, pressure)
	}
	gas := c.bubbles(b, pressure)
	return Course{Value: gas.volume, Slope: b.Pool().Neg(c.capacity(b, gas))}
}

// bubbles are the bubbles in a volume of 1 m3.
func (c *Volume) bubbles(b Builder, pressure *expr.Expr) gasAt {
	return c.at(b, pressure, b.Scalar("air", "1", c.Air.Number), b.Pool().Int(0))
}

// Relations implements Networked.
func (c *Volume) Relations(b Builder) []Relation {
	if c.Stateless {
		return []Relation{{Value: b.Pool().Int(0)}}
	}
	p, capacity := b.Pool(), c.oil(b)
	if c.aired() {
		slope := c.air(b, c.knownDrop(b, graph.Hydraulic)).Slope
		capacity = b.Define("capacity", p.Sub(capacity, p.Mul(c.size(b), slope)))
	}
	return []Relation{{Storage: capacity}}
}

// Law publishes pressure and flow, and the share of air.
func (c *Volume) Law(b Builder) {
	publishHydraulic(b, "H1")
	if c.aired() && !c.Stateless {
		b.Publish("air_share", "1", "share of air in the volume", c.air(b, b.Drop("H1")).Value)
	}
}

// Energy: C p^2/2 of the oil, and the work on the air; by a curve, V times the integral of a over p less p a.
func (c *Volume) Energy(b Builder) Energy {
	if c.Stateless {
		return Energy{}
	}
	p, pressure := b.Pool(), b.Drop("H1")
	energy := halfSquare(b, c.oil(b), pressure)
	switch {
	case !c.aired():
	case c.Air.Curve != nil:
		work := p.Sub(b.CurveIntegral("air_"+c.Name, c.Air.Curve, pressure), p.Mul(pressure, c.air(b, pressure).Value))
		energy = p.Add(energy, p.Mul(c.size(b), work))
	default:
		energy = p.Add(energy, p.Mul(c.size(b), c.energy(b, c.bubbles(b, pressure))))
	}
	return Energy{Hydraulic: energy}
}
