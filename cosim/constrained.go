package cosim

import "skidpad/model/program"

// constrained is a problem with constraints Phi(q) = 0 between its states
// (partial-vehicle specification, sections 3 and 4).
type constrained interface {
	problem
	// residuals evaluates Phi and Phi' at a state: violation and rate of each constraint.
	residuals(t float64, x []float64) (phi []float64)
	// setConstraintDemand asks the rates for Phi'' = -a instead of 0.
	setConstraintDemand(a []float64)
	// drift adds to dx what makes Phi' = -r.
	drift(t float64, x, r, dx []float64)
	// project subtracts F (h + H w), h = (Phi, Phi'), from x: with w = 0 a step towards h = 0,
	// with w = z - x one towards the point with h = 0 that is nearest to z.
	project(t float64, x, w []float64)
}

// dlmm is the dynamic Lagrange multiplier method (van Iwaarden 2003, section 3.2.3): velocities
// are corrected by C^T mu and forces by C^T lambda, so that
//
//	Phi' = -P/h,  Phi'' = -(C y)/h
//
// for a step h. P and C y are the violations at the beginning of the step, which one step then
// removes up to its own error (multipliers "step"), or those of each stage (multipliers
// "stage"), of which RK4 leaves 0.375. With base the classical Runge-Kutta method of fourth
// order, else the explicit Euler method.
type dlmm struct {
	base  *rk4
	k     []float64 // of Euler
	stage bool
	under dlmmStep
}

// dlmmStep is the problem that a step of dlmm integrates.
type dlmmStep struct {
	constrained
	h     float64
	stage bool
	r     []float64 // P/h, then (C y)/h
}

func (d *dlmmStep) violations(t float64, x []float64) {
	phi := d.residuals(t, x)
	if cap(d.r) < len(phi) {
		d.r = make([]float64, len(phi)) // the first step only, which is made before time runs
	}
	d.r = d.r[:len(phi)]
	for i, v := range phi {
		d.r[i] = v / d.h
	}
	d.setConstraintDemand(d.r[len(phi)/2:])
}

func (d *dlmmStep) rates(t float64, x, dx []float64) {
	if d.stage {
		d.violations(t, x)
	}
	d.constrained.rates(t, x, dx)
	d.drift(t, x, d.r[:len(d.r)/2], dx)
}

func (s *dlmm) step(p problem, t, h float64, x []float64) {
	s.under.constrained, s.under.h, s.under.stage = p.(constrained), h, s.stage
	s.under.violations(t, x)
	if s.base != nil {
		s.base.step(&s.under, t, h, x)
	} else {
		s.under.rates(t, x, s.k)
		for i := range x {
			x[i] += h * s.k[i]
		}
	}
	clear(s.under.r)
	s.under.setConstraintDemand(s.under.r[len(s.under.r)/2:])
}

// clmm is the classical Lagrange multiplier method: the constraints hold for accelerations, and
// violations grow.
type clmm struct{ solver }

// stabilisedODE integrates z' = f(z) - gamma F(z) h(z) (van Iwaarden 2003, section 3.3).
type stabilisedODE struct {
	rk4   solver
	under stabilised
}

// stabilisation is gamma [1/s].
const stabilisation = 10

type stabilised struct {
	constrained
	moved, nothing []float64
}

func (s *stabilised) rates(t float64, x, dx []float64) {
	s.constrained.rates(t, x, dx)
	copy(s.moved, x)
	s.project(t, s.moved, s.nothing)
	for i := range dx {
		dx[i] += stabilisation * (s.moved[i] - x[i])
	}
}

func (s *stabilisedODE) step(p problem, t, h float64, x []float64) {
	if s.under.moved == nil { // the first step only, which is made before time runs
		s.under.moved, s.under.nothing = make([]float64, len(x)), make([]float64, len(x))
	}
	s.under.constrained = p.(constrained)
	s.rk4.step(&s.under, t, h, x)
}

// projected makes a step of RK4 and then Newton iterations towards the nearest point at which
// the constraints hold: one is post-stabilisation, several are coordinate projection
// (van Iwaarden 2003, sections 3.4, 3.5).
type projected struct {
	rk4        solver
	iterations int
	reached, w []float64
}

// newtonIterations is how many iterations coordinate projection makes, always.
const newtonIterations = 4

func (s *projected) step(p problem, t, h float64, x []float64) {
	c := p.(constrained)
	if s.w == nil { // the first step only, which is made before time runs
		s.reached, s.w = make([]float64, len(x)), make([]float64, len(x))
	}
	s.rk4.step(p, t, h, x)
	copy(s.reached, x)
	for range s.iterations {
		// x := z - F (h + H (z - x)), z the point that RK4 has reached
		for i := range x {
			s.w[i] = s.reached[i] - x[i]
		}
		c.project(t+h, x, s.w)
		for i := range x {
			x[i] += s.w[i]
		}
	}
}

// These solvers handle constraints themselves.
func (*dlmm) constrained()          {}
func (*clmm) constrained()          {}
func (*stabilisedODE) constrained() {}
func (*projected) constrained()     {}

// stabilise sets the controls by which constraints are stabilised: after Baumgarte, unless the
// solver does it itself and no one else integrates the states. They are the first controls of
// the constraints, in front of the demands.
func (in *Instance) stabilise() {
	if in.sides.demands == 0 {
		return
	}
	at := in.sides.demands - 2
	p := in.sys.program
	in.u[at], in.u[at+1] = p.Inputs[at].Start, p.Inputs[at+1].Start
	if _, itself := in.solver.(interface{ constrained() }); itself && !in.externallyIntegrated {
		in.u[at], in.u[at+1] = 0, 0
	}
}

// sides are computations beside the rates, where the model or the solver needs them.
type sides struct {
	residual, drift, projection, wheels, poses *program.Side

	demands int // index of the first demand among the inputs; 0 where there are no constraints
	phi     []float64
}

// findSides prepares the computations that the solver needs, after it was made.
func (in *Instance) findSides() {
	p := in.sys.program
	in.sides = sides{phi: make([]float64, 2*p.Constraints)}
	if p.Constraints > 0 {
		in.sides.residual = in.machine.Side(program.Residuals)
		in.sides.demands = p.Demands
	}
	switch in.solver.(type) {
	case *dlmm:
		in.sides.drift = in.machine.Side(program.Drift)
	case *stabilisedODE, *projected:
		in.sides.projection = in.machine.Side(program.Projection)
	}
	if len(p.Uneven) > 0 {
		in.sides.wheels = in.machine.Side(program.Wheels)
	}
	if len(in.tires.placed) > 0 {
		in.sides.poses = in.machine.Side(program.Poses)
	}
}

func (in *Instance) residuals(since float64, x []float64) []float64 {
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

func (in *Instance) setConstraintDemand(a []float64) { copy(in.u[in.sides.demands:], a) }

func (in *Instance) drift(since float64, x, r, dx []float64) {
	in.inputsAt(since)
	s, speeds := in.sides.drift, in.sys.program.Speeds
	s.Evaluate(x[:len(in.sys.program.States)], in.continued, r)
	for i := range s.Len() {
		dx[speeds+i] += s.Value(i)
	}
}

func (in *Instance) project(since float64, x, w []float64) {
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
	phi := in.residuals(in.since, in.x)
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
