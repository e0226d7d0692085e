package component

import "skidpad/model/expr"

// ramp is 0 below -w, s above w, and (s + w)^2/(4 w) between: smooth, and never falling.
func ramp(p *expr.Pool, s, w *expr.Expr) *expr.Expr {
	within := p.Call(expr.Max, p.Neg(w), p.Call(expr.Min, w, s))
	return p.Add(p.Call(expr.Max, p.Int(0), p.Sub(s, w)),
		p.Div(p.Pow(p.Add(within, w), 2), p.Scale(expr.Integer(4), w)))
}

// roundAbs is the magnitude of x beyond 1, and x^2 (2 - |x|) within, so that its slope is continuous and 0 at 0.
func roundAbs(p *expr.Pool, x *expr.Expr) *expr.Expr {
	size := p.Call(expr.Abs, x)
	within := p.Call(expr.Min, p.Int(1), size)
	return p.Add(p.Sub(size, within), p.Mul(p.Pow(within, 2), p.Sub(p.Int(2), within)))
}

// limited is x between two limits.
func limited(p *expr.Pool, x, low, high *expr.Expr) *expr.Expr {
	return p.Call(expr.Max, low, p.Call(expr.Min, high, x))
}

// drawn is the power that a load draws from its supply. With the power P and the efficiency eta it is P/eta for a
// positive P, and eta P for a negative one:
//
//	P (1/eta + eta)/2 + sqrt(P^2 + p0^2) (1/eta - eta)/2,
//
// with the root in place of |P|, so that its slope is continuous. The loss is never negative. p0 is 1 W.
func drawn(p *expr.Pool, power, efficiency *expr.Expr) *expr.Expr {
	inverse := p.Pow(efficiency, -1)
	size := p.Call(expr.Sqrt, p.Add(p.Pow(power, 2), p.Int(1)))
	return p.Scale(expr.Fraction(1, 2), p.Add(p.Mul(power, p.Add(inverse, efficiency)),
		p.Mul(size, p.Sub(inverse, efficiency))))
}
