package solver

func init() {
	ode := func(n int) Solver { return &stabilisedODE{rk4: newRK4(n)} }
	register(7, Method{Name: "stabilised-ode", New: ode, Order: 4, Evaluations: 4, Constraints: true, Projection: true,
		Limit: limitOfRK4, Handling: "invariants, decaying at 10 1/s", Use: "comparison"})
}

// stabilisedODE integrates z' = f(z) - gamma F(z) h(z) (van Iwaarden 2003, section 3.3).
type stabilisedODE struct {
	rk4   Solver
	under stabilised
}

// stabilisation is gamma [1/s].
const stabilisation = 10

type stabilised struct {
	Constrained
	moved, nothing []float64
}

func (s *stabilised) Rates(t float64, x, dx []float64) {
	s.Constrained.Rates(t, x, dx)
	copy(s.moved, x)
	s.Project(t, s.moved, s.nothing)
	for i := range dx {
		dx[i] += stabilisation * (s.moved[i] - x[i])
	}
}

func (s *stabilisedODE) Step(p Problem, t, h float64, x []float64) {
	if s.under.moved == nil { // the first step only, which is made before time runs
		s.under.moved, s.under.nothing = make([]float64, len(x)), make([]float64, len(x))
	}
	s.under.Constrained = p.(Constrained)
	s.rk4.Step(&s.under, t, h, x)
}
