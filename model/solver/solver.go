package solver

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is the system of equations dx = f(t, x) that a solver integrates. Inputs are extrapolated to t from the time
// of their setting.
type Problem interface {
	Rates(t float64, x, dx []float64)
	// Linearise writes the k of (I - c J) k = f(t, x), and prepares Solve. J is the Jacobian there or another matrix.
	Linearise(t float64, x, k []float64, c float64)
	// Solve replaces r by the k of (I - c J) k = r.
	Solve(r []float64)
}

// Constrained is a Problem with constraints Phi(q) = 0 between its states (partial-vehicle specification, sections 3
// and 4).
type Constrained interface {
	Problem
	// Residuals evaluates Phi and Phi' at a state: violation and rate of each constraint.
	Residuals(t float64, x []float64) (phi []float64)
	// SetConstraintDemand asks the rates for Phi'' = -a instead of 0.
	SetConstraintDemand(a []float64)
	// Drift adds to dx the corrections that make Phi' = -r.
	Drift(t float64, x, r, dx []float64)
	// Project subtracts F (h + H w), h = (Phi, Phi'), from x. With w = 0 this is a step towards h = 0; with w = z - x it
	// is a step towards the point with h = 0 nearest to z.
	Project(t float64, x, w []float64)
}

// Corrected is a Problem whose constraints implicit steps correct.
type Corrected interface {
	// Correct brings coordinates and speeds nearer to the constraints, by the factors of the latest Linearise, made for
	// the number c.
	Correct(t, c float64, x []float64)
}

// Solver makes one step of fixed cost. It owns its scratch memory.
type Solver interface {
	// Step maps x at t to x at t + h, in place.
	Step(p Problem, t, h float64, x []float64)
}

// Multistep is a Solver whose steps use results of earlier steps.
type Multistep interface {
	Solver
	// History is the memory of earlier steps; who copies it back goes on from there to the last bit.
	History() []float64
	// Forget clears the history, after states have jumped.
	Forget()
}

// Iterative is a Solver with iterations that may not converge.
type Iterative interface {
	Solver
	// Failure is why the last step has not come to its end, nil if it has.
	Failure() error
}

// MultiplierMethod is a Solver that can take the violations it corrects at each stage instead of at the begin of a
// step.
type MultiplierMethod interface {
	Solver
	SetStageMultipliers(on bool)
}

// Method is a method of integration with its properties.
type Method struct {
	Name string
	New  func(n int) Solver // of n states

	Order       float64 // of convergence, where motions are smooth
	Evaluations float64 // of the rates in a step; of methods whose number depends on constraints with one of them
	// Limit is the largest stable product of rate and step on the negative real axis; 0: there is none.
	Limit     float64
	Handling  string // of constraints, for the documentation; "" for Baumgarte's stabilisation
	Use       string // purpose, for the documentation
	Implicit  bool   // it uses Linearise and Solve, and takes long steps of stiff systems
	InC       bool   // step_methods.h has it, too: steps need no Go
	Amplifies bool   // oscillations grow that nothing damps, so that carcasses are damped at all speeds

	Tableau *Tableau // of explicit Runge-Kutta methods, nil for others

	Constraints bool // it handles constraints itself: its problems are Constrained
	Drift       bool // it uses Constrained.Drift
	Projection  bool // it uses Constrained.Project

	position  int
	multistep bool // New makes a Multistep
}

// InLanes reports whether fleets step several vehicles at once: lanes have no computations beside the rates, and no
// memory of earlier steps.
func (m *Method) InLanes() bool { return !m.Constraints && !m.multistep }

// methods holds all registered methods, in the order of names for users.
var methods []Method

// register adds a method. A new one takes the next position.
func register(position int, m Method) {
	m.position = position
	i, taken := slices.BinarySearchFunc(methods, position, func(m Method, wanted int) int { return m.position - wanted })
	if taken {
		panic(fmt.Sprintf("solver methods %s and %s have place %d both", methods[i].Name, m.Name, position))
	}
	_, m.multistep = m.New(1).(Multistep)
	methods = slices.Insert(methods, i, m)
}

// Methods lists all methods, in the order of names for users.
func Methods() []Method { return slices.Clone(methods) }

// Names lists their names.
func Names() []string {
	var names []string
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

// Lookup finds a method by its name; the error lists the names.
func Lookup(name string) (Method, error) {
	for _, m := range methods {
		if m.Name == name {
			return m, nil
		}
	}
	return Method{}, fmt.Errorf("there is no solver method %q; there are %s", name, strings.Join(Names(), ", "))
}
