package cosim

import (
	"testing"

	"skidpad/model/solver"
)

// counter counts the steps requested from a solver.
type counter struct {
	steps   int
	longest float64
}

func (c *counter) Step(_ solver.Problem, _, h float64, _ []float64) {
	c.steps++
	c.longest = max(c.longest, h)
}

func TestSolverStepsAreEqualAndNotLongerThanAllowed(t *testing.T) {
	sys, err := Load("../resources/models/pendulum.toml", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		communication, longest float64
		want                   int
	}{
		{0.01, 0.001, 10}, {0.1, 0.001, 100}, {0.3, 0.1, 3}, {0.7, 0.1, 7}, {1, 0.001, 1000},
		{0.0015, 0.001, 2}, {0.001000001, 0.001, 2}, {0.0005, 0.001, 1}, {1e-9, 0.001, 1},
	} {
		in, err := sys.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		i, _ := sys.Find(StepVariable)
		if err := in.Set(i, c.longest); err != nil {
			t.Fatal(err)
		}
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		count := &counter{}
		in.solver = count
		if err := in.Step(c.communication); err != nil {
			t.Fatal(err)
		}
		if count.steps != c.want || !(count.longest <= c.longest*(1+1e-8)) {
			t.Errorf("%g s in steps of at most %g s: %d steps, the longest %g s; want %d", c.communication, c.longest,
				count.steps, count.longest, c.want)
		}
	}
}
