package expr

// Simplify returns an equal of e that prefers products and powers of
// trigonometric functions of single arguments: multiple angles are undone,
// sin^2 + cos^2 = 1 is applied, common factors are taken out. Sums such as
// sin x cos y + cos x sin y are left alone. (Linear-graph specification,
// section 10.) The result is not costlier than e by itself, but it may share less
// with other expressions.
func (p *Pool) Simplify(e *Expr) *Expr {
	s := p.Expand(p.Map(e, p.singleAngle))
	s = p.FactorCommon(p.reducePowers(s))
	if s.Cost().Total() > e.Cost().Total() {
		return e
	}
	return s
}

// singleAngle rewrites sin(n x) and cos(n x), n = 2, 3, ..., by functions of x
// (de Moivre).
func (p *Pool) singleAngle(e *Expr) *Expr {
	if e.kind != Call || (e.fn != Sin && e.fn != Cos) {
		return nil
	}
	a := e.args[0]
	if a.kind != Sum || len(a.args) != 1 || !a.number.IsZero() {
		return nil
	}
	n, ok := a.coefs[0].Int()
	if !ok || n < 2 || n > 16 {
		return nil
	}
	s, c := p.Call(Sin, a.args[0]), p.Call(Cos, a.args[0])
	re, im := p.one, p.zero
	for ; n > 0; n-- {
		re, im = p.Expand(p.Sub(p.Mul(re, c), p.Mul(im, s))), p.Expand(p.Add(p.Mul(re, s), p.Mul(im, c)))
	}
	if e.fn == Sin {
		return im
	}
	return re
}

// reducePowers replaces sin^2 by 1 - cos^2, or cos^2 by 1 - sin^2, angle by
// angle, wherever that makes the expression cheaper.
func (p *Pool) reducePowers(e *Expr) *Expr {
	for _, angle := range angles(e) {
		s, c := p.Call(Sin, angle), p.Call(Cos, angle)
		for _, pair := range [][2]*Expr{{s, c}, {c, s}} {
			square := p.Sub(p.one, p.Pow(pair[1], 2))
			r := p.Map(e, func(x *Expr) *Expr {
				if x.kind != Product {
					return nil
				}
				for i, b := range x.args {
					if n := x.powers[i]; b == pair[0] && n >= 2 {
						return p.Mul(x, p.Pow(b, -n+n%2), p.Pow(square, n/2))
					}
				}
				return nil
			})
			if r = p.Expand(r); r.Cost().Total() < e.Cost().Total() {
				e = r
			}
		}
	}
	return e
}

// angles lists the arguments of sines that occur squared, in order of creation.
func angles(e *Expr) []*Expr {
	var list []*Expr
	seen := map[*Expr]bool{}
	var visit func(*Expr)
	visit = func(e *Expr) {
		if seen[e] || e.kind == Definition {
			return
		}
		seen[e] = true
		if e.kind == Product {
			for i, b := range e.args {
				if b.kind == Call && (b.fn == Sin || b.fn == Cos) && e.powers[i] >= 2 && !seen[b.args[0]] {
					seen[b.args[0]] = true
					list = append(list, b.args[0])
				}
			}
		}
		for _, a := range e.args {
			visit(a)
		}
	}
	visit(e)
	return list
}

// FactorCommon takes the factors that all terms of a sum share out of it.
func (p *Pool) FactorCommon(e *Expr) *Expr {
	list := terms(e)
	if e.kind != Sum || !e.number.IsZero() || len(list) < 2 {
		return e
	}
	common := powersOf(list[0].e)
	for _, t := range list[1:] {
		powers := powersOf(t.e)
		for i := range common {
			n := 0
			for _, f := range powers {
				if f.base == common[i].base {
					n = f.power
				}
			}
			common[i].power = max(0, min(common[i].power, n))
		}
	}
	outside := p.one
	for _, f := range common {
		outside = p.Mul(outside, p.Pow(f.base, f.power))
	}
	if outside.IsOne() {
		return e
	}
	inside := make([]*Expr, len(list))
	for i, t := range list {
		inside[i] = p.Scale(t.coef, p.Div(t.e, outside))
	}
	return p.Mul(outside, p.Add(inside...))
}

func powersOf(e *Expr) []factor {
	if e.kind != Product {
		return []factor{{e, 1}}
	}
	list := make([]factor, len(e.args))
	for i, b := range e.args {
		list[i] = factor{b, e.powers[i]}
	}
	return list
}

// Combine returns an equal of e with sums of functions of combined arguments in place of products and powers of sines
// and cosines: sin x cos y + cos x sin y becomes sin(x + y).
func (p *Pool) Combine(e *Expr) *Expr {
	e = p.Expand(e)
	parts := []*Expr{p.Num(constantOf(e))}
	for _, t := range terms(e) {
		parts = append(parts, p.Scale(t.coef, p.combineTerm(t.e)))
	}
	return p.Add(parts...)
}

// combineTerm applies 2 sin a cos b = sin(a+b) + sin(a-b) and its companions
// until each term holds at most one sine or cosine.
func (p *Pool) combineTerm(e *Expr) *Expr {
	var trig []*Expr
	rest := p.one
	for _, f := range powersOf(e) {
		if f.base.kind == Call && (f.base.fn == Sin || f.base.fn == Cos) && f.power > 0 {
			for n := 0; n < f.power; n++ {
				trig = append(trig, f.base)
			}
			continue
		}
		rest = p.Mul(rest, p.Pow(f.base, f.power))
	}
	result := p.one
	for _, f := range trig {
		parts := []*Expr{p.Scale(constantOf(result), f)}
		for _, t := range terms(result) {
			parts = append(parts, p.Scale(t.coef, p.pair(t.e, f)))
		}
		result = p.Add(parts...)
	}
	if result.kind == Sum {
		parts := []*Expr{p.Scale(result.number, rest)}
		for _, t := range terms(result) {
			parts = append(parts, p.Scale(t.coef, p.Mul(rest, t.e)))
		}
		return p.Add(parts...)
	}
	return p.Mul(rest, result)
}

// pair returns the product of two sines or cosines as a sum.
func (p *Pool) pair(f, g *Expr) *Expr {
	a, b := f.args[0], g.args[0]
	sum, difference := p.Add(a, b), p.Sub(a, b)
	half := Fraction(1, 2)
	switch {
	case f.fn == Sin && g.fn == Sin:
		return p.Scale(half, p.Sub(p.Call(Cos, difference), p.Call(Cos, sum)))
	case f.fn == Cos && g.fn == Cos:
		return p.Scale(half, p.Add(p.Call(Cos, difference), p.Call(Cos, sum)))
	case f.fn == Sin:
		return p.Scale(half, p.Add(p.Call(Sin, sum), p.Call(Sin, difference)))
	}
	return p.Scale(half, p.Sub(p.Call(Sin, sum), p.Call(Sin, difference)))
}
