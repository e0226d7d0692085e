package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// Units of hydraulic laws.
const (
	flowUnit        = "m3/s"
	capacityUnit    = "m3/Pa"
	resistanceUnit  = "Pa.s/m3"
	conductanceUnit = "m3/Pa.s"
	inertanceUnit   = "kg/m4"
	squareRootUnit  = "m3/s/Pa^0.5"
)

// withDefault is a number above 0 with a default.
func withDefault(name, unit, def, text string) keys.Key {
	return keys.Key{Name: name, Unit: unit, Default: def, Text: text, Positive: true}
}

// publishHydraulic publishes drop, flow and the power that an edge takes.
func publishHydraulic(b Builder, edge string) {
	drop, flow := b.Drop(edge), b.Flow(edge)
	b.Publish("pressure", "Pa", "pressure of `from` less pressure of `to`", drop)
	b.Publish("flow", flowUnit, "flow from `from` to `to`", flow)
	b.Publish("power", "W", "power taken", b.Pool().Mul(drop, flow))
}

// knownDrop is the drop of the first edge where states alone give it; capacities depend on it.
func (e Ends) knownDrop(b Builder, d graph.Domain) *expr.Expr {
	if drop := b.Drop(firstEdge(d)); drop != nil {
		return drop // a state
	}
	return b.Pool().Sub(b.Potential(d, e.From), b.Potential(d, e.To))
}

// halfSquare is the energy of a constant capacity or inductance, c x^2/2.
func halfSquare(b Builder, c, x *expr.Expr) *expr.Expr {
	p := b.Pool()
	return p.Scale(expr.Fraction(1, 2), p.Mul(c, p.Pow(x, 2)))
}
