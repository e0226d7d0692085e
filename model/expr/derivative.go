package expr

// Derivative returns partial derivatives with respect to one symbol (or any
// other atom) by forward accumulation through the shared graph: each node is
// visited once. Definitions are looked through, and their derivatives become
// definitions in turn, so that sharing survives differentiation.
type Derivative struct {
	pool *Pool
	name string // of the direction, for names of new definitions
	memo map[*Expr]*Expr
}

// NewDerivative starts a derivative in the direction in which each key of seed
// changes at the rate of its value. Seeded expressions are not looked into:
// that is how an implicitly defined quantity gets its derivative.
func (p *Pool) NewDerivative(name string, seed map[*Expr]*Expr) *Derivative {
	d := &Derivative{pool: p, name: name, memo: make(map[*Expr]*Expr, 256)}
	for e, rate := range seed {
		d.memo[e] = rate
	}
	return d
}

// Diff returns the derivative of e with respect to the symbol x.
func (p *Pool) Diff(e, x *Expr) *Expr {
	return p.NewDerivative(x.name, map[*Expr]*Expr{x: p.one}).Of(e)
}

// Of returns the derivative of e.
func (d *Derivative) Of(e *Expr) *Expr {
	if r := d.memo[e]; r != nil {
		return r
	}
	p := d.pool
	var r *Expr
	switch e.kind {
	case Number, Symbol:
		return p.zero
	case Definition:
		if s, known := p.slopes[e]; known {
			r = p.Mul(s.value, d.Of(s.by))
			break
		}
		r = d.Of(e.args[0])
		if !r.IsZero() {
			r = p.Define("d_"+e.name+"_"+d.name, r)
		}
	case Sum:
		var parts []*Expr
		for i, a := range e.args {
			if da := d.Of(a); !da.IsZero() {
				parts = append(parts, p.Scale(e.coefs[i], da))
			}
		}
		r = p.Add(parts...)
	case Product:
		var parts []*Expr
		for i, b := range e.args {
			if db := d.Of(b); !db.IsZero() {
				parts = append(parts, p.Mul(p.partialProduct(e, i), db))
			}
		}
		r = p.Add(parts...)
	case Call:
		var parts []*Expr
		for i, a := range e.args {
			if da := d.Of(a); !da.IsZero() {
				parts = append(parts, p.Mul(p.partialCall(e, i), da))
			}
		}
		r = p.Add(parts...)
	}
	d.memo[e] = r
	return r
}

// partialProduct returns the derivative of product e with respect to its i-th base.
func (p *Pool) partialProduct(e *Expr, i int) *Expr {
	factors := []*Expr{p.Int(int64(e.powers[i])), p.Pow(e.args[i], e.powers[i]-1)}
	for j, b := range e.args {
		if j != i {
			factors = append(factors, p.Pow(b, e.powers[j]))
		}
	}
	return p.Mul(factors...)
}

// partialCall returns the derivative of call e with respect to its i-th argument.
func (p *Pool) partialCall(e *Expr, i int) *Expr {
	x := e.args[0]
	switch e.fn {
	case Sin:
		return p.Call(Cos, x)
	case Cos:
		return p.Neg(p.Call(Sin, x))
	case Tan:
		return p.Add(p.one, p.Pow(e, 2))
	case Asin:
		return p.Pow(p.Call(Sqrt, p.Sub(p.one, p.Pow(x, 2))), -1)
	case Atan:
		return p.Pow(p.Add(p.one, p.Pow(x, 2)), -1)
	case Sqrt:
		return p.Mul(p.Num(Fraction(1, 2)), p.Pow(e, -1))
	case Exp:
		return e
	case Log:
		return p.Pow(x, -1)
	case Tanh:
		return p.Sub(p.one, p.Pow(e, 2))
	case Abs:
		return p.Call(Sign, x)
	case Sign, Step, Lookup:
		return p.zero
	case Clamp:
		return p.Call(Step, p.Sub(p.one, p.Pow(x, 2)))
	case Atan2:
		y := e.args[1]
		square := p.Pow(p.Add(p.Pow(x, 2), p.Pow(y, 2)), -1)
		if i == 0 {
			return p.Mul(y, square)
		}
		return p.Neg(p.Mul(x, square))
	case Max, Min:
		// one-sided at the kink: the derivative of max(a, b) is that of b where a <= b
		first := p.Call(Step, p.Sub(x, e.args[1]))
		if (e.fn == Max) == (i == 0) {
			return first
		}
		return p.Sub(p.one, first)
	}
	panic("expr: no derivative of " + e.fn.String())
}

// Gradient returns the derivatives of e with respect to each of wrt by reverse
// accumulation: one sweep whatever the number of variables.
func (p *Pool) Gradient(e *Expr, wrt []*Expr) []*Expr {
	order := p.postorder(e)
	adjoint := map[*Expr][]*Expr{e: {p.one}}
	total := map[*Expr]*Expr{}
	for i := len(order) - 1; i >= 0; i-- {
		n := order[i]
		bar := p.Add(adjoint[n]...)
		if n.kind != Number {
			bar = p.Define("bar_"+n.label(), bar)
		}
		total[n] = bar
		if bar.IsZero() {
			continue
		}
		switch n.kind {
		case Definition:
			if s, known := p.slopes[n]; known {
				adjoint[s.by] = append(adjoint[s.by], p.Mul(s.value, bar))
			} else {
				adjoint[n.args[0]] = append(adjoint[n.args[0]], bar)
			}
		case Sum:
			for j, a := range n.args {
				adjoint[a] = append(adjoint[a], p.Scale(n.coefs[j], bar))
			}
		case Product:
			for j, b := range n.args {
				adjoint[b] = append(adjoint[b], p.Mul(p.partialProduct(n, j), bar))
			}
		case Call:
			for j, a := range n.args {
				adjoint[a] = append(adjoint[a], p.Mul(p.partialCall(n, j), bar))
			}
		}
	}
	result := make([]*Expr, len(wrt))
	for i, x := range wrt {
		result[i] = p.zero
		if t := total[x]; t != nil {
			result[i] = t
		}
	}
	return result
}

// postorder lists e and everything below it, arguments first.
func (p *Pool) postorder(e *Expr) []*Expr {
	var order []*Expr
	seen := map[*Expr]bool{}
	var visit func(*Expr)
	visit = func(e *Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, a := range e.args {
			visit(a)
		}
		order = append(order, e)
	}
	visit(e)
	return order
}

// slope is the derivative of a definition, by the one expression that it is a function of.
type slope struct{ by, value *Expr }

// SetSlope gives e, a definition up to a numeric factor that depends on x alone, the derivative by x
// that is known for it: the rules would find an equal one, of more operations. x must occur in e.
func (p *Pool) SetSlope(e, x, value *Expr) {
	if factor, body := p.Content(e); body.kind == Definition {
		p.slopes[body] = slope{x, p.Scale(factor.Inv(), value)}
	}
}

// Set gives e, a symbol or a definition up to a numeric factor, a derivative
// found by other means; e is not looked into any more.
func (d *Derivative) Set(e, rate *Expr) {
	factor, body := d.pool.Content(e)
	if body.kind == Symbol || body.kind == Definition {
		d.memo[body] = d.pool.Scale(factor.Inv(), rate)
	}
}
