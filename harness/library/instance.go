package library

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ebitengine/purego"
)

// Instance is one instance of an FMU, for co-simulation or model exchange. Close it when done. It may
// be used by one goroutine at a time.
type Instance struct {
	Messages []string // that the FMU has logged, the first of them
	warned   []string // those of them that are warnings of steps
	stepping bool     // a step has begun since the start

	fmu    *FMU
	handle uintptr
	id     uintptr // environment that comes back with messages
	directory
	time  float64
	steps int    // since the start
	last  string // message of the latest error
	begun bool   // initialised, and not terminated
	fatal bool   // no function may be called any more
	over  bool   // the FMU has ended the simulation at the end of a step

	batches    []*batch    // that were used last
	integrator *integrator // nil for co-simulation
	events     *events     // of co-simulation with clocks; nil elsewhere
}

// instances finds the instance that a message belongs to.
var (
	instances sync.Map
	counter   atomic.Uintptr
)

// mostMessages bounds the messages of an instance that are kept.
const mostMessages = 10_000

func deliver(environment uintptr, status int32, category *byte, message string) {
	v, ok := instances.Load(environment)
	if !ok {
		return
	}
	c := v.(*Instance)
	if status >= statusDiscard {
		c.last = message
	}
	if len(c.Messages) >= mostMessages {
		return
	}
	c.Messages = append(c.Messages, message)
	if c.stepping && (status == statusWarning || category != nil && goString(category) == "logStatusWarning") {
		c.warned = append(c.warned, message)
	}
}

// In messages # stands for variables: what is meant as it is comes twice.
var doubled = strings.NewReplacer("##", "#")

// The loggers are made once: there is room for few callbacks in a process.
var (
	logger2 = sync.OnceValue(newLogger2)
	logger3 = sync.OnceValue(func() uintptr {
		return purego.NewCallback(func(environment uintptr, status uintptr, category, text *byte) uintptr {
			deliver(environment, int32(status), category, doubled.Replace(goString(text)))
			return 0
		})
	})
	// nothing is a callback of scheduled execution, whose clocks never tick here.
	nothing = sync.OnceValue(func() uintptr { return purego.NewCallback(func() uintptr { return 0 }) })
)

const (
	statusOK      = 0
	statusWarning = 1
	statusDiscard = 2
	statusFatal   = 4
)

// Instantiate makes an instance. token is the FMU's own, unless a wrong one is tried.
func (f *FMU) Instantiate(name, token string) (*Instance, error) {
	c := &Instance{fmu: f, id: counter.Add(1), directory: newDirectory(f.Variables)}
	instances.Store(c.id, c)
	logging := !f.Quiet
	switch {
	case f.Version == 2:
		kind := int32(1)
		if f.Interface == ModelExchange {
			kind = 0
		}
		callbacks := &callbacks2{logger: logger2(), environment: c.id}
		callbacks.allocate, callbacks.release = memory()
		c.handle = f.two.instantiate(name, kind, token, f.resourceURI(), callbacks, 0, map[bool]int32{true: 1}[logging])
		callbacksOf.Store(c.id, callbacks)
	case f.Interface == ModelExchange:
		c.handle = f.three.instantiateModelExchange(name, token, f.resourcePath(), false, logging, c.id, logger3())
	case f.Interface == ScheduledExecution:
		c.handle = f.three.instantiateScheduled(name, token, f.resourcePath(), false, logging, c.id, logger3(), nothing(),
			nothing(), nothing())
	default:
		c.handle = f.three.instantiateCoSimulation(name, token, f.resourcePath(), false, logging,
			f.handlesEvents, false, 0, 0, c.id, logger3(), 0)
	}
	if c.handle == 0 {
		c.forget()
		said, tool := "", ""
		if said = c.last; said == "" && len(c.Messages) > 0 {
			said = c.Messages[len(c.Messages)-1]
		}
		if said == "" {
			said = "it does not say why"
		}
		if f.NeedsTool {
			tool = "; it needs an installed tool (needsExecutionTool)"
			if f.Tool != "" {
				tool += ", perhaps " + f.Tool
			}
		}
		return nil, fmt.Errorf("%s cannot be instantiated: %s%s", f.ModelName, said, tool)
	}
	switch {
	case f.Interface == ModelExchange:
		c.integrator = &integrator{instance: c}
	case f.handlesEvents:
		c.events = &events{instance: c}
	}
	return c, nil
}

// callbacksOf keeps the callbacks of FMI 2.0, which some FMUs read as long as the instance lives.
var callbacksOf sync.Map

func (c *Instance) forget() {
	instances.Delete(c.id)
	callbacksOf.Delete(c.id)
}

// Close ends and releases the instance: some FMUs rely on being terminated before.
func (c *Instance) Close() error {
	if c.begun && !c.fatal {
		c.Terminate() // in a state that does not allow Terminate, it returns an error and does nothing
	}
	if !c.fatal {
		c.fmu.common.free(c.handle)
	}
	c.forget()
	return nil
}

// check turns a status other than OK and Warning into an error with the latest message.
func (c *Instance) check(status int32) error {
	if status == statusOK || status == statusWarning {
		return nil
	}
	if c.last == "" && len(c.Messages) > 0 {
		c.last = c.Messages[len(c.Messages)-1]
	}
	c.fatal = c.fatal || status == statusFatal
	said := c.last
	c.last = ""
	if said == "" {
		said = "the FMU does not say why"
	}
	return &statusError{status, said}
}

// statusError is the error of a function that has not returned OK or Warning.
type statusError struct {
	status int32
	said   string
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d: %s", e.status, e.said) }

// Notes says what the FMU has logged about its start, after Initialise.
func (c *Instance) Notes() ([]string, error) {
	notes := notesAmong(c.Messages)
	if note := c.fmu.untickedNote(); note != "" {
		notes = append(notes, note)
	}
	return notes, nil
}

// All are the variables of the FMU.
func (c *Instance) All() []Variable { return c.list }

// TakesRates reports whether inputs can change linearly within a step: those of co-simulation by FMI 2.0 where the FMU
// interpolates them. FMI 3.0 has no function for it.
func (c *Instance) TakesRates() bool { return c.fmu.Interpolates && c.integrator == nil }

// SetRates lets inputs references[i] change by rates[i] per second within the next step. Inputs that are no real
// numbers keep their values.
func (c *Instance) SetRates(references []uint32, rates []float64) error {
	var of []uint32
	var values []float64
	var orders []int32
	for i, r := range references {
		if at := c.fmu.places[r]; at.base == float64Base {
			of, values, orders = append(of, at.reference), append(values, rates[i]), append(orders, 1)
		}
	}
	if len(of) == 0 {
		return nil
	}
	return c.check(c.fmu.two.setInputDerivatives(c.handle, &of[0], uint64(len(of)), &orders[0], &values[0]))
}

// SetNamed sets one number by name.
func (c *Instance) SetNamed(name string, value float64) error {
	references, err := c.References(name)
	if err != nil {
		return err
	}
	return c.Set(references, []float64{value})
}

// Initialise computes the initial state at t = 0.
func (c *Instance) Initialise() error {
	c.time, c.steps, c.stepping, c.over, c.warned = 0, 0, false, false, nil
	tolerance := 0.0
	if c.integrator != nil {
		tolerance = c.integrator.tolerance()
	}
	if err := c.check(c.fmu.common.enterInitialization(c.handle, tolerance)); err != nil {
		return err
	}
	if err := c.check(c.fmu.common.exitInitialization(c.handle)); err != nil {
		return err
	}
	c.begun = true
	switch {
	case c.integrator != nil:
		return c.integrator.begin()
	case c.events != nil:
		return c.events.begin()
	}
	return nil
}

// Ended is the error of a step of an FMU that has ended the simulation.
type Ended struct {
	Time float64 // s
	Said string  // by the FMU, perhaps nothing
}

func (e *Ended) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("the FMU ended the simulation at %.6g s", e.Time)
	}
	return fmt.Sprintf("the FMU ended the simulation at %.6g s: %s", e.Time, e.Said)
}

// Time is the time of the instance [s], the sum of its steps.
func (c *Instance) Time() (float64, error) { return c.time, nil }

// Step makes a communication step of h seconds.
func (c *Instance) Step(h float64) error {
	c.stepping = true
	if c.over {
		return &Ended{c.time, ""}
	}
	end := c.time + h
	var err error
	switch {
	case c.integrator != nil:
		err = c.integrator.advance(end)
	case c.fmu.Version == 2:
		err = c.step2(h)
	case c.events != nil:
		err = c.events.advance(end)
	default:
		err = c.step3(c.time, end, h)
	}
	if err != nil {
		return err
	}
	c.time = end
	c.steps++
	return nil
}

// Kinds of status that FMI 2.0 can be asked for.
const (
	lastSuccessfulTime = 2
	terminated         = 3
)

// step2 makes a communication step in FMI 2.0. An FMU that discards it is asked whether it has ended the simulation.
func (c *Instance) step2(h float64) error {
	status := c.fmu.two.doStep(c.handle, c.time, h, 1)
	if status != statusDiscard {
		return c.check(status)
	}
	reached := c.time
	if f := c.fmu.two.realStatus; f != nil && f(c.handle, lastSuccessfulTime, &reached) > statusWarning {
		reached = c.time
	}
	var ended int32
	if f := c.fmu.two.booleanStatus; f != nil && f(c.handle, terminated, &ended) <= statusWarning && ended != 0 {
		said := c.last
		c.last = ""
		return &Ended{reached, said}
	}
	return fmt.Errorf("the FMU made a part of the step only, up to %.17g s: %w", reached, c.check(status))
}

// inexact is the warning of a step that ends not quite where it should.
const inexact = "steps do not end at the times that were asked for (lastSuccessfulTime)"

// step3 makes a communication step in FMI 3.0, in parts where the FMU returns early.
func (c *Instance) step3(from, end, h float64) error {
	// Sums of n times differ by up to n units in the last place.
	allowed := float64(c.steps+16) * (math.Nextafter(end, math.Inf(1)) - end)
	for {
		var event, terminate, early bool
		last := end
		if err := c.check(c.fmu.three.doStep(c.handle, from, h, true, &event, &terminate, &early, &last)); err != nil {
			return err
		}
		off := math.Abs(last - end)
		done := off <= allowed
		if !done && off <= h/50 { // some round steps to their own ones
			done = true
			c.warned = append(c.warned, inexact)
		}
		switch {
		case terminate && !done:
			return &Ended{last, c.last}
		case event && c.events != nil:
			if err := c.events.handle(last, nil); err != nil || done {
				return err
			}
			from, h = last, end-last
		case event:
			return errors.New("the FMU wants to handle an event (eventHandlingNeeded), though it was told that it does so " +
				"itself (eventModeUsed is false)")
		case done:
			c.over = terminate
			return nil
		case early && last > from && last < end:
			from, h = last, end-last
		default:
			return c.short(last, end, h)
		}
	}
}

// short is the error of a step that has ended elsewhere.
func (c *Instance) short(last, end, h float64) error {
	err := fmt.Errorf("the step ended at %.17g s instead of %.17g s", last, end)
	if own := c.fmu.InternalStep; own > 0 && math.Abs(h/own-math.Round(h/own)) > 1e-6 {
		return fmt.Errorf("%w: the FMU's own steps take %.6g s (fixedInternalStepSize); choose a communication step that is "+
			"a multiple of it", err, own)
	}
	return err
}

// Terminate ends the simulation.
func (c *Instance) Terminate() error {
	c.begun = false
	return c.check(c.fmu.common.terminate(c.handle))
}

// Reset brings the instance back to what it was after instantiation.
func (c *Instance) Reset() error {
	if c.fmu.common.reset == nil {
		return c.fmu.lacks("Reset")
	}
	c.begun = false
	return c.check(c.fmu.common.reset(c.handle))
}
