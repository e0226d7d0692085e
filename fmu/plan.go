package fmu

import (
	"fmt"

	"skidpad/cosim"
)

// Plan returns what steps consist of that the importer's side makes itself, without Go; nil where the instance has to
// make every step, and why.
func (c *Component) Plan() (plan *cosim.Plan, why string) {
	switch {
	case c.settings.Interface != CoSimulation:
		return nil, "the importer integrates"
	case c.settings.EventMode:
		return nil, "the importer handles events"
	case c.settings.Intermediate:
		return nil, "the importer asks for intermediate updates"
	}
	return c.engine.Plan()
}

// howStepsAreMade says what solver.code comes to: whether steps enter Go, and why.
func (c *Component) howStepsAreMade() string {
	code, _ := c.engine.Text("solver.code")
	if _, why := c.Plan(); why != "" {
		return fmt.Sprintf("solver.code = %s: every step enters Go: %s", code, why)
	}
	return fmt.Sprintf("solver.code = %s: steps do not enter Go", code)
}

// Planned reports whether the next step may be made by the plan: nothing would have to be said about it, as far as is
// known before it.
func (c *Component) Planned() bool {
	return c.mode == step && c.engine.Planned() && c.warned >= len(c.engine.Warnings())
}

// Now returns the data that a step by the plan needs: the time reached, the latest time that a step may reach [s], and
// whether conditions that end runs are still checked.
func (c *Component) Now() (t, stop float64, watching bool) {
	return c.engine.Time(), c.stop, c.engine.Watching()
}

// StepsBetweenSamples returns the bounds of steps without samples, as those of the engine.
func (c *Component) StepsBetweenSamples() (due, uncut float64) { return c.engine.StepsBetweenSamples() }

// Logged returns variables that are logged when they change, and their values when they were logged; on is true
// if that is done now.
func (c *Component) Logged() (references []uint32, values []float64, on bool) {
	return c.events, c.contacts, c.logging[LogEvents]
}

// Tried takes over that evaluations of the plan have run, of any state.
func (c *Component) Tried() { c.engine.Tried() }

// Stepped takes over that steps by the plan have led to a time [s], with the inputs of the window.
func (c *Component) Stepped(t float64) {
	c.engine.Stepped(t)
	c.current = false
}

// Shown takes over that numbers of the time reached have been read, and whether all numbers of the window are of that
// time. If not, they are evaluated, as a reading does.
func (c *Component) Shown(current bool) {
	if c.current = current; !current {
		c.keepOutputs(c.values[c.inputs[0]:c.inputs[1]])
	}
}
