package cosim

import (
	"errors"
	"fmt"

	"skidpad/model/program"
)

// sensitivities holds Jacobians evaluated at one point, made when asked for.
type sensitivities struct {
	jac   map[[2]program.Quantity][]float64
	valid map[[2]program.Quantity]bool
}

// jacobianOf returns d of / d by at the present point, row by row, and its columns.
func (in *Instance) jacobianOf(of, by program.Quantity) (jac []float64, columns int) {
	s := &in.sensed
	if s.jac == nil {
		s.jac, s.valid = map[[2]program.Quantity][]float64{}, map[[2]program.Quantity]bool{}
	}
	evaluator := in.machine.Jacobian(of, by)
	key := [2]program.Quantity{of, by}
	if n := evaluator.Rows * evaluator.Columns; len(s.jac[key]) != n {
		s.jac[key] = make([]float64, n)
	}
	if !s.valid[key] {
		in.inputsAt(in.since)
		in.level(in.t+in.since, in.x)
		in.place(in.t+in.since, in.x)
		for _, d := range in.tires.dynamics {
			own, _ := d.Memory()
			copy(own, in.x[d.at:])
		}
		evaluator.Evaluate(in.x[:len(in.sys.program.States)], in.continued, s.jac[key])
		s.valid[key] = true
	}
	return s.jac[key], evaluator.Columns
}

// Directional writes, for every unknown variable, the sum over the known variables
// of its derivative by them times their seed. Unknowns are what the model computes.
// Knowns are inputs, states, parameters and time; before initialisation the start
// values count instead of the states. Tire functions with states of their own
// contribute at constant values of these.
func (in *Instance) Directional(unknowns, knowns []int, seed, result []float64) error {
	return in.sensitivity(unknowns, knowns, func(i, j int, d float64) { result[i] += d * seed[j] }, result)
}

// Adjoint writes, for every known variable, the sum over the unknown variables of
// their seed times their derivative by it.
func (in *Instance) Adjoint(unknowns, knowns []int, seed, result []float64) error {
	return in.sensitivity(unknowns, knowns, func(i, j int, d float64) { result[j] += seed[i] * d }, result)
}

// sensitivity calls add for every derivative of unknown i by known j that can be
// other than zero.
func (in *Instance) sensitivity(unknowns, knowns []int, add func(i, j int, d float64), result []float64) error {
	if err := in.Prepare(); err != nil {
		return err
	}
	if err := in.refresh(); err != nil {
		return err
	}
	clear(in.sensed.valid)
	clear(result)
	for i, unknown := range unknowns {
		of, row, err := in.row(unknown)
		if err != nil {
			return err
		}
		for j, known := range knowns {
			d, err := in.partial(of, row, known)
			if err != nil {
				return err
			}
			if d != 0 {
				add(i, j, d)
			}
		}
	}
	return in.tires.fault()
}

// row returns where the derivatives of a computed variable are.
func (in *Instance) row(i int) (program.Quantity, int, error) {
	if i < 0 || i >= len(in.sys.variables) {
		return 0, 0, errVariable
	}
	switch v := &in.sys.variables[i]; v.Kind {
	case Output:
		return program.OutputQuantity, v.source, nil
	case Rate:
		return program.StateQuantity, v.State, nil
	case State:
		if !in.initialised {
			return program.StartQuantity, v.State, nil
		}
	}
	return 0, 0, fmt.Errorf("%s has no derivatives; outputs and derivatives of states have", in.sys.variables[i].Name)
}

// partial returns the derivative of a quantity by a known variable.
func (in *Instance) partial(of program.Quantity, row, i int) (float64, error) {
	if i < 0 || i >= len(in.sys.variables) {
		return 0, errVariable
	}
	v := &in.sys.variables[i]
	switch {
	case v.Kind == Input:
		return in.total(of, program.InputQuantity, row, v.source), nil
	case v.Kind == Time || v.Name == StepVariable:
		return 0, nil // the equations do not mention it
	case v.Kind == Parameter, v.Initial && !in.initialised:
		return in.total(of, program.ParameterQuantity, row, v.parameter), nil
	case v.State >= 0 && v.Kind != Rate && in.initialised:
		jac, n := in.jacobianOf(of, program.StateQuantity)
		return jac[row*n+v.State], nil
	}
	return 0, fmt.Errorf("nothing can be differentiated by %s now; inputs, states and parameters can", v.Name)
}

// total returns the derivative by an input or a parameter: before initialisation
// also through the initial states.
func (in *Instance) total(of, by program.Quantity, row, column int) float64 {
	jac, n := in.jacobianOf(of, by)
	d := jac[row*n+column]
	if in.initialised || of == program.StartQuantity {
		return d
	}
	through, states := in.jacobianOf(of, program.StateQuantity)
	start, m := in.jacobianOf(program.StartQuantity, by)
	for k := range states {
		d += through[row*states+k] * start[k*m+column]
	}
	return d
}

// OutputRates writes the time derivatives of outputs, with the inputs changing as
// they do between communication points.
func (in *Instance) OutputRates(variables []int, result []float64) error {
	if !in.initialised {
		return errNotInitialised
	}
	if err := in.refresh(); err != nil {
		return err
	}
	clear(in.sensed.valid)
	u := append([]float64(nil), in.rate...)
	in.inputsAt(in.since)
	for _, m := range in.sys.program.Motions {
		u[m.Position] += in.continued[m.Rate]
		if m.Acceleration >= 0 {
			u[m.Rate] += in.continued[m.Acceleration]
		}
	}
	for k, i := range variables {
		if i < 0 || i >= len(in.sys.variables) {
			return errVariable
		}
		v := &in.sys.variables[i]
		if v.Kind != Output {
			return errors.New(v.Name + " is not a continuous output")
		}
		byState, n := in.jacobianOf(program.OutputQuantity, program.StateQuantity)
		byInput, m := in.jacobianOf(program.OutputQuantity, program.InputQuantity)
		sum := 0.0
		for j := range n {
			sum += byState[v.source*n+j] * in.dx[j]
		}
		for j := range m {
			sum += byInput[v.source*m+j] * u[j]
		}
		result[k] = sum
	}
	return nil
}
