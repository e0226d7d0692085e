package component

import (
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// PotentialSource is a given pressure or temperature between two nodes, less the drop of its resistance.
type PotentialSource struct {
	keys.Header
	noFrames
	Ends
	Domain     graph.Domain
	Value      TimeCourse
	Booster    *curve.Curve // of the potential over Value; nil: Value is the potential
	Resistance keys.Scalar  // Pa s/m3, K/W
}

// Check has nothing to add to the keys.
func (*PotentialSource) Check(*Scope, *keys.Reader) {}

// value is the potential, and what makes its rate.
func (c *PotentialSource) value(b Builder) (value *expr.Expr, rate func() *expr.Expr) {
	value, rate = c.Value.value(b)
	if c.Booster == nil {
		return value, rate
	}
	course, given := b.Curve("booster_"+c.Name, c.Booster, value), rate
	if given != nil {
		rate = func() *expr.Expr { return b.Pool().Mul(course.Slope, given()) }
	}
	return course.Value, rate
}

// resistance is the resistance in series, with its unit.
func (c *PotentialSource) resistance(b Builder) *expr.Expr {
	unit := resistanceUnit
	if c.Domain == graph.Thermal {
		unit = "K/W"
	}
	return b.Scalar("resistance", unit, c.Resistance)
}

// ScalarEdges:
//
//	H1, Q1 from -> to  rise = value - R flow
func (c *PotentialSource) ScalarEdges(*Scope) []graph.ScalarEdge {
	kind := graph.Affine
	if zero(c.Resistance) {
		kind = graph.PotentialSource
	}
	return []graph.ScalarEdge{c.scalarEdge(firstEdge(c.Domain), c.Domain, kind)}
}

// firstEdge is the name of the first edge of a component in a domain.
func firstEdge(d graph.Domain) string { return [...]string{"E1", "H1", "Q1"}[d-graph.Electrical] }

// Relations implements Networked.
func (c *PotentialSource) Relations(b Builder) []Relation {
	value, rate := c.value(b)
	drop := b.Pool().Neg(value)
	if !zero(c.Resistance) {
		return []Relation{{Resistance: c.resistance(b), Offset: drop}}
	}
	r := Relation{Value: drop}
	if rate != nil {
		r.Rate = func() *expr.Expr { return b.Pool().Neg(rate()) }
	}
	return []Relation{r}
}

// Law publishes the rise and the flow.
func (c *PotentialSource) Law(b Builder) { publishSupply(b, c.Domain, c.Value, zero(c.Resistance)) }

// publishSupply publishes rise and flow of a source, and the power that it supplies. The flow of a thermal source is
// power itself. A given value that is a variable keeps its name for itself: behind a resistance, the rise has the name
// of a terminal.
func publishSupply(b Builder, d graph.Domain, given TimeCourse, ideal bool) {
	edge := firstEdge(d)
	rise, flow := b.Pool().Neg(b.Drop(edge)), b.Flow(edge)
	name, unit := d.Potential()
	key := name
	if given.variable() && given.Key == name {
		key = "terminal_" + name
	}
	if key == name || !ideal {
		b.Publish(key, unit, name+" of `to` less "+name+" of `from`", rise)
	}
	if name, unit := d.Flow(); !given.variable() || given.Key != name {
		b.Publish(name, unit, name+" into `to`", flow)
	}
	if d != graph.Thermal {
		b.Publish("power", "W", "power supplied", b.Pool().Mul(rise, flow))
	}
}

// Terminal joins the given value with the flow.
func (c *PotentialSource) Terminal() Terminal { return plug(c.Domain, c.Value) }

// plug is the terminal of a source whose value is an input: an importer joins the potential and the flow with those of
// another network. Any other source has nothing that an importer can join.
func plug(d graph.Domain, given TimeCourse) Terminal {
	if !given.Input {
		return Terminal{}
	}
	potential, _ := d.Potential()
	flow, _ := d.Flow()
	return Terminal{
		Kind: "org.skidpad." + d.String(), Text: potential + " of a node, and " + flow + " into it from outside",
		Variables: []string{potential, flow}, Flow: flow,
	}
}

// energy: the source supplies its value times its flow; its resistance dissipates R q^2.
func (c *PotentialSource) energy(b Builder) Energy {
	p, q := b.Pool(), b.Flow(firstEdge(c.Domain))
	value, _ := c.value(b)
	return Energy{Supplied: p.Mul(value, q), Dissipated: p.Mul(c.resistance(b), p.Pow(q, 2))}
}

// FlowSource is a given flow of oil or heat between two nodes.
type FlowSource struct {
	keys.Header
	noFrames
	Ends
	Domain graph.Domain
	Value  TimeCourse
}

// Check has nothing to add to the keys.
func (*FlowSource) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	H1, Q1 from -> to  given flow
func (c *FlowSource) ScalarEdges(*Scope) []graph.ScalarEdge {
	return []graph.ScalarEdge{c.scalarEdge(firstEdge(c.Domain), c.Domain, graph.FlowSource)}
}

// Relations implements Networked.
func (c *FlowSource) Relations(b Builder) []Relation {
	value, rate := c.Value.value(b)
	return []Relation{{Value: value, Rate: rate}}
}

// Law publishes the rise and the flow.
func (c *FlowSource) Law(b Builder) { publishSupply(b, c.Domain, c.Value, true) }

// Terminal joins the given flow with the rise.
func (c *FlowSource) Terminal() Terminal { return plug(c.Domain, c.Value) }

// energy: the source supplies its rise times its flow.
func (c *FlowSource) energy(b Builder) Energy {
	p, edge := b.Pool(), firstEdge(c.Domain)
	value, _ := c.Value.value(b)
	return Energy{Supplied: p.Neg(p.Mul(b.Drop(edge), value))}
}
