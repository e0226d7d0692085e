package component

import "skidpad/model/expr"

// rampOf is a smooth ramp over s with a width w above 0:
//
//	0 below -w,  s above w,  (s + w)^2/(4 w) between
//
// It has no branches: with x = s/w limited to [-1, 1], it is w (x + 1)^2/4 + max(0, s - w).
func rampOf(p *expr.Pool, s, width *expr.Expr) *expr.Expr {
	x := p.Call(expr.Clamp, p.Div(s, width))
	round := p.Scale(expr.Fraction(1, 4), p.Mul(width, p.Pow(p.Add(x, p.Int(1)), 2)))
	return p.Add(round, p.Call(expr.Max, p.Int(0), p.Sub(s, width)))
}
