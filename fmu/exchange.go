package fmu

import (
	"errors"
	"fmt"
)

// EnterEventMode begins the handling of an event.
func (c *Component) EnterEventMode() Status {
	if err := c.checkCallAllowed(CallEnterEventMode); err != nil {
		return c.fail(err)
	}
	if c.settings.Interface == CoSimulation && !c.settings.EventMode {
		return c.fail(errors.New("EnterEventMode needs an instance made with eventModeUsed"))
	}
	c.mode, c.current = event, false
	return OK
}

// UpdateDiscreteStates lets the contacts follow the forces, and takes the samples that are due.
func (c *Component) UpdateDiscreteStates() Status {
	if err := c.checkCallAllowed(CallUpdateDiscreteStates); err != nil {
		return c.fail(err)
	}
	changed, err := c.engine.UpdateContacts()
	if err != nil {
		return c.fail(err)
	}
	if changed {
		c.current = false
		c.logContacts()
	}
	return OK
}

// NextSample returns the time of the next sample [s], infinite without samples.
func (c *Component) NextSample() float64 { return c.engine.NextSample() }

// logContacts logs contacts that have changed since the last time.
func (c *Component) logContacts() {
	if !c.logging[LogEvents] || c.refresh() != nil {
		return
	}
	for i, r := range c.events {
		if now := c.values[r]; now != c.contacts[i] {
			c.contacts[i] = now
			c.logMessage(OK, LogEvents, fmt.Sprintf("%s = %g at t = %g s", c.table.Variables[r].Name, now,
				c.engine.Time()))
		}
	}
}

// EvaluateDiscreteStates has nothing to compute that reading does not.
func (c *Component) EvaluateDiscreteStates() Status {
	if err := c.checkCallAllowed(CallEvaluateDiscreteStates); err != nil {
		return c.fail(err)
	}
	return OK
}

// EnterContinuousTimeMode ends the handling of an event in model exchange.
func (c *Component) EnterContinuousTimeMode() Status {
	return c.leaveEventMode(CallEnterContinuousTimeMode, continuous)
}

// EnterStepMode ends the handling of an event in co-simulation.
func (c *Component) EnterStepMode() Status { return c.leaveEventMode(CallEnterStepMode, step) }

func (c *Component) leaveEventMode(call Call, to mode) Status {
	if err := c.checkCallAllowed(call); err != nil {
		return c.fail(err)
	}
	if err := c.refresh(); err != nil {
		return c.fail(err)
	}
	c.mode = to
	return OK
}

// CompletedIntegratorStep never asks for an event: indicators tell of all.
func (c *Component) CompletedIntegratorStep() Status {
	if err := c.checkCallAllowed(CallCompletedIntegratorStep); err != nil {
		return c.fail(err)
	}
	return OK
}

// SetTime sets the time [s].
func (c *Component) SetTime(t float64) Status {
	if err := c.checkCallAllowed(CallSetTime); err != nil {
		return c.fail(err)
	}
	if !finite(t) {
		return c.fail(fmt.Errorf("time %v must be finite", t))
	}
	c.engine.SetTime(t)
	c.current = false
	return OK
}

// SetContinuousStates sets the states. Values that are not finite are discarded:
// the solver has gone astray and can step back.
func (c *Component) SetContinuousStates(x []float64) Status {
	err := c.checkCallAllowed(CallSetContinuousStates)
	if err == nil {
		err = c.counted("states", len(x), len(c.table.Derivatives))
	}
	if err != nil {
		return c.fail(err)
	}
	if err := c.engine.SetStates(x); err != nil {
		return c.discard(err)
	}
	c.current = false
	return OK
}

func (c *Component) counted(what string, n, want int) error {
	if n != want {
		return fmt.Errorf("%w: %d %s, the model has %d", errCount, n, what, want)
	}
	return nil
}

// GetContinuousStates reads the states.
func (c *Component) GetContinuousStates(x []float64) Status {
	return c.read("states", x, len(c.table.Derivatives), func(i int) uint32 {
		return c.table.Variables[c.table.Derivatives[i].Reference].State
	})
}

// GetDerivatives reads the derivatives of the states.
func (c *Component) GetDerivatives(dx []float64) Status {
	return c.read("derivatives", dx, len(c.table.Derivatives),
		func(i int) uint32 { return c.table.Derivatives[i].Reference })
}

// GetEventIndicators reads the event indicators.
func (c *Component) GetEventIndicators(z []float64) Status {
	return c.read("event indicators", z, len(c.table.Indicators), func(i int) uint32 { return c.table.Indicators[i] })
}

// read copies numbers out of the window; those that are not finite are discarded.
func (c *Component) read(what string, dst []float64, want int, reference func(i int) uint32) Status {
	err := c.checkCallAllowed(CallGetContinuousStates)
	if err == nil {
		err = c.counted(what, len(dst), want)
	}
	if err != nil {
		return c.fail(err)
	}
	if err := c.refresh(); err != nil {
		return c.uncomputed(err)
	}
	for i := range dst {
		r := reference(i)
		dst[i] = c.values[r]
		if !finite(dst[i]) {
			return c.discard(fmt.Errorf("%s = %v at t = %g s", c.table.Variables[r].Name, dst[i], c.engine.Time()))
		}
	}
	return OK
}

// GetNominals reads the nominal values of the states.
func (c *Component) GetNominals(x []float64) Status {
	err := c.checkCallAllowed(CallGetNominals)
	if err == nil {
		err = c.counted("nominal values", len(x), len(c.table.Derivatives))
	}
	if err != nil {
		return c.fail(err)
	}
	for i, d := range c.table.Derivatives {
		x[i] = c.table.Variables[c.table.Variables[d.Reference].State].Nominal
	}
	return OK
}

// Counts returns the numbers of states and of event indicators.
func (c *Component) Counts() (states, indicators int, s Status) {
	if err := c.checkCallAllowed(CallCount); err != nil {
		return 0, 0, c.fail(err)
	}
	return len(c.table.Derivatives), len(c.table.Indicators), OK
}
