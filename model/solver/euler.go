package solver

func init() {
	register(0, Method{Name: "euler", New: func(n int) Solver { return &euler{make([]float64, n)} }, Limit: 2})
}

// euler is the explicit Euler method: x + h f(t, x). First order.
type euler struct{ k []float64 }

func (s *euler) Step(p Problem, t, h float64, x []float64) {
	p.Rates(t, x, s.k)
	for i := range x {
		x[i] += h * s.k[i]
	}
}
