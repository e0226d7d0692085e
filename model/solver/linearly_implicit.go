package solver

import "math"

func init() {
	register(3, Method{Name: "linearly-implicit", New: newLinearlyImplicit, Order: 2, Evaluations: 2, Implicit: true,
		InC: true, Handling: "one correction after each step", Use: "stiff springs, standstill, long steps"})
}

// Matrices are the names of the matrices that implicit methods can take in place of the Jacobian: the tangent stiffness
// and damping of loads with geometry held, or the derivative of the rates.
var Matrices = []string{"tangent", "exact"}

// linearlyImplicit is the two-stage Rosenbrock W-method ROS2 (Verwer, Spee, Blom,
// Hundsdorfer 1999):
//
//	W = I - gamma h J
//	W k1 = f(t, x)
//	W k2 = f(t + h, x + h k1) - 2 k1
//	x + h (3 k1 + k2)/2
//
// The method has second order for any matrix J, so that an inexact Jacobian costs stability but not accuracy. It is
// L-stable with the exact Jacobian for both gamma = 1 - 1/sqrt 2 and 1 + 1/sqrt 2; the first has the smaller error
// constant. Prescribed motions enter through the stage times.
//
// Each step has constant work: one linearisation, which contains the first evaluation, one factorisation, and one
// further evaluation.
type linearlyImplicit struct{ k1, k2, y []float64 }

var ros2Gamma = 1 - 1/math.Sqrt2

func newLinearlyImplicit(n int) Solver {
	return &linearlyImplicit{make([]float64, n), make([]float64, n), make([]float64, n)}
}

func (s *linearlyImplicit) Step(p Problem, t, h float64, x []float64) {
	p.Linearise(t, x, s.k1, ros2Gamma*h)
	for i := range x {
		s.y[i] = x[i] + h*s.k1[i]
	}
	p.Rates(t+h, s.y, s.k2)
	for i := range x {
		s.k2[i] -= 2 * s.k1[i]
	}
	p.Solve(s.k2)
	for i := range x {
		x[i] += h / 2 * (3*s.k1[i] + s.k2[i])
	}
	if c, is := p.(Corrected); is {
		c.Correct(t+h, ros2Gamma*h, x)
	}
}
