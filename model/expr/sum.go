package expr

import "slices"

type term struct {
	coef Rational
	e    *Expr
}

// Add returns the sum of its arguments.
func (p *Pool) Add(args ...*Expr) *Expr {
	var buffer [16]term
	terms := buffer[:0]
	var constant Rational
	for _, a := range args {
		switch a.kind {
		case Number:
			constant = constant.Add(a.number)
		case Sum:
			constant = constant.Add(a.number)
			for i, t := range a.args {
				terms = append(terms, term{a.coefs[i], t})
			}
		default:
			terms = append(terms, term{Integer(1), a})
		}
	}
	return p.sum(constant, terms)
}

// Sub returns a - b.
func (p *Pool) Sub(a, b *Expr) *Expr { return p.Add(a, p.Neg(b)) }

// Neg returns -a.
func (p *Pool) Neg(a *Expr) *Expr { return p.Scale(Integer(-1), a) }

// Scale returns c a.
func (p *Pool) Scale(c Rational, a *Expr) *Expr {
	if c.IsOne() || a.IsZero() {
		return a
	}
	if c.IsZero() {
		return p.zero
	}
	switch a.kind {
	case Number:
		return p.Num(c.Mul(a.number))
	case Sum:
		if len(a.args) == 1 && a.number.IsZero() && c.Mul(a.coefs[0]).IsOne() {
			return a.args[0]
		}
		coefs := p.given.coefs[:0]
		for _, x := range a.coefs {
			coefs = append(coefs, c.Mul(x))
		}
		p.given.coefs = coefs
		return p.intern(&Expr{kind: Sum, number: c.Mul(a.number), args: a.args, coefs: coefs})
	}
	p.given.args, p.given.coefs = append(p.given.args[:0], a), append(p.given.coefs[:0], c)
	return p.intern(&Expr{kind: Sum, args: p.given.args, coefs: p.given.coefs})
}

// sum builds the canonical sum of a constant and terms that are neither
// numbers nor sums.
func (p *Pool) sum(constant Rational, terms []term) *Expr {
	slices.SortStableFunc(terms, func(a, b term) int { return int(a.e.id) - int(b.e.id) })
	merged := terms[:0]
	squares := false
	for _, t := range terms {
		if n := len(merged); n > 0 && merged[n-1].e == t.e {
			merged[n-1].coef = merged[n-1].coef.Add(t.coef)
			if merged[n-1].coef.IsZero() {
				merged = merged[:n-1]
			}
			continue
		}
		if t.coef.IsZero() {
			continue
		}
		merged = append(merged, t)
		squares = squares || hasSquare(t.e)
	}
	if squares && len(merged) > 1 {
		if e := p.pythagoras(constant, merged); e != nil {
			return e
		}
	}
	switch {
	case len(merged) == 0:
		return p.Num(constant)
	case len(merged) == 1 && constant.IsZero() && merged[0].coef.IsOne():
		return merged[0].e
	}
	args, coefs := p.given.args[:0], p.given.coefs[:0]
	for _, t := range merged {
		args, coefs = append(args, t.e), append(coefs, t.coef)
	}
	p.given.args, p.given.coefs = args, coefs
	return p.intern(&Expr{kind: Sum, number: constant, args: args, coefs: coefs})
}

// hasSquare reports whether a sine occurs in e to a power of at least two.
func hasSquare(e *Expr) bool {
	if e.kind != Product {
		return false
	}
	for i, b := range e.args {
		if b.kind == Call && b.fn == Sin && e.powers[i] >= 2 {
			return true
		}
	}
	return false
}

// pythagoras replaces one pair c f sin^2 a + c f cos^2 a by c f, if there is
// one, and returns the new sum; nil if there is none.
func (p *Pool) pythagoras(constant Rational, terms []term) *Expr {
	for i, t := range terms {
		if !hasSquare(t.e) {
			continue
		}
		for k, b := range t.e.args {
			if b.kind != Call || b.fn != Sin || t.e.powers[k] < 2 {
				continue
			}
			rest := p.Mul(t.e, p.Pow(b, -2))
			partner := p.Mul(rest, p.Pow(p.Call(Cos, b.args[0]), 2))
			for j, u := range terms {
				if u.e != partner || !u.coef.Equal(t.coef) {
					continue
				}
				args := []*Expr{p.Num(constant), p.Scale(t.coef, rest)}
				for m, w := range terms {
					if m != i && m != j {
						args = append(args, p.Scale(w.coef, w.e))
					}
				}
				return p.Add(args...)
			}
		}
	}
	return nil
}
