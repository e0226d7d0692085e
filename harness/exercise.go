package harness

import (
	"bytes"
	"fmt"
	"math"
)

// exerciseSteps is how many steps Exercise makes, a second of most models.
const exerciseSteps = 100

// Exercise loads an FMU and uses it: all functions are there, a wrong token is refused,
// it runs, runs the same after a reset and after its state is restored, and logs no
// warning. It returns what is wrong.
func Exercise(path string) ([]string, error) {
	f, err := OpenFMU(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var wrong []string
	note := func(format string, arguments ...any) { wrong = append(wrong, fmt.Sprintf(format, arguments...)) }
	for _, name := range f.Missing() {
		note("the library has no function %s", name)
	}
	if c, err := f.Instantiate("stranger", "not the token"); err == nil {
		note("it takes a wrong token")
		c.Close()
	}
	c, err := f.Instantiate("exercise", f.Token)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	step := f.Step
	if step <= 0 {
		step = 0.01
	}
	outputs, err := c.References(c.Outputs()...)
	if err != nil {
		return nil, err
	}
	run := func(n int) ([]float64, error) {
		values := make([]float64, len(outputs))
		for range n {
			if err := c.Step(step); err != nil {
				return nil, err
			}
		}
		return values, c.Get(outputs, values)
	}
	if err := c.Initialise(); err != nil {
		return nil, err
	}
	if _, err = run(exerciseSteps / 2); err != nil {
		return nil, err
	}
	state, err := c.Save()
	if err != nil {
		note("its state cannot be saved: %v", err)
	}
	first, err := run(exerciseSteps / 2)
	if err != nil {
		return nil, err
	}
	for i, v := range first {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			note("%s = %v after %d steps", c.Outputs()[i], v, exerciseSteps)
		}
	}
	if state != nil {
		if err := c.Restore(state, exerciseSteps/2*step); err != nil {
			note("its state cannot be restored: %v", err)
		} else if again, err := run(exerciseSteps / 2); err != nil || !sameBits(first, again) {
			note("it goes on differently after its state was restored: %v", err)
		}
	}
	if err := c.Terminate(); err != nil {
		note("it cannot be terminated: %v", err)
	}
	if err := c.Reset(); err != nil {
		note("it cannot be reset: %v", err)
	} else if err := c.Initialise(); err != nil {
		note("it cannot be initialised after a reset: %v", err)
	} else if again, err := run(exerciseSteps); err != nil || !sameBits(first, again) {
		note("it runs differently after a reset: %v", err)
	}
	if broken := bytes.Repeat([]byte{1}, 100); c.Restore(broken, 0) == nil {
		note("it takes bytes that are no state")
	}
	return wrong, nil
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
