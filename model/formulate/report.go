package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/vehicle"
)

// Before returns the cost of the equations as formulated, each definition once and nothing shared beyond definitions,
// with the number of statements. It is the cost of a program without optimisation.
func (f *Formulation) Before() expr.Cost {
	var roots []*expr.Expr
	for _, s := range f.States() {
		roots = append(roots, s.Rate)
	}
	for _, c := range f.Calls {
		for k, a := range c.Arguments {
			if c.Asked == nil || slices.Contains(c.Asked, c.Inputs[k]) {
				roots = append(roots, a)
			}
		}
	}
	var cost expr.Cost
	for _, d := range Statements(roots) {
		if !d.Constant() {
			cost = cost.Plus(d.Args()[0].Cost())
			cost.Assignments++
		}
	}
	for _, r := range roots {
		cost = cost.Plus(r.Cost())
	}
	return cost
}

// Statements lists the definitions behind expressions, in order of computation.
func Statements(roots []*expr.Expr) []*expr.Expr {
	var list []*expr.Expr
	seen := map[*expr.Expr]bool{}
	var visit func(*expr.Expr)
	visit = func(e *expr.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, a := range e.Args() {
			visit(a)
		}
		if e.Kind() == expr.Definition {
			list = append(list, e)
		}
	}
	for _, r := range roots {
		visit(r)
	}
	return list
}

// EquationCounts are the numbers of the tables of Morency (2007): dynamic equations,
// constraint equations, and component equations.
type EquationCounts struct{ Dynamic, Constraints, Kinematic, Component int }

// Count returns how many equations of each kind the formulation has.
func (f *Formulation) Count() EquationCounts {
	return EquationCounts{len(f.Speeds), len(f.Constraints), len(f.Coordinates), len(f.Internal)}
}

// Branches lists the names of the branches of a domain.
func (f *Formulation) Branches(d graph.Domain) []string {
	var names []string
	for _, i := range f.Forest.Branch[d] {
		names = append(names, f.Forest.Graph.Edges[i].Name)
	}
	return names
}

// NetworkStates are the states of networks: potentials of capacities, then flows of inductances.
func (f *Formulation) NetworkStates() []State { return f.Internal[:len(f.states)] }

// ScalarBranches lists the names of the branches of a network.
func (f *Formulation) ScalarBranches(n *graph.Network) []string {
	var names []string
	for _, i := range n.Tree {
		names = append(names, f.edgeOf(i).Name)
	}
	return names
}

// TreeNames lists the trees of a model.
func TreeNames(m *vehicle.Model) []string {
	var names []string
	for _, t := range m.Trees {
		names = append(names, t.Name)
	}
	return names
}
