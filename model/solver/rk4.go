package solver

func init() {
	register(2, Method{Name: "rk4", New: newRK4, Order: 4, Evaluations: 4, Limit: limitOfRK4, InC: true,
		Use: "smooth motion", Tableau: ofRK4})
}

// limitOfRK4 is where 1 - z + z^2/2 - z^3/6 + z^4/24 = 1 for z > 0, rounded down.
const limitOfRK4 = 2.78529

// rk4 is the classical Runge-Kutta method of fourth order.
type rk4 struct{ k1, k2, k3, k4, y []float64 }

func newRK4(n int) Solver {
	m := make([]float64, 5*n)
	return &rk4{m[:n], m[n : 2*n], m[2*n : 3*n], m[3*n : 4*n], m[4*n:]}
}

func (s *rk4) Step(p Problem, t, h float64, x []float64) {
	p.Rates(t, x, s.k1)
	for i := range x {
		s.y[i] = x[i] + h/2*s.k1[i]
	}
	p.Rates(t+h/2, s.y, s.k2)
	for i := range x {
		s.y[i] = x[i] + h/2*s.k2[i]
	}
	p.Rates(t+h/2, s.y, s.k3)
	for i := range x {
		s.y[i] = x[i] + h*s.k3[i]
	}
	p.Rates(t+h, s.y, s.k4)
	for i := range x {
		x[i] += h / 6 * (s.k1[i] + 2*s.k2[i] + 2*s.k3[i] + s.k4[i])
	}
}
