package cosim

import "math"

// terrainUse is the effect of a parameter on terrains.
type terrainUse uint8

const (
	noTerrain terrainUse = iota
	shapesTerrain
	seedsTerrain // of a rough road: integers, so there are no derivatives
)

// terrainUse determines the effect of a variable on terrains, by changing the variable a little.
func (in derivatives) terrainUse(at int) terrainUse {
	p := in.sys.program
	if len(p.Terrains) == 0 || at >= len(in.p) {
		return noTerrain
	}
	use, known := in.sensed.terrains[at]
	if known {
		return use
	}
	x, changed, present := in.p[at], make([]float64, len(in.constants)), make([]float64, len(in.constants))
	in.p[at] = x + differenceStep(x)
	in.machine.SetParameters(in.p)
	in.machine.Constants(changed)
	in.p[at] = x
	in.machine.SetParameters(in.p)
	in.machine.Constants(present) // in.constants can be those of a difference
	for _, t := range p.Terrains {
		for _, i := range [...]int{t.Height, t.SlopeX, t.SlopeY, t.FrictionLeft, t.FrictionRight} {
			if changed[i] != present[i] {
				use = shapesTerrain
			}
		}
		if changed[t.Seed] != present[t.Seed] {
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
	update := func() {
		in.machine.SetParameters(in.p)
		in.updateConstants()
		in.updateLocalPlanes(in.timeAfter(in.since), in.x)
	}
	var shaping []int
	for j, at := range in.sensed.columns { // before anything moves
		if at != nowhere && in.terrainUse(at) == shapesTerrain {
			shaping = append(shaping, j)
		}
	}
	for _, j := range shaping {
		at := in.sensed.columns[j]
		x, column := in.p[at], make([]float64, len(planes))
		h := differenceStep(x)
		for _, side := range [...]float64{1, -1} {
			in.p[at] = x + side*h
			update()
			for k, control := range planes {
				column[k] += side * in.continued[control] / (2 * h)
			}
		}
		in.p[at] = x
		for k, control := range planes {
			add(j, control, column[k])
		}
	}
	if len(shaping) > 0 {
		update()
	}
}

// differenceStep is the step of differences at a value of a variable.
func differenceStep(x float64) float64 { return max(1e-6*math.Abs(x), 1e-7) }

// carcassesAlong replaces the derivatives of the start states of carcasses along a seed of the knowns. The engine
// computes these states from the loads and slips at the start, so the derivatives are differences.
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

// carcassesAgainst adds the contributions of the start states of carcasses to an adjoint derivative, and removes them
// from the seed of the states.
func (in derivatives) carcassesAgainst(result []float64) error {
	s := &in.sensed
	err := in.carcassColumns(func(j, state int, derivative float64) { result[j] += s.states[state] * derivative })
	for _, at := range in.sys.carcassStates {
		s.states[at[0]], s.states[at[1]] = 0, 0
	}
	return err
}

// carcassColumns calls add with the derivative of every start state of a carcass by every known. The derivatives at a
// point are kept until the next point.
func (in derivatives) carcassColumns(add func(j, state int, derivative float64)) error {
	if len(in.sys.carcassStates) == 0 {
		return nil
	}
	states := in.sys.statesOfCarcasses()
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
