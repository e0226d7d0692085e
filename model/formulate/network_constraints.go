package formulate

import (
	"maps"
	"slices"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// multiplierOf is the symbol of a drop or flow that a constraint of speeds decides.
func (n *network) multiplierOf(i int) *expr.Expr {
	symbol := n.Pool.Sym("multiplier_"+n.edge(i).Name, expr.Unknown)
	n.multipliers = append(n.multipliers, networkMultiplier{i, n.Network, symbol})
	return symbol
}

// networkMultiplier is a drop or flow that a constraint of speeds decides.
type networkMultiplier struct {
	edge   int
	of     *graph.Network
	symbol *expr.Expr
}

// networkConstraints are the constraints of speeds that networks and mechanics make together: the cutset of a node
// where only sources of flow meet, and the circuit of a source of potential that closes a loop of sources. Their
// reactions are the potential and the flow.
func (f *Formulation) networkConstraints() {
	p := f.Pool
	for _, m := range f.multipliers {
		n := &network{Formulation: f, Network: m.of}
		var terms []*expr.Expr
		if n.kind(m.edge) == graph.Multiplier {
			for _, c := range n.Edges { // only sources of flow have this branch in their circuits, and itself, without a flow
				for _, s := range n.Circuit(c) {
					if s.Branch == m.edge {
						terms = append(terms, p.Neg(p.Mul(n.factor(s.Factor), f.flows[c])))
					}
				}
			}
		} else {
			terms = append(terms, p.Neg(f.drops[m.edge]))
			for _, s := range n.Circuit(m.edge) {
				terms = append(terms, p.Mul(n.factor(s.Factor), f.drops[s.Branch]))
			}
		}
		velocity := p.Add(terms...)
		if velocity.Depends()&expr.Input != 0 && len(f.Motions) == 0 {
			f.reject(f.edgeOf(m.edge).Owner.Pos, "%s: an input alone would decide about a constraint of speeds, and its rate "+
				"is not known; give the node a capacity, or the source a resistance", f.edgeOf(m.edge).Owner.Name)
			return
		}
		f.nonholonomic(strings.ReplaceAll(n.edge(m.edge).Name, ".", "_"), p.Int(0), velocity)
		f.Constraints[len(f.Constraints)-1].ofNetwork = true
	}
}

// multipliersFound gives the multipliers of networks, and the accelerations that they use, their values.
func (f *Formulation) multipliersFound() {
	if len(f.multipliers)+len(f.waiting) == 0 {
		return
	}
	var symbols, values []*expr.Expr
	for _, k := range slices.Sorted(maps.Keys(f.waiting)) {
		symbols, values = append(symbols, f.waiting[k]), append(values, f.Solution[k])
	}
	for _, m := range f.multipliers {
		name := strings.ReplaceAll(f.edgeOf(m.edge).Name, ".", "_")
		i := slices.IndexFunc(f.Constraints, func(c Constraint) bool { return c.Name == name })
		symbols, values = append(symbols, m.symbol), append(values, f.Solution[len(f.Speeds)+i])
	}
	f.Pool.Become(symbols, values)
}

// withoutUnknowns is a load without its parts that constraints bring in, or that are in M.
func (f *Formulation) withoutUnknowns(e *expr.Expr) *expr.Expr {
	if e.Depends()&expr.Unknown == 0 {
		return e
	}
	zero := map[*expr.Expr]*expr.Expr{}
	for _, m := range f.multipliers {
		zero[m.symbol] = f.Pool.Int(0)
	}
	for _, symbol := range f.waiting {
		zero[symbol] = f.Pool.Int(0)
	}
	return substitute(f.Pool, e, zero, map[*expr.Expr]*expr.Expr{})
}

func (f *Formulation) vectorWithoutUnknowns(v expr.Vector) expr.Vector {
	for i := range v.X {
		v.X[i] = f.withoutUnknowns(v.X[i])
	}
	return v
}
