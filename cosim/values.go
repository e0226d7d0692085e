package cosim

import (
	"fmt"
	"math"
)

// VariableError reports that a call never applies to the variable that it names.
type VariableError string

func (e VariableError) Error() string { return string(e) }

// errVariable is returned for an invalid variable index.
const errVariable VariableError = "no such variable"

// Set gives variable i a value: inputs at any time, parameters and start values
// before Initialise, scale factors of tire functions also between steps. The value must be finite.
func (in *Instance) Set(i int, value float64) error {
	if i >= len(in.sys.variables) {
		if _, is := in.sys.peak(i); is {
			return in.sys.Computed(i)
		}
		return coefficients{in}.set(i, value)
	}
	if err := in.Check(i, value); err != nil {
		return err
	}
	switch v := &in.sys.variables[i]; {
	case v.Kind == Input:
		in.setInput(v.source, value)
	case v.parameter < 0:
		in.settings[v.source] = value
		in.prepared = false
		if k := in.sys.stepParameter; k >= 0 && v.source == stepSetting {
			in.p[k] = value
		}
	default:
		in.p[v.parameter] = value
		in.prepared, in.fresh = false, false
	}
	return nil
}

// Check returns the error with which Set would refuse a value.
func (in *Instance) Check(i int, value float64) error {
	if i < 0 {
		return errVariable
	}
	if i >= len(in.sys.variables) {
		if _, is := in.sys.peak(i); is {
			return in.sys.Computed(i)
		}
		_, _, err := coefficients{in}.with(i, value)
		return err
	}
	v := &in.sys.variables[i]
	switch {
	case math.IsNaN(value) || math.IsInf(value, 0):
		return fmt.Errorf("%s = %v: the value must be a finite number", v.Name, value)
	case v.Kind == Text:
		return fmt.Errorf("%s is a string, not a number", v.Name)
	case v.Kind > Input && !v.Initial:
		return in.sys.Computed(i)
	case v.Nonnegative && value < 0:
		return fmt.Errorf("%s = %v: the value must not be negative", v.Name, value)
	case v.Kind == Input:
		return nil
	case in.initialised:
		return fmt.Errorf("%s cannot be set after initialisation; reset the instance first", v.Name)
	case v.Positive && value <= 0:
		return fmt.Errorf("%s = %v: the value must be above 0", v.Name, value)
	case v.AtMostOne && value > 1:
		return fmt.Errorf("%s = %v: the value must not be above 1", v.Name, value)
	}
	return nil
}

func (in *Instance) setInput(i int, value float64) {
	if in.pendingStep.active {
		in.advance(in.t) // the other inputs are held from now on, too
	}
	if math.Float64bits(in.u[i]) != math.Float64bits(value) {
		in.fresh = false
	}
	in.u[i], in.rate[i] = value, 0
	if !in.initialised {
		in.prepared = false
	}
}

// SetInputs sets inputs, in the order of the variables: input i if which[i] is not 0. Values must be finite. Setting an
// input ends its rate; the other inputs keep their rates. Zeros have signs.
func (in *Instance) SetInputs(values []float64, which []byte) {
	for i, v := range values {
		if which[i] != 0 && (math.Float64bits(in.u[i]) != math.Float64bits(v) || in.rate[i] != 0) {
			in.setInput(i, v)
		}
	}
}

// Inputs writes the values of all inputs, in the order of the variables.
func (in *Instance) Inputs(dst []float64) { copy(dst, in.u) }

// SetRate lets input i change linearly from its value, at a rate per second, until the input is set again. Inputs
// without a rate are held. Prescribed motions follow their own rates, and SetRate adds to these.
func (in *Instance) SetRate(i int, rate float64) error {
	if i < 0 {
		return errVariable
	}
	if i >= len(in.sys.variables) {
		if _, is := in.sys.peak(i); !is {
			if _, err := in.sys.locate(i, in.texts); err != nil {
				return err
			}
		}
		return fmt.Errorf("%s is not an input", in.sys.nameOf(i))
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

// Get returns the value of variable i. A computed variable has no value before Prepare or Initialise unless it has a
// start value.
func (in *Instance) Get(i int) (float64, error) {
	if i < 0 {
		return 0, errVariable
	}
	if i >= len(in.sys.variables) {
		if v, is := in.sys.peak(i); is {
			return peaks{in}.value(v)
		}
		return coefficients{in}.value(i)
	}
	v := &in.sys.variables[i]
	switch {
	case v.Kind == Input:
		return in.u[v.source], nil
	case v.Kind == Text:
		return 0, fmt.Errorf("%s is a string, not a number", v.Name)
	case v.Kind == Time:
		return in.t, nil
	case v.Kind == Parameter && v.parameter < 0:
		return in.settings[v.source], nil
	case v.Kind == Parameter:
		return in.p[v.parameter], nil
	case v.Initial && !in.initialised:
		return in.p[v.parameter], nil
	}
	return in.computed(v)
}

// Computed returns the value of an output, also where a start value stands behind it that Get returns before the
// initialisation.
func (in *Instance) Computed(i int) (float64, error) {
	if i < 0 || i >= len(in.sys.variables) {
		return in.Get(i)
	}
	return in.computed(&in.sys.variables[i])
}

func (in *Instance) computed(v *Variable) (float64, error) {
	switch {
	case !in.prepared:
		return 0, fmt.Errorf("%s has no value before initialisation", v.Name)
	case v.passed >= 0 && len(in.tires.fallible) == 0: // a state needs no evaluation
		return in.x[v.passed], nil
	case v.Kind == Ended && !in.externallyIntegrated && len(in.tires.fallible) == 0:
		return in.ends.value(v.source), nil
	}
	if err := in.refresh(); err != nil {
		return 0, err
	}
	switch v.Kind {
	case Contact:
		return in.touches.value(v.source), nil
	case Energy:
		x := in.ledger.value(v.source)
		if math.IsNaN(x - x) { // the square of a finite state overflows
			return 0, fmt.Errorf("%w: %s is %v, where %s", ErrNotFinite, v.Name, x, in.extreme())
		}
		return x, nil
	case Ended:
		return in.ends.value(v.source), nil
	case State:
		return in.x[v.source], nil
	case Rate:
		return in.dx[v.source], nil
	case Indicator:
		return in.touches.indicator(v.source), nil
	}
	return in.y[v.source], nil
}

// Values writes the values of all numeric variables except energies, in the order of the variables. It needs Prepare or
// Initialise.
func (in *Instance) Values(dst []float64) error {
	if err := in.refresh(); err != nil {
		return err
	}
	s := in.sys
	for i := range s.variables[:s.first[Input]] {
		if k := s.variables[i].parameter; k >= 0 {
			dst[i] = in.p[k]
		} else {
			dst[i] = in.settings[s.variables[i].source]
		}
	}
	copy(dst[s.first[Input]:s.first[Output]], in.u)
	copy(dst[s.first[Output]:s.first[Contact]], in.y)
	for i := range in.touches.on {
		dst[s.first[Contact]+i] = in.touches.value(i)
	}
	for i := s.first[Ended]; i < s.first[State]; i++ {
		dst[i] = in.ends.value(s.variables[i].source)
	}
	for i := s.first[State]; i < s.first[Rate]; i++ {
		dst[i] = in.x[s.variables[i].source]
	}
	copy(dst[s.first[Rate]:s.first[Indicator]], in.dx)
	for i := s.first[Indicator]; i < s.first[Time]; i++ {
		dst[i] = in.touches.indicator(s.variables[i].source)
	}
	dst[s.first[Time]] = in.t
	return nil
}

// SetTime sets the time: before Initialise the start time, afterwards the time of an importer that integrates the
// states.
func (in *Instance) SetTime(t float64) {
	in.t, in.since, in.fresh = t, 0, false
	if in.sys.program.Timed {
		in.u[len(in.u)-1] = t
	}
}

// StateCount returns the number of states of the program and of tire functions.
func (in *Instance) StateCount() (program, tires int) {
	n := len(in.sys.program.States)
	return n, len(in.x) - n - in.ledger.works
}

// SetStates gives the program's states their values; all must be finite.
func (in *Instance) SetStates(x []float64) error {
	if i := firstNonFinite(x); i >= 0 {
		return fmt.Errorf("%w: %s = %v", ErrNotFinite, in.stateName(i), x[i])
	}
	in.commitRoadPlaces()
	in.forgetHistory()
	copy(in.x, x[:len(in.sys.program.States)])
	in.fresh = false
	return nil
}

// SetState gives state i of the program its value, which must be finite.
func (in *Instance) SetState(i int, value float64) error {
	if value-value != 0 {
		return fmt.Errorf("%w: %s = %v", ErrNotFinite, in.stateName(i), value)
	}
	in.commitRoadPlaces()
	in.forgetHistory()
	in.x[i] = value
	in.fresh = false
	return nil
}
