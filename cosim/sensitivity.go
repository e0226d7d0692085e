package cosim

import (
	"errors"
	"fmt"
	"math"
)

// sensitivities holds vectors for derivatives. They are allocated when the first derivative is requested. Variables are
// parameters, states and inputs, in this order; values are rates and outputs.
type sensitivities struct {
	variables, further []float64
	values             []float64
	states             []float64
	rows               []row
	columns            []int
	carcasses          map[int][]float64  // derivatives of the start states of carcasses by variables
	terrains           map[int]terrainUse // of parameters
	generation         int                // generation of the parameters on which carcasses and terrains are based
}

// derivatives is an instance with the methods for derivatives at the present point.
type derivatives struct{ *Instance }

// sense clears the vectors. Since refresh, inputs, local planes and states of tires belong to the present point.
func (in derivatives) sense() *sensitivities {
	p, s := in.sys.program, &in.sensed
	if s.variables == nil {
		n := len(p.Parameters) + len(p.States) + len(p.Inputs)
		s.variables, s.further = make([]float64, n), make([]float64, n)
		s.values = make([]float64, len(p.States)+len(p.Outputs))
		s.states = make([]float64, len(p.States))
	}
	clear(s.variables)
	clear(s.values)
	clear(s.states)
	return s
}

// Positions of variables and values in the vectors of derivatives; parameters come first.
func (s *System) statePlace(i int) int  { return len(s.program.Parameters) + i }
func (s *System) inputPlace(i int) int  { return s.statePlace(len(s.program.States)) + i }
func (s *System) ratePlace(i int) int   { return i }
func (s *System) outputPlace(i int) int { return len(s.program.States) + i }

// point returns the state where derivatives are taken.
func (in derivatives) point() []float64 { return in.x[:len(in.sys.program.States)] }

// Directional writes the directional derivative of every unknown variable: the sum, over the known variables, of its
// derivative times the seed. Unknowns are computed variables. Knowns are inputs, states, parameters and time; before
// initialisation the start values replace the states. Tire functions with internal states contribute at constant
// internal states.
func (in *Instance) Directional(unknowns, knowns []int, seed, result []float64) error {
	return derivatives{in}.along(unknowns, knowns, seed, result)
}

func (in derivatives) along(unknowns, knowns []int, seed, result []float64) error {
	s, err := in.differentiate(unknowns, knowns)
	if err != nil {
		return err
	}
	for j, at := range s.columns {
		if at != nowhere {
			s.variables[at] += seed[j]
		}
	}
	tangent := in.machine.Tangent()
	if !in.initialised { // the initial state follows
		tangent.Start(in.u, s.variables, s.states)
		if err := in.carcassesAlong(seed); err != nil {
			return err
		}
		copy(s.variables[in.sys.statePlace(0):], s.states)
	}
	in.followGround(s.variables)
	in.terrainColumns(func(j, control int, derivative float64) {
		s.variables[in.sys.inputPlace(control)] += seed[j] * derivative
	})
	tangent.At(in.point(), in.continued, s.variables, s.values)
	for i, r := range s.rows {
		switch {
		case r.at == nowhere:
			result[i] = 0
		case r.start:
			result[i] = s.states[r.at]
		default:
			result[i] = s.values[r.at]
		}
	}
	return in.sound(result, func(i int) string { return "of " + in.sys.variables[unknowns[i]].Name })
}

// followGround extends a direction of the inputs to the planes under tires: they rise with terrain_z. Their slopes and
// their friction count as constant.
func (in derivatives) followGround(direction []float64) {
	for i := range in.sys.program.Uneven {
		u := &in.sys.program.Uneven[i]
		direction[in.sys.inputPlace(u.Height)] += direction[in.sys.inputPlace(u.Above)]
	}
}

// Adjoint writes, for every known variable, the sum over the unknown variables of the seed times the derivative by the
// known variable.
func (in *Instance) Adjoint(unknowns, knowns []int, seed, result []float64) error {
	return derivatives{in}.against(unknowns, knowns, seed, result)
}

func (in derivatives) against(unknowns, knowns []int, seed, result []float64) error {
	s, err := in.differentiate(unknowns, knowns)
	if err != nil {
		return err
	}
	clear(result)
	for i, r := range s.rows {
		switch {
		case r.at == nowhere:
		case r.start:
			s.states[r.at] += seed[i]
		default:
			s.values[r.at] += seed[i]
		}
	}
	adjoint := in.machine.Adjoint()
	adjoint.At(in.point(), in.continued, s.values, s.variables)
	in.terrainColumns(func(j, control int, derivative float64) {
		result[j] += s.variables[in.sys.inputPlace(control)] * derivative
	})
	for i := range in.sys.program.Uneven { // transpose of followGround
		u := &in.sys.program.Uneven[i]
		s.variables[in.sys.inputPlace(u.Above)] += s.variables[in.sys.inputPlace(u.Height)]
	}
	if !in.initialised { // the unknowns depend on the variables through the initial state, too
		for i := range s.states {
			s.states[i] += s.variables[in.sys.statePlace(i)]
		}
		if err := in.carcassesAgainst(result); err != nil {
			return err
		}
		adjoint.Start(in.u, s.states, s.further)
		for i, x := range s.further {
			s.variables[i] += x
		}
	}
	for j, at := range s.columns {
		if at != nowhere {
			result[j] += s.variables[at]
		}
	}
	return in.sound(result, func(j int) string { return "by " + in.sys.variables[knowns[j]].Name })
}

// ErrNotDifferentiable is returned where a derivative has no finite value.
var ErrNotDifferentiable = errors.New("there is no finite derivative at this point")

// sound returns an error if a derivative is not finite; name returns "of" or "by" with the variable of an index.
func (in derivatives) sound(result []float64, name func(i int) string) error {
	if err := in.tires.fault(); err != nil {
		return err
	}
	for i, d := range result {
		if math.IsNaN(d) || math.IsInf(d, 0) {
			return fmt.Errorf("%w: the derivative %s is %v", ErrNotDifferentiable, name(i), d)
		}
	}
	return nil
}

// row is the position of an unknown: among the initial states, or among the values.
type row struct {
	start bool
	at    int
}

// differentiate prepares derivatives of unknown variables by known variables, and finds their rows and columns.
func (in derivatives) differentiate(unknowns, knowns []int) (*sensitivities, error) {
	if err := in.Prepare(); err != nil {
		return nil, err
	}
	if err := in.refresh(); err != nil {
		return nil, err
	}
	s := in.sense()
	if s.carcasses == nil || s.generation != in.generation {
		s.carcasses, s.terrains, s.generation = map[int][]float64{}, map[int]terrainUse{}, in.generation
	}
	s.rows, s.columns = s.rows[:0], s.columns[:0]
	for _, i := range unknowns {
		r, err := in.row(i)
		if err != nil {
			return nil, err
		}
		s.rows = append(s.rows, r)
	}
	for _, i := range knowns {
		at, err := in.column(i)
		if err != nil {
			return nil, err
		}
		s.columns = append(s.columns, at)
	}
	return s, nil
}

// nowhere is the position of a variable in no equation. Such variables are not parameters of the program, or change
// only when a run ends.
const nowhere = -1

// row returns the position of the derivatives of a computed variable.
func (in derivatives) row(i int) (row, error) {
	if i < 0 || i >= len(in.sys.variables) {
		if in.IsTireVariable(i) {
			return row{}, VariableError(in.sys.nameOf(i) + " has no derivatives; outputs and derivatives of states have")
		}
		return row{}, errVariable
	}
	switch v := &in.sys.variables[i]; v.Kind {
	case Output:
		return row{at: in.sys.outputPlace(v.source)}, nil
	case Rate:
		return row{at: in.sys.ratePlace(v.State)}, nil
	case Ended: // the index of an end condition, or the time when the condition became true
		return row{at: nowhere}, nil
	case State:
		if !in.initialised {
			return row{start: true, at: v.State}, nil
		}
	}
	return row{}, VariableError(in.sys.variables[i].Name + " has no derivatives; outputs and derivatives of states have")
}

// column returns the position of the derivatives by a known variable.
func (in derivatives) column(i int) (int, error) {
	if i < 0 || i >= len(in.sys.variables) {
		if _, is := in.sys.read(i); is {
			return 0, VariableError("nothing can be differentiated by " + in.sys.nameOf(i) + ", a coefficient of a tire; " +
				"inputs, states and other parameters can; take differences")
		}
		if _, is := in.sys.peak(i); is {
			return 0, VariableError("nothing can be differentiated by " + in.sys.nameOf(i) + "; inputs, states and " +
				"parameters can")
		}
		return 0, errVariable
	}
	v := &in.sys.variables[i]
	switch {
	case v.Kind == Input:
		return in.sys.inputPlace(v.source), nil
	case v.Kind == Time:
		return nowhere, nil
	case v.Kind == Parameter, v.Initial && !v.Follows && !in.initialised:
		return v.parameter, nil // nowhere for settings of the solver
	case v.State >= 0 && v.Kind != Rate && in.initialised:
		return in.sys.statePlace(v.State), nil
	}
	return 0, VariableError("nothing can be differentiated by " + v.Name + " now; inputs, states and parameters can")
}

// OutputRates writes the time derivatives of outputs, with the inputs changing as between communication points. Before
// Initialise it writes the derivatives at the start. Derivatives of discrete outputs are 0.
func (in *Instance) OutputRates(variables []int, result []float64) error {
	return derivatives{in}.outputRates(variables, result)
}

func (in derivatives) outputRates(variables []int, result []float64) error {
	if err := in.Prepare(); err != nil {
		return err
	}
	if err := in.refresh(); err != nil {
		return err
	}
	for _, i := range variables {
		if i < 0 || i >= len(in.sys.variables) {
			return errVariable
		}
		if v := &in.sys.variables[i]; v.Kind != Output && v.Kind != Ended {
			return VariableError(v.Name + " is not an output")
		}
	}
	s := in.sense()
	u := s.variables[in.sys.inputPlace(0):]
	copy(u, in.rate)
	for _, m := range in.sys.program.Motions {
		u[m.Position] += in.continued[m.Rate]
		if m.Acceleration >= 0 {
			u[m.Rate] += in.continued[m.Acceleration]
		}
	}
	copy(s.variables[in.sys.statePlace(0):], in.dx[:len(in.sys.program.States)])
	in.followGround(s.variables)
	for i := range in.sys.program.Uneven {
		ground := &in.sys.program.Uneven[i]
		u[ground.Height] += in.continued[ground.Rate]
	}
	in.machine.Tangent().At(in.point(), in.continued, s.variables, s.values)
	for k, i := range variables {
		result[k] = 0
		if v := &in.sys.variables[i]; !v.Discrete {
			result[k] = s.values[in.sys.outputPlace(v.source)]
		}
	}
	return nil
}
