package cosim

import (
	"fmt"
	"math"
)

// tangents are the directions that a run carries along.
type tangents struct {
	run   *RunDerivatives
	of    []direction
	seeds map[int][]float64 // before the initialisation: by variable, the seed of each direction

	at, result []float64 // vectors of an evaluation: parameters, states, inputs; rates, outputs
	slopes     [][]float64
}

// direction is a direction with the derivatives along it.
type direction struct {
	parameters []float64 // of the program
	x, u       []float64 // states, and inputs where they were set
	planes     []float64 // inputs of the engine that follow from parameters of the ground
	before     []float64 // x and u before a step
}

func (t *tangents) make(r *RunDerivatives, count int) {
	t.run, t.of, t.seeds = r, make([]direction, count), map[int][]float64{}
	p := r.in.sys.program
	for k := range t.of {
		t.of[k] = direction{
			parameters: make([]float64, len(p.Parameters)), x: make([]float64, len(p.States)),
			u: make([]float64, len(p.Inputs)), planes: make([]float64, len(p.Inputs)),
			before: make([]float64, len(p.States)+len(p.Inputs)),
		}
	}
	t.at = make([]float64, len(p.Parameters)+len(p.States)+len(p.Inputs))
	t.result = make([]float64, len(p.States)+len(p.Outputs))
}

// SetTangents gives variables their seeds, values[i*directions + k] for variable i and direction k: parameters, start
// values and inputs before the initialisation, inputs before every step. Seeds of inputs stay until they are set again.
func (r *RunDerivatives) SetTangents(variables []int, values []float64) error {
	t, count := &r.tangents, len(r.tangents.of)
	if len(values) != len(variables)*count {
		return fmt.Errorf("%d seeds of %d variables in %d directions; there must be %d", len(values), len(variables), count,
			len(variables)*count)
	}
	for i, v := range variables {
		if err := r.seedable(v); err != nil {
			return err
		}
		for _, seed := range values[i*count : (i+1)*count] {
			if math.IsNaN(seed) || math.IsInf(seed, 0) {
				return fmt.Errorf("the seed of %s is %v; it must be a finite number", r.in.sys.nameOf(v), seed)
			}
		}
	}
	for i, v := range variables {
		seeds := values[i*count : (i+1)*count]
		if !r.in.initialised {
			t.seeds[v] = append([]float64(nil), seeds...)
			continue
		}
		for k, seed := range seeds {
			t.of[k].u[r.in.sys.variables[v].source] = seed
		}
	}
	return nil
}

// seedable checks that a run can be differentiated by a variable now.
func (r *RunDerivatives) seedable(i int) error {
	at, err := derivatives{r.in}.column(i)
	switch {
	case err != nil:
		return err
	case at == nowhere:
		return VariableError("a run has no derivative by " + r.in.sys.variables[i].Name +
			"; parameters of components, start values and inputs have one")
	case r.in.initialised && r.in.sys.variables[i].Kind != Input:
		return VariableError(r.in.sys.variables[i].Name + " gets its seed before the initialisation")
	}
	return nil
}

// begin computes the directions at the start.
func (t *tangents) begin() error {
	var knowns []int
	for i := range t.run.in.sys.variables {
		if t.seeds[i] != nil {
			knowns = append(knowns, i)
		}
	}
	origin := derivatives{t.run.origin}
	seed, x := make([]float64, len(knowns)), make([]float64, len(t.run.stateAt))
	for k := range t.of {
		d := &t.of[k]
		for j, i := range knowns {
			seed[j] = t.seeds[i][k]
			switch v := &t.run.in.sys.variables[i]; {
			case v.Kind == Input:
				d.u[v.source] = seed[j]
			case v.parameter >= 0:
				d.parameters[v.parameter] = seed[j]
			}
		}
		if err := origin.along(t.run.stateAt, knowns, seed, x); err != nil {
			return err
		}
		copy(d.x, x)
		origin.terrainColumns(func(j, control int, derivative float64) { d.planes[control] += seed[j] * derivative })
	}
	return nil
}

// keep keeps the directions before a step.
func (t *tangents) keep() {
	for k := range t.of {
		d := &t.of[k]
		copy(d.before[copy(d.before, d.x):], d.u)
	}
}

// putBack takes the directions back to the latest keep.
func (t *tangents) putBack() {
	for k := range t.of {
		d := &t.of[k]
		copy(d.u, d.before[copy(d.x, d.before):])
	}
}

// carry takes the directions over a solver step of h [s].
func (t *tangents) carry(s *stages, h float64) {
	if len(t.of) == 0 {
		return
	}
	in, tableau := t.run.in, t.run.in.method.Tableau
	n := len(t.run.stateAt)
	for len(t.slopes) < len(tableau.B) {
		t.slopes = append(t.slopes, make([]float64, n))
	}
	tangent := in.machine.Tangent()
	for k := range t.of {
		d := &t.of[k]
		for i := range tableau.B {
			t.direct(d, s.of[i].since)
			x := t.at[in.sys.statePlace(0):in.sys.inputPlace(0)]
			for j, a := range tableau.A[i] {
				add(x, h*a, t.slopes[j])
			}
			tangent.At(s.of[i].x, s.of[i].inputs, t.at, t.result)
			copy(t.slopes[i], t.result)
		}
		for i, b := range tableau.B {
			add(d.x, h*b, t.slopes[i])
		}
	}
}

// direct writes a direction at a time after the inputs were set into the vector of an evaluation.
func (t *tangents) direct(d *direction, since float64) {
	in := t.run.in
	copy(t.at, d.parameters)
	copy(t.at[in.sys.statePlace(0):], d.x)
	u := t.at[in.sys.inputPlace(0):]
	in.continuation(since, d.u, u)
	add(u, 1, d.planes)
}

// add adds a multiple of a vector.
func add(to []float64, factor float64, x []float64) {
	if factor == 0 {
		return
	}
	for i := range to {
		to[i] += factor * x[i]
	}
}

// advance moves the directions of prescribed motions to the end of a communication step.
func (t *tangents) advance(h float64) {
	for k := range t.of {
		d := &t.of[k]
		for _, m := range t.run.in.sys.program.Motions {
			d.u[m.Position] += h * d.u[m.Rate]
			if m.Acceleration >= 0 {
				d.u[m.Position] += h * h / 2 * d.u[m.Acceleration]
				d.u[m.Rate] += h * d.u[m.Acceleration]
			}
		}
	}
}

// Tangents writes the derivatives of states, rates and outputs at the time reached, values[i*directions + k] for
// variable i along direction k.
func (r *RunDerivatives) Tangents(variables []int, values []float64) error {
	in, count := r.in, len(r.tangents.of)
	if !in.initialised {
		return errNotInitialised
	}
	if len(values) != len(variables)*count {
		return fmt.Errorf("%d values for %d variables in %d directions; there must be %d", len(values), len(variables),
			count, len(variables)*count)
	}
	places := make([]int, len(variables))
	for i, v := range variables {
		at, err := r.value(v)
		if err != nil {
			return err
		}
		places[i] = at
	}
	if err := in.refresh(); err != nil {
		return err
	}
	in.arrange(in.since, in.x)
	t, tangent := &r.tangents, in.machine.Tangent()
	for k := range t.of {
		t.direct(&t.of[k], 0)
		tangent.At(in.x[:len(r.stateAt)], in.continued, t.at, t.result)
		for i, at := range places {
			x := t.result
			if at < 0 {
				x, at = t.of[k].x, ^at
			}
			if values[i*count+k] = x[at]; math.IsNaN(x[at]) || math.IsInf(x[at], 0) {
				return fmt.Errorf("%w: the derivative of %s is %v", ErrNotDifferentiable, in.sys.nameOf(variables[i]), x[at])
			}
		}
	}
	return in.tires.fault()
}

// value is the place of a variable among rates and outputs, or the complement of the place among the states.
func (r *RunDerivatives) value(i int) (int, error) {
	if i >= 0 && i < len(r.in.sys.variables) {
		switch v := &r.in.sys.variables[i]; {
		case v.Kind == State:
			return ^v.State, nil
		case v.passed >= 0 && v.passed < len(r.stateAt):
			return ^v.passed, nil
		}
	}
	place, err := derivatives{r.in}.row(i)
	if err == nil && place.at == nowhere {
		err = VariableError(r.in.sys.variables[i].Name + " has no derivatives; outputs, states and their rates have")
	}
	return place.at, err
}
