package program

// Linearisation evaluates the implicit system of a machine at one point, and solves it. It is
// not safe for concurrent use.
type Linearisation struct {
	evaluator  *JacobianEvaluator
	plan       *elimination
	native     bool
	exchanging bool // exchanged holds the present factors
	exchanged  *fullPivots
	copies     *copies
	lanes      func() *laneParts
}

// Linearisation implements Machine.
func (m *machine) Linearisation(of Matrix) *Linearisation {
	j := m.p.Implicit(of, m.wanted)
	e := newEvaluator(j.JacobianProgram, m.functions, m.code.native)
	size := int(j.elimination.size)
	for _, b := range j.elimination.blocks {
		size = max(size, b.Code.Slots)
	}
	e.v = append(e.v, make([]float64, size-len(e.v))...)
	e.setParameters(m.parameter)
	m.linearisation = &Linearisation{evaluator: e, plan: j.elimination, native: m.code.native,
		copies: &m.p.copies, exchanged: newFullPivots(j.elimination.unknowns), lanes: j.laneParts}
	return m.linearisation
}

// KeepReturned enables Returned, at a small cost of each evaluation.
func (l *Linearisation) KeepReturned() { l.evaluator.keepReturned() }

// Returned is Machine.Returned for the latest evaluation.
func (l *Linearisation) Returned(dst []float64) {
	e := l.evaluator
	copyReturned(dst, e.v, e.returned, e.loads)
}

// At evaluates the system for a number c at state x and inputs u, and writes the k of (I - c J) k = f(x, u).
func (l *Linearisation) At(x, u []float64, c float64, k []float64) {
	e := l.evaluator
	e.v[l.plan.step] = c
	e.evaluate(x, u)
	if l.exchanging = !l.plan.factorise(e.v, l.native); l.exchanging {
		l.exchanged.factorise(l.plan, e.v)
	}
	copy(k, e.v[l.plan.right:])
}

// Exchanging reports whether the present factors have exchanged rows. Blocks cannot exchange rows.
func (l *Linearisation) Exchanging() bool { return l.exchanging }

// Solve replaces b by the k of (I - c J) k = b, where At was last.
func (l *Linearisation) Solve(b []float64) {
	v, e := l.evaluator.v, l.plan
	copy(v[e.given:], b)
	if l.exchanging {
		l.exchanged.solve(e, v, e.rightHand)
	} else {
		e.solve(v, l.native)
	}
	copy(b, v[e.right:])
}

// Corrects reports whether Correct can change velocities of constraints.
func (l *Linearisation) Corrects() bool { return len(l.plan.corrects) > 0 }

// Correct finds changes of the speeds that change the velocities of the constraints by these numbers. It uses the
// factors of the latest At. k receives the changes of the speeds, and for coordinates c times their changes.
func (l *Linearisation) Correct(by, k []float64) {
	v, e := l.evaluator.v, l.plan
	copy(v[e.violations:], by)
	if l.exchanging {
		l.exchanged.solve(e, v, e.rows)
	} else {
		e.correct(v, l.native)
	}
	copy(k, v[e.right:])
}
