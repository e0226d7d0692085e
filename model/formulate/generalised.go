package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
)

// generalised solves the equations of motion after Udwadia and Kalaba with semi-definite weights D of the constraints
// (Ikoki 2022, (8) to (12); half-car specification, 3.2). Let a = M^-1 b, X = M^-1 C^T and S = C X. The demands of the
// rows are g = -e - C a; F are the sliding forces along the rows. Then
//
//	lambda = S^+ D g        of ideal constraints
//	nu     = -S^+ D S F     reactions caused by the sliding forces
//	pdot   = a + X (lambda + nu + F)
//
// A row is relaxed by its own weight and by nothing else: C_i pdot + e_i becomes 1 - D_i times what
// it is without constraints. S^+ copes with rows that follow from others.
func (f *Formulation) generalised() {
	p := f.Pool
	n, m := len(f.Speeds), len(f.Constraints)
	for i := range n {
		f.Load[i] = f.equation(f.Load[i])
		for j := range n {
			f.Mass[i][j] = f.equation(f.Mass[i][j])
		}
	}
	q := &bordered{
		mass: f.factorise(f.Mass, f.eliminationOrder(f.Mass, n), f.unknownName),
		x:    make([][]*expr.Expr, m), s: make([][]*expr.Expr, m),
	}
	if f.err != nil {
		return
	}
	right, stabilising := slices.Clone(f.Load), make([]*expr.Expr, m)
	for i := range m {
		c := &f.Constraints[i]
		for k := range c.Row {
			c.Row[k] = f.equation(c.Row[k])
		}
		q.x[i] = q.mass.solve(f, c.Row, func(k int) string { return "x_" + f.Speeds[k].Name + "_" + c.Name })
		right, stabilising[i] = append(right, p.Neg(f.equation(c.Bias))), p.Neg(c.Stabilising)
		q.s[i] = make([]*expr.Expr, m)
		for j := range i + 1 {
			q.s[i][j] = f.define("S_"+c.Name+"_"+f.Constraints[j].Name, f.inner(c.Row, q.x[j]))
			q.s[j][i] = q.s[i][j]
		}
	}
	f.slideBeside(q)
	scale := p.Add(q.mass.inverse...)
	if n == 0 { // all rows vanish
		scale = p.Int(1)
	}
	q.inverse = f.invert(q.s, scale, f.constraintName)
	f.equationsOfMotion = q
	if len(f.grips) == 0 {
		for i, e := range stabilising {
			right[n+i] = p.Add(right[n+i], e)
		}
		f.Solution = q.solve(f, right, f.unknown)
	} else {
		f.explicit = true
		free, asked := q.without(f, right, f.unknown)
		f.Solution = q.with(f, free, f.constraintForces(q, asked, stabilising), f.unknown)
	}
	for k := range n {
		f.Speeds[k].Rate = f.Solution[k]
	}
}

// slideBeside finds the effect of sliding forces that do not act along rows: M^-1 g of their directions g, and C M^-1
// g.
func (f *Formulation) slideBeside(q *bordered) {
	q.slides = slices.Clone(q.s)
	for w := range f.grips {
		r := &f.grips[w]
		r.force = r.rolling
		if r.Along == nil {
			continue
		}
		r.force = len(q.x)
		x := q.mass.solve(f, r.Along, func(k int) string { return "x_" + f.Speeds[k].Name })
		q.x = append(q.x, x)
		for i := range q.slides {
			c := &f.Constraints[i]
			q.slides[i] = append(slices.Clip(q.slides[i]), f.define("S_"+c.Name, f.inner(c.Row, x)))
		}
	}
}

// bordered solves M a + C^T f = b, C a = e with the generalised inverse of S = C M^-1 C^T.
type bordered struct {
	mass    *factors
	x, s    [][]*expr.Expr // columns of M^-1 C^T, and S
	slides  [][]*expr.Expr // S, and columns of C M^-1 g for forces along g beside the rows, whose M^-1 g is behind x
	inverse inverse
}

// without returns the accelerations without constraints, and their residuals in the constraints.
func (q *bordered) without(f *Formulation, right []*expr.Expr, name func(int) string) (free, lack []*expr.Expr) {
	n := len(f.Speeds)
	free = q.mass.solve(f, right[:n], func(i int) string { return "free_" + name(i) })
	for i := range f.Constraints {
		c := &f.Constraints[i]
		lack = append(lack, f.define("lack_"+c.Name, f.Pool.Sub(right[n+i], f.inner(c.Row, free))))
	}
	return free, lack
}

// with returns the accelerations a and the multipliers f. forces holds -f, one force for each row, followed by the
// forces beside the rows.
func (q *bordered) with(f *Formulation, free, forces []*expr.Expr, name func(int) string) []*expr.Expr {
	var solution []*expr.Expr
	for k, e := range free {
		for i, force := range forces {
			e = f.Pool.Add(e, f.Pool.Mul(q.x[i][k], force))
		}
		solution = append(solution, f.define(name(k), e))
	}
	for i, force := range forces[:len(q.s)] {
		solution = append(solution, f.define(name(len(free)+i), f.Pool.Neg(force)))
	}
	return solution
}

func (q *bordered) solve(f *Formulation, right []*expr.Expr, name func(int) string) []*expr.Expr {
	free, lack := q.without(f, right, name)
	return q.with(f, free, q.inverse(lack, "lambda"), name)
}

func (f *Formulation) inner(a, b []*expr.Expr) *expr.Expr {
	terms := make([]*expr.Expr, len(a))
	for i := range a {
		terms[i] = f.Pool.Mul(a[i], b[i])
	}
	return f.Pool.Add(terms...)
}

// constraintForces returns the forces in the directions of constraints that grip relaxes, lambda + nu + F, and behind
// them the sliding forces beside the rows.
func (f *Formulation) constraintForces(q *bordered, g, stabilising []*expr.Expr) []*expr.Expr {
	p, m := f.Pool, len(f.Constraints)
	weight, sliding := f.grip(q, g, stabilising)
	weighted := func(list []*expr.Expr) []*expr.Expr {
		result := make([]*expr.Expr, m)
		for i := range result {
			result[i] = f.times(weight[i], list[i])
		}
		return result
	}
	called := make([]*expr.Expr, m)
	for i := range called {
		called[i] = p.Neg(f.inner(q.slides[i], sliding))
	}
	traction, stabilisation := q.inverse(weighted(g), "lambda"), q.inverse(weighted(stabilising), "lambda")
	nu := q.inverse(weighted(called), "nu")
	forces := make([]*expr.Expr, m)
	for i := range forces {
		forces[i] = f.define("force_"+f.Constraints[i].Name, p.Add(traction[i], stabilisation[i], nu[i], sliding[i]))
	}
	for i := range f.grips {
		r := &f.grips[i]
		load := r.Load
		if load == nil {
			load = forces[r.normal]
		}
		r.Publish(component.GripForces{
			Traction: traction[r.rolling], Stabilisation: stabilisation[r.rolling], Sliding: sliding[r.force],
			Force: forces[r.rolling], Load: load, Stiction: r.stiction,
		})
	}
	return append(forces, sliding[m:]...)
}

// inverse applies the generalised inverse of a matrix to a list; name is the name of the results.
type inverse func(right []*expr.Expr, name string) []*expr.Expr

// Threshold of singularity in a generalised inverse: a share of the diagonal, and of the diagonal without singularity.
var (
	regularisation = expr.Fraction(1, 1e9)
	leastDiagonal  = expr.Fraction(1, 1e4)
)

// invert returns the generalised inverse of a symmetric, positive semi-definite matrix S as
//
//	x = (1 - T') (S + W)^-1 (1 + 4 T + 10 T^2) (1 - T)^2 r,  T = W (S + W)^-1,  T' = (S + W)^-1 W
//
// with W a small share of the diagonal, plus a share of scale for a vanishing diagonal. Where singular values s are
// well above W, the relative error is 20 (W/s)^3. Where they are 0, T is 1: nothing is left of r in their directions,
// and x has no component there. Between the two the transition is smooth: rows can become dependent or vanish without
// an event. Of all solutions x, the result is the least in the norm of W, which does not depend on the units of rows.
//
// In singular directions rounding leaves 1e-16/W of T, and (S + W)^-1 multiplies by 1/W. Two factors 1 - T in front of
// the inverse and one behind it reduce the demands of contradicting rows to rounding.
func (f *Formulation) invert(s [][]*expr.Expr, scale *expr.Expr, names func(int) string) inverse {
	p, m := f.Pool, len(s)
	least := f.define("least", p.Scale(leastDiagonal, scale))
	regular, small := make([][]*expr.Expr, m), make([]*expr.Expr, m) // S + W, W
	for i := range s {
		small[i] = f.define("W_"+names(i), p.Scale(regularisation, p.Add(s[i][i], least)))
		regular[i] = slices.Clone(s[i])
		regular[i][i] = f.define("S_W_"+names(i), p.Add(s[i][i], small[i]))
	}
	factors := f.factorise(regular, f.eliminationOrder(regular, m), names)
	return func(right []*expr.Expr, name string) []*expr.Expr {
		solve := func(r []*expr.Expr) []*expr.Expr {
			return factors.solve(f, r, func(i int) string { return name + "_" + names(i) })
		}
		weighted := func(x []*expr.Expr) []*expr.Expr {
			list := make([]*expr.Expr, m)
			for i := range list {
				list[i] = f.define("W_x_"+names(i), p.Mul(small[i], x[i]))
			}
			return list
		}
		less := func(a, b []*expr.Expr) []*expr.Expr {
			list := make([]*expr.Expr, m)
			for i := range list {
				list[i] = f.define("rest_"+names(i), p.Sub(a[i], b[i]))
			}
			return list
		}
		for range 2 {
			right = less(right, weighted(solve(right)))
		}
		once := weighted(solve(right))
		twice, raised := weighted(solve(once)), make([]*expr.Expr, m)
		for i := range raised {
			raised[i] = f.define("raised_"+names(i), p.Add(right[i], p.Scale(expr.Integer(4), once[i]),
				p.Scale(expr.Integer(10), twice[i])))
		}
		x := solve(raised)
		return less(x, solve(weighted(x)))
	}
}
