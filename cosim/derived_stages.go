package cosim

import "skidpad/model/solver"

// stage is a point at which a solver step evaluates the rates.
type stage struct {
	since  float64   // time since the inputs were set [s]
	x      []float64 // states of the program
	inputs []float64 // at that time, with the controls of the engine
}

// stages stand in the place of the solver of an instance, and hold the points of its latest step. They are the problem
// that the solver sees.
type stages struct {
	solver.Problem // of the instance
	in             *Instance
	inner          solver.Solver
	of             []stage
	used           int
	made           func(h float64) // after each step
}

// take takes the place of the solver.
func (s *stages) take(in *Instance, made func(h float64)) {
	s.in, s.inner, s.made = in, in.solver, made
	s.of = make([]stage, len(in.method.Tableau.B))
	for i := range s.of {
		s.of[i] = stage{x: make([]float64, len(in.sys.program.States)), inputs: make([]float64, len(in.u))}
	}
	in.solver = s
	in.forgetPlan()
}

// carriesDerivatives reports whether the steps of an instance carry derivatives.
func (in *Instance) carriesDerivatives() bool {
	_, is := in.solver.(*stages)
	return is
}

// release puts the solver back.
func (s *stages) release() {
	if s.in != nil && s.in.solver == solver.Solver(s) {
		s.in.solver = s.inner
		s.in.forgetPlan()
	}
}

// Step implements solver.Solver.
func (s *stages) Step(p solver.Problem, t, h float64, x []float64) {
	s.Problem, s.used = p, 0
	s.inner.Step(s, t, h, x)
	s.made(h)
}

// Rates implements solver.Problem.
func (s *stages) Rates(since float64, x, dx []float64) {
	s.in.known = false // the inputs of the stage are needed, too
	s.Problem.Rates(since, x, dx)
	to := &s.of[s.used]
	s.used++
	to.since = since
	copy(to.x, x)
	copy(to.inputs, s.in.continued)
}

// continuation maps a direction of the inputs to their values after dt [s], as inputsAt does, and extends it to the
// planes under tires.
func (in *Instance) continuation(dt float64, u, to []float64) {
	copy(to, u)
	for _, m := range in.sys.program.Motions {
		to[m.Position] += dt * u[m.Rate]
		if m.Acceleration >= 0 {
			to[m.Position] += dt * dt / 2 * u[m.Acceleration]
			to[m.Rate] += dt * u[m.Acceleration]
		}
	}
	for i := range in.sys.program.Uneven {
		ground := &in.sys.program.Uneven[i]
		to[ground.Height] += u[ground.Above]
	}
}

// continuationBack adds the transpose of continuation.
func (in *Instance) continuationBack(dt float64, from, u []float64) {
	for i := range u {
		u[i] += from[i]
	}
	for _, m := range in.sys.program.Motions {
		u[m.Rate] += dt * from[m.Position]
		if m.Acceleration >= 0 {
			u[m.Acceleration] += dt*dt/2*from[m.Position] + dt*from[m.Rate]
		}
	}
	for i := range in.sys.program.Uneven {
		ground := &in.sys.program.Uneven[i]
		u[ground.Above] += from[ground.Height]
	}
}
