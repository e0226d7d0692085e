package solver

func init() {
	made := func(n int) Solver { return &euler{make([]float64, n)} }
	register(0, Method{Name: "euler", New: made, Order: 1, Evaluations: 1, Limit: 2,
		Use: "the cheapest step", InC: true, Amplifies: true, Tableau: ofEuler})
}

// euler is the explicit Euler method: x + h f(t, x). First order.
type euler struct{ k []float64 }

func (s *euler) Step(p Problem, t, h float64, x []float64) {
	p.Rates(t, x, s.k)
	for i := range x {
		x[i] += h * s.k[i]
	}
}
