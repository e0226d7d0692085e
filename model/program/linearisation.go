package program

import "sync"

// ImplicitProgram is the code of the rates f(x) of a program's states and of matrices A and R such that
//
//	(I - c df/dx) k = b   is   (A - c R) (k, l) = A (b, 0).
//
// A contains the mass matrix and the Jacobian of the constraints, so that their inverses are not needed; l are further
// unknowns.
type ImplicitProgram struct {
	*JacobianProgram
	planned     sync.Once
	elimination *elimination
}

// Linearisation evaluates the implicit system of a machine at one point, and solves it. It is
// not safe for concurrent use.
type Linearisation struct {
	evaluator  *JacobianEvaluator
	plan       *elimination
	native     bool
	exchanging bool // exchanged holds the present factors
	exchanged  *fullPivots
	copies     *copies
}

// Linearisation implements Machine.
func (m *machine) Linearisation() *Linearisation {
	j := m.p.Implicit(m.wanted)
	e := newEvaluator(j.JacobianProgram, m.functions, m.code.native)
	j.planned.Do(func() {
		j.elimination = newElimination(j.Rows, len(m.p.States), j.mass, j.entries,
			max(j.layout.size, int32(j.native.slots)))
		j.elimination.compile()
	})
	size := int(j.elimination.size)
	for _, b := range j.elimination.blocks {
		size = max(size, b.Code.Slots)
	}
	e.v = append(e.v, make([]float64, size-len(e.v))...)
	e.setParameters(m.parameter)
	m.linearisation = &Linearisation{evaluator: e, plan: j.elimination, native: m.code.native, copies: &m.p.copies,
		exchanged: newFullPivots(j.Rows)}
	return m.linearisation
}

// KeepReturned enables Returned, at a small cost of each evaluation.
func (l *Linearisation) KeepReturned() { l.evaluator.keepReturned() }

// Returned is Machine.Returned for the latest evaluation.
func (l *Linearisation) Returned(dst []float64) {
	e := l.evaluator
	copyReturned(dst, e.v, e.returned, e.loads)
}

// At evaluates the system at state x and inputs u, and writes the rates to dx.
func (l *Linearisation) At(x, u, dx []float64) {
	e := l.evaluator
	e.evaluate(x, u)
	for i, s := range e.rates {
		dx[i] = e.v[s]
	}
}

// Factorise prepares Solve for a number c.
func (l *Linearisation) Factorise(c float64) {
	if l.exchanging = !l.plan.factorise(l.evaluator.v, c, l.native); l.exchanging {
		l.exchanged.factorise(l.plan, l.evaluator.v)
	}
}

// Exchanging reports whether the present factors have exchanged rows. Blocks cannot exchange rows.
func (l *Linearisation) Exchanging() bool { return l.exchanging }

// Solve replaces b by k.
func (l *Linearisation) Solve(b []float64) {
	v, e := l.evaluator.v, l.plan
	if l.exchanging {
		l.exchanged.solve(e, v, b)
		return
	}
	copy(v[e.given:], b)
	e.solve(v, l.native)
	copy(b, v[e.right:])
}
