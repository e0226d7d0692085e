package cosim

import (
	"errors"
	"fmt"
	"math"
)

// sensitivities holds vectors for derivatives, made when the first one is asked for: of variables,
// which are parameters, states and inputs behind each other, and of values, which are rates and
// outputs.
type sensitivities struct {
	variables, further []float64
	values             []float64
	states             []float64
	rows               []row
	columns            []int
	carcasses          map[int][]float64  // derivatives of the start states of carcasses by variables
	terrains           map[int]terrainUse // of parameters
	generation         int                // of the parameters for which both hold
}

// derivatives is an instance as derivatives at the point that it has reached see it.
type derivatives struct{ *Instance }

// sense clears the vectors. Inputs, local planes and states of tires are those of the present point
// since refresh.
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

// Places of variables and values in the vectors of derivatives; parameters come first.
func (s *System) statePlace(i int) int  { return len(s.program.Parameters) + i }
func (s *System) inputPlace(i int) int  { return s.statePlace(len(s.program.States)) + i }
func (s *System) ratePlace(i int) int   { return i }
func (s *System) outputPlace(i int) int { return len(s.program.States) + i }

// point is the state where derivatives are taken.
func (in derivatives) point() []float64 { return in.x[:len(in.sys.program.States)] }

// Directional writes, for every unknown variable, the sum over the known variables
// of its derivative by them times their seed. Unknowns are what the model computes.
// Knowns are inputs, states, parameters and time; before initialisation the start
// values count instead of the states. Tire functions with internal states
// contribute at constant values of these.
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
	return in.sound(result, func(i int) string { return in.sys.variables[unknowns[i]].Name })
}

// followGround lets the planes under tires follow a direction of the inputs: they rise with terrain_z. Their slopes
// and their friction count as constant.
func (in derivatives) followGround(direction []float64) {
	for i := range in.sys.program.Uneven {
		u := &in.sys.program.Uneven[i]
		direction[in.sys.inputPlace(u.Height)] += direction[in.sys.inputPlace(u.Above)]
	}
}

// Adjoint writes, for every known variable, the sum over the unknown variables of
// their seed times their derivative by it.
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
	for i := range in.sys.program.Uneven { // against followGround
		u := &in.sys.program.Uneven[i]
		s.variables[in.sys.inputPlace(u.Above)] += s.variables[in.sys.inputPlace(u.Height)]
	}
	if !in.initialised { // it reaches the variables through the initial state, too
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
	return in.sound(result, func(j int) string {
		return "what is differentiated by " +
			in.sys.variables[knowns[j]].Name
	})
}

// ErrNotDifferentiable is returned where a derivative has no finite value.
var ErrNotDifferentiable = errors.New("there is no finite derivative at this point")

// sound returns what is wrong with derivatives, whose names name gives.
func (in derivatives) sound(result []float64, name func(i int) string) error {
	if err := in.tires.fault(); err != nil {
		return err
	}
	for i, d := range result {
		if math.IsNaN(d) || math.IsInf(d, 0) {
			return fmt.Errorf("%w: that of %s is %v", ErrNotDifferentiable, name(i), d)
		}
	}
	return nil
}

// row is the place of an unknown: among the initial states, or among the values.
type row struct {
	start bool
	at    int
}

// differentiate makes everything ready for derivatives of unknown variables by known ones, whose
// rows and columns it finds.
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

// nowhere is the place of a variable that no equation mentions: of what is no parameter of the
// program, and of what changes at ends of runs alone.
const nowhere = -1

// row returns where the derivatives of a computed variable are.
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
	case Ended: // a number of a condition, and a time at which it became true
		return row{at: nowhere}, nil
	case State:
		if !in.initialised {
			return row{start: true, at: v.State}, nil
		}
	}
	return row{}, VariableError(in.sys.variables[i].Name + " has no derivatives; outputs and derivatives of states have")
}

// column returns where the derivatives by a known variable are.
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
	case v.Kind == Parameter, v.Initial && !in.initialised:
		return v.parameter, nil // nowhere for settings of the solver
	case v.State >= 0 && v.Kind != Rate && in.initialised:
		return in.sys.statePlace(v.State), nil
	}
	return 0, VariableError("nothing can be differentiated by " + v.Name + " now; inputs, states and parameters can")
}

// OutputRates writes the time derivatives of outputs, with the inputs changing as
// they do between communication points; before Initialise those of the start. Those of discrete ones are 0.
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
