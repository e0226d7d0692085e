package reference

import (
	"fmt"
	"slices"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// The networks of the scalar domains are modified nodal equations. Unknowns are the potentials of all nodes, the flows
// of all edges, the drops of capacities, the flows of inductances, and further states of components:
//
//	sum of the flows at a node = 0
//	law of each edge           = 0
//	C u' = flow, drop = u      of capacities
//	L j' = drop - R j, flow = j of inductances
//	z' = rate(z, ...)          of further states
//
// No tree and no order is chosen, and nothing is solved for.

// domain is a scalar domain: the names of its potential and its flow, and usual sizes of both in SI units. Unknowns are
// counted in these sizes, so that errors of all domains weigh the same.
type domain struct {
	name, across, through string
	potential, flow       float64
}

var (
	electrical = &domain{"electrical", "voltage", "current", 1, 1}
	hydraulic  = &domain{"hydraulic", "pressure", "flow", 1e5, 1e-5}
	thermal    = &domain{"thermal", "temperature", "heat", 1, 1}
)

// scalarNode is a node of a scalar domain.
type scalarNode struct {
	domain    *domain
	name      string
	potential int // unknown; Kirchhoff's law of the node is the equation of this number
}

// reading is what a law depends on besides the unknowns of its own.
type reading struct {
	edges  []*scalarEdge  // their drops and flows
	states []*scalarState // their values
	parts  []int          // their motions
}

// scalarEdge is an edge of a scalar domain. The flow leaves from and enters to.
type scalarEdge struct {
	name     string
	domain   *domain
	from, to int // numbers of nodes; -1 for the ground
	flow     int // unknown; the law of the edge is the equation of this number

	law   func(y []float64) float64 // 0 for a solution, in sizes of the domain; nil for storages
	exact bool                      // the law relates potentials alone, or flows alone, linearly, for all times
	reading

	// Storages, whose state is an unknown of its own: the drop or the flow.
	capacity   func(y []float64) float64 // nil for none
	inductance func() float64            // nil for none
	lost       func(y []float64) float64 // drop of an inductance besides L j'; nil for none
	stored     int
	state      string       // name of the state
	start      *keys.Scalar // nil for none
}

// scalarState is a state of a component beside its edges: its rate follows from the unknowns.
type scalarState struct {
	name    string
	start   keys.Scalar
	rate    func(y []float64) float64
	unknown int // the law of the rate is the equation of this number
	reading
}

func (e *scalarEdge) stores() bool { return e.capacity != nil || e.inductance != nil }

// node returns the number of a node.
func (s *System) node(d *domain, name string) int {
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

// found reports whether a domain has a node.
func (s *System) found(d *domain, name string) bool {
	return name == "" || name == component.GroundFrame ||
		slices.ContainsFunc(s.nodes, func(n scalarNode) bool { return n.domain == d && n.name == name })
}

// scalar adds an edge between two nodes; its law is added afterwards.
func (s *System) scalar(d *domain, name, from, to string) *scalarEdge {
	e := &scalarEdge{name: name, domain: d, from: s.node(d, from), to: s.node(d, to)}
	s.scalars = append(s.scalars, e)
	return e
}

// ofDrop gives an edge a law between potentials: lack is 0 for a solution.
func (e *scalarEdge) ofDrop(lack func(y []float64) float64) {
	e.law = func(y []float64) float64 { return lack(y) / e.domain.potential }
}

// ofFlow gives an edge its flow.
func (e *scalarEdge) ofFlow(flow func(y []float64) float64) {
	e.law = func(y []float64) float64 { return y[e.flow] - flow(y)/e.domain.flow }
}

// ofPower gives an edge the power that it takes. While the search for potentials begins, it takes nothing.
func (s *System) ofPower(e *scalarEdge, power func(y []float64) float64) {
	s.drawing = true
	e.law = func(y []float64) float64 {
		if s.idle {
			return y[e.flow]
		}
		return s.drop(e, y)*e.through(y) - power(y)
	}
}

// ownState adds a state.
func (s *System) ownState(name string, start keys.Scalar, of reading) *scalarState {
	state := &scalarState{name: name, start: start, reading: of}
	s.states = append(s.states, state)
	return state
}

func (s *System) potential(y []float64, node int) float64 {
	if node < 0 {
		return 0
	}
	n := &s.nodes[node]
	return y[n.potential] * n.domain.potential
}

// through is the flow.
func (e *scalarEdge) through(y []float64) float64 { return y[e.flow] * e.domain.flow }

// level is the drop of a capacity by its own unknown.
func (e *scalarEdge) level(y []float64) float64 { return y[e.stored] * e.domain.potential }

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
			f[e.flow] = s.drop(e, y)/e.domain.potential - y[e.stored]
			f[e.stored] = e.storageAt(y)*dy[e.stored] - y[e.flow]
		case e.inductance != nil:
			f[e.flow] = y[e.flow] - y[e.stored]
			f[e.stored] = e.storageAt(y)*dy[e.stored] - (s.drop(e, y)-e.loss(y))/e.domain.potential
		default:
			f[e.flow] = e.law(y)
		}
	}
	for _, state := range s.states {
		f[state.unknown] = dy[state.unknown] - state.rate(y)
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
	ratio := e.domain.potential / e.domain.flow
	if e.capacity != nil {
		return e.capacity(y) * ratio
	}
	return e.inductance() / ratio
}

// storedRate is the rate of the unknown of a storage.
func (s *System) storedRate(e *scalarEdge, y []float64) float64 {
	if e.capacity != nil {
		return y[e.flow] / e.storageAt(y)
	}
	return (s.drop(e, y) - e.loss(y)) / e.domain.potential / e.storageAt(y)
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

// columns are the unknowns of networks that a law depends on.
func (s *System) columns(r *reading) (list []int) {
	for _, e := range r.edges {
		list = append(list, s.unknowns(e)...)
	}
	for _, state := range r.states {
		list = append(list, state.unknown)
	}
	return list
}

// reads adds what a law depends on; own are its equations.
func (d *dependence) reads(r *reading, own []int) {
	d.add(d.columns(r), own)
	for _, part := range r.parts {
		q, v := d.own(part)
		d.add(slices.Concat(q, v), own)
	}
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
	d.add(d.unknowns(e), own)
	d.reads(&e.reading, own)
}

// state adds what a state of a component couples.
func (d *dependence) state(state *scalarState) {
	own := []int{state.unknown}
	d.add(own, own)
	d.reads(&state.reading, own)
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
