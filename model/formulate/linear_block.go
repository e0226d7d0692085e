package formulate

import (
	"slices"
	"strconv"

	"skidpad/model/expr"
)

// linearBlock are affine laws that are solved together, for the fewer unknowns: for the drops of its branches,
//
//	(G_B + A G_C A^T) x_B = ...
//
// or for the flows of its chords, (R_C + B R_B B^T) y_C = .... The matrix is symmetric and positive definite, so that
// the fixed order of the factors is safe.
type linearBlock struct {
	*network
	branches, chords []int
	loads            []int // chords with flows that are added
	byChords         bool
	factors          *factors
}

func (n *network) newLinearBlock(linear, loads []int) *linearBlock {
	l := &linearBlock{network: n, loads: loads}
	for _, i := range linear {
		if n.branch[i] {
			l.branches = append(l.branches, i)
		} else {
			l.chords = append(l.chords, i)
		}
	}
	l.byChords = len(l.chords) <= len(l.branches)
	p := n.Pool
	unknowns := l.unknowns()
	matrix := make([][]*expr.Expr, len(unknowns))
	for a, i := range unknowns {
		matrix[a] = make([]*expr.Expr, len(unknowns))
		for b, j := range unknowns {
			matrix[a][b] = l.entry(i, j)
			if a == b {
				matrix[a][b] = p.Add(l.own(i), matrix[a][b])
			}
		}
	}
	if len(unknowns) > 0 {
		l.factors = n.factorise(matrix, n.eliminationOrder(matrix, len(matrix)), l.name)
	}
	return l
}

func (l *linearBlock) unknowns() []int {
	if l.byChords {
		return l.chords
	}
	return l.branches
}

func (l *linearBlock) name(k int) string { return l.edgeName(l.unknowns()[k]) }

// own is the resistance of a chord, or the conductance of a branch.
func (l *linearBlock) own(i int) *expr.Expr {
	if l.byChords {
		return l.relations[i].Resistance
	}
	return l.conductance(i)
}

func (l *linearBlock) conductance(i int) *expr.Expr { return l.Pool.Pow(l.relations[i].Resistance, -1) }

// entry is what two unknowns share.
func (l *linearBlock) entry(i, j int) *expr.Expr {
	p := l.Pool
	var terms []*expr.Expr
	if l.byChords {
		for _, b := range l.branches {
			terms = append(terms, p.Mul(l.share(i, b), l.relations[b].Resistance, l.share(j, b)))
		}
		return p.Add(terms...)
	}
	for _, c := range l.chords {
		terms = append(terms, p.Mul(l.share(c, i), l.conductance(c), l.share(c, j)))
	}
	return p.Add(terms...)
}

// given are the flows of the loads, in addition to the known flows.
func (l *linearBlock) given(load map[int]*expr.Expr) func(chord int) *expr.Expr {
	return func(c int) *expr.Expr {
		if slices.Contains(l.loads, c) {
			return load[c]
		}
		return l.flows[c]
	}
}

// unknownsAt solves the block for flows of the loads; case names the solution.
func (l *linearBlock) unknownsAt(load map[int]*expr.Expr, which string) map[int]*expr.Expr {
	p := l.Pool
	unknowns := l.unknowns()
	if len(unknowns) == 0 {
		return nil
	}
	flow := l.given(load)
	var right []*expr.Expr
	for _, i := range unknowns {
		if l.byChords { // k - E_C + B (E_B + R_B j)
			sum := []*expr.Expr{l.sumOver(i, l.dropOf), p.Neg(l.or(l.relations[i].Offset))}
			for _, b := range l.branches {
				sum = append(sum, p.Mul(l.share(i, b), l.affine(b, l.cutset(b, flow))))
			}
			right = append(right, p.Add(sum...))
			continue
		}
		// G_B E_B - A G_C (k - E_C) + j
		sum := []*expr.Expr{p.Mul(l.conductance(i), l.or(l.relations[i].Offset)), l.cutset(i, flow)}
		for _, c := range l.chords {
			known := p.Sub(l.sumOver(c, l.dropOf), l.or(l.relations[c].Offset))
			sum = append(sum, p.Neg(p.Mul(l.share(c, i), l.conductance(c), known)))
		}
		right = append(right, p.Add(sum...))
	}
	values := l.factors.solve(l.Formulation, right, func(k int) string { return which + l.name(k) })
	solution := map[int]*expr.Expr{}
	for k, i := range unknowns {
		solution[i] = values[k]
	}
	return solution
}

// branchesAt are the drops of the branches for a solution.
func (l *linearBlock) branchesAt(load, solution map[int]*expr.Expr) map[int]*expr.Expr {
	if !l.byChords {
		return solution
	}
	flow := l.given(load)
	drops := map[int]*expr.Expr{}
	for _, b := range l.branches {
		drops[b] = l.affine(b, l.cutset(b, func(c int) *expr.Expr {
			if i := solution[c]; i != nil {
				return i
			}
			return flow(c)
		}))
	}
	return drops
}

// dropAt is the drop of a load for flows of the loads.
func (l *linearBlock) dropAt(edge int, load map[int]*expr.Expr) *expr.Expr {
	which := "open_"
	if load != nil {
		which = "loaded_"
	}
	drops := l.branchesAt(load, l.unknownsAt(load, which))
	return l.sumOver(edge, func(b int) *expr.Expr {
		if d := drops[b]; d != nil {
			return d
		}
		return l.drops[b]
	})
}

// solve solves the block; the flows of loads are known by now.
func (l *linearBlock) solve() {
	p := l.Pool
	l.loads = nil
	solution := l.unknownsAt(nil, "")
	drops := l.branchesAt(nil, solution)
	for _, b := range l.branches {
		l.drops[b] = l.named("drop", b, drops[b])
	}
	for _, c := range l.chords {
		l.drops[c] = l.named("drop", c, l.sumOver(c, l.dropOf))
		flow := solution[c]
		if !l.byChords {
			flow = p.Mul(p.Sub(l.drops[c], l.or(l.relations[c].Offset)), l.conductance(c))
		}
		l.flows[c] = l.named("flow", c, flow)
	}
}

// edgeName is the name of an edge in the names of definitions.
func (n *network) edgeName(i int) string {
	e := n.edge(i)
	name := e.Owner.Name
	if k := e.Name[len(name)+2:]; k != "1" {
		if _, err := strconv.Atoi(k); err == nil {
			name += "_" + k
		}
	}
	return name
}
