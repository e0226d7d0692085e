package component

import (
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var capacitorType = Type{
	Word: "capacitor",
	Text: "electrical capacity between two nodes",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		{Name: "capacitance", Unit: "F", Positive: true, Optional: true, Text: "capacitance, without `charge`"},
		{Name: "charge", Shape: keys.CurveShape, Unit: "V, C", Optional: true, Mirror: keys.Stays,
			Text: "in place of `capacitance`: charge over the voltage, which rises everywhere"},
		startOf("voltage", "V", "voltage of `from` less voltage of `to`"), stateKey("the capacitor takes no current")},
	Read: func(h keys.Header, f *keys.Fields) Component {
		c := &Capacitor{Header: h, Ends: readEnds(f), Capacitance: f.Scalar("capacitance"), Charge: f.Curve("charge"),
			Start: givenStart(f, "voltage"), Stateless: readStateless(f)}
		switch {
		case f.Given("capacitance") && f.Given("charge"):
			f.Fault("charge", "%s has both capacitance and charge; take one of them out", h.Name)
		case !f.Given("capacitance") && !f.Given("charge"):
			f.Require("capacitance")
		}
		return c
	},
}

// Capacitor has a current in proportion to the rate of its voltage.
type Capacitor struct {
	keys.Header
	noFrames
	Ends
	Capacitance keys.Scalar  // F
	Charge      *curve.Curve // C over V, in place of it; nil for none
	Start       *keys.Scalar // V, nil for none
	Stateless   bool
}

// Check: the ends differ, and a charge rises with the voltage.
func (c *Capacitor) Check(_ *Scope, r *keys.Reader) {
	c.checkEnds(&c.Header, r)
	if c.Charge != nil && smallestSlope(c.Charge) <= 0 {
		r.Place(r.Naming(&c.Header, "", "charge"), "%s.charge has the slope %g F somewhere; the charge must rise with the "+
			"voltage everywhere, so that the capacitance is above 0; change its points, or write smooth = \"linear\"", c.Name,
			smallestSlope(c.Charge))
	}
}

// ScalarEdges:
//
//	E1 from -> to  i = C e', or i = 0 without a state
func (c *Capacitor) ScalarEdges(*Scope) []graph.ScalarEdge {
	e := c.scalarEdge("E1", graph.Electrical, graph.Capacity)
	e.Start, e.Without = c.Start, noState
	if c.Stateless {
		e.Kind = graph.FlowSource
	}
	return []graph.ScalarEdge{e}
}

// Relations: the capacitance is the slope of the charge.
func (c *Capacitor) Relations(b Builder) []Relation {
	switch {
	case c.Stateless:
		return []Relation{{Value: b.Pool().Int(0)}}
	case c.Charge == nil:
		return []Relation{{Storage: b.Scalar("capacitance", "F", c.Capacitance)}}
	}
	course := b.Curve("charge_"+c.Name, c.Charge, c.knownDrop(b, graph.Electrical))
	b.Keep("charge", course.Value)
	return []Relation{{Storage: b.Define("capacitance", course.Slope)}}
}

// Law publishes voltage and current.
func (c *Capacitor) Law(b Builder) {
	publishElectrical(b, "E1")
	if c.Charge != nil && !c.Stateless {
		b.Publish("charge", "C", "charge", b.Kept("charge"))
	}
}

// Energy: C e^2/2, or the charge times the voltage less the integral of the charge over the voltage.
func (c *Capacitor) Energy(b Builder) Energy {
	p, drop := b.Pool(), b.Drop("E1")
	switch {
	case c.Stateless:
		return Energy{}
	case c.Charge != nil:
		return Energy{Electrical: p.Sub(p.Mul(drop, b.Kept("charge")), b.CurveIntegral("charge_"+c.Name, c.Charge, drop))}
	}
	return Energy{Electrical: p.Scale(expr.Fraction(1, 2),
		p.Mul(b.Scalar("capacitance", "F", c.Capacitance), p.Pow(drop, 2)))}
}
