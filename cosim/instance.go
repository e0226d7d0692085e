package cosim

import (
	"errors"
	"fmt"
	"math"

	"skidpad/model/program"
)

// Instance is one running vehicle. It is not safe for concurrent use; instances
// of one System are independent of each other.
type Instance struct {
	sys         *System
	machine     program.Machine
	solver      solver
	method      string
	initialised bool
	fresh       bool // y belongs to t, x, u

	t    float64
	base float64 // time at which u holds; prescribed motions continue from here
	step float64 // longest solver step [s]
	p    []float64
	u    []float64
	rate []float64 // of the inputs, between communication points [1/s]
	x    []float64
	y    []float64

	continued []float64 // u at the time of a stage
	dx        []float64
	before    []float64 // x before a step
}

// Instantiate makes an instance with the start values of the model file.
func (s *System) Instantiate() (*Instance, error) {
	p := s.program
	n := len(p.States)
	in := &Instance{
		sys: s, machine: s.newMachine(),
		p: make([]float64, len(p.Parameters)), u: make([]float64, len(p.Inputs)), rate: make([]float64, len(p.Inputs)),
		x: make([]float64, n), y: make([]float64, len(p.Outputs)),
		continued: make([]float64, len(p.Inputs)), dx: make([]float64, n), before: make([]float64, n),
	}
	if err := in.Reset(); err != nil {
		return nil, err
	}
	return in, nil
}

// Reset returns to the state after Instantiate.
func (in *Instance) Reset() error {
	p := in.sys.program
	for i := range p.Parameters {
		in.p[i] = p.Parameters[i].Start
	}
	for i := range p.Inputs {
		in.u[i] = p.Inputs[i].Start
		in.rate[i] = 0
	}
	clear(in.x)
	in.t, in.base, in.initialised, in.fresh = 0, 0, false, false
	in.step = in.sys.model.Solver.Step
	return in.SetText("solver.method", in.sys.model.Solver.Method)
}

// System returns what the instance was made from.
func (in *Instance) System() *System { return in.sys }

// Time returns the time reached [s].
func (in *Instance) Time() float64 { return in.t }

// errVariable is returned for an index that no variable has.
var errVariable = errors.New("no such variable")

// Set gives variable i a value: inputs at any time, parameters and start values
// before Initialise. The value must be finite.
func (in *Instance) Set(i int, value float64) error {
	if i < 0 || i >= len(in.sys.variables) {
		return errVariable
	}
	v := &in.sys.variables[i]
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return fmt.Errorf("%s = %v: the value must be a finite number", v.Name, value)
	}
	switch {
	case v.Kind == Input:
		in.u[v.source], in.rate[v.source] = value, 0
		in.fresh = false
		return nil
	case v.Kind == Output && !v.Initial:
		return fmt.Errorf("%s is computed by the model and cannot be set", v.Name)
	case in.initialised:
		return fmt.Errorf("%s cannot be set after initialisation; reset the instance first", v.Name)
	case v.parameter < 0:
		if value <= 0 {
			return fmt.Errorf("%s = %v: the step must be above 0", v.Name, value)
		}
		in.step = value
	default:
		in.p[v.parameter] = value
	}
	return nil
}

// SetRate lets input i change linearly from its value on, at a rate per second,
// until it is set again. Without it inputs are held, and prescribed motions
// follow their own rates, to which this one is added.
func (in *Instance) SetRate(i int, rate float64) error {
	if i < 0 || i >= len(in.sys.variables) {
		return errVariable
	}
	v := &in.sys.variables[i]
	if v.Kind != Input {
		return fmt.Errorf("%s is not an input", v.Name)
	}
	if math.IsNaN(rate) || math.IsInf(rate, 0) {
		return fmt.Errorf("rate of %s = %v: the value must be a finite number", v.Name, rate)
	}
	in.rate[v.source] = rate
	return nil
}

// Get returns the value of variable i. Outputs have none before Initialise
// unless they have a start value.
func (in *Instance) Get(i int) (float64, error) {
	if i < 0 || i >= len(in.sys.variables) {
		return 0, errVariable
	}
	v := &in.sys.variables[i]
	switch {
	case v.Kind == Input:
		return in.u[v.source], nil
	case v.Kind == Parameter && v.parameter < 0:
		return in.step, nil
	case v.Kind == Parameter:
		return in.p[v.parameter], nil
	case in.initialised:
		in.refresh()
		return in.y[v.source], nil
	case v.Initial:
		return in.p[v.parameter], nil
	}
	return 0, fmt.Errorf("%s has no value before initialisation", v.Name)
}

// refresh evaluates the outputs if anything has changed since they were.
func (in *Instance) refresh() {
	if in.fresh {
		return
	}
	in.rates(in.t, in.x, in.dx)
	in.machine.Outputs(in.y)
	in.fresh = true
}

// SetText gives a text variable a value; solver.method is the only one.
func (in *Instance) SetText(name, value string) error {
	if name != "solver.method" {
		return fmt.Errorf("there is no text variable %q; there is solver.method", name)
	}
	if in.initialised {
		return fmt.Errorf("%s cannot be set after initialisation; reset the instance first", name)
	}
	s, err := newSolver(value, len(in.x))
	if err != nil {
		return err
	}
	in.solver, in.method = s, value
	return nil
}

// Text returns the value of a text variable.
func (in *Instance) Text(name string) (string, error) {
	if name != "solver.method" {
		return "", fmt.Errorf("there is no text variable %q; there is solver.method", name)
	}
	return in.method, nil
}

// Initialise ends the setting of parameters and puts the model into its initial
// state at t = 0.
func (in *Instance) Initialise() error {
	if in.initialised {
		return errors.New("the instance is initialised already; reset it first")
	}
	in.prepare()
	if i := finite(in.x); i >= 0 {
		return fmt.Errorf("initial value of %s is %v; check the parameters and start values", in.sys.program.States[i].Name, in.x[i])
	}
	in.rates(0, in.x, in.dx)
	if i := finite(in.dx); i >= 0 {
		return fmt.Errorf("initial rate of %s is %v; check the parameters and start values", in.sys.program.States[i].Name, in.dx[i])
	}
	if in.method == "linearly-implicit" { // the first Jacobian compiles its code
		in.warm()
	}
	in.t, in.base, in.fresh = 0, 0, false
	in.initialised = true
	return nil
}

// warm makes one step on a copy, so that later ones allocate nothing.
func (in *Instance) warm() {
	x := append([]float64(nil), in.x...)
	in.solver.step(in, 0, in.step, x)
}

// prepare computes what depends on parameters, and the initial state.
func (in *Instance) prepare() {
	in.machine.SetParameters(in.p)
	in.machine.Start(in.u, in.x)
	in.base = in.t
}

var (
	errNotInitialised = errors.New("the instance is not initialised")
	errStepSize       = errors.New("the communication step must be a finite number above 0")
)

// Step advances by a communication step h [s], divided into equal solver steps
// not longer than solver.step. Prescribed motions continue with their rates and
// accelerations; other inputs are held unless SetRate gave them a rate. If a step
// fails the instance keeps the state it had before, and the error names the first
// state that is not finite and when.
func (in *Instance) Step(h float64) error {
	if !in.initialised {
		return errNotInitialised
	}
	if !(h > 0) || math.IsInf(h, 1) {
		return errStepSize
	}
	n := math.Ceil(h/in.step*(1-1e-12) - 1e-9)
	if n < 1 {
		n = 1
	}
	if n > 1e9 {
		return fmt.Errorf("a communication step of %g s holds more than 1e9 solver steps of %g s", h, in.step)
	}
	copy(in.before, in.x)
	start, sub := in.t, h/n
	for i := range int(n) {
		in.solver.step(in, start+float64(i)*sub, sub, in.x)
		if k := finite(in.x); k >= 0 {
			bad := in.x[k]
			copy(in.x, in.before)
			in.fresh = false
			return fmt.Errorf("%s = %v at t = %g s; the state at %g s is kept; try a smaller solver.step or the method linearly-implicit", in.sys.program.States[k].Name, bad, start+float64(i+1)*sub, start)
		}
	}
	in.advance(start + h)
	return nil
}

// advance moves the time, and the prescribed motions with it.
func (in *Instance) advance(t float64) {
	in.inputsAt(t)
	copy(in.u, in.continued)
	in.t, in.base, in.fresh = t, t, false
}

// inputsAt continues the inputs from the time they hold to t: linearly at their
// rates, and prescribed motions by position + rate dt + acceleration dt^2/2 and
// rate + acceleration dt.
func (in *Instance) inputsAt(t float64) {
	copy(in.continued, in.u)
	dt := t - in.base
	if dt == 0 {
		return
	}
	for i, r := range in.rate {
		in.continued[i] += dt * r
	}
	for _, m := range in.sys.program.Motions {
		rate, acceleration := in.u[m.Rate], 0.0
		if m.Acceleration >= 0 {
			acceleration = in.u[m.Acceleration]
		}
		in.continued[m.Position] += dt * (rate + dt/2*acceleration)
		in.continued[m.Rate] += dt * acceleration
	}
}

func (in *Instance) rates(t float64, x, dx []float64) {
	in.inputsAt(t)
	in.machine.Derivatives(t, x, in.continued, dx)
}

func (in *Instance) jacobian(t float64, x, j []float64) {
	in.inputsAt(t)
	in.machine.Jacobian(t, x, in.continued, j)
}

func (in *Instance) pattern() []bool { return in.sys.program.JacobianPattern() }
