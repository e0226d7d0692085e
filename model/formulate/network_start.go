package formulate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// networkStarts finds the start values of potentials and flows in another tree than the one in whose states the starts
// are given. That tree prefers edges with a start in the file.
func (f *Formulation) networkStarts() {
	for _, n := range f.Forest.Networks {
		natural, err := n.Natural()
		if err != nil || slices.Equal(natural.Tree, n.Tree) {
			continue // of no other tree
		}
		f.startsIn(n, natural)
	}
}

// startsIn finds the starts of the states of a network in terms of another tree's states.
func (f *Formulation) startsIn(n, of *graph.Network) {
	p := f.Pool
	given := map[int]*expr.Expr{}
	start := func(i int) *expr.Expr {
		if e := given[i]; e != nil {
			return e
		}
		e := f.edgeOf(i)
		name, unit := e.Domain.Potential()
		if e.Kind == graph.Inductance {
			name, unit = e.Domain.Flow()
		}
		if e.State != "" {
			name = e.State
		}
		value := p.Int(0)
		if e.Start != nil {
			value = f.startValue(e.Owner.Name+"."+name, unit, *e.Start)
		}
		given[i] = value
		return value
	}
	solved := &network{Formulation: f, Network: of}
	for _, i := range n.Edges {
		place, is := f.states[i]
		if !is {
			continue
		}
		var terms []*expr.Expr
		switch n.KindOf(i) {
		case graph.Capacity:
			for _, s := range of.Circuit(i) {
				drop := f.drops[s.Branch]
				if n.KindOf(s.Branch) == graph.Capacity {
					drop = start(s.Branch)
				}
				terms = append(terms, p.Mul(solved.factor(s.Factor), drop))
			}
		default:
			if !slices.Contains(of.Tree, i) {
				terms = append(terms, start(i))
				break
			}
			for _, c := range of.Edges {
				if slices.Contains(of.Tree, c) || n.KindOf(c) == graph.Port {
					continue
				}
				for _, s := range of.Circuit(c) {
					if s.Branch != i {
						continue
					}
					flow := f.flows[c]
					if n.KindOf(c) == graph.Inductance {
						flow = start(c)
					}
					terms = append(terms, p.Neg(p.Mul(solved.factor(s.Factor), flow)))
				}
			}
		}
		f.Internal[place].begin = f.define("start_"+f.Internal[place].Name, p.Add(terms...))
	}
}

func (f *Formulation) edgeOf(i int) *graph.ScalarEdge { return &f.Forest.Graph.Scalars[i] }

// checkNetworkStarts refuses starts in the file that contradict each other: where an edge with a start has no state,
// and the states give it another value.
func (f *Formulation) checkNetworkStarts() {
	if len(f.loose) == 0 {
		return
	}
	values := f.startValues()
	parameters := expr.NewEvaluator(values)
	for _, s := range f.Internal {
		if s.Start != nil {
			values[s.Symbol] = parameters.Value(s.Start)
		}
	}
	at := expr.NewEvaluator(values)
	for _, l := range f.loose {
		e := f.edgeOf(l.edge)
		n := f.Forest.Networks[e.Domain-graph.Electrical]
		want, largest := at.Value(l.value), 0.0
		unit := ""
		var loop []string
		add := func(i int, value float64) {
			largest = max(largest, math.Abs(value))
			loop = append(loop, fmt.Sprintf("%s %.9g %s", f.edgeOf(i).Owner.Name, value, unit))
		}
		if e.Kind == graph.Capacity {
			_, unit = e.Domain.Potential()
			for _, s := range n.Circuit(l.edge) {
				add(s.Branch, at.Value(f.drops[s.Branch]))
			}
		} else {
			_, unit = e.Domain.Flow()
			for _, c := range n.Edges {
				if n.KindOf(c) != graph.Port && f.flows[c] != nil &&
					slices.ContainsFunc(n.Circuit(c), func(s graph.Share) bool { return s.Branch == l.edge && c != l.edge }) {
					add(c, at.Value(f.flows[c]))
				}
			}
		}
		off := math.Abs(want - e.Start.Value)
		if off <= f.Model.Solver.Tolerance*max(largest, math.Abs(e.Start.Value)) || math.IsNaN(off) {
			continue
		}
		f.reject(e.Start.Pos, "the start of %s is %.9g %s, but %.9g %s follows from %s; correct one of them, or leave this "+
			"one out", e.Owner.Name, e.Start.Value, unit, want+0, unit, strings.Join(loop, ", "))
		return
	}
}
