package solver

func init() {
	rk4 := func(n int) Solver { return &dlmm{base: newRK4(n).(*rk4)} }
	euler := func(n int) Solver { return &dlmm{k: make([]float64, n)} }
	register(4, Method{Name: "dlmm", New: rk4, Order: 4, Evaluations: 4, Constraints: true, Drift: true,
		Limit: limitOfRK4, Handling: "multipliers, corrected in one step", Use: "vehicles with constraints"})
	register(5, Method{Name: "dlmm-euler", New: euler, Order: 1, Evaluations: 1, Constraints: true, Drift: true,
		Limit: 2, Handling: "the same, one stage"})
}

// dlmm is the dynamic Lagrange multiplier method (van Iwaarden 2003, section 3.2.3): velocities
// are corrected by C^T mu and forces by C^T lambda, so that
//
//	Phi' = -P/h,  Phi'' = -(C y)/h
//
// for a step h. P and C y are violations of the constraints. With multipliers "step" they are the violations at the
// beginning of the step, which one step then removes up to its own error. With multipliers "stage" they are the
// violations of each stage; RK4 then leaves 0.375 of them. base is the classical Runge-Kutta method of fourth order;
// nil means the explicit Euler method.
type dlmm struct {
	base  *rk4
	k     []float64 // of Euler
	stage bool
	under dlmmStep
}

// dlmmStep is the problem that a step of dlmm integrates.
type dlmmStep struct {
	Constrained
	h     float64
	stage bool
	r     []float64 // P/h, then (C y)/h
}

func (d *dlmmStep) violations(t float64, x []float64) {
	phi := d.Residuals(t, x)
	if cap(d.r) < len(phi) {
		d.r = make([]float64, len(phi)) // the first step only, which is made before time runs
	}
	d.r = d.r[:len(phi)]
	for i, v := range phi {
		d.r[i] = v / d.h
	}
	d.SetConstraintDemand(d.r[len(phi)/2:])
}

func (d *dlmmStep) Rates(t float64, x, dx []float64) {
	if d.stage {
		d.violations(t, x)
	}
	d.Constrained.Rates(t, x, dx)
	d.Drift(t, x, d.r[:len(d.r)/2], dx)
}

func (s *dlmm) Step(p Problem, t, h float64, x []float64) {
	s.under.Constrained, s.under.h, s.under.stage = p.(Constrained), h, s.stage
	s.under.violations(t, x)
	if s.base != nil {
		s.base.Step(&s.under, t, h, x)
	} else {
		s.under.Rates(t, x, s.k)
		for i := range x {
			x[i] += h * s.k[i]
		}
	}
	clear(s.under.r)
	s.under.SetConstraintDemand(s.under.r[len(s.under.r)/2:])
}

// SetStageMultipliers implements MultiplierMethod.
func (s *dlmm) SetStageMultipliers(on bool) { s.stage = on }
