package cosim

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
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

// terrainUse says what a parameter does to terrains.
type terrainUse uint8

const (
	noTerrain terrainUse = iota
	shapesTerrain
	seedsTerrain // of a rough road: integers, by which nothing can be differentiated
)

// terrainUse finds out what a variable does to terrains, by changing it a little.
func (in derivatives) terrainUse(at int) terrainUse {
	p := in.sys.program
	if len(p.Terrains) == 0 || at >= len(in.p) {
		return noTerrain
	}
	use, known := in.sensed.terrains[at]
	if known {
		return use
	}
	x, changed := in.p[at], make([]float64, len(in.constants))
	in.p[at] = x + differenceStep(x)
	in.machine.SetParameters(in.p)
	in.machine.Constants(changed)
	in.p[at] = x
	in.machine.SetParameters(in.p)
	for _, t := range p.Terrains {
		for _, i := range [...]int{t.Height, t.SlopeX, t.SlopeY, t.FrictionLeft, t.FrictionRight} {
			if changed[i] != in.constants[i] {
				use = shapesTerrain
			}
		}
		if changed[t.Seed] != in.constants[t.Seed] {
			use = seedsTerrain
			break
		}
	}
	in.sensed.terrains[at] = use
	return use
}

// terrainColumns calls add with the derivatives of what describes the planes under the tires by every known that is a
// parameter of their terrains. They are differences: the engine finds the planes.
func (in derivatives) terrainColumns(add func(j, control int, derivative float64)) {
	var planes []int
	for i := range in.sys.program.Uneven {
		plane := in.sys.program.Uneven[i].Plane()
		planes = append(planes, plane[:]...)
	}
	if len(planes) == 0 {
		return
	}
	place := func() {
		in.machine.SetParameters(in.p)
		in.updateConstants()
		in.updateLocalPlanes(in.timeAfter(in.since), in.x)
	}
	moved := false
	for j, at := range in.sensed.columns {
		if at == nowhere || in.terrainUse(at) != shapesTerrain {
			continue
		}
		x, column := in.p[at], make([]float64, len(planes))
		h := differenceStep(x)
		for _, side := range [...]float64{1, -1} {
			in.p[at] = x + side*h
			place()
			for k, control := range planes {
				column[k] += side * in.continued[control] / (2 * h)
			}
		}
		in.p[at], moved = x, true
		for k, control := range planes {
			add(j, control, column[k])
		}
	}
	if moved {
		place()
	}
}

// differenceStep is the step of differences at a value of a variable.
func differenceStep(x float64) float64 { return max(1e-6*math.Abs(x), 1e-7) }

// carcassesAlong replaces the derivatives of the start states of carcasses along a seed of the knowns: they follow from
// the loads and slips at the start by a function of the engine, of which differences are taken.
func (in derivatives) carcassesAlong(seed []float64) error {
	s := &in.sensed
	for _, at := range in.sys.carcassStates {
		s.states[at[0]], s.states[at[1]] = 0, 0
	}
	return in.carcassColumns(func(j, state int, derivative float64) {
		if seed[j] != 0 {
			s.states[state] += seed[j] * derivative
		}
	})
}

// carcassesAgainst adds what the start states of carcasses contribute to an adjoint derivative, and takes them out of
// the seed of the states.
func (in derivatives) carcassesAgainst(result []float64) error {
	s := &in.sensed
	err := in.carcassColumns(func(j, state int, derivative float64) { result[j] += s.states[state] * derivative })
	for _, at := range in.sys.carcassStates {
		s.states[at[0]], s.states[at[1]] = 0, 0
	}
	return err
}

// carcassColumns calls add with the derivative of every start state of a carcass by every known. What is known of a
// point is kept until the next one.
func (in derivatives) carcassColumns(add func(j, state int, derivative float64)) error {
	if len(in.sys.carcassStates) == 0 {
		return nil
	}
	var states []int
	for _, i := range slices.Sorted(maps.Keys(in.sys.carcassStates)) {
		at := in.sys.carcassStates[i]
		states = append(states, at[0], at[1])
	}
	s := &in.sensed
	moved := false
	for j, at := range s.columns {
		if at == nowhere || in.terrainUse(at) == seedsTerrain {
			continue
		}
		column := s.carcasses[at]
		if column == nil {
			column, moved = in.carcassColumn(at, states), true
			s.carcasses[at] = column
		}
		for k, state := range states {
			add(j, state, column[k])
		}
	}
	if moved {
		in.prepare()
	}
	s.generation = in.generation
	return in.refresh()
}

// carcassColumn returns the derivatives of states by a variable, and leaves states of another point.
func (in derivatives) carcassColumn(at int, states []int) []float64 {
	variable, column := in.startVariable(at), make([]float64, len(states))
	x := *variable
	h := differenceStep(x)
	for _, side := range [...]float64{1, -1} {
		*variable = x + side*h
		in.prepare()
		for k, state := range states {
			column[k] += side * in.x[state] / (2 * h)
		}
	}
	*variable = x
	return column
}

// startVariable is a parameter or an input by its place in the vectors of derivatives, before initialisation.
func (in derivatives) startVariable(at int) *float64 {
	if at < len(in.p) {
		return &in.p[at]
	}
	return &in.u[at-in.sys.inputPlace(0)]
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
	if in.IsCoefficient(i) {
		return 0, VariableError("nothing can be differentiated by " + in.sys.nameOf(i) + ", a coefficient of a tire; " +
			"inputs, states and other parameters can; take differences")
	}
	if i < 0 || i >= len(in.sys.variables) {
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
