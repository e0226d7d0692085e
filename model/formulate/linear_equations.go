package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
)

type linearEquations struct{ *model.LinearEquations }

// Law adds states, inputs and outputs about a steady motion:
//
//	x' = x0' + A (x - x0) + B (u - u0),  y = y0 + C (x - x0) + D (u - u0)
//
// Numbers in the matrices are exact and no parameters; zeros leave no trace. The start values of the
// states are x0, of the inputs u0.
func (c linearEquations) Law(b Builder) {
	b = b.Unnamed()
	p := b.Pool()
	x, u := make([]*expr.Expr, len(c.States)), make([]*expr.Expr, len(c.Inputs))
	for i, v := range c.States {
		x[i] = deviation(b, v, p.Sym(v.Name, expr.State))
	}
	for i, v := range c.Inputs {
		u[i] = deviation(b, v, b.Input(v.Name, v.Unit, v.Text, v.Value.Value))
	}
	c.motions(b)
	for i, v := range c.States {
		rate := linearSum(b, b.Number(v.Name, v.Rate), i, c.A, x, c.B, u)
		b.State(OwnState{Key: v.Name, Unit: v.Unit, Text: v.Text, Symbol: p.Sym(v.Name, expr.State), Rate: rate, Start: v.Value})
	}
	for i, v := range c.Outputs {
		b.Publish(v.Name, v.Unit, v.Text, linearSum(b, b.Number(v.Name, v.Value), i, c.C, x, c.D, u))
	}
}

// motions tells which inputs are position, rate and acceleration of one motion.
func (c linearEquations) motions(b Builder) {
	rate := map[int]int{} // by the input whose rate it is
	for i, v := range c.Inputs {
		rate[v.RateOf] = i
	}
	for i, v := range c.Inputs {
		if k, ok := rate[i]; ok && v.RateOf < 0 {
			group := [3]int{i, k, -1}
			if a, ok := rate[k]; ok {
				group[2] = a
			}
			b.InputMotion(len(c.Inputs), group)
		}
	}
}

// deviation is that of a variable from the steady motion.
func deviation(b Builder, v model.LinearVariable, symbol *expr.Expr) *expr.Expr {
	steady := b.Number(v.Name, v.Value)
	if steady.IsZero() {
		return symbol
	}
	return b.Pool().Define("deviation_"+v.Name, b.Pool().Sub(symbol, steady))
}

// linearSum is constant + a[i] x + b[i] u.
func linearSum(
	b Builder, constant *expr.Expr, i int, onStates [][]model.Scalar, x []*expr.Expr, onInputs [][]model.Scalar, u []*expr.Expr,
) *expr.Expr {
	terms := []*expr.Expr{constant}
	for _, part := range []struct {
		rows      [][]model.Scalar
		variables []*expr.Expr
	}{{onStates, x}, {onInputs, u}} {
		if part.rows == nil {
			continue
		}
		for k, s := range part.rows[i] {
			if e := b.Number("coefficient", s); !e.IsZero() {
				terms = append(terms, b.Pool().Mul(e, part.variables[k]))
			}
		}
	}
	return b.Pool().Add(terms...)
}
