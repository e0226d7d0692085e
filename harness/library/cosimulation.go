package library

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// CoSimulation is one instance of an FMU for co-simulation. Close it when done. It may
// be used by one goroutine at a time.
type CoSimulation struct {
	Messages []string // that the FMU has logged
	warned   []string // those of them that are warnings of steps
	stepping bool     // a step has begun since the start

	fmu       *FMU
	handle    uintptr
	id        uintptr // environment that comes back with messages
	variables directory
	time      float64
	last      string // message of the latest error
}

// instances finds the instance that a message belongs to.
var (
	instances sync.Map
	counter   atomic.Uintptr
)

func deliver(environment uintptr, status int32, category, text *byte, doubled *strings.Replacer) uintptr {
	if v, ok := instances.Load(environment); ok {
		c := v.(*CoSimulation)
		message := doubled.Replace(goString(text))
		c.Messages = append(c.Messages, message)
		if c.stepping && category != nil && goString(category) == "logStatusWarning" {
			c.warned = append(c.warned, message)
		}
		if status >= statusDiscard {
			c.last = message
		}
	}
	return 0
}

// In messages # stands for variables, and those of FMI 2.0 are formats: what is meant as it is comes twice.
var (
	doubled2 = strings.NewReplacer("##", "#", "%%", "%")
	doubled3 = strings.NewReplacer("##", "#")
)

// The loggers are made once: there is room for few callbacks in a process. That of
// FMI 2.0 has more arguments in C, which these FMUs never use.
var (
	logger2 = sync.OnceValue(func() uintptr {
		return purego.NewCallback(func(environment uintptr, _ *byte, status uintptr, category, text *byte) uintptr {
			return deliver(environment, int32(status), category, text, doubled2)
		})
	})
	logger3 = sync.OnceValue(func() uintptr {
		return purego.NewCallback(func(environment uintptr, status uintptr, category, text *byte) uintptr {
			return deliver(environment, int32(status), category, text, doubled3)
		})
	})
)

const (
	statusOK      = 0
	statusDiscard = 2
)

// Instantiate makes an instance. token is the FMU's own, unless a wrong one is tried.
func (f *FMU) Instantiate(name, token string) (*CoSimulation, error) {
	c := &CoSimulation{fmu: f, id: counter.Add(1), variables: newDirectory(f.Variables)}
	instances.Store(c.id, c)
	if f.Version == 2 {
		c.handle = f.two.instantiate(name, 1, token, f.resourceURI(), &callbacks2{logger: logger2(), environment: c.id},
			0, map[bool]int32{false: 1}[f.Quiet])
	} else {
		c.handle = f.three.instantiate(name, token, f.resourcePath(), false, !f.Quiet, false, false, 0, 0, c.id,
			logger3(), 0)
	}
	if c.handle == 0 {
		instances.Delete(c.id)
		return nil, fmt.Errorf("%s cannot be instantiated: %s", f.ModelName, c.last)
	}
	return c, nil
}

// Close ends and releases the instance.
func (c *CoSimulation) Close() error {
	if c.fmu.Version == 2 {
		c.fmu.two.free(c.handle)
	} else {
		c.fmu.three.free(c.handle)
	}
	instances.Delete(c.id)
	return nil
}

// check turns a status other than OK into an error with the latest message.
func (c *CoSimulation) check(status int32) error {
	if status == statusOK {
		return nil
	}
	if c.last == "" && len(c.Messages) > 0 {
		c.last = c.Messages[len(c.Messages)-1]
	}
	text := c.last
	c.last = ""
	return fmt.Errorf("status %d: %s", status, text)
}

// Find returns the variable called name.
func (c *CoSimulation) Find(name string) (Variable, error) { return c.variables.find(name) }

// References returns the value references of the variables called names.
func (c *CoSimulation) References(names ...string) ([]uint32, error) {
	return c.variables.references(names...)
}

// Notes says what the FMU has logged about its start, after Initialise.
func (c *CoSimulation) Notes() ([]string, error) { return notesAmong(c.Messages), nil }

// All are the variables of the FMU.
func (c *CoSimulation) All() []Variable { return c.variables.list }

// Adjustable names the numbers that can be set before initialisation.
func (c *CoSimulation) Adjustable() []string { return c.variables.adjustable() }

// Outputs names the outputs.
func (c *CoSimulation) Outputs() []string { return c.variables.outputs() }

// Locals names the local variables that are numbers, without derivatives and energies.
func (c *CoSimulation) Locals() []string { return c.variables.locals() }

// Set sets numbers.
func (c *CoSimulation) Set(references []uint32, values []float64) error {
	if len(references) == 0 {
		return nil
	}
	n := uint64(len(references))
	if c.fmu.Version == 2 {
		return c.check(c.fmu.two.setReal(c.handle, &references[0], n, &values[0]))
	}
	return c.check(c.fmu.three.setFloat64(c.handle, &references[0], n, &values[0], n))
}

// Get reads numbers.
func (c *CoSimulation) Get(references []uint32, values []float64) error {
	if len(references) == 0 {
		return nil
	}
	n := uint64(len(references))
	if c.fmu.Version == 2 {
		return c.check(c.fmu.two.getReal(c.handle, &references[0], n, &values[0]))
	}
	return c.check(c.fmu.three.getFloat64(c.handle, &references[0], n, &values[0], n))
}

// TakesRates reports whether inputs can change linearly within a step: those of FMI 2.0 where the FMU interpolates
// them. FMI 3.0 has no function for it.
func (c *CoSimulation) TakesRates() bool { return c.fmu.Interpolates }

// SetRates lets inputs references[i] change by rates[i] per second within the next step.
func (c *CoSimulation) SetRates(references []uint32, rates []float64) error {
	if len(references) == 0 {
		return nil
	}
	orders := make([]int32, len(references))
	for i := range orders {
		orders[i] = 1
	}
	return c.check(c.fmu.two.setInputDerivatives(c.handle, &references[0], uint64(len(references)), &orders[0],
		&rates[0]))
}

// SetNamed sets one number by name.
func (c *CoSimulation) SetNamed(name string, value float64) error {
	references, err := c.References(name)
	if err != nil {
		return err
	}
	return c.Set(references, []float64{value})
}

// SetText sets a text by name.
func (c *CoSimulation) SetText(name, value string) error {
	v, err := c.Find(name)
	if err != nil {
		return err
	}
	if v.Kind != Text {
		return fmt.Errorf("%s is not a text", name)
	}
	text := append([]byte(value), 0)
	pointer := &text[0]
	if c.fmu.Version == 2 {
		return c.check(c.fmu.two.setString(c.handle, &v.Reference, 1, &pointer))
	}
	return c.check(c.fmu.three.setString(c.handle, &v.Reference, 1, &pointer, 1))
}

// Text reads a text by name.
func (c *CoSimulation) Text(name string) (string, error) {
	v, err := c.Find(name)
	if err != nil {
		return "", err
	}
	if v.Kind != Text {
		return "", fmt.Errorf("%s is not a text", name)
	}
	var pointer *byte
	if c.fmu.Version == 2 {
		err = c.check(c.fmu.two.getString(c.handle, &v.Reference, 1, &pointer))
	} else {
		err = c.check(c.fmu.three.getString(c.handle, &v.Reference, 1, &pointer, 1))
	}
	if err != nil || pointer == nil {
		return "", err
	}
	return goString(pointer), nil
}

// Initialise computes the initial state at t = 0.
func (c *CoSimulation) Initialise() error {
	c.time, c.stepping, c.warned = 0, false, nil
	if c.fmu.Version == 2 {
		f := c.fmu.two
		if err := c.check(f.setupExperiment(c.handle, 0, 0, 0, 0, 0)); err != nil {
			return err
		}
		if err := c.check(f.enterInitialization(c.handle)); err != nil {
			return err
		}
		return c.check(f.exitInitialization(c.handle))
	}
	if err := c.check(c.fmu.three.enterInitialization(c.handle, false, 0, 0, false, 0)); err != nil {
		return err
	}
	return c.check(c.fmu.three.exitInitialization(c.handle))
}

// Step makes a communication step of h seconds.
func (c *CoSimulation) Step(h float64) error {
	c.stepping = true
	if c.fmu.Version == 2 {
		if err := c.check(c.fmu.two.doStep(c.handle, c.time, h, 1)); err != nil {
			return err
		}
		c.time += h
		return nil
	}
	var event, terminate, early bool
	var last float64
	if err := c.check(c.fmu.three.doStep(c.handle, c.time, h, true, &event, &terminate, &early, &last)); err != nil {
		return err
	}
	if event || terminate || early {
		return fmt.Errorf("a step without event mode and early return says event %v, terminate %v, early return %v",
			event, terminate, early)
	}
	if c.time += h; last != c.time {
		return fmt.Errorf("the step ended at %.17g s instead of %.17g s", last, c.time)
	}
	return nil
}

// Terminate ends the simulation.
func (c *CoSimulation) Terminate() error {
	if c.fmu.Version == 2 {
		return c.check(c.fmu.two.terminate(c.handle))
	}
	return c.check(c.fmu.three.terminate(c.handle))
}

// Reset brings the instance back to what it was after instantiation.
func (c *CoSimulation) Reset() error {
	if c.fmu.Version == 2 {
		return c.check(c.fmu.two.reset(c.handle))
	}
	return c.check(c.fmu.three.reset(c.handle))
}

// Save returns the state as bytes.
func (c *CoSimulation) Save() ([]byte, error) {
	var state uintptr
	var size uint64
	var bytes []byte
	get, sizeOf, serialize, free := c.stateFunctions()
	if err := c.check(get(c.handle, &state)); err != nil {
		return nil, err
	}
	err := c.check(sizeOf(c.handle, state, &size))
	if err == nil {
		bytes = make([]byte, size)
		err = c.check(serialize(c.handle, state, unsafe.SliceData(bytes), size))
	}
	return bytes, errors.Join(err, c.check(free(c.handle, &state)))
}

func (c *CoSimulation) stateFunctions() (get func(uintptr, *uintptr) int32, size func(uintptr, uintptr, *uint64) int32,
	serialize func(uintptr, uintptr, *byte, uint64) int32, free func(uintptr, *uintptr) int32) {
	if f := c.fmu.two; f != nil {
		return f.getState, f.stateSize, f.serialize, f.freeState
	}
	f := c.fmu.three
	return f.getState, f.stateSize, f.serialize, f.freeState
}

// Restore brings back a saved state, at the time it was saved.
func (c *CoSimulation) Restore(bytes []byte, time float64) error {
	var state uintptr
	deserialize, set, free := c.fmu.restoreFunctions()
	if err := c.check(deserialize(c.handle, unsafe.SliceData(bytes), uint64(len(bytes)), &state)); err != nil {
		return err
	}
	err := c.check(set(c.handle, state))
	c.time = time
	return errors.Join(err, c.check(free(c.handle, &state)))
}

func (f *FMU) restoreFunctions() (
	deserialize func(uintptr, *byte, uint64, *uintptr) int32, set func(uintptr, uintptr) int32,
	free func(uintptr, *uintptr) int32,
) {
	if f.two != nil {
		return f.two.deserialize, f.two.setState, f.two.freeState
	}
	return f.three.deserialize, f.three.setState, f.three.freeState
}
