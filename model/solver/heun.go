package solver

func init() {
	register(1, Method{Name: "heun", New: newHeun, Order: 2, Evaluations: 2, Limit: 2, InC: true, Tableau: ofHeun})
}

// heun is the explicit trapezoidal method, second order:
//
//	k1 = f(t, x), k2 = f(t + h, x + h k1), x + h (k1 + k2)/2.
type heun struct{ k1, k2, y []float64 }

func newHeun(n int) Solver {
	return &heun{make([]float64, n), make([]float64, n), make([]float64, n)}
}

func (s *heun) Step(p Problem, t, h float64, x []float64) {
	p.Rates(t, x, s.k1)
	for i := range x {
		s.y[i] = x[i] + h*s.k1[i]
	}
	p.Rates(t+h, s.y, s.k2)
	for i := range x {
		x[i] += h / 2 * (s.k1[i] + s.k2[i])
	}
}
