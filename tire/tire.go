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

// Grouped is a Function that is evaluated together with others. The caller writes the arguments of all members to the
// addresses that the group returns, calls Eval of the group once, and reads the results at the addresses that the group
// returns. Eval of one member does the same for all members, or for itself.
type Grouped interface {
	Function
	// Member returns the group and the number of this function in it.
	Member() (g Group, k int)
}

// Group evaluates its members in one go.
type Group interface {
	// Argument returns the address of argument a of member k.
	Argument(k, a int) *float64
	// Result returns the address of result r of member k.
	Result(k, r int) *float64
	Eval()
}

// DifferentiableGroup is a Group that knows its derivatives.
type DifferentiableGroup interface {
	Group
	// Slopes returns a group whose results are the Jacobian of each member, row by row, and behind it the
	// results of Eval. Elements that are not wanted need not be results; nil: all are wanted.
	Slopes(wanted []bool) Group
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

// PoseReceiver is a Function that takes the time [s] and the pose of its wheel. Place passes both
// before every evaluation.
type PoseReceiver interface {
	Function
	Place(t float64, p *Pose)
}

// StepObserver is a Function that is notified of the accepted points of a simulation. Accepted passes the
// time [s] of a point after the step that reached it, and before the evaluation at it.
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

// WarningSource is a Function that can give warnings beside its results. Warnings returns the warnings
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
	Inputs     []string // names of intermediate variables
	Parameters []ParameterInfo
	Optional   []OptionalParameter // can follow Parameters, all of them or none
	Outputs    []string            // Fx Fy Mx My Mz, or q1dot q2dot
	Sampled    bool                // a controller: called once at each sample, not by solvers
	New        func(parameters []float64) (Function, error)
	// Open makes a function that lives outside of this package and reads its
	// parameter file itself. It takes the place of New; such a kind has no Parameters.
	Open func(OpenRequest) (Function, error)
	// Join receives, before their first evaluation, the opened functions of one vehicle; nil if the function does not
	// use this. An error means out of memory.
	Join func(functions []Function) error

	position int  // position of a built-in function in the registry, see builtin
	keys     bool // as variables, parameters have the names of their keys in property files
}

// OpenRequest describes the tire for which a function is opened.
type OpenRequest struct {
	Vehicle any    // identifies the vehicle: the same for all tires of one vehicle, and for no others
	Tire    string // name of the component
	File    string // parameter file, "" for none
}

// ParameterInfo describes one parameter of a Kind.
type ParameterInfo struct{ Name, Unit, Text string }

// OptionalParameter is a parameter with a default value.
type OptionalParameter struct {
	ParameterInfo
	Default float64
}
