package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var voltageSourceType = Type{
	Word: "voltage-source",
	Text: "voltage between two nodes: a number, a formula over parameters and time, or an input",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		courseKey("voltage", "V", "voltage of `to` less voltage of `from`, without current"),
		nonnegative("resistance", "Ohm", "0", "resistance in series"), heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &VoltageSource{Header: h, Ends: readEnds(f), Voltage: readTimeCourse(f, "voltage", "V"),
			Resistance: f.Scalar("resistance")}
	},
}

// VoltageSource has a given rise, less the drop of its resistance.
type VoltageSource struct {
	keys.Header
	noFrames
	Ends
	Voltage    TimeCourse
	Resistance keys.Scalar // Ohm
}

// Check: the ends differ.
func (c *VoltageSource) Check(_ *Scope, r *keys.Reader) { c.checkEnds(&c.Header, r) }

func (c *VoltageSource) ideal() bool { return !c.Resistance.Formula && c.Resistance.Value == 0 }

// ScalarEdges:
//
//	E1 from -> to  rise = e - R i
func (c *VoltageSource) ScalarEdges(*Scope) []graph.ScalarEdge {
	kind := graph.Affine
	if c.ideal() {
		kind = graph.PotentialSource
	}
	return []graph.ScalarEdge{c.scalarEdge("E1", graph.Electrical, kind)}
}

// Relations implements Networked.
func (c *VoltageSource) Relations(b Builder) []Relation {
	value, rate := c.Voltage.value(b)
	drop := b.Pool().Neg(value)
	if !c.ideal() {
		return []Relation{{Resistance: b.Scalar("resistance", "Ohm", c.Resistance), Offset: drop}}
	}
	r := Relation{Value: drop}
	if rate != nil {
		r.Rate = func() *expr.Expr { return b.Pool().Neg(rate()) }
	}
	return []Relation{r}
}

// Law publishes voltage and current.
func (c *VoltageSource) Law(b Builder) { publishSupply(b, graph.Electrical, c.Voltage, c.ideal()) }

// Terminal joins the given voltage with the current.
func (c *VoltageSource) Terminal() Terminal { return plug(graph.Electrical, c.Voltage) }

// Energy: the source supplies e i; its resistance dissipates R i^2.
func (c *VoltageSource) Energy(b Builder) Energy {
	p, i := b.Pool(), b.Flow("E1")
	value, _ := c.Voltage.value(b)
	return Energy{Supplied: p.Mul(value, i),
		Dissipated: copperLoss(b, c.Resistance)}
}
