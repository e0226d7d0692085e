package graph

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/model/keys"
)

// Network is the graph of a scalar domain with its normal tree. Edges are indices into Graph.Scalars.
type Network struct {
	Domain     Domain
	Nodes      []string // without the ground
	Edges      []int
	Tree       []int        // branches, in file order
	Converters []*Converter // in file order; the ports of one follow each other
	Ports      []int        // the load ports, by converter
	// Bound are sources of potential that close a loop of sources: their values are speeds, and a constraint gives the
	// flow.
	Bound []int

	graph *Graph
	at    map[string]combination // potentials of nodes
}

// combination is a sum of drops of branches, of residuals of converters, which are 0, and of potentials that are not
// known yet.
type combination map[atom]Factor

// atom is one term of a combination.
type atom struct {
	kind  atomKind
	index int
}

type atomKind uint8

const (
	ofNode      atomKind = iota // potential of a node, by its index
	ofBranch                    // drop of an edge
	ofConverter                 // residual of a converter: drop of the load less ratio times drop of the supply
)

func (c combination) add(a atom, f Factor) {
	if sum := c[a].plus(f); len(sum) > 0 {
		c[a] = sum
	} else {
		delete(c, a)
	}
}

func (c combination) addAll(other combination, f Factor) {
	for a, g := range other {
		c.add(a, g.times(f))
	}
}

// networks finds the networks of a graph with their normal trees.
func (f *Forest) networks(t Selection) error {
	for k, d := range ScalarDomains {
		n := &Network{Domain: d, graph: f.Graph}
		for i := range f.Graph.Scalars {
			if e := &f.Graph.Scalars[i]; e.Domain == d && e.Kind != Multiplier {
				n.Edges = append(n.Edges, i)
			}
		}
		if err := n.span(t, t.Scalar[k]); err != nil {
			return err
		}
		f.Networks[k] = n
	}
	return nil
}

// span selects the tree: edges by rank, as in Kruskal's algorithm, where a loop is a linear dependence of drops. The
// relations of converters come first.
func (n *Network) span(t Selection, complete []string) error {
	g := n.graph
	n.begin()
	if err := n.relate(); err != nil {
		return err
	}
	if err := n.isolated(); err != nil {
		return err
	}
	order, err := n.order(t, complete)
	if err != nil {
		return err
	}
	for rest := order; len(rest) > 0; {
		same := 1
		for same < len(rest) && g.Scalars[rest[same]].Kind == g.Scalars[rest[0]].Kind {
			same++
		}
		if err := n.branchesOf(rest[:same], complete); err != nil {
			return err
		}
		rest = rest[same:]
	}
	slices.Sort(n.Tree)
	n.multipliers()
	if len(complete) > 0 || n.forbids(t) {
		if err := n.checkNormal(); err != nil {
			return err
		}
	}
	return n.unreached()
}

// relate takes the relations of the converters: as long as there are any, those that divide by no ratio.
func (n *Network) relate() error {
	left := make([]int, len(n.Converters))
	for k := range left {
		left[k] = k
	}
	for plain := true; len(left) > 0; {
		rest := slices.DeleteFunc(slices.Clone(left), func(k int) bool {
			return n.resolve(n.residual(k), atom{ofConverter, k}, plain)
		})
		if len(rest) == len(left) && !plain {
			return n.boundConverter(left[0])
		}
		left, plain = rest, len(rest) < len(left)
	}
	return nil
}

// residual is the drop of a converter's load less the ratio times the drop of its supply.
func (n *Network) residual(converter int) combination {
	c, r := n.Converters[converter], combination{}
	r.addAll(n.drop(c.Load), one(1))
	r.addAll(n.drop(c.Supply), ratio(converter).negative())
	return r
}

// begin lists nodes and converters.
func (n *Network) begin() {
	n.at = map[string]combination{GroundFrame: {}}
	node := func(name string) {
		if n.at[name] == nil {
			n.at[name] = combination{atom{ofNode, len(n.Nodes)}: one(1)}
			n.Nodes = append(n.Nodes, name)
		}
	}
	for _, i := range n.Edges {
		e := &n.graph.Scalars[i]
		node(e.From)
		node(e.To)
		if e.Kind == Port && !slices.Contains(n.Converters, e.Of) {
			n.Converters, n.Ports = append(n.Converters, e.Of), append(n.Ports, i)
		}
	}
}

// order lists edges that can be branches by rank. Preferred ones come first in
// their rank, then those at the ground, which make circuits short.
func (n *Network) order(t Selection, complete []string) (order []int, err error) {
	for _, name := range complete {
		i := slices.IndexFunc(n.Edges, func(i int) bool { return n.graph.Scalars[i].Name == name })
		if i < 0 {
			return nil, treeFault("no edge %s in the %s graph%s", name, n.Domain, n.nearest(name))
		}
		if e := &n.graph.Scalars[n.Edges[i]]; !e.Kind.CanBranch() {
			return nil, treeFault("edge %s must stay in the cotree: its drop does not follow from its flow", name)
		}
		order = append(order, n.Edges[i])
	}
	if len(complete) == 0 {
		for _, i := range n.Edges {
			if e := &n.graph.Scalars[i]; e.Kind.CanBranch() && !slices.Contains(t.Forbid, e.Name) {
				order = append(order, i)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &n.graph.Scalars[a], &n.graph.Scalars[b]
		return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(preference(x, t), preference(y, t)),
			cmp.Compare(x.inner(), y.inner()))
	})
	return order, nil
}

// nearest suggests an edge.
func (n *Network) nearest(name string) string {
	var names []string
	for _, i := range n.Edges {
		names = append(names, n.graph.Scalars[i].Name)
	}
	if near := document.Nearest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

// inner is 0 for edges at the ground, 1 for others.
func (e *ScalarEdge) inner() int {
	if e.From == GroundFrame || e.To == GroundFrame {
		return 0
	}
	return 1
}

// preference orders edges of one rank, so that those with a start get a state: capacities as branches, inductances as
// chords.
func preference(e *ScalarEdge, t Selection) int {
	switch i := slices.Index(t.Prefer, e.Name); {
	case i >= 0:
		return i - len(t.Prefer)
	case (e.Start != nil) == (e.Kind == Inductance):
		return 1
	}
	return 0
}

// branchesOf selects branches among the edges of one rank. If their order leads to a division by a ratio that can be 0,
// the edges that would need it come first: another order may do without.
func (n *Network) branchesOf(edges []int, complete []string) error {
	at, tree, bound := n.at, n.Tree, n.Bound
	order := edges
	var first error
	for range max(1, len(edges)) {
		n.at, n.Tree, n.Bound = map[string]combination{}, slices.Clone(tree), slices.Clone(bound)
		for name, c := range at {
			n.at[name] = maps.Clone(c)
		}
		left, err := n.inOrder(order, complete)
		if err != nil {
			return err
		}
		if len(left) == 0 {
			return nil
		}
		if first == nil {
			first = n.byFreeRatio(left[0])
		}
		isLeft := func(i int) bool { return slices.Contains(left, i) }
		order = slices.Concat(left, slices.DeleteFunc(slices.Clone(order), isLeft))
	}
	return first
}

// inOrder selects branches among the edges of one rank: without dividing by a ratio as long as there are any, then also
// by ratios that are never 0. It returns the edges that would need other divisions.
func (n *Network) inOrder(edges []int, complete []string) (left []int, err error) {
	for plain := true; len(edges) > 0; {
		left = nil
		for _, i := range edges {
			e := &n.graph.Scalars[i]
			r := n.drop([2]string{e.From, e.To})
			switch {
			case n.resolve(r, atom{ofBranch, i}, true), !plain && n.resolve(r, atom{ofBranch, i}, false):
				n.Tree = append(n.Tree, i)
				plain = true
			case len(r.unknown()) > 0:
				left = append(left, i)
			case len(complete) > 0:
				return nil, treeFault("edge %s closes a loop in the %s tree", e.Name, n.Domain)
			case e.Kind == PotentialSource && n.isCoupled(i, r):
				n.Bound = append(n.Bound, i)
			case e.Kind == PotentialSource:
				return nil, n.sourceLoop(i, r)
			}
		}
		if len(left) == len(edges) {
			if !plain {
				return left, nil
			}
			plain = false
		}
		edges = left
	}
	return nil, nil
}

// isCoupled reports whether a source in a loop of sources, or one of the others in the loop, follows the mechanics.
func (n *Network) isCoupled(edge int, r combination) bool {
	return n.graph.Scalars[edge].Coupled || slices.ContainsFunc(n.circuit(r), func(s Share) bool {
		return n.graph.Scalars[s.Branch].Coupled
	})
}

// multipliers gives an island of nodes a branch to the ground if only sources of flow join the island to other nodes,
// and one of these sources follows the mechanics. The cutset of the sources is a constraint of speeds.
func (n *Network) multipliers() {
	for k, name := range n.Nodes {
		a := atom{ofNode, k}
		if n.at[name][a] == nil {
			continue
		}
		coupled := false
		for _, i := range n.Edges {
			e := &n.graph.Scalars[i]
			if n.drop([2]string{e.From, e.To})[a] == nil {
				continue // within the island, or elsewhere
			}
			if e.Kind != FlowSource {
				coupled = false
				break
			}
			coupled = coupled || e.Coupled
		}
		if coupled {
			i := n.multiplier(name)
			n.Edges, n.Tree = append(n.Edges, i), append(n.Tree, i)
			n.resolve(n.drop([2]string{name, GroundFrame}), atom{ofBranch, i}, true)
		}
	}
}

// multiplier is the edge of a node's multiplier, behind all edges of components.
func (n *Network) multiplier(node string) int {
	name := node + "." + n.Domain.Letter() + "0"
	i := slices.IndexFunc(n.graph.Scalars, func(e ScalarEdge) bool { return e.Name == name && e.Kind == Multiplier })
	if i < 0 {
		i = len(n.graph.Scalars)
		n.graph.Scalars = append(n.graph.Scalars, ScalarEdge{Name: name, Domain: n.Domain, From: node, To: GroundFrame,
			Kind: Multiplier, Owner: &keys.Header{Name: node}})
	}
	return i
}

// drop is the drop between two nodes.
func (n *Network) drop(nodes [2]string) combination {
	r := combination{}
	r.addAll(n.at[nodeOr(nodes[0])], one(1))
	r.addAll(n.at[nodeOr(nodes[1])], one(-1))
	return r
}

// unknown lists the potentials in a combination that are not known yet, in the order of the nodes.
func (c combination) unknown() (list []atom) {
	for a := range c {
		if a.kind == ofNode {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b atom) int { return a.index - b.index })
	return list
}

// resolve makes a new atom of a combination, by which the potential of a node becomes known. It is false if none does.
// With plain it divides by no ratio.
func (n *Network) resolve(r combination, by atom, plain bool) bool {
	for _, a := range r.unknown() {
		inverse, is := r[a].reciprocal(n.Converters)
		if !is || plain && len(inverse[0].Powers) > 0 {
			continue
		}
		value := combination{by: inverse}
		for other, f := range r {
			if other != a {
				value.add(other, f.times(inverse).negative())
			}
		}
		for _, at := range n.at {
			if f := at[a]; f != nil {
				delete(at, a)
				at.addAll(value, f)
			}
		}
		return true
	}
	return false
}

// forbids reports whether a selection keeps an edge of the network out of the tree.
func (n *Network) forbids(t Selection) bool {
	return slices.ContainsFunc(n.Edges, func(i int) bool { return slices.Contains(t.Forbid, n.graph.Scalars[i].Name) })
}

// checkNormal refuses a tree that is not normal: with fewer branches of a rank than there can be.
func (n *Network) checkNormal() error {
	other, err := n.Natural()
	if err != nil {
		return err
	}
	for kind := range FlowSource {
		of := func(n *Network) (names []string) {
			for _, i := range n.Tree {
				if n.graph.Scalars[i].Kind == kind {
					names = append(names, n.graph.Scalars[i].Name)
				}
			}
			return names
		}
		if have, need := of(n), of(other); len(have) < len(need) {
			return treeFault("the %s tree has %d edges of the kind of %s, and needs %d; sources of potential, capacities, "+
				"resistances and inductances are branches in this order", n.Domain, len(have), strings.Join(need, ", "), len(need))
		}
	}
	return nil
}

// Share is the part of a branch in a drop.
type Share struct {
	Branch int
	Factor Factor
}

// Circuit is the drop of an edge as a sum over branches, in their order.
func (n *Network) Circuit(edge int) []Share {
	e := &n.graph.Scalars[edge]
	return n.circuit(n.drop([2]string{e.From, e.To}))
}

// Between is the drop from one node to another as a sum over branches, and whether both nodes exist.
func (n *Network) Between(from, to string) ([]Share, bool) {
	if n.at[nodeOr(from)] == nil || n.at[nodeOr(to)] == nil {
		return nil, false
	}
	return n.circuit(n.drop([2]string{from, to})), true
}

func (n *Network) circuit(r combination) (list []Share) {
	for a, f := range r {
		if a.kind == ofBranch {
			list = append(list, Share{a.index, f})
		}
	}
	slices.SortFunc(list, func(a, b Share) int { return a.Branch - b.Branch })
	return list
}

// Reach is the factor of a converter's residual in the drop of an edge: the flow of the converter's load is the sum of
// the flows of all chords, each times its negative reach.
func (n *Network) Reach(edge, converter int) Factor {
	e := &n.graph.Scalars[edge]
	return n.drop([2]string{e.From, e.To})[atom{ofConverter, converter}]
}

// Natural is the network with the tree in whose states start values are given: it prefers edges with a start.
func (n *Network) Natural() (*Network, error) {
	edges := slices.DeleteFunc(slices.Clone(n.Edges), func(i int) bool { return n.graph.Scalars[i].Kind == Multiplier })
	other := &Network{Domain: n.Domain, graph: n.graph, Edges: edges}
	return other, other.span(Selection{}, nil)
}

// KindOf is the kind of an edge.
func (n *Network) KindOf(edge int) ScalarKind { return n.graph.Scalars[edge].Kind }
