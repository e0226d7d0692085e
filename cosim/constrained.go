package cosim

import (
	"math"

	"skidpad/model/program"
)

// stabilise sets the controls that stabilise constraints: after Baumgarte, unless the solver stabilises them itself and
// the states are not integrated externally. They are the first controls of the constraints, in front of the demands.
func (in *Instance) stabilise() {
	if in.sides.demands == 0 {
		return
	}
	at := in.sides.demands - 2
	p := in.sys.program
	in.u[at], in.u[at+1] = p.Inputs[at].Start, p.Inputs[at+1].Start
	if in.method.Constraints && !in.externallyIntegrated {
		in.u[at], in.u[at+1] = 0, 0
	}
}

// sides are computations beside the rates, where the model or the solver needs them.
type sides struct {
	residual, drift, projection, wheels, poses *program.Side

	demands int // index of the first demand among the inputs; 0 where there are no constraints
	phi     []float64
	change  []float64 // of the states, by a correction
}

// findSides prepares the computations that the solver needs, after it was made.
func (in *Instance) findSides() {
	p := in.sys.program
	phi, change := in.sides.phi, in.sides.change
	if p.Constraints > 0 && phi == nil {
		phi, change = make([]float64, 2*p.Constraints), make([]float64, len(p.States))
	}
	in.sides = sides{phi: phi, change: change}
	if p.Constraints > 0 {
		in.sides.residual = in.machine.Side(program.Residuals)
		in.sides.demands = p.Demands
	}
	if in.method.Drift {
		in.sides.drift = in.machine.Side(program.Drift)
	}
	if in.method.Projection {
		in.sides.projection = in.machine.Side(program.Projection)
	}
	if len(p.Uneven) > 0 {
		in.sides.wheels = in.machine.Side(program.Wheels)
	}
	if len(in.tires.receivers) > 0 {
		in.sides.poses = in.machine.Side(program.Poses)
	}
}

func (in problem) Residuals(since float64, x []float64) []float64 {
	s := &in.sides
	if s.residual != nil {
		in.inputsAt(since)
		s.residual.Evaluate(x[:len(in.sys.program.States)], in.continued, nil)
		for i := range s.phi {
			s.phi[i] = s.residual.Value(i)
		}
	}
	return s.phi
}

// Correct implements solver.Corrected.
func (in problem) Correct(since, c float64, x []float64) {
	if !in.corrects() {
		return
	}
	by, k := in.Residuals(since, x), in.sides.change
	m, p := len(by)/2, in.sys.program.Speeds
	for i := range m {
		by[i], by[m+i] = -by[i]/c, -by[m+i]
	}
	if in.linearisation.Correct(by[:m], k); singular(by[:m], k[:p], 0, 1) {
		return
	}
	for i := p; i < 2*p; i++ {
		x[i] += k[i]
	}
	if in.linearisation.Correct(by[m:], k); singular(by[m:], k[:p], 0, 1) {
		return
	}
	for i := range p {
		x[i] += k[i]
	}
}

// singular reports whether changes of speeds are out of proportion to the velocities of constraints that they correct,
// as in a singular configuration, where a correction would stop the motion. It looks at one lane.
func singular(by, changes []float64, lane, lanes int) bool {
	const most = 1e5
	cause, change := 0.0, 0.0
	for i := lane; i < len(by); i += lanes {
		if v := math.Abs(by[i]); v > cause {
			cause = v
		}
	}
	for i := lane; i < len(changes); i += lanes {
		if v := math.Abs(changes[i]); v > change {
			change = v
		}
	}
	return change > most*cause
}

// corrects reports whether the solver corrects constraints after each step.
func (in *Instance) corrects() bool { return in.linearisation != nil && in.linearisation.Corrects() }

func (in problem) SetConstraintDemand(a []float64) { copy(in.u[in.sides.demands:], a) }

func (in problem) Drift(since float64, x, r, dx []float64) {
	in.inputsAt(since)
	s, speeds := in.sides.drift, in.sys.program.Speeds
	s.Evaluate(x[:len(in.sys.program.States)], in.continued, r)
	for i := range s.Len() {
		dx[speeds+i] += s.Value(i)
	}
}

func (in problem) Project(since float64, x, w []float64) {
	in.inputsAt(since)
	s := in.sides.projection
	s.Evaluate(x[:len(in.sys.program.States)], in.continued, w)
	for i := range s.Len() {
		x[i] -= s.Value(i)
	}
}

// Violation returns the largest violation of a constraint, in its unit, and the largest rate of
// one.
func (in *Instance) Violation() (position, rate float64) {
	phi := problem{in}.Residuals(in.since, in.x)
	for i, v := range phi {
		if v < 0 {
			v = -v
		}
		if i < len(phi)/2 {
			position = max(position, v)
		} else {
			rate = max(rate, v)
		}
	}
	return position, rate
}
