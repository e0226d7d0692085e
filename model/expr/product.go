package expr

import "slices"

type factor struct {
	base  *Expr
	power int
}

// Mul returns the product of its arguments.
func (p *Pool) Mul(args ...*Expr) *Expr {
	var buffer [16]factor
	factors := buffer[:0]
	coef := Integer(1)
	for _, a := range args {
		if a.IsOne() {
			continue
		}
		coef, factors = p.gather(coef, factors, a, 1)
		if coef.IsZero() {
			return p.zero
		}
	}
	return p.product(coef, factors)
}

// Pow returns a^n. 0^n for n < 0 is a programmer's error.
func (p *Pool) Pow(a *Expr, n int) *Expr {
	switch n {
	case 0:
		return p.one
	case 1:
		return a
	}
	var buffer [16]factor
	coef, factors := p.gather(Integer(1), buffer[:0], a, n)
	if coef.IsZero() {
		return p.zero
	}
	return p.product(coef, factors)
}

// Div returns a/b. b = 0 is a programmer's error.
func (p *Pool) Div(a, b *Expr) *Expr { return p.Mul(a, p.Pow(b, -1)) }

// gather multiplies a^n into coef and factors.
func (p *Pool) gather(coef Rational, factors []factor, a *Expr, n int) (Rational, []factor) {
	switch a.kind {
	case Number:
		if a.number.IsZero() && n < 0 {
			panic("expr: division by zero")
		}
		return coef.Mul(a.number.Pow(n)), factors
	case Product:
		for i, b := range a.args {
			factors = append(factors, factor{b, a.powers[i] * n})
		}
		return coef, factors
	case Sum:
		c, body := p.Content(a)
		coef = coef.Mul(c.Pow(n))
		if body.kind != Sum {
			return p.gather(coef, factors, body, n)
		}
		return coef, append(factors, factor{body, n})
	}
	return coef, append(factors, factor{a, n})
}

// product builds the canonical product; bases are neither numbers nor products.
func (p *Pool) product(coef Rational, factors []factor) *Expr {
	slices.SortStableFunc(factors, func(a, b factor) int { return int(a.base.id) - int(b.base.id) })
	merged := factors[:0]
	for _, f := range factors {
		if n := len(merged); n > 0 && merged[n-1].base == f.base {
			merged[n-1].power += f.power
			if merged[n-1].power == 0 {
				merged = merged[:n-1]
			}
			continue
		}
		merged = append(merged, f)
	}
	// sqrt(x)^2 = x: the argument of a square root is never negative.
	for i, f := range merged {
		if f.base.kind == Call && f.base.fn == Sqrt && (f.power >= 2 || f.power <= -2) {
			args := []*Expr{p.Num(coef), p.Pow(f.base.args[0], f.power/2)}
			for j, g := range merged {
				switch {
				case j != i:
					args = append(args, p.Pow(g.base, g.power))
				case f.power%2 != 0:
					args = append(args, p.single(f.base, f.power%2))
				}
			}
			return p.Mul(args...)
		}
	}
	var body *Expr
	switch {
	case len(merged) == 0:
		return p.Num(coef)
	case len(merged) == 1 && merged[0].power == 1:
		body = merged[0].base
	default:
		args, powers := p.given.args[:0], p.given.powers[:0]
		for _, f := range merged {
			args, powers = append(args, f.base), append(powers, f.power)
		}
		p.given.args, p.given.powers = args, powers
		body = p.intern(&Expr{kind: Product, args: args, powers: powers})
	}
	return p.Scale(coef, body)
}

func (p *Pool) single(base *Expr, power int) *Expr {
	if power == 1 {
		return base
	}
	return p.intern(&Expr{kind: Product, args: []*Expr{base}, powers: []int{power}})
}
