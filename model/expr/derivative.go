package expr

// Derivative returns partial derivatives with respect to one symbol (or any
// other atom) by forward accumulation through the shared graph: each node is
// visited once. Definitions are looked through, and their derivatives become
// definitions in turn, so that sharing survives differentiation.
type Derivative struct {
	pool *Pool
	name string          // of the direction, for names of new definitions
	memo []*Expr         // by identifier, of expressions that are older than the derivative
	kept *Reach          // owner of the memo; nil for a memo of the derivative's own
	more map[*Expr]*Expr // of younger expressions

	reach  *Reach   // nil where nothing is known
	active []uint64 // atoms of it whose derivatives are not zero
}

// Reach records which expressions depend on which atoms of a list, so that derivatives leave out zeros.
type Reach struct {
	pool  *Pool
	words int // 64 atoms each
	bits  map[*Expr]int
	sets  []uint64 // by identifier of an expression

	memo []*Expr // of the latest derivative
	used []int32 // places of memo that are not nil
}

// NewReach looks at all expressions that there are. Atoms are the symbols whose derivatives will be known.
func (p *Pool) NewReach(atoms ...*Expr) *Reach {
	r := &Reach{pool: p, words: (len(atoms) + 63) / 64, bits: map[*Expr]int{}}
	for k, a := range atoms {
		r.bits[a] = k
	}
	r.sets = make([]uint64, int(p.count)*r.words)
	p.inOrder(func(e *Expr) (changed bool) {
		to := r.set(e)
		if k, is := r.bits[e]; is {
			to[k/64] |= 1 << (k % 64)
		}
		for _, a := range e.args {
			for w, word := range r.set(a) {
				changed = changed || word&^to[w] != 0
				to[w] |= word
			}
		}
		return changed
	})
	return r
}

func (r *Reach) set(e *Expr) []uint64 { return r.sets[int(e.id)*r.words:][:r.words] }

// NewDerivative is Pool.NewDerivative with respect to an atom. It ends the derivative that the reach made before.
func (r *Reach) NewDerivative(atom *Expr) *Derivative {
	d := r.NewDirection(atom.name)
	d.remember(atom, r.pool.one)
	d.activate(atom)
	return d
}

// NewDirection begins a derivative. All atoms are constant until Set gives them derivatives. The reach's previous
// derivative ends.
func (r *Reach) NewDirection(name string) *Derivative {
	for _, at := range r.used {
		r.memo[at] = nil
	}
	r.used = r.used[:0]
	if n := int(r.pool.count); n > len(r.memo) {
		r.memo = make([]*Expr, n+n/4)
	}
	return &Derivative{pool: r.pool, name: name, memo: r.memo[:r.pool.count], kept: r, more: map[*Expr]*Expr{},
		reach: r, active: make([]uint64, r.words)}
}

// activate notes that the derivative of e is not zero.
func (d *Derivative) activate(e *Expr) {
	if d.reach == nil {
		return
	}
	if k, is := d.reach.bits[e]; is {
		d.active[k/64] |= 1 << (k % 64)
	} else if d.vanishes(e) { // otherwise expressions that depend on e would count as zero
		d.reach = nil
	}
}

// vanishes reports whether the derivative of e is known to be zero because e depends on nothing that changes.
func (d *Derivative) vanishes(e *Expr) bool {
	if d.reach == nil || int(e.id)*d.reach.words >= len(d.reach.sets) {
		return false
	}
	for w, word := range d.reach.set(e) {
		if word&d.active[w] != 0 {
			return false
		}
	}
	return true
}

// NewDerivative starts a derivative in the direction in which each key of seed changes at the rate of its value.
// Differentiation stops at seeded expressions: an implicitly defined quantity gets its derivative in this way.
func (p *Pool) NewDerivative(name string, seed map[*Expr]*Expr) *Derivative {
	d := &Derivative{pool: p, name: name, memo: make([]*Expr, p.count), more: map[*Expr]*Expr{}}
	for e, rate := range seed {
		d.remember(e, rate)
	}
	return d
}

func (d *Derivative) remember(e, rate *Expr) {
	if int(e.id) < len(d.memo) {
		d.memo[e.id] = rate
		if d.kept != nil {
			d.kept.used = append(d.kept.used, e.id)
		}
	} else {
		d.more[e] = rate
	}
}

func (d *Derivative) known(e *Expr) *Expr {
	if int(e.id) < len(d.memo) {
		return d.memo[e.id]
	}
	return d.more[e]
}

// Diff returns the derivative of e with respect to the symbol x.
func (p *Pool) Diff(e, x *Expr) *Expr {
	return p.NewDerivative(x.name, map[*Expr]*Expr{x: p.one}).Of(e)
}

// Of returns the derivative of e.
func (d *Derivative) Of(e *Expr) *Expr {
	p := d.pool
	if d.vanishes(e) {
		return p.zero
	}
	if r := d.known(e); r != nil {
		return r
	}
	var r *Expr
	var few [8]*Expr
	parts := few[:0]
	switch e.kind {
	case Number, Symbol:
		return p.zero
	case Definition:
		if s := e.slope; s.by != nil {
			r = p.Mul(s.value, d.Of(s.by))
			break
		}
		r = d.Of(e.args[0])
		if !r.IsZero() {
			r = p.Derive(e, "d_"+e.name+"_"+d.name, r)
		}
	case Sum:
		for i, a := range e.args {
			if da := d.Of(a); !da.IsZero() {
				parts = append(parts, p.Scale(e.coefs[i], da))
			}
		}
		r = p.Add(parts...)
	case Product:
		for i, b := range e.args {
			if db := d.Of(b); !db.IsZero() {
				parts = append(parts, p.Mul(p.partialProduct(e, i), db))
			}
		}
		r = p.Add(parts...)
	case Call:
		for i, a := range e.args {
			if da := d.Of(a); !da.IsZero() {
				parts = append(parts, p.chained(e, i, da))
			}
		}
		r = p.Add(parts...)
	}
	d.remember(e, r)
	return r
}

// partialProduct returns the derivative of product e with respect to its i-th base.
func (p *Pool) partialProduct(e *Expr, i int) *Expr {
	var few [8]*Expr
	factors := append(few[:0], p.Int(int64(e.powers[i])), p.Pow(e.args[i], e.powers[i]-1))
	for j, b := range e.args {
		if j != i {
			factors = append(factors, p.Pow(b, e.powers[j]))
		}
	}
	return p.Mul(factors...)
}

// chained returns x times the derivative of call e with respect to its i-th argument: 0 where Where has no influence,
// whatever x is there.
func (p *Pool) chained(e *Expr, i int, x *Expr) *Expr {
	switch {
	case e.fn != Where:
		return p.Mul(p.partialCall(e, i), x)
	case i == 0:
		return p.zero
	}
	return p.Call(Where, e.args[0], x)
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
		// one-sided at the kink: the derivative of max(a, b) is the derivative of b where a <= b
		first := p.Call(Step, p.Sub(x, e.args[1]))
		if (e.fn == Max) == (i == 0) {
			return first
		}
		return p.Sub(p.one, first)
	}
	panic("expr: no derivative of " + e.fn.String())
}

// Gradient returns the derivatives of e with respect to each of wrt by reverse accumulation: one sweep for any number
// of variables.
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
			if s := n.slope; s.by != nil {
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
				adjoint[a] = append(adjoint[a], p.chained(n, j, bar))
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

// SetSlope gives e a known derivative by x. e is a definition up to a numeric factor, and depends on x alone. The rules
// would find an equal derivative with more operations. x must occur in e.
func (p *Pool) SetSlope(e, x, value *Expr) {
	if factor, body := p.Content(e); body.kind == Definition {
		body.slope = slope{x, p.Scale(factor.Inv(), value)}
	}
}

// Set gives e, up to a numeric factor, a derivative found by other means. Set acts where e is an operand. If e is a
// sum, the sum e + x has the terms of e as operands, not e itself, and Set has no effect there.
func (d *Derivative) Set(e, rate *Expr) {
	factor, body := d.pool.Content(e)
	if body.kind != Number {
		d.remember(body, d.pool.Scale(factor.Inv(), rate))
		if !rate.IsZero() {
			d.activate(body)
		}
	}
}
