package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var checkValveType = Type{
	Word: "check-valve",
	Text: "valve that opens by its drop, in one direction",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		positive("on", conductanceUnit, "conductance of the open valve"),
		nonnegative("off", conductanceUnit, "0", "conductance of the closed valve, below `on`"),
		withDefault("forward", "Pa", "5e4", "drop at which the valve opens, above `width`"),
		withDefault("width", "Pa", "2e4", "half of the range of the drop within which the valve goes from closed to open"),
		heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		c := &CheckValve{Header: h, Ends: readEnds(f), On: f.Scalar("on"), Off: f.Scalar("off"),
			Forward: f.Scalar("forward"), Width: f.Scalar("width")}
		if c.Forward.Value <= c.Width.Value && c.Width.Value > 0 && c.Forward.Value > 0 {
			f.Fault("forward", "%s is %s; it must be above width, which is %s, so that no flow passes without a drop",
				f.PathOf("forward"), c.Forward.Text, c.Width.Text)
		}
		if c.Off.Value >= c.On.Value && c.On.Value > 0 {
			f.Fault("off", "%s is %s; it must be below on, which is %s", f.PathOf("off"), c.Off.Text, c.On.Text)
		}
		return c
	},
}

// CheckValve lets oil pass from From to To.
type CheckValve struct {
	keys.Header
	noFrames
	Ends
	On, Off        keys.Scalar // m3/Pa.s
	Forward, Width keys.Scalar // Pa
}

// Check has nothing to add to the keys.
func (*CheckValve) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	H1 from -> to  q = off d + (on - off) ramp(d - forward)
func (c *CheckValve) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge("H1", graph.Hydraulic, graph.Conductance)}
}

// flow is the flow at a drop.
func (c *CheckValve) flow(b Builder, drop *expr.Expr) *expr.Expr {
	p := b.Pool()
	on, off := b.Scalar("on", conductanceUnit, c.On), b.Scalar("off", conductanceUnit, c.Off)
	forward, width := b.Scalar("forward", "Pa", c.Forward), b.Scalar("width", "Pa", c.Width)
	return p.Add(p.Mul(off, drop), p.Mul(p.Sub(on, off), rampOf(p, p.Sub(drop, forward), width)))
}

// Relations implements Networked.
func (c *CheckValve) Relations(b Builder) []Relation {
	return []Relation{{Law: func(drop *expr.Expr) *expr.Expr { return c.flow(b, drop) }}}
}

func (c *CheckValve) loss(b Builder) *expr.Expr {
	drop := b.Drop("H1")
	return b.Pool().Mul(drop, c.flow(b, drop))
}

// Law publishes pressure and flow.
func (c *CheckValve) Law(b Builder) { publishHydraulic(b, "H1") }

// Energy: a check valve dissipates all that it takes.
func (c *CheckValve) Energy(b Builder) Energy { return Energy{Dissipated: c.loss(b)} }
