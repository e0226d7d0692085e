package solver

func init() {
	once := func(n int) Solver { return &projected{rk4: newRK4(n), iterations: 1} }
	often := func(n int) Solver { return &projected{rk4: newRK4(n), iterations: newtonIterations} }
	register(8, Method{Name: "post-stabilisation", New: once, Order: 4, Evaluations: 4, Constraints: true,
		Projection: true, Limit: limitOfRK4, Handling: "one Newton step after each step",
		Use: "comparison; keeps positions and speeds"})
	register(9, Method{Name: "coordinate-projection", New: often, Order: 4, Evaluations: 4, Constraints: true,
		Projection: true, Limit: limitOfRK4, Handling: "projection (four Newton steps) after each step",
		Use: "comparison; keeps positions and speeds"})
}

// projected makes a step of RK4 and then Newton iterations towards the nearest point that satisfies the constraints.
// One iteration is post-stabilisation, several are coordinate projection (van Iwaarden 2003, sections 3.4, 3.5).
type projected struct {
	rk4        Solver
	iterations int
	reached, w []float64
}

// newtonIterations is how many iterations coordinate projection makes, always.
const newtonIterations = 4

func (s *projected) Step(p Problem, t, h float64, x []float64) {
	c := p.(Constrained)
	if s.w == nil { // the first step only, which is made before time runs
		s.reached, s.w = make([]float64, len(x)), make([]float64, len(x))
	}
	s.rk4.Step(p, t, h, x)
	copy(s.reached, x)
	for range s.iterations {
		// x := z - F (h + H (z - x)), z the point that RK4 has reached
		for i := range x {
			s.w[i] = s.reached[i] - x[i]
		}
		c.Project(t+h, x, s.w)
		for i := range x {
			x[i] += s.w[i]
		}
	}
}
