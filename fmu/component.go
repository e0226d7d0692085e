package fmu

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"skidpad/cosim"
)

// Interface is a kind of instance, numbered as in FMI 2.0.
type Interface uint8

// The interfaces.
const (
	ModelExchange Interface = iota
	CoSimulation
)

// Settings say how an instance is used.
type Settings struct {
	Version     int // of FMI: 2 or 3
	Interface   Interface
	Logging     bool
	EventMode   bool // FMI 3.0 co-simulation: the importer handles events
	EarlyReturn bool // FMI 3.0 co-simulation: steps may end early
	// Intermediate requests a pause of DoStep after every solver step. During a pause, the importer may use the
	// variables of IntermediateReferences.
	Intermediate           bool
	IntermediateReferences []uint32
	// TimeLimit is how long a step may take before it is logged; 0 is none.
	TimeLimit time.Duration
	// Strict turns what is tolerated, because importers do it, into errors.
	Strict bool
}

// Message is a log message. Its text is plain: the code that passes it to a logger escapes the logger's special
// characters.
type Message struct {
	Status   Status
	Category string
	Text     string
}

// Categories of messages, as in the model description.
const (
	LogEvents        = "logEvents"
	LogStatusWarning = "logStatusWarning"
	LogStatusDiscard = "logStatusDiscard"
	LogStatusError   = "logStatusError"
	LogStatusFatal   = "logStatusFatal"
	LogSolver        = "logSolver"
	LogTire          = "logTire"
	LogParameters    = "logParameters"
)

// Categories lists the categories with their meaning.
var Categories = []struct{ Name, Text string }{
	{LogEvents, "Tires that lift off or touch down, modes of wheel contacts"},
	{LogStatusWarning, "Calls that return a warning"},
	{LogStatusDiscard, "Calls that return discard"},
	{LogStatusError, "Calls that return an error"},
	{LogStatusFatal, "Calls that return fatal"},
	{LogSolver, "Solver and steps at the start"},
	{LogTire, "Force functions of the tires at the start"},
	{LogParameters, "Parameters that differ from the model file"},
}

// Component is one instance of an FMU: a vehicle behind the state machine of the
// standard. Its methods return the status of the call; Messages holds what is to be
// logged. It is not safe for concurrent use.
//
// Numbers live in a window that the importer's side may read and write directly
// where Readable and Writable say so: entry i is the variable of reference i.
type Component struct {
	Messages []Message

	table    *Table
	engine   *cosim.Instance
	settings Settings
	mode     mode
	logging  map[string]bool

	values  []float64 // the window
	current bool      // values equal the engine's values
	inputs  [2]int    // references of the inputs
	// references of the energies, which are not in the window: they cost more than the rest, and few ask
	energies [2]int
	states   map[uint32]int // of model exchange: places in the state vector by reference

	setUp       bool // SetupExperiment was called
	start, stop float64
	events      []uint32  // what is logged when it changes: contacts, and modes of wheel contacts
	contacts    []float64 // their values when they were logged
	warned      int       // warnings of the engine that have been logged
	written     []float64 // inputs of the window, while it is made current
	pausing     suspendedStep

	drifting, bending habit // steps that begin at another time, derivatives of inputs that are not used
}

// NewComponent makes an instance of a system. values is its window, at least as
// long as the numeric variables of the table.
func NewComponent(s *cosim.System, t *Table, settings Settings, values []float64) (*Component, error) {
	if settings.Interface == ModelExchange && t.HasDiscreteContacts {
		return nil, errors.New("the model has wheel contacts, which act between steps of its own solver; use it for " +
			"co-simulation")
	}
	if settings.Intermediate {
		for _, r := range settings.IntermediateReferences {
			if err := t.checkIntermediate(r); err != nil {
				return nil, err
			}
		}
	}
	engine, err := s.Instantiate()
	if err != nil {
		return nil, err
	}
	engine.SetTimeLimit(settings.TimeLimit)
	c := &Component{
		table: t, engine: engine, settings: settings, values: values, mode: instantiated, logging: map[string]bool{},
		inputs:   [2]int{s.First(cosim.Input), s.First(cosim.Output)},
		energies: [2]int{s.First(cosim.Energy), s.First(cosim.Ended)},
	}
	for i := range t.Variables {
		if v := &t.Variables[i]; v.Variability == Discrete && v.Kind != cosim.Ended {
			c.events = append(c.events, v.Reference)
		}
	}
	if settings.Interface == ModelExchange {
		c.states = map[uint32]int{}
		for i, d := range t.Derivatives {
			c.states[t.Variables[d.Reference].State] = i
		}
	}
	c.contacts = make([]float64, len(c.events))
	c.written = make([]float64, c.inputs[1]-c.inputs[0])
	c.log(settings.Logging, nil)
	c.reset()
	return c, nil
}

// checkIntermediate says why a variable cannot be one of IntermediateReferences. Discrete outputs can: importers name
// all outputs that they read, and reading one changes nothing.
func (t *Table) checkIntermediate(r uint32) error {
	if int64(r) >= int64(len(t.Variables)) {
		return fmt.Errorf("intermediate variable: %w", t.unknownReference(r))
	}
	if v := &t.Variables[r]; v.Causality != Input && v.Causality != Output {
		return fmt.Errorf("intermediate variable %s (value reference %d) has causality %v; only inputs and outputs can "+
			"be used in intermediate updates", v.Name, r, v.Causality)
	}
	return nil
}

// Close releases the instance.
func (c *Component) Close() { c.engine.Close() }

// Renew returns a component in the state after instantiation, with the same system, window and log categories. It is
// for use after a panic, when only the immutable parts of the old component are reliable; the caller must close the old
// component.
func (c *Component) Renew() (*Component, error) {
	clear(c.values)
	n, err := NewComponent(c.engine.System(), c.table, c.settings, c.values)
	if err != nil {
		return nil, err
	}
	n.logging = c.logging
	return n, nil
}

func (c *Component) reset() {
	c.engine.SetExternalIntegration(c.settings.Interface == ModelExchange)
	c.warned = 0
	c.engine.SetEventHandling(c.settings.Interface == ModelExchange || c.settings.EventMode)
	c.mode, c.setUp, c.start, c.stop = instantiated, false, 0, math.Inf(1)
	c.pausing, c.drifting, c.bending = suspendedStep{}, habit{}, habit{}
	c.invalidateWindow()
}

// invalidateWindow marks the values of the window as outdated, except for the inputs: the window always holds current
// inputs.
func (c *Component) invalidateWindow() {
	c.current = false
	c.engine.Inputs(c.values[c.inputs[0]:c.inputs[1]])
}

// Readable reports whether every number of the window may be read now.
func (c *Component) Readable() bool { return c.current && c.mode&(running|terminated) != 0 }

// Writable reports whether the inputs in the window may be written now; TakeInputs has
// to be called before anything else then.
func (c *Component) Writable() bool { return c.mode&running != 0 }

// Inputs returns the references of the inputs: from the first to before the second.
func (c *Component) Inputs() (from, to int) { return c.inputs[0], c.inputs[1] }

// TakeInputs takes over the written inputs from the window. An element of which that is not 0 marks a written input.
// keep says that outputs may be read before the next step.
func (c *Component) TakeInputs(which []byte, keep bool) {
	written := c.values[c.inputs[0]:c.inputs[1]]
	if keep {
		c.keepOutputs(written)
	}
	c.engine.SetInputs(written, which)
	if c.mode != step {
		c.current = false
	}
}

// keepOutputs makes the window current before inputs change in Step Mode: outputs
// stay those of the latest step until the next one.
func (c *Component) keepOutputs(inputs []float64) {
	if c.mode != step || c.current {
		return
	}
	copy(c.written, inputs)
	if c.refresh() == nil {
		copy(inputs, c.written)
	}
}

// OutputsHeld says that outputs do not follow the inputs before the next step.
func (c *Component) OutputsHeld() bool { return c.mode == step }

// fail notes an error. The instance stops; Reset and SetState revive it.
func (c *Component) fail(err error) Status {
	c.logMessage(Error, LogStatusError, err.Error())
	c.mode = failed
	return Error
}

func (c *Component) warn(text string) Status {
	if c.settings.Strict {
		return c.fail(errors.New(text))
	}
	c.logMessage(Warning, LogStatusWarning, text)
	return Warning
}

func (c *Component) discard(err error) Status {
	c.logMessage(Discard, LogStatusDiscard, err.Error())
	return Discard
}

// habit is a cause of warnings that an importer can give in every step: one is logged in a run, and a count at its end.
type habit struct {
	told    bool
	count   int
	largest float64
}

// first counts a habit and reports whether it has to be warned of now: once in a run, and never while nobody listens.
func (c *Component) first(h *habit, size float64) bool {
	h.count, h.largest = h.count+1, max(h.largest, size)
	now := c.settings.Strict || c.logging[LogStatusWarning] && !h.told
	h.told = h.told || now
	return now
}

// logHabits logs at the end of a run how often there was cause for a warning that was logged once.
func (c *Component) logHabits() {
	if h := &c.drifting; h.told && h.count > 1 {
		c.logMessage(OK, LogStatusWarning, fmt.Sprintf("%d steps have begun at another time than the instance was at, by "+
			"up to %.3g s", h.count, h.largest))
	}
	if h := &c.bending; h.told && h.count > 1 {
		c.logMessage(OK, LogStatusWarning, fmt.Sprintf("%d derivatives of inputs, of orders up to %g, were not used",
			h.count, h.largest))
	}
	c.drifting, c.bending = habit{}, habit{}
}

// Note logs a finding at the Go/C boundary that lets no call fail.
func (c *Component) Note(text string) { c.logMessage(OK, LogStatusWarning, text) }

// RejectCall notes an error that was found at the Go/C boundary.
func (c *Component) RejectCall(text string) Status { return c.fail(errors.New(text)) }

// logMessage queues a message if it is to be delivered: in FMI 3.0 nothing is while
// logging is off, in 2.0 what comes with a status is all the same.
func (c *Component) logMessage(s Status, category, text string) {
	if !c.logging[category] && (s == OK || c.settings.Version == 3) {
		return
	}
	c.Messages = append(c.Messages, Message{s, category, text})
}

func (c *Component) log(on bool, categories []string) {
	for _, known := range Categories {
		if len(categories) == 0 || slices.Contains(categories, known.Name) {
			c.logging[known.Name] = on
		}
	}
}

// SetDebugLogging switches messages on or off: those of the categories, or all.
func (c *Component) SetDebugLogging(on bool, categories []string) Status {
	if err := c.checkCallAllowed(CallSetDebugLogging); err != nil {
		return c.fail(err)
	}
	for _, name := range categories {
		known := false
		for _, k := range Categories {
			known = known || k.Name == name
		}
		if !known {
			return c.fail(fmt.Errorf("there is no log category %q", name))
		}
	}
	c.log(on, categories)
	return OK
}

// SetupExperiment defines where the simulation starts and, if that is known, stops.
// A tolerance is not used: solvers have a fixed step.
func (c *Component) SetupExperiment(start float64, stopDefined bool, stop float64) Status {
	if err := c.checkCallAllowed(CallSetupExperiment); err != nil {
		return c.fail(err)
	}
	return c.experiment(start, stopDefined, stop)
}

func (c *Component) experiment(start float64, stopDefined bool, stop float64) Status {
	if !finite(start) || stopDefined && !(stop > start) {
		return c.fail(fmt.Errorf("start time %g and stop time %g: both must be finite, and the stop after the start",
			start, stop))
	}
	c.setUp, c.start, c.stop = true, start, math.Inf(1)
	if stopDefined {
		c.stop = stop
	}
	return OK
}

// EnterInitializationMode begins the initialisation. In FMI 3.0 it also defines the
// experiment, with defined true.
func (c *Component) EnterInitializationMode(defined bool, start float64, stopDefined bool, stop float64) Status {
	if err := c.checkCallAllowed(CallEnterInitializationMode); err != nil {
		return c.fail(err)
	}
	status := OK
	if defined {
		if status = c.experiment(start, stopDefined, stop); status != OK {
			return status
		}
	} else if !c.setUp {
		if status = c.warn("EnterInitializationMode without SetupExperiment; the start time is 0"); status == Error {
			return status
		}
	}
	c.engine.SetTime(c.start)
	c.mode, c.current = initialization, false
	return status
}

// ExitInitializationMode computes the initial state.
func (c *Component) ExitInitializationMode() Status {
	if err := c.checkCallAllowed(CallExitInitializationMode); err != nil {
		return c.fail(err)
	}
	if err := c.engine.Initialise(); err != nil {
		return c.fail(err)
	}
	if n, own := c.engine.StateCount(); own > 0 && c.settings.Interface == ModelExchange {
		return c.fail(fmt.Errorf("tire functions have %d internal states besides the %d of the model description; "+
			"model exchange cannot integrate them, co-simulation can", own, n))
	}
	if err := c.refresh(); err != nil {
		return c.fail(err)
	}
	for i, r := range c.events {
		c.contacts[i] = c.values[r]
	}
	c.mode, c.current = step, false
	if c.settings.Interface == ModelExchange || c.settings.EventMode {
		c.mode = event
	}
	noted := c.engine.RangeWarnings() // of the state that has been evaluated
	c.logStart()
	return c.forwardWarnings(noted)
}

// forwardWarnings logs warnings of the engine, each once, and the beginning of each excursion of a tire beyond the
// ranges of its parameters, as the engine reports it. Warnings do not change the status: the step remains valid.
func (c *Component) forwardWarnings(noted []string) Status {
	warnings := c.engine.Warnings()
	for _, text := range warnings[min(c.warned, len(warnings)):] {
		c.logMessage(OK, LogStatusWarning, text)
	}
	c.warned = max(c.warned, len(warnings))
	for _, text := range noted {
		c.logMessage(OK, LogStatusWarning, text)
	}
	return OK
}

// logStart logs what the instance starts with.
func (c *Component) logStart() {
	if !c.settings.Logging {
		return
	}
	if c.settings.Interface == CoSimulation {
		method, _ := c.engine.Text("solver.method")
		longest, _ := c.engine.Get(int(c.table.byName[cosim.StepVariable]))
		c.logMessage(OK, LogSolver, fmt.Sprintf("%s with steps of %g s at most", method, longest))
		for _, note := range c.engine.Notes() {
			c.logMessage(OK, LogSolver, note)
		}
		c.logMessage(OK, LogSolver, c.howStepsAreMade())
	}
	for i := range c.table.Variables {
		v := &c.table.Variables[i]
		if v.Causality != Parameter {
			continue
		}
		if v.Type == String {
			if text, _ := c.engine.Text(v.Name); strings.HasSuffix(v.Name, ".model") || strings.HasSuffix(v.Name, ".function") {
				c.logMessage(OK, LogTire, v.Name+" = "+text)
			}
		} else if value, err := c.value(v.Reference); err == nil && value != v.Start {
			c.logMessage(OK, LogParameters, fmt.Sprintf("%s = %g instead of %g", v.Name, value, v.Start))
		}
	}
}

// Terminate ends the simulation; values can be read on.
func (c *Component) Terminate() Status {
	if err := c.checkCallAllowed(CallTerminate); err != nil {
		return c.fail(err)
	}
	if err := c.refresh(); err != nil {
		return c.fail(err)
	}
	c.forwardWarnings(c.engine.RangeWarnings())
	c.logHabits()
	c.mode = terminated
	return OK
}

// Reset brings the instance back to what it was after instantiation.
func (c *Component) Reset() Status {
	if err := c.checkCallAllowed(CallReset); err != nil {
		return c.fail(err)
	}
	c.logHabits()
	c.engine.Reset()
	c.reset()
	return OK
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
