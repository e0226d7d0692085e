package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var diodeType = Type{
	Word: "diode",
	Text: "diode between two nodes, which conducts from the first to the second",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		{Name: "forward", Unit: "V", Default: "0.7", Positive: true, Text: "voltage from which it conducts; above `width`"},
		{Name: "width", Unit: "V", Default: "0.1", Positive: true,
			Text: "half of the range about `forward` over which the conductance changes"},
		conductanceKey("on", onConductance, "conductance above `forward`"),
		conductanceKey("off", offConductance, "conductance below it"),
		heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Diode{Header: h, Ends: readEnds(f), Forward: f.Scalar("forward"), Width: f.Scalar("width"),
			On: f.Scalar("on"), Off: f.Scalar("off")}
	},
}

// Diode conducts above a voltage.
type Diode struct {
	keys.Header
	noFrames
	Ends
	Forward, Width keys.Scalar // V
	On, Off        keys.Scalar // S
}

// Check: the ends differ, no current flows without a voltage, and the current rises.
func (c *Diode) Check(_ *Scope, r *keys.Reader) {
	c.checkEnds(&c.Header, r)
	checkConductances(&c.Header, r, c.On, c.Off)
	if c.Forward.Value <= c.Width.Value {
		r.Place(c.Forward.Pos, "%s.forward is %s and %s.width is %s; forward must be above width, so that no current flows "+
			"at 0 V", c.Name, c.Forward.Text, c.Name, c.Width.Text)
	}
}

// ScalarEdges:
//
//	E1 from -> to  i = f(drop)
func (c *Diode) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("E1", graph.Electrical, graph.Conductance)}
}

// Relations: the current is off d + (on - off) ramp(d - forward).
func (c *Diode) Relations(b Builder) []Relation {
	p := b.Pool()
	forward, width := b.Scalar("forward", "V", c.Forward), b.Scalar("width", "V", c.Width)
	on, off := b.Scalar("on", "S", c.On), b.Scalar("off", "S", c.Off)
	return []Relation{{Law: func(d *expr.Expr) *expr.Expr {
		return p.Add(p.Mul(off, d), p.Mul(p.Sub(on, off), ramp(p, p.Sub(d, forward), width)))
	}}}
}

// Law publishes voltage and current.
func (c *Diode) Law(b Builder) { publishElectrical(b, "E1") }

// Energy: a diode dissipates drop times current, by its law.
func (c *Diode) Energy(b Builder) Energy {
	p, d := b.Pool(), b.Drop("E1")
	return Energy{Dissipated: p.Mul(d, c.Relations(b)[0].Law(d))}
}
