package tire

import (
	"errors"
	"time"
)

// Function is one parameterised tire function. Eval is pure: out depends only
// on in; it allocates nothing and returns finite numbers for finite inputs.
type Function interface {
	// Eval maps in (ordered as Kind.Inputs) to out (ordered as Kind.Outputs).
	Eval(in, out []float64)
}

// Differentiable is a Function that knows its own derivatives.
type Differentiable interface {
	Function
	// Jacobian writes d out[i] / d in[j] to jac[i*len(in)+j].
	Jacobian(in, jac []float64)
}

// Grouped is a Function that is evaluated together with others. The caller puts the arguments of all members at the
// indices that the group states, calls Eval of the group once, and reads the results at the indices that the group
// states. Eval of one member does the same for all members, or for itself.
type Grouped interface {
	Function
	// Member returns the group and the number of this function in it.
	Member() (g Group, k int)
}

// Group evaluates its members in one go.
type Group interface {
	// Argument is where argument a of member k is put.
	Argument(k, a int) *float64
	// Result is where result r of member k is found.
	Result(k, r int) *float64
	Eval()
}

// DifferentiableGroup is a Group that knows its derivatives.
type DifferentiableGroup interface {
	Group
	// Slopes is the group that has the Jacobian of each member, row by row, and behind it what
	// Eval gives as results.
	Slopes() Group
}

// Stateful is a Function with internal states. The solver that integrates them puts their
// values into x before an evaluation and finds their rates in dx after it.
type Stateful interface {
	Function
	Memory() (x, dx []float64)
}

// NormalForceSource is a force Function that computes its own normal force [N]: Eval appends it to the results of its
// Kind, and it replaces the tire component's.
type NormalForceSource interface {
	Function
	ReturnsNormalForce()
}

// Pose is the pose of a wheel in the axes of its road: the position of its centre [m], the heading of the wheel, and
// the road's normal there, both of length 1.
type Pose struct{ Centre, Heading, Normal [3]float64 }

// PoseReceiver is a Function that wants to know the time [s] and where its wheel is. Both are told
// before every evaluation.
type PoseReceiver interface {
	Function
	Place(t float64, p *Pose)
}

// StepObserver is a Function that must be told which points of a simulation were accepted.
// Accepted tells the time [s] of one, after the step that led there; the evaluation there comes
// afterwards.
type StepObserver interface {
	Function
	Accepted(t float64)
}

// Fallible is a Function that can fail. Fault returns why the evaluations since the
// last call of Fault failed, nil if none did.
type Fallible interface {
	Function
	Fault() error
}

// WarningSource is a Function that has something to say beside its results. Warnings returns what came up
// since its last call, each text once.
type WarningSource interface {
	Function
	Warnings() []string
}

// Timed is a Function whose calls can be timed, because those that leave Go can take long. SetTimed(true) starts
// timing; false, the state at the start, ends it. Spent returns the time since its last call; functions that are called
// together share it.
type Timed interface {
	Function
	SetTimed(on bool)
	Spent() time.Duration
}

// ErrShorter is wrapped by faults of functions that a shorter step may avoid.
var ErrShorter = errors.New("a shorter step may avoid this")

// Kind is the registry entry of a tire function: its name, its inputs, i.e. intermediate variables, its parameters, and
// its results (tire-component contract: name, inputs, parameters, outputs, in order).
type Kind struct {
	Name       string
	Text       string   // one line, with the source
	Inputs     []string // names of intermediates
	Parameters []ParameterInfo
	Optional   []OptionalParameter // may follow, all of them or none
	Outputs    []string            // Fx Fy Mx My Mz, or q1dot q2dot
	New        func(parameters []float64) (Function, error)
	// Open makes a function that lives outside of this package and reads its
	// parameter file itself. It takes the place of New; such a kind has no Parameters.
	Open func(OpenRequest) (Function, error)
	// Join receives, before their first evaluation, the opened functions of one vehicle; nil if the function does not
	// use this. An error means out of memory.
	Join func(functions []Function) error

	place int  // of a built-in function, see builtin
	keys  bool // parameters are called by the keys of property files where they are variables
}

// OpenRequest describes the tire for which a function is opened.
type OpenRequest struct {
	Vehicle any    // the same for all tires of one vehicle, for no others
	Tire    string // name of the component
	File    string // parameter file, "" for none
}

// ParameterInfo describes one parameter of a Kind.
type ParameterInfo struct{ Name, Unit, Text string }

// OptionalParameter is a parameter with the value it has where it is not given.
type OptionalParameter struct {
	ParameterInfo
	Default float64
}
