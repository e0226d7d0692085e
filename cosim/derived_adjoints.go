package cosim

import (
	"errors"
	"fmt"
)

// adjoints are the derivatives of a weighted sum of states and outputs of a recorded run, at the communication point
// that the way back has reached.
type adjoints struct {
	run     *RunDerivatives
	active  bool
	at      int       // communication steps before the point
	x       []float64 // by the states there
	p       []float64 // by parameters, through the steps gone over
	u       []float64 // by the inputs of the step last gone over
	planes  []float64 // by inputs of the engine that follow from parameters of the ground
	pending []float64 // by the inputs of the point itself, which belong to the step before it

	values, variables []float64 // vectors of an evaluation
	pointX, pointU    []float64
	points            [][]float64 // stages of a solver step: time since, states, inputs
	slopes            [][]float64 // by the states of the stages
}

func (a *adjoints) begin(r *RunDerivatives) {
	a.run, a.active = r, false
	if r.record.limit == 0 {
		return
	}
	p := r.in.sys.program
	n, m := len(p.States), len(p.Inputs)
	a.x, a.p, a.u = make([]float64, n), make([]float64, len(p.Parameters)), make([]float64, m)
	a.planes, a.pending = make([]float64, m), make([]float64, m)
	a.values, a.variables = make([]float64, n+len(p.Outputs)), make([]float64, len(p.Parameters)+n+m)
	a.pointX, a.pointU = make([]float64, n), make([]float64, m)
	for range r.stages.of {
		a.points, a.slopes = append(a.points, make([]float64, 1+n+m)), append(a.slopes, make([]float64, n))
	}
}

// start begins the way back at the end of the run.
func (a *adjoints) start() error {
	switch {
	case a.run == nil:
		return errNotInitialised
	case a.run.record.limit == 0:
		return errors.New("the run is not recorded; ask for a record before the initialisation")
	case !a.active:
		a.active, a.at = true, len(a.run.record.steps)
	}
	return nil
}

// AddAdjoints adds weights to states, rates and outputs at the point that the way back has reached, at first the end of
// the run.
func (r *RunDerivatives) AddAdjoints(variables []int, weights []float64) error {
	a := &r.adjoints
	if len(variables) != len(weights) {
		return fmt.Errorf("%d weights for %d variables", len(weights), len(variables))
	}
	if err := a.start(); err != nil {
		return err
	}
	places := make([]int, len(variables))
	for i, v := range variables {
		place, err := r.value(v)
		if err != nil {
			return err
		}
		places[i] = place
	}
	clear(a.values)
	evaluated := false
	for i, place := range places {
		if place < 0 {
			a.x[^place] += weights[i]
			continue
		}
		a.values[place] += weights[i]
		evaluated = true
	}
	if !evaluated {
		return nil
	}
	if a.at > 0 {
		if err := r.record.load(r.in, a.at-1); err != nil {
			return err
		}
	}
	r.record.endOf(a.at-1, a.pointX, a.pointU)
	a.against(a.pointX, a.pointU)
	add(a.x, 1, a.variables[r.in.sys.statePlace(0):r.in.sys.inputPlace(0)])
	add(a.pending, 1, a.variables[r.in.sys.inputPlace(0):])
	return nil
}

// against evaluates the derivatives of the weighted values at a point, and adds the derivatives by parameters.
func (a *adjoints) against(x, u []float64) {
	in := a.run.in
	in.machine.Adjoint().At(x, u, a.values, a.variables)
	add(a.p, 1, a.variables[:in.sys.statePlace(0)])
	add(a.planes, 1, a.variables[in.sys.inputPlace(0):])
}

// StepBack goes back over a communication step. The instance stays at the end of the run.
func (r *RunDerivatives) StepBack() error {
	a, in := &r.adjoints, r.in
	if err := a.start(); err != nil {
		return err
	}
	if a.at == 0 {
		return errors.New("the beginning of the run is reached")
	}
	if err := r.record.load(in, a.at-1); err != nil {
		return err
	}
	a.at--
	step := &r.record.steps[a.at]
	clear(a.u)
	in.continuationBack(step.h, a.pending, a.u)
	clear(a.pending)
	for i := step.solver - 1; i >= 0; i-- {
		a.back(step.at + i*r.record.ofSolverStep)
	}
	return nil
}

// back goes back over the solver step whose numbers begin at a place of the record.
func (a *adjoints) back(at int) {
	in, n := a.run.in, len(a.x)
	var h [1]float64
	at = a.run.record.made.read(at, h[:])
	for i := range a.points {
		at = a.run.record.made.read(at, a.points[i])
	}
	tableau := in.method.Tableau
	for i := len(tableau.B) - 1; i >= 0; i-- {
		clear(a.values)
		add(a.values[:n], h[0]*tableau.B[i], a.x)
		for j := i + 1; j < len(tableau.B); j++ {
			add(a.values[:n], h[0]*tableau.A[j][i], a.slopes[j])
		}
		since, x, u := a.points[i][0], a.points[i][1:1+n], a.points[i][1+n:]
		a.against(x, u)
		copy(a.slopes[i], a.variables[in.sys.statePlace(0):in.sys.inputPlace(0)])
		in.continuationBack(since, a.variables[in.sys.inputPlace(0):], a.u)
	}
	for i := range tableau.B {
		add(a.x, 1, a.slopes[i])
	}
}

// Adjoints writes the derivatives by inputs of the communication step last gone over, and, once the beginning is
// reached, by parameters, start values and inputs at the start.
func (r *RunDerivatives) Adjoints(variables []int, values []float64) error {
	a, in := &r.adjoints, r.in
	if len(variables) != len(values) {
		return fmt.Errorf("%d values for %d variables", len(values), len(variables))
	}
	if err := a.start(); err != nil {
		return err
	}
	for _, v := range variables {
		if v < 0 || v >= len(in.sys.variables) || in.sys.variables[v].Kind != Input {
			if a.at > 0 {
				return fmt.Errorf("%s has its derivative at the beginning of the run; go back over %d more steps",
					in.sys.nameOf(v), a.at)
			}
			at, err := derivatives{r.origin}.column(v)
			if err != nil {
				return err
			}
			if at == nowhere {
				return VariableError("a run has no derivative by " + in.sys.variables[v].Name +
					"; parameters of components, start values and inputs have one")
			}
		}
	}
	if a.at == 0 {
		if err := (derivatives{r.origin}).against(r.stateAt, variables, a.x, values); err != nil {
			return err
		}
	} else {
		clear(values)
	}
	u := append([]float64(nil), a.u...)
	if a.at == 0 {
		in.continuationBack(0, a.pending, u)
	}
	for i, v := range variables {
		if w := &in.sys.variables[v]; w.Kind == Input {
			values[i] += u[w.source]
		} else if w.parameter >= 0 {
			values[i] += a.p[w.parameter]
		}
	}
	if a.at == 0 {
		derivatives{r.origin}.terrainColumns(func(j, control int, derivative float64) {
			values[j] += a.planes[control] * derivative
		})
	}
	return derivatives{in}.sound(values, func(i int) string { return "by " + in.sys.nameOf(variables[i]) })
}
