package reference

import (
	"fmt"
	"slices"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// The networks of the scalar domains are modified nodal equations. Unknowns are the potentials of all nodes, the flows
// of all edges, the drops of capacities and the flows of inductances:
//
//	sum of the flows at a node = 0
//	law of each edge           = 0
//	C u' = flow, drop = u      of capacities
//	L j' = drop - R j, flow = j of inductances
//
// No tree and no order is chosen, and nothing is solved for.

// domain is a scalar domain.
type domain string

const electrical domain = "electrical"

// scalarNode is a node of a scalar domain.
type scalarNode struct {
	domain    domain
	name      string
	potential int // unknown; Kirchhoff's law of the node is the equation of this number
}

// scalarEdge is an edge of a scalar domain. The flow leaves from and enters to.
type scalarEdge struct {
	name     string
	from, to int // numbers of nodes; -1 for the ground
	flow     int // unknown; the law of the edge is the equation of this number

	law   func(y []float64) float64 // 0 for a solution; nil for storages
	exact bool                      // the law relates potentials alone, or flows alone, linearly, for all times
	reads []*scalarEdge             // edges whose drops and flows the law depends on besides
	parts []int                     // parts whose motions the law depends on

	// Storages, whose state is an unknown of its own: the drop or the flow.
	capacity   func(drop float64) float64 // nil for none
	inductance func() float64             // nil for none
	lost       func(y []float64) float64  // drop of an inductance besides L j'; nil for none
	stored     int
	state      string       // name of the state
	start      *keys.Scalar // nil for none
}

func (e *scalarEdge) stores() bool { return e.capacity != nil || e.inductance != nil }

// node returns the number of a node.
func (s *System) node(d domain, name string) int {
	if name == "" || name == component.GroundFrame {
		return -1
	}
	k := slices.IndexFunc(s.nodes, func(n scalarNode) bool { return n.domain == d && n.name == name })
	if k < 0 {
		k = len(s.nodes)
		s.nodes = append(s.nodes, scalarNode{domain: d, name: name})
	}
	return k
}

// scalar adds an edge between two nodes; its law is added afterwards.
func (s *System) scalar(d domain, name, from, to string) *scalarEdge {
	e := &scalarEdge{name: name, from: s.node(d, from), to: s.node(d, to)}
	s.scalars = append(s.scalars, e)
	return e
}

func (s *System) potential(y []float64, node int) float64 {
	if node < 0 {
		return 0
	}
	return y[s.nodes[node].potential]
}

// drop is the potential where the flow leaves less the potential where it enters.
func (s *System) drop(e *scalarEdge, y []float64) float64 {
	return s.potential(y, e.from) - s.potential(y, e.to)
}

// networkResidual writes what the equations of the networks lack; motions belong to the same time.
func (s *System) networkResidual(y, dy, f []float64) {
	for _, n := range s.nodes {
		f[n.potential] = 0
	}
	for _, e := range s.scalars {
		for _, end := range e.ends() {
			f[s.nodes[end.node].potential] += end.sign * y[e.flow]
		}
		switch {
		case e.capacity != nil:
			f[e.flow] = s.drop(e, y) - y[e.stored]
			f[e.stored] = e.capacity(y[e.stored])*dy[e.stored] - y[e.flow]
		case e.inductance != nil:
			f[e.flow] = y[e.flow] - y[e.stored]
			f[e.stored] = e.inductance()*dy[e.stored] + e.loss(y) - s.drop(e, y)
		default:
			f[e.flow] = e.law(y)
		}
	}
}

func (e *scalarEdge) loss(y []float64) float64 {
	if e.lost == nil {
		return 0
	}
	return e.lost(y)
}

// storageAt is the factor of the state's rate.
func (e *scalarEdge) storageAt(y []float64) float64 {
	if e.capacity != nil {
		return e.capacity(y[e.stored])
	}
	return e.inductance()
}

// storedRate is the rate of the state of a storage.
func (s *System) storedRate(e *scalarEdge, y []float64) float64 {
	if e.capacity != nil {
		return y[e.flow] / e.storageAt(y)
	}
	return (s.drop(e, y) - e.loss(y)) / e.storageAt(y)
}

// edgeEnd is a node of an edge, with the sign of the flow that leaves the node.
type edgeEnd struct {
	node int
	sign float64
}

func (e *scalarEdge) ends() (list []edgeEnd) {
	if e.from >= 0 {
		list = append(list, edgeEnd{e.from, 1})
	}
	if e.to >= 0 {
		list = append(list, edgeEnd{e.to, -1})
	}
	return list
}

// unknowns of an edge: the potentials of its nodes and its flow.
func (s *System) unknowns(e *scalarEdge) []int {
	list := []int{e.flow}
	for _, end := range e.ends() {
		list = append(list, s.nodes[end.node].potential)
	}
	return list
}

// scalar adds what an edge couples.
func (d *dependence) scalar(e *scalarEdge) {
	own := []int{e.flow}
	if e.stores() {
		own = append(own, e.stored)
		d.add([]int{e.stored}, own)
	}
	for _, end := range e.ends() {
		d.add([]int{e.flow}, []int{d.nodes[end.node].potential})
	}
	for _, other := range append(slices.Clone(e.reads), e) {
		d.add(d.unknowns(other), own)
	}
	for _, part := range e.parts {
		q, v := d.own(part)
		d.add(slices.Concat(q, v), own)
	}
}

// publishScalar are the quantities of an edge: drop or rise, flow, and the power taken or supplied.
func (s *System) publishScalar(component string, e *scalarEdge, across, through string, sign float64) []quantity {
	drop := func(s *System, y []float64) float64 { return sign * s.drop(e, y) }
	flow := func(_ *System, y []float64) float64 { return y[e.flow] }
	list := []quantity{
		{name: component + "." + across, value: drop}, {name: component + "." + through, value: flow},
		{name: component + ".power", value: func(s *System, y []float64) float64 { return drop(s, y) * flow(s, y) }},
	}
	for i := range list {
		if list[i].name == e.state {
			list[i].derivative = func(s *System, y []float64) float64 { return s.storedRate(e, y) }
		}
	}
	return list
}

// course makes a value over time: a number, or an input with its name.
func (s *System) course(c component.TimeCourse, name string) (func() float64, error) {
	switch {
	case c.Input:
		input := s.input(name + "." + c.Key)
		return func() float64 { return s.inputs.values[input] }, nil
	case c.Formula != "":
		return nil, fmt.Errorf("%s.%s is a formula of the time, which the reference solver does not have; use an input", name,
			c.Key)
	}
	return func() float64 { return c.Number.Value }, nil
}
