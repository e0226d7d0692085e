package formulate

import (
	"fmt"

	"skidpad/model/expr"
	"skidpad/model/vehicle"
)

// solution holds the linear equations of accelerations and reactions, and their solution.
type solution struct {
	Mass     [][]*expr.Expr // M, symmetric; nil where a recursion does without it
	Load     []*expr.Expr   // b
	Solution []*expr.Expr   // pdot, then f, as definitions

	bodies []body
	// equationsOfMotion solves the equations, also for other right-hand sides.
	equationsOfMotion solver
	// Instead of factors and Mass, where the effort for them would grow too fast.
	accelerated   *recursion
	withoutMass   bool // a recursion solves the equations
	undecided     bool // whether M or the recursion is cheaper has to be counted
	explicit      bool // the solution is differentiated as it stands
	accelerations rates
	balance       *balance // nil until something asks for reactions
}

// factors is the symbolic LDL^T factorisation of
//
//	[ M  C^T ]
//	[ C   0  ]
//
// in an order chosen once, for the zeros of the matrix: fewest remaining neighbours first. M is positive definite, so
// its part factorises in any order. A constraint is eliminated only after all speeds in its row. Its pivot is then
// minus a diagonal entry of C M^-1 C^T, which is not zero if the constraints are independent.
type factors struct {
	order   []int
	names   func(i int) string // of the unknowns
	l       [][]*expr.Expr     // by position in order; nil where zero
	inverse []*expr.Expr       // of the pivots
}

// solve defines pdot and the reactions f.
func (f *Formulation) solve() {
	switch {
	case f.withoutMass:
		f.recur()
		return
	case f.tree.Formulation == vehicle.UdwadiaKalaba && len(f.Constraints) > 0:
		f.generalised()
		return
	}
	p := f.Pool
	n, m := len(f.Speeds), len(f.Constraints)
	matrix := make([][]*expr.Expr, n+m)
	for i := range matrix {
		matrix[i] = make([]*expr.Expr, n+m)
		for j := range matrix[i] {
			matrix[i][j] = p.Int(0)
		}
	}
	right := make([]*expr.Expr, n+m)
	for i := range n {
		f.Load[i] = f.equation(f.Load[i])
		right[i] = f.Load[i]
		for j := range n {
			f.Mass[i][j] = f.equation(f.Mass[i][j])
			matrix[i][j] = f.Mass[i][j]
		}
	}
	for i := range m {
		c := &f.Constraints[i]
		c.Bias = f.equation(c.Bias)
		right[n+i] = p.Neg(c.Bias)
		for k := range c.Row {
			c.Row[k] = f.equation(c.Row[k])
			matrix[n+i][k], matrix[k][n+i] = c.Row[k], c.Row[k]
		}
		matrix[n+i][n+i] = p.Neg(f.slack(c))
	}
	factors := f.factorise(matrix, f.eliminationOrder(matrix, n), f.unknownName)
	if f.err != nil {
		return
	}
	f.equationsOfMotion, f.Solution = factors, factors.solve(f, right, f.unknown)
	for k := range f.Speeds {
		f.Speeds[k].Rate = f.Solution[k]
	}
}

// slack is the diagonal entry that makes the reaction of an inactive constraint 0; 0 for a constraint that is always
// active.
func (f *Formulation) slack(c *Constraint) *expr.Expr {
	if c.Active == nil {
		return f.Pool.Int(0)
	}
	return f.Pool.Sub(f.Pool.Int(1), c.Active)
}

// equation applies the pass for equations to the subterm of a definition.
func (f *Formulation) equation(e *expr.Expr) *expr.Expr {
	which := f.options.Equations
	if which == Default {
		which = Simplified
	}
	if e.Kind() != expr.Definition || which == Unchanged {
		return e
	}
	return f.Pool.Derive(e, e.Name(), f.pass(which, e.Args()[0]))
}

func (f *Formulation) pass(which Pass, e *expr.Expr) *expr.Expr {
	switch which {
	case Simplified:
		return f.Pool.Simplify(e)
	case Combined:
		return f.Pool.Combine(e)
	}
	return e
}

func (f *Formulation) factorise(a [][]*expr.Expr, order []int, names func(i int) string) *factors {
	p, n := f.Pool, len(a)
	s := &factors{order: order, names: names, l: make([][]*expr.Expr, n), inverse: make([]*expr.Expr, n)}
	for i := range s.l {
		s.l[i] = make([]*expr.Expr, n)
	}
	work := make([][]*expr.Expr, n)
	for i := range work {
		work[i] = make([]*expr.Expr, n)
		for j := range work[i] {
			work[i][j] = a[order[i]][order[j]]
		}
	}
	for k := range n {
		if work[k][k].IsZero() {
			f.rejectPivot(order[k])
			return s
		}
		name := names(order[k])
		pivot := f.define("pivot_"+name, work[k][k])
		s.inverse[k] = f.define("inverse_pivot_"+name, p.Pow(pivot, -1))
		for i := k + 1; i < n; i++ {
			if work[i][k].IsZero() {
				continue
			}
			row := names(order[i])
			work[i][k] = f.define("u_"+row+"_"+name, work[i][k])
			s.l[i][k] = f.define("l_"+row+"_"+name, p.Mul(work[i][k], s.inverse[k]))
		}
		for i := k + 1; i < n; i++ {
			if s.l[i][k] == nil {
				continue
			}
			for j := k + 1; j <= i; j++ {
				if s.l[j][k] != nil {
					work[i][j] = p.Sub(work[i][j], p.Mul(s.l[i][k], work[j][k]))
				}
			}
		}
	}
	return s
}

// rejectPivot reports an unknown that no equation determines.
func (f *Formulation) rejectPivot(i int) {
	if i < len(f.Speeds) {
		c := f.Forest.Graph.Edges[f.owner[i][0]].Owner
		f.reject(c.Pos, "nothing has inertia in the direction of the speed %s; give %s mass or inertia, "+
			"or select a tree without its edge", f.Speeds[i].Name, c.Name)
		return
	}
	f.fail(fmt.Errorf("model %s: %s", f.Model.Name, RedundantText(f.redundant(i-len(f.Speeds)))))
}

// eliminationOrder is the minimum-degree order on the zero pattern. Unknowns with an index of at least `speeds` come
// after the connected unknowns with an index below `speeds`.
func (f *Formulation) eliminationOrder(a [][]*expr.Expr, speeds int) []int {
	n := len(a)
	adjacent := make([][]bool, n)
	for i := range adjacent {
		adjacent[i] = make([]bool, n)
		for j := range adjacent[i] {
			adjacent[i][j] = i != j && !a[i][j].IsZero()
		}
	}
	done := make([]bool, n)
	var order []int
	for range n {
		best, fewest := -1, 0
		for i := range n {
			if done[i] {
				continue
			}
			degree, ready := 0, true
			for j := range n {
				if adjacent[i][j] && !done[j] {
					degree++
					ready = ready && (i < speeds || j >= speeds)
				}
			}
			if ready && (best < 0 || degree < fewest) {
				best, fewest = i, degree
			}
		}
		done[best] = true
		order = append(order, best)
		for i := range n {
			for j := range n {
				if i != j && !done[i] && !done[j] && adjacent[best][i] && adjacent[best][j] {
					adjacent[i][j] = true
				}
			}
		}
	}
	return order
}

// unknown names accelerations and reactions.
func (f *Formulation) unknown(i int) string {
	if i < len(f.Speeds) {
		return "dot_" + f.unknownName(i)
	}
	return "f_" + f.unknownName(i)
}

// unknownName names unknown i: speeds come first, then constraints.
func (f *Formulation) unknownName(i int) string {
	if i < len(f.Speeds) {
		return f.Speeds[i].Name
	}
	return f.constraintName(i - len(f.Speeds))
}

// constraintName names row i of the constraints, behind which their rates may follow as rows.
func (f *Formulation) constraintName(i int) string { return f.Constraints[i%len(f.Constraints)].Name }

// solve returns the solution for a right-hand side; entries may be zero.
func (s *factors) solve(f *Formulation, right []*expr.Expr, name func(i int) string) []*expr.Expr {
	p := f.Pool
	n := len(right)
	y := make([]*expr.Expr, n)
	for i := range n {
		y[i] = right[s.order[i]]
		for k := range i {
			if s.l[i][k] != nil {
				y[i] = p.Sub(y[i], p.Mul(s.l[i][k], y[k]))
			}
		}
		y[i] = f.define("y_"+s.names(s.order[i]), y[i])
	}
	x := make([]*expr.Expr, n)
	for i := n - 1; i >= 0; i-- {
		e := p.Mul(y[i], s.inverse[i])
		for k := i + 1; k < n; k++ {
			if s.l[k][i] != nil {
				e = p.Sub(e, p.Mul(s.l[k][i], x[s.order[k]]))
			}
		}
		x[s.order[i]] = f.define(name(s.order[i]), e)
	}
	return x
}
