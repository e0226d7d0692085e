package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"skidpad/model/keys"
)

// byFreeRatio refuses an edge whose potential would follow from a division by a ratio that can be 0.
func (n *Network) byFreeRatio(edge int) error {
	e := &n.graph.Scalars[edge]
	r := n.drop([2]string{e.From, e.To})
	if k, a, is := n.freeRatio(r); is {
		return refusal(e.Owner, "ratio of %s is %s, and node %q has neither source nor capacity; its %s would follow from "+
			"%s by a division by the ratio, which can be 0; give the node a capacity or a source", n.converter(k),
			n.Converters[k].kind(), n.Nodes[a.index], n.potential(), e.Owner.Name)
	}
	return n.byDifference(e.Owner, r)
}

// freeRatio finds a ratio that can be 0, if all unknown potentials have products of ratios as factors.
func (n *Network) freeRatio(r combination) (converter int, at atom, is bool) {
	for _, a := range slices.Backward(r.unknown()) {
		if len(r[a]) > 1 {
			return 0, atom{}, false
		}
		for k, power := range r[a][0].Powers {
			if power > 0 && n.Converters[k].Free {
				converter, at, is = k, a, true
			}
		}
	}
	return converter, at, is
}

// kind says what a ratio that can be 0 is.
func (c *Converter) kind() string {
	if c.Formula {
		return "a formula of the time"
	}
	return "an input"
}

// byDifference refuses a potential that would follow from a division by a sum of ratios.
func (n *Network) byDifference(of *keys.Header, r combination) error {
	unknown := r.unknown()
	a := unknown[max(0, slices.IndexFunc(unknown, func(a atom) bool { return len(r[a]) > 1 }))]
	var names []string
	for _, p := range r[a] {
		for k, power := range p.Powers {
			if name := n.converter(k); power != 0 && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return refusal(of, "the %s of node %q would follow from %s by a division by a sum of ratios of %s, which can be 0; "+
		"give a converter a resistance in series", n.potential(), n.Nodes[a.index], of.Name, strings.Join(names, ", "))
}

func (n *Network) converter(k int) string { return n.graph.Scalars[n.Ports[k]].Owner.Name }

// boundConverter refuses a converter whose relation gives no potential, because its load is joined to loads of other
// converters, or to its own supply.
func (n *Network) boundConverter(converter int) error {
	owner, r := n.graph.Scalars[n.Ports[converter]].Owner, n.residual(converter)
	if len(r.unknown()) > 0 {
		if k, a, is := n.freeRatio(r); is {
			return refusal(owner, "converter %s: its load is joined to another converter, so that the %s of node %q would "+
				"follow from a division by the ratio of %s, which is %s and can be 0; give one of the two a resistance in "+
				"series", owner.Name, n.potential(), n.Nodes[a.index], n.converter(k), n.Converters[k].kind())
		}
		return n.byDifference(owner, r)
	}
	names := []string{owner.Name}
	for a := range r {
		names = append(names, n.converter(a.index))
	}
	slices.Sort(names[1:])
	return refusal(owner, "loop of converters %s: give one of them a resistance in series", strings.Join(names, " - "))
}

// refusal is a network that the engine refuses, whatever the tree: at a component.
func refusal(of *keys.Header, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", of.Pos.File, of.Pos.Line, of.Pos.Column, fmt.Sprintf(format, args...))
}

// treeFault is a fault of a selection.
func treeFault(format string, args ...any) error {
	return &SelectionError{Problem: fmt.Sprintf(format, args...)}
}

func (n *Network) potential() string { name, _ := n.Domain.Potential(); return name }

// sourceLoop refuses a loop of sources.
func (n *Network) sourceLoop(edge int, r combination) error {
	owner := n.graph.Scalars[edge].Owner
	names := []string{owner.Name}
	for _, c := range n.circuit(r) {
		names = append(names, n.graph.Scalars[c.Branch].Owner.Name)
	}
	for a := range r {
		if a.kind == ofConverter {
			names = append(names, n.graph.Scalars[n.Ports[a.index]].Owner.Name)
		}
	}
	slices.Sort(names[1:])
	names = slices.Compact(names)
	return refusal(owner, "loop of %s sources %s: give one of them a resistance", n.potential(),
		strings.Join(names, " - "))
}

// isolated refuses nodes that no path joins to the ground.
func (n *Network) isolated() error {
	index := map[string]int{GroundFrame: 0}
	for i, name := range n.Nodes {
		index[name] = i + 1
	}
	sets := newDisjointSets(len(n.Nodes) + 1)
	for _, i := range n.Edges {
		e := &n.graph.Scalars[i]
		sets.join(index[e.From], index[e.To])
	}
	for _, name := range n.Nodes {
		root := sets.find(index[name])
		if root == sets.find(0) {
			continue
		}
		var island []string
		var owner *keys.Header
		for _, i := range slices.Backward(n.Edges) {
			if e := &n.graph.Scalars[i]; e.From == name || e.To == name {
				owner = e.Owner
			}
		}
		for _, other := range n.Nodes {
			if sets.find(index[other]) == root {
				island = append(island, fmt.Sprintf("%q", other))
			}
		}
		return refusal(owner, "no path joins the %s node%s %s to the ground; join one of them to ground, by to = \"ground\" "+
			"of a component there", n.Domain, plural(island), strings.Join(island, ", "))
	}
	return nil
}

func plural(list []string) string {
	if len(list) == 1 {
		return ""
	}
	return "s"
}

// unreached refuses nodes whose potential nothing determines: an island that only edges join to other nodes whose laws
// do not give a drop.
func (n *Network) unreached() error {
	for _, name := range n.Nodes {
		unknown := n.at[name].unknown()
		if len(unknown) == 0 {
			continue
		}
		var island, meeting []string
		var owner *keys.Header
		for _, other := range n.Nodes {
			if n.at[other][unknown[0]] != nil {
				island = append(island, fmt.Sprintf("%q", other))
			}
		}
		sources := true
		for _, i := range n.Edges {
			e := &n.graph.Scalars[i]
			if n.drop([2]string{e.From, e.To})[unknown[0]] != nil && !slices.Contains(meeting, e.Owner.Name) {
				owner = cmp.Or(owner, e.Owner)
				meeting, sources = append(meeting, e.Owner.Name), sources && e.Kind == FlowSource
			}
		}
		flow, _ := n.Domain.Flow()
		what := fmt.Sprintf("only %s join%s %s to other nodes, and their laws do not give it", strings.Join(meeting, ", "),
			map[bool]string{true: "s"}[len(meeting) == 1], map[bool]string{true: "it", false: "them"}[len(island) == 1])
		if sources {
			what = fmt.Sprintf("cutset of %s sources %s", flow, strings.Join(meeting, " - "))
		}
		return refusal(owner, "the %s of node%s %s does not follow from anything: %s; give node %s a capacity or a "+
			"resistance to ground", n.potential(), plural(island), strings.Join(island, ", "), what, island[0])
	}
	return nil
}
