package component

import (
	"slices"

	"skidpad/model/graph"
	"skidpad/model/keys"
)

var probeType = Type{
	Word: "probe",
	Text: "voltage, pressure or temperature between two nodes of a network",
	Keys: []keys.Key{
		{Name: "from", Shape: keys.NodeShape, Default: graph.GroundFrame, Text: "node whose potential is measured"},
		{Name: "to", Shape: keys.NodeShape, Default: graph.GroundFrame, Text: "node against which it is measured"},
		{Name: "domain", Shape: keys.WordShape, Optional: true, Choices: domainWords(),
			Text: "domain of the nodes; needed where nodes of two domains have these names"},
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Probe{Header: h, Ends: readEnds(f), Domain: f.Text("domain")}
	},
}

func domainWords() (words []string) {
	for _, d := range graph.ScalarDomains {
		words = append(words, d.String())
	}
	return words
}

// Probe measures the drop between two nodes; no flow passes.
type Probe struct {
	keys.Header
	noFrames
	Ends
	Domain string // "" for the domain of the nodes
}

// Measures implements Measuring.
func (*Probe) Measures() {}

// domains are the domains in which other components name both nodes.
func (c *Probe) domains(s *Scope) (list []graph.Domain) {
	for _, d := range graph.ScalarDomains {
		named := map[string]bool{"": true, graph.GroundFrame: true}
		for _, other := range s.list {
			if _, measures := As[Measuring](other); measures {
				continue
			}
			for _, e := range ScalarEdges(s, other) {
				named[e.From], named[e.To] = named[e.From] || e.Domain == d, named[e.To] || e.Domain == d
			}
		}
		if named[c.From] && named[c.To] && (c.Domain == "" || c.Domain == d.String()) {
			list = append(list, d)
		}
	}
	return list
}

// Check: other components have both nodes, in one domain.
func (c *Probe) Check(s *Scope, r *keys.Reader) {
	c.checkEnds(&c.Header, r)
	switch list := c.domains(s); {
	case len(list) == 0:
		r.Place(c.Pos, "probe %s measures between the nodes %q and %q, and no domain has both of them; a probe makes no "+
			"nodes: name nodes of other components", c.Name, c.From, c.To)
	case len(list) > 1:
		r.Place(c.Pos, "probe %s measures between the nodes %q and %q, which the %s and the %s domain have; write "+
			"domain = %q "+
			"or %q", c.Name, c.From, c.To, list[0], list[1], list[0], list[1])
	}
}

// ScalarEdges:
//
//	E1, H1 or Q1 from -> to  flow 0
func (c *Probe) ScalarEdges(s *Scope) []graph.ScalarEdge {
	d := graph.Electrical
	if list := c.domains(s); len(list) > 0 {
		d = list[0]
	} else if i := slices.Index(domainWords(), c.Domain); i >= 0 {
		d = graph.ScalarDomains[i]
	}
	return []graph.ScalarEdge{c.scalarEdge(d.Letter()+"1", d, graph.FlowSource)}
}

// Relations implements Networked.
func (c *Probe) Relations(b Builder) []Relation { return []Relation{{Value: b.Pool().Int(0)}} }

// Law publishes the drop.
func (c *Probe) Law(b Builder) {
	e := c.ScalarEdges(b.Scope())[0]
	name, unit := e.Domain.Potential()
	b.Publish(name, unit, name+" of `from` less "+name+" of `to`", b.Drop(e.Name))
}
