package component

import (
	"fmt"
	"math"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var lineType = Type{
	Word: "line",
	Text: "oil line with laminar resistance, inertance and capacity",
	Keys: []keys.Key{fromNodeKey, toNodeKey,
		optionally(positive("resistance", resistanceUnit, "laminar resistance of a cell; or else `length` and `diameter`")),
		optionally(positive("inertance", inertanceUnit, "inertance of a cell: pressure per rate of the flow")),
		optionally(positive("capacity", capacityUnit, "capacity of a cell")),
		optionally(positive("length", "m", "length of the line, with `diameter`, in place of the keys above")),
		optionally(positive("diameter", "m", "inner diameter")),
		withDefault("density", "kg/m3", "850", "density of the oil, with `length`"),
		withDefault("viscosity", "Pa.s", "0.02", "dynamic viscosity of the oil, with `length`"),
		optionally(positive("bulk_modulus", "Pa", "bulk modulus of the oil and the walls, with `length`; without: no "+
			"capacity")),
		{Name: "cells", Unit: "1", Default: "1", Whole: &keys.Whole{Least: 1, Most: 10}, Plain: true, Mirror: keys.Stays,
			Text: "number of cells with a capacity, between which resistance and inertance lie"},
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial state", Keys: []keys.Key{
			scalar("pressure", "Pa", "0", "pressure of the cells"),
			scalar("flow", flowUnit, "0", "flow from `from` to `to`"),
		}},
		stateKey("only the resistance of all cells is left"),
		heatKey},
	Read: readLine,
}

// Line is a row of cells: the capacity of each cell lies at an inner node, with half of its resistance and inertance on
// either side. The inner nodes are called <component>_1, <component>_2 ... A line without capacity has no inner node.
type Line struct {
	keys.Header
	noFrames
	Ends
	Resistance, Inertance, Capacity *keys.Scalar // of a cell, Pa s/m3, kg/m4, m3/Pa; nil for none
	Length, Diameter, Modulus       *keys.Scalar // m, m, Pa; nil for none
	Density, Viscosity              keys.Scalar  // kg/m3, Pa s
	Cells                           int
	StartPressure, StartFlow        *keys.Scalar // Pa, m3/s; nil for none
	Stateless                       bool
}

func readLine(h keys.Header, f *keys.Fields) Component {
	c := &Line{Header: h, Ends: readEnds(f), Resistance: optional(f, "resistance"), Inertance: optional(f, "inertance"),
		Capacity: optional(f, "capacity"), Length: optional(f, "length"), Diameter: optional(f, "diameter"),
		Modulus: optional(f, "bulk_modulus"), Density: f.Scalar("density"), Viscosity: f.Scalar("viscosity"),
		Cells: int(f.Number("cells")), StartPressure: givenStart(f, "pressure"), StartFlow: givenStart(f, "flow"),
		Stateless: readStateless(f)}
	of := func(names ...string) (given []string) {
		for _, name := range names {
			if f.Given(name) {
				given = append(given, name)
			}
		}
		return given
	}
	cell, sizes := of("resistance", "inertance", "capacity"), of("length", "diameter")
	others := of("density", "viscosity", "bulk_modulus")
	switch {
	case len(cell) > 0 && len(sizes) > 0:
		f.Fault(sizes[0], "%s has both %s and %s; give either resistance, inertance and capacity of a cell, or length and "+
			"diameter", f.Path, cell[0], sizes[0])
	case len(sizes) == 1:
		f.FaultOfTable("%s has %s alone; length and diameter belong together", f.Path, sizes[0])
	case len(sizes) == 0 && c.Resistance == nil && c.Inertance == nil:
		f.FaultOfTable("%s has neither resistance nor inertance, so that nothing gives its flow; give it one of them, or "+
			"length and diameter", f.Path)
	case len(sizes) == 0 && len(others) > 0:
		f.Fault(others[0], "%s has no effect without length and diameter; leave it out", f.PathOf(others[0]))
	case !c.hasCapacity() && c.Cells > 1:
		f.Fault("cells", "%s has no effect, because the line has no capacity; leave it out, or give %s", f.PathOf("cells"),
			map[bool]string{true: "bulk_modulus", false: "capacity"}[len(sizes) > 0])
	case !c.hasCapacity() && c.StartPressure != nil:
		f.Fault("start", "%s.start.pressure has no effect, because the line has no capacity; leave it out", f.Path)
	case !c.hasInertance() && c.StartFlow != nil:
		f.Fault("start", "%s.start.flow has no effect, because the line has no inertance; leave it out", f.Path)
	}
	return c
}

func (c *Line) hasCapacity() bool  { return c.Capacity != nil || c.Length != nil && c.Modulus != nil }
func (c *Line) hasInertance() bool { return c.Inertance != nil || c.Length != nil }

// Check has nothing to add to the keys.
func (*Line) Check(*Scope, *keys.Reader) {}

// series is the number of edges between the ends: one more than inner nodes.
func (c *Line) series() int {
	if c.hasCapacity() && !c.Stateless {
		return c.Cells + 1
	}
	return 1
}

// ScalarEdges:
//
//	H1 ... from -> _1 -> ... -> to  drop = R q + L q'; half of a cell at both ends
//	and then of each cell  _i -> ground  q = C p'
//	without states: H1 from -> to  drop = R q of all cells
func (c *Line) ScalarEdges(*Scope) []graph.ScalarEdge {
	n := c.series()
	node := func(i int) string {
		switch i {
		case 0:
			return c.From
		case n:
			return c.To
		}
		return fmt.Sprintf("%s_%d", c.Name, i)
	}
	key := func(name string, i int) string {
		if n == 1 {
			return name
		}
		return fmt.Sprintf("%s_%d", name, i)
	}
	var edges []graph.ScalarEdge
	for i := range n {
		e := graph.ScalarEdge{Name: fmt.Sprintf("H%d", i+1), Domain: graph.Hydraulic, From: node(i), To: node(i + 1),
			Kind: graph.Affine}
		switch {
		case c.Stateless:
			e.Kind = resistiveOr(c.Resistance != nil || c.Length != nil)
		case c.hasInertance():
			e.Kind, e.State, e.Start, e.Without = graph.Inductance, key("flow", i+1), c.StartFlow, noState
		}
		edges = append(edges, e)
	}
	for i := 1; i < n; i++ {
		edges = append(edges, graph.ScalarEdge{Name: fmt.Sprintf("H%d", n+i), Domain: graph.Hydraulic, From: node(i),
			Kind: graph.Capacity, State: key("pressure", i), Start: c.StartPressure, Without: noState})
	}
	return edges
}

// cell is the resistance, the inertance and the capacity of a cell: of laminar flow in a pipe, 128 viscosity length/(pi
// diameter^4), density length/area and area length/modulus.
func (c *Line) cell(b Builder) (resistance, inertance, capacity *expr.Expr) {
	p := b.Pool()
	if c.Length == nil {
		of := func(key, unit string, s *keys.Scalar) *expr.Expr {
			if s == nil || c.Stateless && s != c.Resistance {
				return p.Int(0)
			}
			return b.Scalar(key, unit, *s)
		}
		return of("resistance", resistanceUnit, c.Resistance), of("inertance", inertanceUnit, c.Inertance),
			of("capacity", capacityUnit, c.Capacity)
	}
	if c.Diameter == nil {
		return p.Int(1), p.Int(1), p.Int(1) // the reader has a fault
	}
	length := p.Scale(expr.Fraction(1, int64(c.Cells)), b.Scalar("length", "m", *c.Length))
	diameter := b.Scalar("diameter", "m", *c.Diameter)
	pi := p.Num(expr.FromFloat(math.Pi))
	area := b.Define("area", p.Scale(expr.Fraction(1, 4), p.Mul(pi, p.Pow(diameter, 2))))
	resistance = p.Mul(p.Int(128), b.Scalar("viscosity", "Pa.s", c.Viscosity), length,
		p.Pow(p.Mul(pi, p.Pow(diameter, 4)), -1))
	if c.Stateless {
		return resistance, p.Int(0), p.Int(0)
	}
	inertance = p.Div(p.Mul(b.Scalar("density", "kg/m3", c.Density), length), area)
	capacity = p.Int(0)
	if c.Modulus != nil {
		capacity = p.Div(p.Mul(area, length), b.Scalar("bulk_modulus", "Pa", *c.Modulus))
	}
	return resistance, inertance, capacity
}

// share is the part of a cell in one of the edges in a row; a single edge has all cells.
func (c *Line) share(i int) expr.Rational {
	switch n := c.series(); {
	case n == 1:
		return expr.Integer(int64(c.Cells))
	case i == 0 || i == n-1:
		return expr.Fraction(1, 2)
	}
	return expr.Integer(1)
}

// Relations implements Networked.
func (c *Line) Relations(b Builder) []Relation {
	p := b.Pool()
	resistance, inertance, capacity := c.cell(b)
	var list []Relation
	for i := range c.series() {
		list = append(list, Relation{Value: p.Int(0), Resistance: p.Scale(c.share(i), resistance),
			Storage: p.Scale(c.share(i), inertance)})
	}
	for range c.series() - 1 {
		list = append(list, Relation{Storage: capacity})
	}
	return list
}

// loss is the power of the laminar resistance.
func (c *Line) loss(b Builder) *expr.Expr {
	p := b.Pool()
	resistance, _, _ := c.cell(b)
	var terms []*expr.Expr
	for i := range c.series() {
		terms = append(terms, p.Scale(c.share(i), p.Mul(resistance, p.Pow(b.Flow(fmt.Sprintf("H%d", i+1)), 2))))
	}
	return p.Add(terms...)
}

// Law publishes the drop of the line, and the flows at its ends.
func (c *Line) Law(b Builder) {
	p, n := b.Pool(), c.series()
	if n == 1 {
		publishHydraulic(b, "H1")
		return
	}
	var drop []*expr.Expr
	for i := range n {
		drop = append(drop, b.Drop(fmt.Sprintf("H%d", i+1)))
	}
	b.Publish("pressure", "Pa", "pressure of `from` less pressure of `to`", p.Add(drop...))
	for i := range n {
		b.Publish(fmt.Sprintf("flow_%d", i+1), flowUnit, "flow towards `to`, in front of the cell of this number",
			b.Flow(fmt.Sprintf("H%d", i+1)))
	}
	for i := 1; i < n; i++ {
		b.Publish(fmt.Sprintf("pressure_%d", i), "Pa", "pressure of the cell", b.Drop(fmt.Sprintf("H%d", n+i)))
	}
}

// Energy: L q^2/2 and C p^2/2 stored, R q^2 dissipated.
func (c *Line) Energy(b Builder) Energy {
	p, n := b.Pool(), c.series()
	_, inertance, capacity := c.cell(b)
	var stored []*expr.Expr
	for i := range n {
		stored = append(stored, p.Scale(c.share(i), halfSquare(b, inertance, b.Flow(fmt.Sprintf("H%d", i+1)))))
	}
	for i := 1; i < n; i++ {
		stored = append(stored, halfSquare(b, capacity, b.Drop(fmt.Sprintf("H%d", n+i))))
	}
	return Energy{Hydraulic: p.Add(stored...), Dissipated: c.loss(b)}
}
