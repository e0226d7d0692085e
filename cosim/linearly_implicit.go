package cosim

import "math"

// linearlyImplicit is the two-stage Rosenbrock W-method ROS2 (Verwer, Spee, Blom,
// Hundsdorfer 1999):
//
//	W = I - gamma h J
//	W k1 = f(t, x)
//	W k2 = f(t + h, x + h k1) - 2 k1
//	x + h (3 k1 + k2)/2
//
// Second order whatever the matrix J is, so that a Jacobian which misses
// something costs stability but not accuracy; L-stable with the exact Jacobian
// for both gamma = 1 - 1/sqrt 2 and 1 + 1/sqrt 2, of which the first has the
// smaller error constant.
// Prescribed motions enter through the stage times.
//
// Work is constant: one Jacobian, one factorisation, two evaluations a step.
// States that no rate depends on (position, heading, wheel angles) have an empty
// column in J and are taken out of the factorisation.
type linearlyImplicit struct {
	n              int
	k1, k2, y, jac []float64
	lu             []float64 // of the coupled states
	pivot          []int
	coupled        []int // states with a column in J
	free           []int // states without
	known          bool  // the pattern has been read
	right          []float64
}

var ros2Gamma = 1 - 1/math.Sqrt2

func newLinearlyImplicit(n int) solver {
	return &linearlyImplicit{
		n: n, k1: make([]float64, n), k2: make([]float64, n), y: make([]float64, n), jac: make([]float64, n*n),
		lu: make([]float64, n*n), pivot: make([]int, n), coupled: make([]int, 0, n), free: make([]int, 0, n), right: make([]float64, n),
	}
}

// structured is a problem that knows which entries of its Jacobian can be non-zero.
type structured interface{ pattern() []bool }

// order splits the states by the Jacobian's pattern, once.
func (s *linearlyImplicit) order(p problem) {
	if s.known {
		return
	}
	s.known = true
	var pattern []bool
	if q, ok := p.(structured); ok {
		pattern = q.pattern()
	}
	for j := range s.n {
		used := pattern == nil
		for i := 0; i < s.n && !used; i++ {
			used = pattern[i*s.n+j]
		}
		if used {
			s.coupled = append(s.coupled, j)
		} else {
			s.free = append(s.free, j)
		}
	}
}

func (s *linearlyImplicit) step(p problem, t, h float64, x []float64) {
	s.order(p)
	p.jacobian(t, x, s.jac)
	s.factorise(ros2Gamma * h)
	p.rates(t, x, s.k1)
	s.solve(ros2Gamma*h, s.k1)
	for i := range x {
		s.y[i] = x[i] + h*s.k1[i]
	}
	p.rates(t+h, s.y, s.k2)
	for i := range x {
		s.k2[i] -= 2 * s.k1[i]
	}
	s.solve(ros2Gamma*h, s.k2)
	for i := range x {
		x[i] += h / 2 * (3*s.k1[i] + s.k2[i])
	}
}

// factorise makes the LU factors of the coupled part of I - c J, rows exchanged
// for the largest pivot.
func (s *linearlyImplicit) factorise(c float64) {
	m := len(s.coupled)
	for i, a := range s.coupled {
		row := s.lu[i*m : i*m+m]
		for j, b := range s.coupled {
			row[j] = -c * s.jac[a*s.n+b]
		}
		row[i]++
	}
	for k := range m {
		best := k
		for i := k + 1; i < m; i++ {
			if math.Abs(s.lu[i*m+k]) > math.Abs(s.lu[best*m+k]) {
				best = i
			}
		}
		s.pivot[k] = best
		if best != k {
			for j := range m {
				s.lu[k*m+j], s.lu[best*m+j] = s.lu[best*m+j], s.lu[k*m+j]
			}
		}
		inverse := 1 / s.lu[k*m+k]
		top := s.lu[k*m+k+1 : k*m+m]
		for i := k + 1; i < m; i++ {
			row := s.lu[i*m : i*m+m]
			l := row[k] * inverse
			row[k] = l
			if l == 0 {
				continue
			}
			rest := row[k+1:]
			for j, u := range top {
				rest[j] -= l * u
			}
		}
	}
}

// solve replaces r by the solution of (I - c J) k = r.
func (s *linearlyImplicit) solve(c float64, r []float64) {
	m := len(s.coupled)
	y := s.right[:m]
	for i, a := range s.coupled {
		y[i] = r[a]
	}
	for k := range m {
		if q := s.pivot[k]; q != k {
			y[k], y[q] = y[q], y[k]
		}
	}
	for i := range m {
		row := s.lu[i*m : i*m+i]
		for j, l := range row {
			y[i] -= l * y[j]
		}
	}
	for i := m - 1; i >= 0; i-- {
		row := s.lu[i*m : i*m+m]
		for j := i + 1; j < m; j++ {
			y[i] -= row[j] * y[j]
		}
		y[i] /= row[i]
	}
	for i, a := range s.coupled {
		r[a] = y[i]
	}
	for _, a := range s.free {
		for j, b := range s.coupled {
			r[a] += c * s.jac[a*s.n+b] * y[j]
		}
	}
}
