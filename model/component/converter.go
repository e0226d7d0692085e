package component

import (
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// Kinds of converters.
const (
	byRatio = "ratio"
	byPower = "power"
)

var converterType = Type{
	Word: "converter",
	Text: "converter of voltage between two pairs of nodes",
	Keys: []keys.Key{
		{Name: "kind", Shape: keys.WordShape, Default: byRatio, Choices: []string{byRatio, byPower},
			Text: "ratio: the voltage of the load is `ratio` times the voltage of the supply; power: the load has the given " +
				"`voltage`, and the supply gives the power of the load"},
		nodePair("supply", "nodes of the supply: the first is the positive one"),
		nodePair("load", "nodes of the load: the first is the positive one"),
		optionalCourse("ratio", "1", "of the kind ratio: voltage of the load over the voltage of the supply, which is the "+
			"current of the supply over the current of the load"),
		optionalCourse("voltage", "V", "of the kind power: voltage of the load, without current"),
		{Name: "efficiency", Unit: "1", Default: "1", Positive: true, AtMostOne: true,
			Text: "of the kind power: power of the load over the power of the supply, or the reverse where the load drives"},
		nonnegative("resistance", "Ohm", "0", "resistance in series with the load"),
		{Name: "loss", Shape: keys.CurveShape, Unit: "A, W", Optional: true, Mirror: keys.Stays,
			Text: "further power taken from the supply, over the current of the load; not negative"},
		heatKey,
	},
	Read: readConverter,
}

// optionalCourse is a value over time that need not be given.
func optionalCourse(name, unit, text string) keys.Key {
	k := courseKey(name, unit, text)
	k.Optional = true
	return k
}

// Converter gives its load a voltage. By ratio it is ideal except for Resistance and Loss: the voltage of the load is
// Ratio times the voltage of the supply, and the current from the supply is Ratio times the current to the load. By
// power it draws the power of the load from the supply.
type Converter struct {
	keys.Header
	noFrames
	ByPower                bool
	Supply, Load           [2]string // nodes
	Ratio, Voltage         TimeCourse
	Efficiency, Resistance keys.Scalar  // 1, Ohm
	Loss                   *curve.Curve // W over A, nil for none
}

func readConverter(h keys.Header, f *keys.Fields) Component {
	c := &Converter{Header: h, ByPower: f.Text("kind") == byPower, Supply: readPair(f, "supply"), Load: readPair(f,
		"load"),
		Ratio: readTimeCourse(f, "ratio", "1"), Voltage: readTimeCourse(f, "voltage", "V"),
		Efficiency: f.Scalar("efficiency"), Resistance: f.Scalar("resistance"), Loss: f.Curve("loss")}
	need, other := "ratio", []string{"voltage", "efficiency"}
	if c.ByPower {
		need, other = "voltage", []string{"ratio"}
	}
	f.Require(need)
	for _, key := range other {
		if f.Given(key) {
			f.Fault(key, "%s belongs to the other kind of converter; this one has kind = %q", f.PathOf(key), f.Text("kind"))
		}
	}
	return c
}

// nodePair is the key of two nodes.
func nodePair(name, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.NodesShape, Text: text}
}

func readPair(f *keys.Fields, name string) [2]string {
	nodes := f.Texts(name)
	if len(nodes) != 2 {
		if f.Given(name) {
			f.Fault(name, "%s has %d of two nodes; write two, such as [\"dc\", \"ground\"]", f.PathOf(name), len(nodes))
		}
		return [2]string{graph.GroundFrame, graph.GroundFrame}
	}
	for i, node := range nodes {
		f.Reader.CheckIdentifier(f.Node(name).Items[i], "node", node)
	}
	return [2]string{nodes[0], nodes[1]}
}

// Check: the nodes of a pair differ, and no loss is negative.
func (c *Converter) Check(_ *Scope, r *keys.Reader) {
	for _, pair := range []struct {
		key   string
		nodes [2]string
	}{{"supply", c.Supply}, {"load", c.Load}} {
		if pair.nodes[0] == pair.nodes[1] {
			r.Place(c.Pos, "%s.%s has the node %q twice; name two nodes", c.Name, pair.key, pair.nodes[0])
		}
	}
	checkNonnegative(&c.Header, r, "loss", "W", c.Loss, nil)
}

// draws reports whether a part of the supply's power follows from the current of the load.
func (c *Converter) draws() bool { return c.ByPower || c.Loss != nil }

// resisting reports whether there is a resistance between an ideal converter and its load.
func (c *Converter) resisting() bool { return !c.ByPower && !zero(c.Resistance) }

// ScalarEdges, by ratio:
//
//	E1 load    e_load = m e_supply
//	E2 supply  i_supply = -m i_load
//	E3 load    drop = R i, where there is a resistance
//	E4 supply  drop times i = loss, where there is a loss
//
// by power:
//
//	E1 load    drop = voltage + R i
//	E4 supply  drop times i = power
func (c *Converter) ScalarEdges(*Scope) []graph.ScalarEdge {
	edge := func(name string, nodes [2]string, kind graph.ScalarKind) graph.ScalarEdge {
		return graph.ScalarEdge{Name: name, Domain: graph.Electrical, From: nodes[0], To: nodes[1], Kind: kind}
	}
	var edges []graph.ScalarEdge
	if c.ByPower {
		kind := graph.Affine
		if zero(c.Resistance) {
			kind = graph.PotentialSource
		}
		edges = append(edges, edge("E1", c.Load, kind))
	} else {
		load := c.Load
		if c.resisting() {
			load[0] = c.Name + ".load" // no node of a file has a dot
		}
		of := &graph.Converter{Load: load, Supply: c.Supply, Free: c.Ratio.Input || c.Ratio.Formula != "",
			Formula: c.Ratio.Formula != ""}
		first, second := edge("E1", load, graph.Port), edge("E2", c.Supply, graph.Port)
		first.Of, second.Of = of, of
		edges = append(edges, first, second)
		if c.resisting() {
			edges = append(edges, edge("E3", [2]string{load[0], c.Load[0]}, graph.Affine))
		}
	}
	if c.draws() {
		edges = append(edges, edge("E4", c.Supply, graph.PowerLoad))
	}
	return edges
}

// Relations implements Networked.
func (c *Converter) Relations(b Builder) []Relation {
	resistance := b.Scalar("resistance", "Ohm", c.Resistance)
	var list []Relation
	if c.ByPower {
		value, rate := c.Voltage.value(b)
		list = append(list, Relation{Value: value, Rate: rate, Offset: value, Resistance: resistance})
	} else {
		value, rate := c.Ratio.value(b)
		r := Relation{Ratio: value, Rate: rate}
		list = append(list, r, r)
		if c.resisting() {
			list = append(list, Relation{Resistance: resistance})
		}
	}
	if c.draws() {
		list = append(list, Relation{Needs: []string{"E1"}, LatePower: func() *expr.Expr { return c.draw(b) }})
	}
	return list
}

// current is the current to the load.
func (c *Converter) current(b Builder) *expr.Expr { return b.Pool().Neg(b.Flow("E1")) }

// draw is the power that the supply gives beside the part of an ideal converter.
func (c *Converter) draw(b Builder) *expr.Expr {
	p, power := b.Pool(), b.Pool().Int(0)
	if c.ByPower {
		voltage, _ := c.Voltage.value(b)
		power = p.Mul(voltage, c.current(b))
		if !lossless(c.Efficiency) {
			power = drawn(p, power, b.Scalar("efficiency", "1", c.Efficiency))
		}
	}
	if c.Loss != nil {
		power = p.Add(power, b.Curve("loss_"+c.Name, c.Loss, c.current(b)).Value)
	}
	power = b.Define("drawn", power)
	b.Keep("drawn", power)
	return power
}

// Law publishes voltage and current of the load, and the current of the supply.
func (c *Converter) Law(b Builder) {
	p := b.Pool()
	voltage, supply := b.Drop("E1"), p.Int(0)
	if !c.ByPower {
		supply = b.Flow("E2")
	}
	if c.resisting() {
		voltage = p.Sub(voltage, b.Drop("E3"))
	}
	if c.draws() {
		supply = p.Add(supply, b.Flow("E4"))
	}
	switch {
	case !c.ByPower || !c.Voltage.variable():
		b.Publish("voltage", "V", "voltage of the load", voltage)
	case !zero(c.Resistance):
		b.Publish("terminal_voltage", "V", "voltage of the load", voltage)
	}
	b.Publish("current", "A", "current to the load", c.current(b))
	b.Publish("supply_current", "A", "current from the supply", supply)
	b.Publish("power", "W", "power to the load", p.Mul(voltage, c.current(b)))
}

// Energy: the losses.
func (c *Converter) Energy(b Builder) Energy {
	p, current := b.Pool(), c.current(b)
	loss := p.Mul(b.Scalar("resistance", "Ohm", c.Resistance), p.Pow(current, 2))
	if c.draws() {
		loss = p.Add(loss, b.Kept("drawn"))
	}
	if c.ByPower {
		voltage, _ := c.Voltage.value(b)
		loss = p.Sub(loss, p.Mul(voltage, current))
	}
	return Energy{Dissipated: loss}
}
