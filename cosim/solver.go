package cosim

import (
	"slices"

	"skidpad/model/program"
	"skidpad/model/solver"
)

// problem is an instance as a problem for solvers.
type problem struct{ *Instance }

func (in problem) Rates(since float64, x, dx []float64) {
	if in.known {
		copy(dx, in.dx)
	} else {
		in.rates(since, x, dx)
	}
	in.known = false
	if in.watch.due {
		in.watch.look(in.timeAfter(since))
	}
}

func (in problem) Linearise(since float64, x, k []float64, c float64) {
	in.known = false
	in.linearise(since, x, k, c)
}

func (in problem) Solve(r []float64) { in.linearisation.Solve(r[:len(in.sys.program.States)]) }

// setSolver creates the solver that texts request.
func (in *Instance) setSolver(texts []string) error {
	m, err := solver.Lookup(texts[0])
	if err != nil {
		return err
	}
	if in.method, in.solver = m, in.spare.of; in.spare.method != m.Name || in.spare.states != len(in.x) {
		in.solver = m.New(len(in.x))
	}
	in.spare = spare{}
	if d, ok := in.solver.(solver.MultiplierMethod); ok {
		d.SetStageMultipliers(texts[max(0, in.sys.texts.multipliers)] == "stage")
	}
	in.linearisation = nil
	if m.Implicit {
		in.linearisation = in.machine.Linearisation(matrixOf(texts[in.sys.texts.jacobian]))
		if in.ledger.works > 0 {
			in.linearisation.KeepReturned()
		}
	}
	return nil
}

// matrixOf is the matrix of implicit steps by its name.
func matrixOf(name string) program.Matrix {
	return program.Matrix(slices.Index(solver.Matrices, name))
}

// spare is a released solver, for the next start with the same method and number of states. It keeps nothing between
// steps.
type spare struct {
	of     solver.Solver
	method string
	states int
}

// spareSolver keeps the solver in use, if another start can use it.
func (in *Instance) spareSolver() {
	if in.solver != nil && !in.method.Constraints && in.history() == nil {
		in.spare = spare{in.solver, in.method.Name, len(in.x)}
	}
}

// history returns the numbers that a step passes to the next step, nil for one-step methods.
func (in *Instance) history() []float64 {
	if m, ok := in.solver.(solver.Multistep); ok {
		return m.History()
	}
	return nil
}

// historyWith returns the number of values that the method requested by texts passes from step to step.
func (in *Instance) historyWith(b *bindings, texts []string) int {
	m, err := solver.Lookup(texts[0])
	if err != nil {
		return 0
	}
	if s, ok := m.New(in.statesWith(b, texts)).(solver.Multistep); ok {
		return len(s.History())
	}
	return 0
}

// amplifies reports whether the method requested by texts lets oscillations grow.
func amplifies(texts []string) bool {
	m, err := solver.Lookup(texts[0])
	return err == nil && m.Amplifies
}

// forgetHistory restarts a multistep method after states have jumped.
func (in *Instance) forgetHistory() {
	if m, ok := in.solver.(solver.Multistep); ok {
		m.Forget()
	}
}

// firstNonFinite returns the index of the first entry that is not finite, -1 for none.
func firstNonFinite(x []float64) int {
	for i, v := range x {
		if v-v != 0 {
			return i
		}
	}
	return -1
}
