package solver

func init() {
	register(10, Method{Name: "adams-bashforth", New: newAdamsBashforth, Order: 2, Evaluations: 1,
		Limit: 1, Use: "smooth motion at one evaluation per step"})
}

// adamsBashforth is the two-step Adams-Bashforth method for steps h of any length, with the rates at the beginning of
// the step before, whose length was h':
//
//	x + h ((1 + r/2) f(t, x) - r/2 f(t - h', x')),  r = h/h'
//
// Second order with one evaluation a step. It is stable for h |eigenvalue| < 1 on the negative real axis, half as far
// as Euler's and Heun's methods. The first step, and one after states have jumped, is one of Heun's method.
//
// Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section III.5.
type adamsBashforth struct {
	memory      []float64 // the rates, then the length of the step before, 0 for none
	now, ahead  []float64
	predictions []float64
}

func newAdamsBashforth(n int) Solver {
	return &adamsBashforth{make([]float64, n+1), make([]float64, n), make([]float64, n), make([]float64, n)}
}

func (s *adamsBashforth) Step(p Problem, t, h float64, x []float64) {
	last := len(s.memory) - 1
	before, length := s.memory[:last], s.memory[last]
	p.Rates(t, x, s.now)
	if length == 0 {
		for i := range x {
			s.predictions[i] = x[i] + h*s.now[i]
		}
		p.Rates(t+h, s.predictions, s.ahead)
		for i := range x {
			x[i] += h / 2 * (s.now[i] + s.ahead[i])
		}
	} else {
		half := h / length / 2
		for i := range x {
			x[i] += h * ((1+half)*s.now[i] - half*before[i])
		}
	}
	copy(before, s.now)
	s.memory[last] = h
}

// History implements Multistep.
func (s *adamsBashforth) History() []float64 { return s.memory }

// Forget implements Multistep.
func (s *adamsBashforth) Forget() { clear(s.memory) }
