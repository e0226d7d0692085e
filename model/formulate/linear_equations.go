package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
)

// linearEquations adds states, inputs and outputs about a steady motion:
//
//	x' = x0' + A (x - x0) + B (u - u0),  y = y0 + C (x - x0) + D (u - u0)
//
// Numbers in the matrices are exact and no parameters; zeros leave no trace. The start values of the
// states are x0, of the inputs u0.
func (f *Formulation) linearEquations(c *model.LinearEquations) {
	x, u := make([]*expr.Expr, len(c.States)), make([]*expr.Expr, len(c.Inputs))
	for i, v := range c.States {
		x[i] = f.deviation(v, f.Pool.Sym(v.Name, expr.State))
	}
	for i, v := range c.Inputs {
		u[i] = f.deviation(v, f.input(v.Name, v.Unit, v.Text, v.Value.Value))
	}
	f.linearMotions(c)
	for i, v := range c.States {
		rate := f.linearSum(f.coefficient(v.Name, v.Rate), i, c.A, x, c.B, u)
		f.Internal = append(f.Internal, State{Name: v.Name, Unit: v.Unit, Text: v.Text, Symbol: f.Pool.Sym(v.Name, expr.State), Rate: rate, start: v.Value})
	}
	for i, v := range c.Outputs {
		f.publish(v.Name, v.Unit, v.Text, f.linearSum(f.coefficient(v.Name, v.Value), i, c.C, x, c.D, u))
	}
}

// linearMotions tells which inputs are position, rate and acceleration of one motion.
func (f *Formulation) linearMotions(c *model.LinearEquations) {
	first := len(f.Inputs) - len(c.Inputs)
	rate := map[int]int{} // by the input whose rate it is
	for i, v := range c.Inputs {
		rate[v.RateOf] = i
	}
	for i, v := range c.Inputs {
		if k, ok := rate[i]; ok && v.RateOf < 0 {
			group := [3]int{first + i, first + k, -1}
			if a, ok := rate[k]; ok {
				group[2] = first + a
			}
			f.Motions = append(f.Motions, group)
		}
	}
}

// deviation is that of a variable from the steady motion.
func (f *Formulation) deviation(v model.LinearVariable, symbol *expr.Expr) *expr.Expr {
	steady := f.coefficient(v.Name, v.Value)
	if steady.IsZero() {
		return symbol
	}
	return f.define("deviation_"+v.Name, f.Pool.Sub(symbol, steady))
}

// linearSum is constant + a[i] x + b[i] u.
func (f *Formulation) linearSum(constant *expr.Expr, i int, a [][]model.Scalar, x []*expr.Expr, b [][]model.Scalar, u []*expr.Expr) *expr.Expr {
	terms := []*expr.Expr{constant}
	for _, part := range []struct {
		rows      [][]model.Scalar
		variables []*expr.Expr
	}{{a, x}, {b, u}} {
		if part.rows == nil {
			continue
		}
		for k, s := range part.rows[i] {
			if e := f.coefficient("coefficient", s); !e.IsZero() {
				terms = append(terms, f.Pool.Mul(e, part.variables[k]))
			}
		}
	}
	return f.Pool.Add(terms...)
}

// coefficient is a number as it is, or a formula over parameters.
func (f *Formulation) coefficient(name string, s model.Scalar) *expr.Expr {
	if s.Formula {
		return f.scalar(name, "", s)
	}
	return f.Pool.Num(expr.FromFloat(s.Value))
}
