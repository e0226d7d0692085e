package fmu

import (
	"errors"
	"fmt"
	"math"

	"skidpad/cosim"
	"skidpad/tire"
)

// StepResult is the result of a step.
type StepResult struct {
	EventNeeded bool
	EarlyReturn bool
	Last        float64 // time reached [s]
	Pause       Pause   // the step is not done: Resume goes on
	Set         bool    // inputs may be set in an intermediate update
}

// Pause says why a step returns before it is done, numbered as in core.h.
type Pause int32

// The pauses.
const (
	NoPause Pause = iota
	// PauseForUpdate asks for an intermediate update at the time reached: the importer may read and write variables.
	PauseForUpdate
	// PauseForSignals lets signals of the host be handled, which wait while Go runs.
	PauseForSignals
)

// burst bounds the solver steps between pauses for signals. One of the largest vehicle takes some 0.1 ms.
const burst = 50

// suspendedStep is a step under way.
type suspendedStep struct {
	set      bool
	deadline float64 // the importer wants the step to end here at the latest
}

// drift bounds how far a communication point may be from the time reached, in
// steps: below it, rounding of the importer's sums; above, a warning.
const (
	drift    = 1e-9
	mismatch = 1e-3 // and above this it is another point
)

// roundingOfTimes is the allowed difference [s] between a communication point and the time reached, due to rounding:
// some units in the last place, 2e-7 s in Unix time. It is less than a step, so that no step is repeated.
func roundingOfTimes(t, h float64) float64 { return min(8*epsilon*math.Abs(t), h/2) }

// DoStep makes a step from t to t + h [s].
func (c *Component) DoStep(t, h float64) (StepResult, Status) {
	result := StepResult{Last: c.engine.Time()}
	if err := c.checkCallAllowed(CallDoStep); err != nil {
		return result, c.fail(err)
	}
	if !(h > 0) || math.IsInf(h, 1) || !finite(t) {
		return result, c.fail(fmt.Errorf("a step from %g s of %g s: the step must be finite and above 0", t, h))
	}
	status := OK
	switch off := math.Abs(t - c.engine.Time()); {
	case off <= roundingOfTimes(t, h) || off <= drift*h:
	case off > mismatch*h:
		return result, c.fail(fmt.Errorf("the step begins at %.17g s, but the instance is at %.17g s; the next step "+
			"begins where the latest one has ended", t, c.engine.Time()))
	case c.first(&c.drifting, off):
		if status = c.warn(fmt.Sprintf("the step begins at %.17g s, but the instance is at %.17g s; it goes on from "+
			"the former, as do all steps that begin within %g of a step", t, c.engine.Time(), mismatch)); status == Error {
			return result, status
		}
	}
	if t+h > c.stop+drift*h+8*math.Abs(c.stop)*epsilon {
		return result, c.fail(fmt.Errorf("the step to %g s goes beyond the stop time %g s", t+h, c.stop))
	}
	if t != c.engine.Time() {
		c.engine.CorrectTime(t)
	}
	if err := c.engine.Begin(h); err != nil {
		return result, c.fail(err)
	}
	c.pausing = suspendedStep{deadline: math.Inf(1)}
	result, after := c.runSolverSteps()
	return result, max(status, after)
}

const epsilon = 0x1p-52

// Resume goes on after a pause. After an intermediate update early asks to end the step at the
// time deadline, or before it where no solver step ends there.
func (c *Component) Resume(early bool, deadline float64) (StepResult, Status) {
	updated := c.mode == intermediate
	if !updated && c.mode != stepping {
		return StepResult{Last: c.engine.Time()},
			c.fail(errors.New("the step cannot go on: a call within its intermediate update was refused"))
	}
	c.mode = step
	if updated && early {
		c.pausing.deadline = deadline
		if !c.settings.EarlyReturn {
			c.pausing.deadline = math.Inf(1)
		}
	}
	if c.engine.Stepping() {
		return c.runSolverSteps()
	}
	return c.finish(false)
}

// runSolverSteps makes solver steps until the step is done, or has to pause or to end.
func (c *Component) runSolverSteps() (StepResult, Status) {
	for made := 0; ; made++ {
		if made == burst {
			c.mode = stepping
			return StepResult{Last: c.engine.Time(), Pause: PauseForSignals}, OK
		}
		if c.engine.NextEnd() > c.pausing.deadline*(1+4*epsilon) {
			return c.finish(false)
		}
		done, err := c.engine.Next()
		if err != nil {
			return c.failStep(err)
		}
		if c.settings.EventMode && c.settings.EarlyReturn && !done {
			pending, err := c.engine.ContactChangePending()
			if err != nil {
				return c.failStep(err)
			}
			if pending {
				return c.finish(false)
			}
		}
		if c.settings.Intermediate {
			c.mode, c.current = intermediate, false
			c.pausing.set = !done
			return StepResult{Last: c.engine.Time(), Pause: PauseForUpdate, Set: !done}, OK
		}
		if done {
			return c.finish(true)
		}
	}
}

// finish ends a step where it is. The window's inputs follow prescribed motions.
func (c *Component) finish(done bool) (StepResult, Status) {
	done = done || !c.engine.Stepping()
	c.engine.Stop()
	c.invalidateWindow()
	result := StepResult{Last: c.engine.Time(), EarlyReturn: !done}
	if c.settings.EventMode {
		var err error
		if result.EventNeeded, err = c.engine.ContactChangePending(); err != nil {
			return result, c.fail(err)
		}
	}
	c.logContacts()
	return result, c.forwardWarnings(c.engine.NewWarnings())
}

// failStep ends a failed step; the engine has returned to the state before the step.
func (c *Component) failStep(err error) (StepResult, Status) {
	c.invalidateWindow()
	result := StepResult{Last: c.engine.Time()}
	if !errors.Is(err, cosim.ErrNotFinite) && !errors.Is(err, tire.ErrShorter) {
		return result, c.fail(err)
	}
	c.mode = step
	if c.settings.Version == 2 {
		c.mode = stepFailed
	}
	return result, c.discard(err)
}

// SetInputDerivatives lets inputs change linearly during the next step. Derivatives
// of higher order are not used.
func (c *Component) SetInputDerivatives(references []uint32, orders []int32, values []float64) Status {
	if err := c.checkCallAllowed(CallSetInputDerivatives); err != nil {
		return c.fail(err)
	}
	status := OK
	for i, r := range references {
		v, err := c.variable(r, Real)
		if err == nil && v.Causality != Input {
			err = fmt.Errorf("%s is not an input", v.Name)
		}
		if err == nil && (orders[i] < 1 || !finite(values[i])) {
			err = fmt.Errorf("derivative of order %d of %s = %v: the order must be 1 or more and the value finite",
				orders[i], v.Name, values[i])
		}
		if err != nil {
			return c.fail(err)
		}
		if orders[i] > 1 && c.first(&c.bending, float64(orders[i])) {
			if status = c.warn(fmt.Sprintf("derivative of order %d of %s is not used; inputs change linearly",
				orders[i], v.Name)); status == Error {
				return status
			}
		}
	}
	for i, r := range references {
		if orders[i] == 1 {
			if err := c.engine.SetRate(c.table.Variables[r].index, values[i]); err != nil {
				return c.fail(err)
			}
		}
	}
	return status
}

// GetOutputDerivatives reads time derivatives of outputs; those above the first
// order, and those of discrete outputs, are given as 0. Before the first step the parameters,
// start values and inputs set so far decide. In FMI 2.0 the reference of der(x) stands for the output x.
func (c *Component) GetOutputDerivatives(references []uint32, orders []int32, values []float64) Status {
	if err := c.checkCallAllowed(CallGetOutputDerivatives); err != nil {
		return c.fail(err)
	}
	status := OK
	outputs := make([]int, len(references))
	for i, r := range references {
		v, err := c.variable(r, Real)
		if err == nil && v.Derivative && c.settings.Version == 2 {
			// Maestro passes der(x) with order 1, and continues the input behind x with the answer
			v = &c.table.Variables[v.State]
		}
		if err == nil && v.Causality != Output {
			err = fmt.Errorf("%s is not an output", v.Name)
		}
		if err == nil && orders[i] < 1 {
			err = fmt.Errorf("derivative of order %d of %s: the order must be 1 or more", orders[i], v.Name)
		}
		if err == nil {
			err = c.checkNamed(v)
		}
		if err != nil {
			return c.fail(err)
		}
		if status == OK {
			if status = c.warnOfEarlyReading("derivative of " + v.Name); status == Error {
				return status
			}
		}
		outputs[i] = v.index
	}
	if err := c.engine.OutputRates(outputs, values); err != nil {
		return c.uncomputed(err)
	}
	for i := range values {
		if orders[i] > 1 {
			values[i] = 0
		}
	}
	return status
}

// StatusTime answers what time the latest step reached [s].
func (c *Component) StatusTime() (float64, Status) {
	if err := c.checkCallAllowed(CallGetStatus); err != nil {
		return 0, c.fail(err)
	}
	return c.engine.Time(), OK
}

// StatusTerminated answers whether the instance wants to end: it never does.
func (c *Component) StatusTerminated() Status {
	if err := c.checkCallAllowed(CallGetStatus); err != nil {
		return c.fail(err)
	}
	return OK
}

// StatusUnknown answers a question about asynchronous steps, which there are none of.
func (c *Component) StatusUnknown(kind string) Status {
	if err := c.checkCallAllowed(CallGetStatus); err != nil {
		return c.fail(err)
	}
	return c.discard(fmt.Errorf("no %s: steps are never asynchronous", kind))
}
