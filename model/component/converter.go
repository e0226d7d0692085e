package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var converterType = Type{
	Word: "converter",
	Text: "ideal converter of voltage between two pairs of nodes",
	Keys: []keys.Key{
		nodePair("supply", "nodes of the supply: the first is the positive one"),
		nodePair("load", "nodes of the load: the first is the positive one"),
		courseKey("ratio", "1", "voltage of the load over the voltage of the supply, which is the current of the supply over "+
			"the current of the load"),
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Converter{Header: h, Supply: readPair(f, "supply"), Load: readPair(f, "load"),
			Ratio: readTimeCourse(f, "ratio", "1")}
	},
}

// Converter takes no power: the voltage of its load is Ratio times the voltage of its supply, and the current from its
// supply is Ratio times the current to its load.
type Converter struct {
	keys.Header
	noFrames
	Supply, Load [2]string // nodes
	Ratio        TimeCourse
}

// nodePair is the key of two nodes.
func nodePair(name, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.NodesShape, Text: text}
}

func readPair(f *keys.Fields, name string) [2]string {
	nodes := f.Texts(name)
	if len(nodes) != 2 {
		if f.Given(name) {
			f.Fault(name, "%s has %d nodes; it needs two, such as [\"dc\", \"ground\"]", f.PathOf(name), len(nodes))
		}
		return [2]string{graph.GroundFrame, graph.GroundFrame}
	}
	return [2]string{nodes[0], nodes[1]}
}

// Check has nothing to add to the keys.
func (*Converter) Check(*Scope, *keys.Reader) {}

// ScalarEdges:
//
//	E1 load    e_load = m e_supply
//	E2 supply  i_supply = -m i_load
func (c *Converter) ScalarEdges(*Scope) []graph.ScalarEdge {
	of := &graph.Converter{Load: c.Load, Supply: c.Supply, Free: c.Ratio.Input || c.Ratio.Formula != ""}
	port := func(name string, nodes [2]string) graph.ScalarEdge {
		return graph.ScalarEdge{Name: name, Domain: graph.Electrical, From: nodes[0], To: nodes[1], Kind: graph.Port, Of: of}
	}
	return []graph.ScalarEdge{port("E1", c.Load), port("E2", c.Supply)}
}

// Relations implements Networked.
func (c *Converter) Relations(b Builder) []Relation {
	value, rate := c.Ratio.value(b)
	r := Relation{Ratio: value, Rate: rate}
	return []Relation{r, r}
}

// Law publishes voltage and current of the load, and the current of the supply.
func (c *Converter) Law(b Builder) {
	p := b.Pool()
	b.Publish("voltage", "V", "voltage of the load", b.Drop("E1"))
	b.Publish("current", "A", "current to the load", p.Neg(b.Flow("E1")))
	b.Publish("supply_current", "A", "current from the supply", b.Flow("E2"))
	b.Publish("power", "W", "power to the load", p.Neg(p.Mul(b.Drop("E1"), b.Flow("E1"))))
}
