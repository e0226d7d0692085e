package formulate

import (
	"slices"

	"skidpad/model/expr"
)

// generalised solves the equations of motion after Udwadia and Kalaba with semi-definite weights D
// of the constraints (Ikoki 2022, (8) to (12); half-car specification, 3.2). With a = M^-1 b,
// X = M^-1 C^T, S = C X, what is asked of the rows g = -e - C a, and forces F that slide along
// them,
//
//	lambda = S^+ D g        of ideal constraints
//	nu     = -S^+ D S F     what the sliding forces call forth
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
	mass := f.factorise(f.Mass, f.eliminationOrder(f.Mass, n))
	if f.err != nil {
		return
	}
	free := mass.solve(f, f.Load, func(i int) string { return "free_" + f.Speeds[i].Name })
	x := make([][]*expr.Expr, m)
	g, stabilising := make([]*expr.Expr, m), make([]*expr.Expr, m)
	for i := range m {
		c := &f.Constraints[i]
		for k := range c.Row {
			c.Row[k] = f.equation(c.Row[k])
		}
		x[i] = mass.solve(f, c.Row, func(k int) string { return "x_" + f.Speeds[k].Name })
		g[i] = f.define("asked_"+c.Name, p.Neg(p.Add(f.equation(c.Bias), f.inner(c.Row, free))))
		stabilising[i] = p.Neg(c.Stabilising)
	}
	s := make([][]*expr.Expr, m)
	for i := range m {
		s[i] = make([]*expr.Expr, m)
		for j := range i + 1 {
			s[i][j] = f.define("S", f.inner(f.Constraints[i].Row, x[j]))
			s[j][i] = s[i][j]
		}
	}
	forces := f.react(f.invert(s, p.Add(mass.inverse...)), s, g, stabilising)
	for k := range n {
		rate := free[k]
		for i := range m {
			rate = p.Add(rate, p.Mul(x[i][k], forces[i]))
		}
		f.Speeds[k].Rate = f.define("dot_"+f.Speeds[k].Name, rate)
		f.Solution = append(f.Solution, f.Speeds[k].Rate)
	}
	for i := range m {
		f.Solution = append(f.Solution, p.Neg(forces[i])) // M pdot + C^T f = b
	}
}

func (f *Formulation) inner(a, b []*expr.Expr) *expr.Expr {
	terms := make([]*expr.Expr, len(a))
	for i := range a {
		terms[i] = f.Pool.Mul(a[i], b[i])
	}
	return f.Pool.Add(terms...)
}

// react returns the forces in the directions of the constraints: lambda + nu + F.
func (f *Formulation) react(inverse inverse, s [][]*expr.Expr, g, stabilising []*expr.Expr) []*expr.Expr {
	p, m := f.Pool, len(f.Constraints)
	if len(f.grips) == 0 {
		asked := make([]*expr.Expr, m)
		for i := range asked {
			asked[i] = p.Add(g[i], stabilising[i])
		}
		return inverse(asked, "lambda")
	}
	weight, sliding := f.grip(inverse, s, g, stabilising)
	weighted := func(list []*expr.Expr) []*expr.Expr {
		result := make([]*expr.Expr, m)
		for i := range result {
			result[i] = f.times(weight[i], list[i])
		}
		return result
	}
	called := make([]*expr.Expr, m)
	for i := range called {
		called[i] = p.Neg(f.inner(s[i], sliding))
	}
	traction, stabilisation, nu := inverse(weighted(g), "lambda"), inverse(weighted(stabilising), "lambda"), inverse(weighted(called), "nu")
	forces := make([]*expr.Expr, m)
	for i := range forces {
		forces[i] = f.define("force_"+f.Constraints[i].Name, p.Add(traction[i], stabilisation[i], nu[i], sliding[i]))
	}
	for i := range f.grips {
		grip := &f.grips[i]
		grip.publish(f, traction[grip.rolling], stabilisation[grip.rolling], sliding[grip.rolling], forces)
	}
	return forces
}

// inverse applies the generalised inverse of a matrix to a list; name is that of the results.
type inverse func(right []*expr.Expr, name string) []*expr.Expr

// What counts as singular in a generalised inverse: a share of the diagonal, and of what the
// diagonal is when nothing is singular; and how often the inverse is applied to what is left.
var (
	regularisation = expr.Fraction(1, 1e9)
	leastDiagonal  = expr.Fraction(1, 1e4)
)

const applications = 3

// invert returns the generalised inverse of a symmetric, positive semi-definite matrix S as
//
//	x = P r,  P = (S + W)^-1 S (S + W)^-1
//
// with W a small share of the diagonal, and of a scale for where the diagonal vanishes, applied
// again to r - S x. Where singular values are well above it, the error of each application is
// 2 W/S; where they are 0, nothing is left of r in their directions, nor is there any x. In between
// it goes over smoothly: that rows begin to follow from others, or vanish, is no event. Of all x the
// one is found that is least in the norm of W, in which units of rows do not matter.
func (f *Formulation) invert(s [][]*expr.Expr, scale *expr.Expr) inverse {
	p, m := f.Pool, len(s)
	least := f.define("least", p.Scale(leastDiagonal, scale))
	regular := make([][]*expr.Expr, m)
	for i := range s {
		regular[i] = slices.Clone(s[i])
		regular[i][i] = f.define("S_W", p.Add(s[i][i], p.Scale(regularisation, p.Add(s[i][i], least))))
	}
	factors := f.factorise(regular, f.eliminationOrder(regular, m))
	times := func(x []*expr.Expr) []*expr.Expr {
		y := make([]*expr.Expr, m)
		for i := range y {
			y[i] = f.define("S_x", f.inner(s[i], x))
		}
		return y
	}
	return func(right []*expr.Expr, name string) []*expr.Expr {
		named := func(int) string { return name }
		var x []*expr.Expr
		rest := right
		for range applications {
			more := factors.solve(f, times(factors.solve(f, rest, named)), named)
			if x == nil {
				x = more
			} else {
				sum := make([]*expr.Expr, m)
				for i := range x {
					sum[i] = f.define(name, p.Add(x[i], more[i]))
				}
				x = sum
			}
			left := times(x)
			rest = make([]*expr.Expr, m)
			for i := range rest {
				rest[i] = f.define("rest", p.Sub(right[i], left[i]))
			}
		}
		return x
	}
}
