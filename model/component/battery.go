package component

import (
	"fmt"

	"skidpad/model/curve"
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/program"
)

var batteryType = Type{
	Word: "battery",
	Text: "battery between two nodes, with its state of charge",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		{Name: "open_voltage", Shape: keys.AnyShape, Mirror: keys.Stays, Any: []keys.Key{
			{Unit: "V", Positive: true}, {Shape: keys.CurveShape, Unit: "1, V"}},
			Text: "voltage without current: a number, or a curve over the state of charge"},
		{Name: "resistance", Shape: keys.AnyShape, Default: "0", Mirror: keys.Stays, Any: []keys.Key{
			{Unit: "Ohm", Nonnegative: true}, {Shape: keys.CurveShape, Unit: "1, Ohm", Second: "K"}},
			Text: "resistance: a number, a curve over the state of charge, or a surface over the state of charge and the " +
				"temperature of the node `heat`"},
		positive("charge", "A.s", "charge between empty and full"),
		{Name: "pairs", Shape: keys.MatrixShape, Optional: true, Mirror: keys.Stays,
			Text: "up to two pairs [resistance, capacitance] in series, [Ohm, F], whose drops follow the current late"},
		{Name: keys.HeatKey, Shape: keys.NodeShape, Optional: true,
			Text: "thermal node that gets the losses, and has the temperature of the battery"},
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial state", Keys: []keys.Key{
			fraction("soc", "1", "state of charge, 0: empty, 1: full")}},
	},
	Read: readBattery,
}

// Battery has a rise that depends on its state of charge, less the drops of its resistance and of pairs.
type Battery struct {
	keys.Header
	noFrames
	Ends
	Open                CurveOrNumber // V over 1
	Resistance          CurveOrNumber // Ohm over 1, or over 1 and K
	Charge, StartCharge keys.Scalar   // A s, 1
	Pairs               []RCPair

	resistanceAt keys.Position
}

// RCPair is a resistance beside a capacitance.
type RCPair struct{ Resistance, Capacitance keys.Scalar }

// CurveOrNumber is one of a number, a curve and a surface.
type CurveOrNumber struct {
	Number  keys.Scalar
	Curve   *curve.Curve
	Surface *curve.Surface
}

func readCurveOrNumber(f *keys.Fields, name string) (c CurveOrNumber) {
	if n := f.Node(name); n != nil && (n.Kind == document.List || n.Kind == document.Table) {
		c.Curve, c.Surface = f.CurveOrSurface(name)
		return c
	}
	c.Number = f.Scalar(name)
	return c
}

// at is the value at one or two arguments. The second belongs to a surface.
func (c CurveOrNumber) at(b Builder, key, unit string, x *expr.Expr, y func() *expr.Expr) *expr.Expr {
	switch {
	case c.Curve != nil:
		return b.Curve(key+"_"+b.Head().Name, c.Curve, x).Value
	case c.Surface != nil:
		return b.Surface(key+"_"+b.Head().Name, c.Surface, x, y())
	}
	return b.Scalar(key, unit, c.Number)
}

// number reports whether there is neither a curve nor a surface.
func (c CurveOrNumber) number() bool { return c.Curve == nil && c.Surface == nil }

// smallest is the smallest value at the points.
func (c CurveOrNumber) smallest() float64 {
	switch {
	case c.Curve != nil:
		return smallestOf(c.Curve)
	case c.Surface != nil:
		return smallestOfSurface(c.Surface)
	}
	return c.Number.Value
}

func readBattery(h keys.Header, f *keys.Fields) Component {
	c := &Battery{Header: h, Ends: readEnds(f), Open: readCurveOrNumber(f, "open_voltage"),
		Resistance: readCurveOrNumber(f, "resistance"), Charge: f.Scalar("charge"),
		StartCharge: f.Sub("start").Scalar("soc"), resistanceAt: f.Position("resistance")}
	n := f.Node("pairs")
	if n == nil {
		return c
	}
	if n.Kind != document.List || len(n.Items) < 1 || len(n.Items) > 2 {
		f.Fault("pairs", "%s is %s; it must be a list of one or two pairs [resistance, capacitance]", f.PathOf("pairs"), n)
		return c
	}
	units := [2]string{"Ohm", "F"}
	for _, row := range f.MatrixIn("pairs", len(n.Items), 2, func(_, j int) string { return units[j] }) {
		for j := range row {
			if row[j].Positive = true; row[j].Value <= 0 {
				f.FaultAt(row[j].Pos, "%s has the value %s; resistances and capacitances must be above 0", f.PathOf("pairs"),
					row[j].Text)
			}
		}
		c.Pairs = append(c.Pairs, RCPair{row[0], row[1]})
	}
	return c
}

// Check: the ends differ, voltage and resistance are positive, and a surface has its temperature.
func (c *Battery) Check(_ *Scope, r *keys.Reader) {
	c.checkEnds(&c.Header, r)
	if c.Open.smallest() <= 0 {
		r.Place(c.Pos, "%s.open_voltage has the value %g V; it must be above 0", c.Name, c.Open.smallest())
	}
	if !c.Resistance.number() && c.Resistance.smallest() <= 0 {
		r.Place(c.resistanceAt, "%s.resistance has the value %g Ohm; it must be above 0", c.Name, c.Resistance.smallest())
	}
	if c.Resistance.Surface != nil && c.Heat == "" {
		r.Place(c.resistanceAt, "%s.resistance is a surface over the state of charge and the temperature, and the "+
			"battery has "+
			"no node with a temperature; write heat = \"NODE\", a thermal node", c.Name)
	}
}

func (c *Battery) ideal() bool { return c.Resistance.number() && zero(c.Resistance.Number) }

// ScalarEdges:
//
//	E1 from -> to  rise = E(soc) - sum of the drops of pairs - R i
func (c *Battery) ScalarEdges(*Scope) []graph.ScalarEdge {
	kind := graph.Affine
	if c.ideal() {
		kind = graph.PotentialSource
	}
	return []graph.ScalarEdge{c.scalarEdge("E1", graph.Electrical, kind)}
}

// drop is the state of a pair, counted from 0.
func (c *Battery) drop(b Builder, pair int) *expr.Expr {
	return b.Pool().Sym(fmt.Sprintf("%s.pair_%d", c.Name, pair+1), expr.State)
}

func (c *Battery) soc(b Builder) *expr.Expr { return b.Pool().Sym(c.Name+".soc", expr.State) }

// pair are the parameters of a pair.
func (c *Battery) pair(b Builder, k int) (resistance, capacitance *expr.Expr) {
	return b.Scalar(fmt.Sprintf("pair_%d_resistance", k+1), "Ohm", c.Pairs[k].Resistance),
		b.Scalar(fmt.Sprintf("pair_%d_capacitance", k+1), "F", c.Pairs[k].Capacitance)
}

// Relations implements Networked.
func (c *Battery) Relations(b Builder) []Relation {
	p, soc := b.Pool(), c.soc(b)
	open := b.Define("open_voltage", c.Open.at(b, "open_voltage", "V", soc, nil))
	b.Keep("open_voltage", open)
	drop := p.Neg(open)
	for k := range c.Pairs {
		drop = p.Add(drop, c.drop(b, k))
	}
	resistance := c.Resistance.at(b, "resistance", "Ohm", soc, func() *expr.Expr {
		return b.Potential(graph.Thermal, c.Heat)
	})
	b.Keep("resistance", resistance)
	return []Relation{{Value: drop, Offset: drop, Resistance: resistance}}
}

// loss is the power that becomes heat: in the resistance and in the pairs.
func (c *Battery) loss(b Builder) *expr.Expr {
	p := b.Pool()
	loss := p.Mul(b.Kept("resistance"), p.Pow(b.Flow("E1"), 2))
	for k := range c.Pairs {
		resistance, _ := c.pair(b, k)
		loss = p.Add(loss, p.Div(p.Pow(c.drop(b, k), 2), resistance))
	}
	return loss
}

// Law makes the states, and publishes voltage and current:
//
//	soc' = -i/charge,  drop' = i/C - drop/(R C) of each pair
func (c *Battery) Law(b Builder) {
	p, flow := b.Pool(), b.Flow("E1")
	publishSupply(b, graph.Electrical, TimeCourse{}, false)
	soc := c.soc(b)
	b.Watch(program.Limit{Of: program.ChargeLimit, Component: c.Name, Quantity: "soc", Unit: "1", Below: true,
		Above: true},
		soc, p.Int(0), p.Int(1))
	b.Publish("open_circuit_voltage", "V", "voltage without current, at this state of charge", b.Kept("open_voltage"))
	b.State(OwnState{Key: "soc", Unit: "1", Text: "state of charge, 0: empty, 1: full", Symbol: soc,
		Rate: p.Neg(p.Div(flow, b.Scalar("charge", "A.s", c.Charge))), Start: c.StartCharge, Held: true})
	for k := range c.Pairs {
		resistance, capacitance := c.pair(b, k)
		b.State(OwnState{Key: fmt.Sprintf("pair_%d", k+1), Unit: "V", Text: fmt.Sprintf("drop of pair %d", k+1),
			Symbol: c.drop(b, k), Rate: p.Div(p.Sub(flow, p.Div(c.drop(b, k), resistance)), capacitance),
			Start: keys.Zero()})
	}
}

// Energy: the battery supplies its open voltage times the current. Resistances dissipate, and pairs store energy.
func (c *Battery) Energy(b Builder) Energy {
	p := b.Pool()
	stored := p.Int(0)
	for k := range c.Pairs {
		_, capacitance := c.pair(b, k)
		stored = p.Add(stored, p.Scale(expr.Fraction(1, 2), p.Mul(capacitance, p.Pow(c.drop(b, k), 2))))
	}
	return Energy{Electrical: stored, Supplied: p.Mul(b.Kept("open_voltage"), b.Flow("E1")), Dissipated: c.loss(b)}
}
