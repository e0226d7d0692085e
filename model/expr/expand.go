package expr

// Map rebuilds e with every Definition, Symbol and Call replaced by the result of f. Where f returns nil, the node is
// rebuilt from its mapped arguments.
func (p *Pool) Map(e *Expr, f func(*Expr) *Expr) *Expr {
	memo := map[*Expr]*Expr{}
	var visit func(*Expr) *Expr
	visit = func(e *Expr) *Expr {
		if r := memo[e]; r != nil {
			return r
		}
		r := f(e)
		if r == nil {
			r = p.rebuild(e, visit)
		}
		memo[e] = r
		return r
	}
	return visit(e)
}

// rebuild applies visit to the arguments of e; definitions are kept.
func (p *Pool) rebuild(e *Expr, visit func(*Expr) *Expr) *Expr {
	switch e.kind {
	case Sum:
		parts := []*Expr{p.Num(e.number)}
		for i, a := range e.args {
			parts = append(parts, p.Scale(e.coefs[i], visit(a)))
		}
		return p.Add(parts...)
	case Product:
		parts := make([]*Expr, len(e.args))
		for i, b := range e.args {
			parts[i] = p.Pow(visit(b), e.powers[i])
		}
		return p.Mul(parts...)
	case Call:
		args := make([]*Expr, len(e.args))
		for i, a := range e.args {
			args[i] = visit(a)
		}
		if e.fn == Lookup {
			return p.Look(e.table, args[0])
		}
		return p.Call(e.fn, args...)
	}
	return e
}

// Expand multiplies out products and positive powers of sums.
func (p *Pool) Expand(e *Expr) *Expr {
	memo := map[*Expr]*Expr{}
	var visit func(*Expr) *Expr
	visit = func(e *Expr) *Expr {
		if r := memo[e]; r != nil {
			return r
		}
		r := p.rebuild(e, visit)
		for _, t := range terms(r) {
			if t.e.kind == Product && expandable(t.e) {
				r = p.distribute(r)
				break
			}
		}
		memo[e] = r
		return r
	}
	return visit(e)
}

// terms lists the terms of e with their coefficients, without the constant.
func terms(e *Expr) []term {
	switch e.kind {
	case Number:
		return nil
	case Sum:
		list := make([]term, len(e.args))
		for i, a := range e.args {
			list[i] = term{e.coefs[i], a}
		}
		return list
	}
	return []term{{Integer(1), e}}
}

func constantOf(e *Expr) Rational {
	if e.kind == Number || e.kind == Sum {
		return e.number
	}
	return Rational{}
}

func expandable(e *Expr) bool {
	for i, b := range e.args {
		if b.kind == Sum && e.powers[i] > 0 {
			return true
		}
	}
	return false
}

// distribute multiplies out the expandable products among the terms of e.
func (p *Pool) distribute(e *Expr) *Expr {
	var parts []term
	constant := constantOf(e)
	for _, t := range terms(e) {
		if t.e.kind != Product || !expandable(t.e) {
			parts = append(parts, t)
			continue
		}
		list := []*Expr{p.Num(t.coef)}
		for i, b := range t.e.args {
			if b.kind != Sum || t.e.powers[i] < 0 {
				for k := range list {
					list[k] = p.Mul(list[k], p.Pow(b, t.e.powers[i]))
				}
				continue
			}
			for n := 0; n < t.e.powers[i]; n++ {
				var next []*Expr
				for _, l := range list {
					if !b.number.IsZero() {
						next = append(next, p.Scale(b.number, l))
					}
					for j, a := range b.args {
						next = append(next, p.Mul(l, p.Scale(b.coefs[j], a)))
					}
				}
				list = next
			}
		}
		for _, l := range list {
			constant = constant.Add(constantOf(l))
			parts = append(parts, terms(l)...)
		}
	}
	return p.sum(constant, parts)
}
