package cosim

// euler is the explicit Euler method: x + h f(t, x). First order.
type euler struct{ k []float64 }

func (s *euler) step(p problem, t, h float64, x []float64) {
	p.rates(t, x, s.k)
	for i := range x {
		x[i] += h * s.k[i]
	}
}
