package library

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

// exerciseSteps is how many steps Exercise makes, a second of most models.
const exerciseSteps = 100

// Exercise loads an FMU in a child process and uses it there: all functions are there, a wrong token is refused,
// it runs, runs the same after a reset and after its state is restored, and logs no
// warning. It returns what is wrong; an error says what has ended the exercise before it was complete.
func Exercise(path string) ([]string, error) {
	f, err := unpackFMU(path)
	if err != nil {
		return nil, err
	}
	wrong, err := inChild(f.task("exercise FMU"))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return wrong, errors.Join(err, f.Close())
}

// exercise reports what Exercise returns.
func (f *FMU) exercise(r *reporter) error {
	r.begin("loading the library")
	if err := f.load(); err != nil {
		return err
	}
	for _, name := range f.Missing() {
		r.find("the library has no function %s", name)
	}
	r.begin("instantiating the FMU with a wrong token")
	if c, err := f.Instantiate("stranger", "not the token"); err == nil {
		r.find("it takes a wrong token")
		c.Close()
	}
	r.begin("instantiating the FMU")
	c, err := f.Instantiate("exercise", f.Token)
	if err != nil {
		return err
	}
	outputs, err := c.References(c.Outputs()...)
	if err != nil {
		return err
	}
	x := &exercised{CoSimulation: c, reporter: r, outputs: outputs, step: f.Step}
	if x.step <= 0 {
		x.step = 0.01
	}
	r.begin("initialising the FMU")
	if err := c.Initialise(); err != nil {
		return err
	}
	if _, err = x.run(exerciseSteps / 2); err != nil {
		return err
	}
	first, err := x.savedAndRun()
	if err != nil {
		return err
	}
	x.terminateAndRepeat(first)
	r.begin("restoring bytes that are not a state")
	if broken := bytes.Repeat([]byte{1}, 100); c.Restore(broken, 0) == nil {
		r.find("it takes bytes that are no state")
	}
	r.begin("freeing the instance")
	return c.Close()
}

// exercised is an instance that is exercised.
type exercised struct {
	*CoSimulation
	*reporter
	outputs []uint32
	step    float64 // s
}

// run makes n steps and returns the outputs at their end.
func (x *exercised) run(n int) ([]float64, error) {
	values := make([]float64, len(x.outputs))
	for range n {
		x.begin("a step of the FMU")
		if err := x.Step(x.step); err != nil {
			return nil, err
		}
	}
	x.begin("reading outputs")
	return values, x.Get(x.outputs, values)
}

// savedAndRun saves the state in the middle, makes the second half of the steps, and once more from the saved state.
func (x *exercised) savedAndRun() ([]float64, error) {
	x.begin("saving the state")
	state, err := x.Save()
	if err != nil {
		x.find("its state cannot be saved: %v", err)
	}
	first, err := x.run(exerciseSteps / 2)
	if err != nil {
		return nil, err
	}
	for i, v := range first {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			x.find("%s = %v after %d steps", x.Outputs()[i], v, exerciseSteps)
		}
	}
	if state != nil {
		x.begin("restoring the state")
		if err := x.Restore(state, exerciseSteps/2*x.step); err != nil {
			x.find("its state cannot be restored: %v", err)
		} else if again, err := x.run(exerciseSteps / 2); err != nil || !sameBits(first, again) {
			x.find("it goes on differently after its state was restored: %v", err)
		}
	}
	return first, nil
}

// terminateAndRepeat terminates and resets the instance, and makes all steps again, which end as first.
func (x *exercised) terminateAndRepeat(first []float64) {
	x.begin("terminating the FMU")
	if err := x.Terminate(); err != nil {
		x.find("it cannot be terminated: %v", err)
	}
	x.begin("resetting the FMU")
	if err := x.Reset(); err != nil {
		x.find("it cannot be reset: %v", err)
	} else if err := x.Initialise(); err != nil {
		x.find("it cannot be initialised after a reset: %v", err)
	} else if again, err := x.run(exerciseSteps); err != nil || !sameBits(first, again) {
		x.find("it runs differently after a reset: %v", err)
	}
}

func sameBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}
