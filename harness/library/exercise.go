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
	step := f.Step
	if step <= 0 {
		step = 0.01
	}
	outputs, err := c.References(c.Outputs()...)
	if err != nil {
		return err
	}
	run := func(n int) ([]float64, error) {
		values := make([]float64, len(outputs))
		for range n {
			r.begin("a step of the FMU")
			if err := c.Step(step); err != nil {
				return nil, err
			}
		}
		r.begin("reading outputs")
		return values, c.Get(outputs, values)
	}
	r.begin("initialising the FMU")
	if err := c.Initialise(); err != nil {
		return err
	}
	if _, err = run(exerciseSteps / 2); err != nil {
		return err
	}
	r.begin("saving the state")
	state, err := c.Save()
	if err != nil {
		r.find("its state cannot be saved: %v", err)
	}
	first, err := run(exerciseSteps / 2)
	if err != nil {
		return err
	}
	for i, v := range first {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			r.find("%s = %v after %d steps", c.Outputs()[i], v, exerciseSteps)
		}
	}
	if state != nil {
		r.begin("restoring the state")
		if err := c.Restore(state, exerciseSteps/2*step); err != nil {
			r.find("its state cannot be restored: %v", err)
		} else if again, err := run(exerciseSteps / 2); err != nil || !sameBits(first, again) {
			r.find("it goes on differently after its state was restored: %v", err)
		}
	}
	r.begin("terminating the FMU")
	if err := c.Terminate(); err != nil {
		r.find("it cannot be terminated: %v", err)
	}
	r.begin("resetting the FMU")
	if err := c.Reset(); err != nil {
		r.find("it cannot be reset: %v", err)
	} else if err := c.Initialise(); err != nil {
		r.find("it cannot be initialised after a reset: %v", err)
	} else if again, err := run(exerciseSteps); err != nil || !sameBits(first, again) {
		r.find("it runs differently after a reset: %v", err)
	}
	r.begin("restoring bytes that are not a state")
	if broken := bytes.Repeat([]byte{1}, 100); c.Restore(broken, 0) == nil {
		r.find("it takes bytes that are no state")
	}
	r.begin("freeing the instance")
	return c.Close()
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
