package expr

// Become makes each symbol a definition with the body at the same place in bodies. Expressions that contain the symbols
// stay as they are, and depend on the bodies from then on. No body may contain its own symbol, directly or through
// definitions.
func (p *Pool) Become(symbols, bodies []*Expr) {
	oldest := p.count
	for i, s := range symbols {
		oldest = min(oldest, s.id)
		s.kind, s.number, s.args, s.depends = Definition, Integer(1), []*Expr{bodies[i]}, 0
		p.late = append(p.late, s)
	}
	p.settle(oldest)
}

// settle finds the dependences of expressions again, from the identifier oldest on. The body of a former symbol can be
// younger than the symbol itself, so that one round need not be enough.
func (p *Pool) settle(oldest int32) {
	for _, e := range p.made[oldest:] {
		if e.kind != Symbol {
			e.depends = 0
		}
	}
	for changed := true; changed; {
		changed = false
		for _, e := range p.made[oldest:] {
			before := e.depends
			for _, a := range e.args {
				e.depends |= a.depends
			}
			changed = changed || e.depends != before
		}
	}
}

// inOrder visits all expressions, the oldest first: each after its arguments, except for former symbols. If there are
// former symbols, it repeats the round as long as visit reports a change.
func (p *Pool) inOrder(visit func(e *Expr) (changed bool)) {
	for changed := true; changed; {
		changed = false
		for _, e := range p.made {
			changed = visit(e) || changed
		}
		changed = changed && len(p.late) > 0
	}
}
