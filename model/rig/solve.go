package rig

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/kc"
	"skidpad/model/search"
)

// Limits of the search for a state.
const (
	within    = 1e-9     // change of the unknowns after which the search ends; it falls with the square of the one before
	accepted  = 1e-4     // largest load that may remain [N, N m]
	mostSteps = 20       // of the search before the way to a state is halved
	leastPart = 1.0 / 64 // of the way to a state
)

// statics are the equations of one state: balances of the free coordinates, gaps of constraints, heights of wheels.
type statics struct {
	*Rig
	given Given
}

func (s *statics) sizes() (unknowns int) {
	n := len(s.coordinates) + len(s.constraints)
	if !s.given.ByPads {
		n += 2
	}
	return n
}

// inDesign are the unknowns in the design position, without forces.
func (s *statics) inDesign() []float64 {
	x := make([]float64, s.sizes())
	for i, k := range s.coordinates {
		x[i] = s.design[s.equations.Coordinates[k].Input]
	}
	return x
}

// put sets what is given, and the unknowns.
func (s *statics) put(x []float64) {
	e := s.equations
	for i, k := range s.coordinates {
		s.u[e.Coordinates[k].Input] = x[i]
	}
	x = x[len(s.coordinates):]
	for i, k := range s.constraints {
		s.u[e.Constraints[k].Input] = scale * x[i]
	}
	x = x[len(s.constraints):]
	for side := range 2 {
		w := &e.Wheels[side]
		if s.given.ByPads {
			s.u[w.Pad] = s.given.Pads[side]
		} else {
			s.u[w.Pad] = scale * x[side]
		}
		l := &s.given.Loads[side]
		for i := range 3 {
			s.u[w.Contact+i], s.u[w.AtCentre+i], s.u[w.Moment+i] = l.Contact[i], l.Centre[i], l.Moment[i]
		}
	}
	if s.rack >= 0 && (s.rackRow < 0 || s.options.Rack == RackHeld) {
		s.u[s.rack] = s.place + s.given.Rack
	}
}

// Evaluate implements search.Equations.
func (s *statics) Evaluate(x, f []float64) {
	s.put(x)
	s.evaluate()
	e := s.equations
	for i, k := range s.coordinates {
		c := &e.Coordinates[k]
		f[i] = s.y[c.Balance]
		if c.Balance == s.rackRow && s.options.Rack == RackElastic {
			f[i] -= s.options.Rate * (s.u[s.rack] - s.place - s.given.Rack)
		}
	}
	f = f[len(s.coordinates):]
	for i, k := range s.constraints {
		f[i] = scale * s.y[e.Constraints[k].Gap]
	}
	f = f[len(s.constraints):]
	for side := range f {
		f[side] = scale * (s.y[e.Wheels[side].Centre+2] - s.height[side] - s.given.Travel[side])
	}
}

// rows are the outputs of the equations, with their factors.
func (s *statics) rows() (outputs []int, factors []float64) {
	e := s.equations
	add := func(output int, factor float64) { outputs, factors = append(outputs, output), append(factors, factor) }
	for _, k := range s.coordinates {
		add(e.Coordinates[k].Balance, 1)
	}
	for _, k := range s.constraints {
		add(e.Constraints[k].Gap, scale)
	}
	if !s.given.ByPads {
		for side := range 2 {
			add(e.Wheels[side].Centre+2, scale)
		}
	}
	return outputs, factors
}

// columns are the inputs of the unknowns, with their factors.
func (s *statics) columns() (inputs []int, factors []float64) {
	e := s.equations
	add := func(input int, factor float64) { inputs, factors = append(inputs, input), append(factors, factor) }
	for _, k := range s.coordinates {
		add(e.Coordinates[k].Input, 1)
	}
	for _, k := range s.constraints {
		add(e.Constraints[k].Input, scale)
	}
	if !s.given.ByPads {
		for side := range 2 {
			add(e.Wheels[side].Pad, scale)
		}
	}
	return inputs, factors
}

// Differentiate implements search.Equations.
func (s *statics) Differentiate(_ []float64, j *mat.Dense) {
	s.derivatives.Renew(nil, s.u, s.j)
	outputs, high := s.rows()
	inputs, wide := s.columns()
	for i, of := range outputs {
		for k, by := range inputs {
			j.Set(i, k, high[i]*wide[k]*s.j[of*len(s.u)+by])
		}
	}
	for i, of := range outputs {
		if of == s.rackRow && s.options.Rack == RackElastic {
			for k, by := range inputs {
				if by == s.rack {
					j.Set(i, k, j.At(i, k)-s.options.Rate)
				}
			}
		}
	}
}

// Solve finds the state under what is given. It goes there from another state in steps that are halved where needed,
// nil for the design position.
func (r *Rig) Solve(to Given, from *State) (*State, error) {
	s := &statics{Rig: r, given: to}
	x := s.inDesign()
	var begin Given
	if from == nil {
		if err := r.examine(); err != nil {
			return nil, err
		}
	} else {
		begin = from.Given
		copy(x, from.x)
		if begin.ByPads != to.ByPads {
			begin.Travel, begin.Pads = from.Travel, from.pads()
		}
	}
	steps := 0
	at := func(share float64) error {
		s.given = begin.between(to, share)
		result, err := (&search.Search{Of: s, Equations: len(x), Steps: mostSteps, Natural: true, Within: within}).Run(x)
		steps += result.Steps
		if err == nil && !(result.Largest <= accepted) {
			err = fmt.Errorf("%s", s.worst(result))
		}
		return err
	}
	if reached, err := search.Continue(1, leastPart, at, x); err != nil {
		return nil, fmt.Errorf("axle %d of model %s finds no rest at %s: it got %.0f %% of the way from %s; there %w",
			r.options.Axle, r.Model.Name, to, 100*reached, begin, err)
	}
	return r.state(s, x, steps), nil
}

// worst describes the equation that is violated most.
func (s *statics) worst(r search.Result) string {
	i := r.Worst
	if i < len(s.coordinates) {
		return fmt.Sprintf("the load on %s is out of balance by %.3g", s.equations.Coordinates[s.coordinates[i]].Name,
			r.Largest)
	}
	if i -= len(s.coordinates); i < len(s.constraints) {
		return fmt.Sprintf("%s cannot close: it misses by %.3g", s.equations.Constraints[s.constraints[i]].Name,
			r.Largest/scale)
	}
	return fmt.Sprintf("the %s wheel does not reach its height: it misses by %.3g m",
		Sides[i-len(s.constraints)], r.Largest/scale)
}

// state reads a solution.
func (r *Rig) state(s *statics, x []float64, steps int) *State {
	s.put(x)
	s.evaluate()
	state := &State{Given: s.given, Steps: steps, x: slices.Clone(x)}
	for side := range 2 {
		state.Pads[side] = kc.Of(r.u[r.equations.Wheels[side].Pad])
		state.Travel[side] = r.y[r.equations.Wheels[side].Centre+2] - r.height[side]
	}
	if r.rack >= 0 {
		state.Rack = r.u[r.rack] - r.place
	}
	r.read(state, func(output int) kc.Number { return kc.Of(r.y[output]) })
	return state
}

// read reads what follows from outputs.
func (r *Rig) read(state *State, output func(i int) kc.Number) {
	e := r.equations
	vector := func(first, side int) kc.Vector {
		return kc.Vector{output(first), output(first + 1).Scaled(sign(side)), output(first + 2)}
	}
	ground := kc.Of(0)
	for side := range 2 {
		w := &e.Wheels[side]
		spin := vector(w.Spin, side)
		if spin[1].V < 0 {
			spin = spin.Scaled(-1)
		}
		wheel := &state.Wheels[side]
		*wheel = kc.Wheel{Centre: vector(w.Centre, side), Spin: spin, Radius: r.radius[side]}
		ground = ground.Plus(wheel.Contact()[2].Scaled(0.5))
		state.balls[side] = nil
		for _, first := range w.Balls {
			state.balls[side] = append(state.balls[side], vector(first, side))
		}
	}
	state.massHeight = output(e.Mass + 3).By(output(e.Mass)).Minus(ground)
	if state.wheelbase = kc.Of(r.roles.Wheelbase); r.roles.Wheelbase == 0 {
		first, last := e.Rolling[0], e.Rolling[len(e.Rolling)-1]
		state.wheelbase = output(first).Minus(output(last))
	}
	state.RackForce = kc.Of(math.NaN())
	if r.rackRow >= 0 {
		state.RackForce = output(r.rackRow).Negative()
	}
	state.slope = kc.Of(math.NaN())
	if r.slope >= 0 {
		state.slope = output(r.slope)
	}
	for side := range 2 {
		for axis := range 3 {
			state.carrier[side][axis] = vector(e.Wheels[side].Carrier+3*axis, side)
		}
	}
	state.Values = nil
	for i := range r.springs {
		state.Values = append(state.Values, output(r.springs[i].output))
	}
}

// towards is a place to search from: a share of the way to another state with the same unknowns.
func (s *State) towards(other *State, share float64) *State {
	between := &State{Given: s.Given.between(other.Given, share), x: slices.Clone(s.x)}
	for i, x := range other.x {
		between.x[i] += share * (x - s.x[i])
	}
	return between
}

// pads are the forces of the pads.
func (s *State) pads() [2]float64 { return [2]float64{s.Pads[Left].V, s.Pads[Right].V} }

// String describes what is given.
func (g Given) String() string {
	var list []string
	if g.ByPads {
		list = append(list, fmt.Sprintf("pads with %.4g and %.4g N", g.Pads[Left], g.Pads[Right]))
	} else {
		list = append(list, fmt.Sprintf("travel %.4g and %.4g mm", 1e3*g.Travel[Left], 1e3*g.Travel[Right]))
	}
	if g.Rack != 0 {
		list = append(list, fmt.Sprintf("rack %.4g", g.Rack))
	}
	for side, l := range g.Loads {
		if l != (Load{}) {
			list = append(list, fmt.Sprintf("loads %.4g at the %s contact, %.4g at its centre, moments %.4g", l.Contact,
				Sides[side], l.Centre, l.Moment))
		}
	}
	return strings.Join(list, ", ")
}
