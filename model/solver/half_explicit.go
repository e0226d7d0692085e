package solver

import (
	"fmt"
	"math"
)

func init() {
	speeds := func(n int) Solver { return newHalfExplicit(n, false) }
	both := func(n int) Solver { return newHalfExplicit(n, true) }
	register(11, Method{Name: "half-explicit", New: speeds, Order: 3, Evaluations: 12, Constraints: true,
		Limit: limitOfRK4, Handling: "the speeds of each stage", Use: "comparison; keeps speeds"})
	register(12, Method{Name: "half-explicit-both", New: both, Order: 3, Evaluations: 12, Constraints: true, Drift: true,
		Limit: limitOfRK4, Handling: "the speeds and positions of each stage, by Newton's method",
		Use: "comparison; keeps positions and speeds"})
}

// halfExplicit is the half-explicit Runge-Kutta method for differential-algebraic equations of index 2 (van Iwaarden
// 2003, section 3.4) with the tableau of rk4. The multipliers of a stage make the speeds of the next stage satisfy the
// constraints, and the multipliers of the last stage the speeds at the end of the step:
//
//	C_{i+1} (p_n + h sum_{j<=i} w_j p'_j) + d_{i+1} = 0
//
// The rates are affine in the demand a of Phi” = -a, and Phi' is in the speeds: m + 1 evaluations of both with m
// constraints determine a, without iteration. With both set, coordinates follow from the speeds p + C^T mu. Newton's
// method finds the mu that gives Phi = 0 at the next stage.
type halfExplicit struct {
	both   bool
	stages [4][]float64 // rates
	y      []float64    // state of a stage
	next   []float64    // state of the next stage, or at the end of the step
	rates  []float64    // of a trial
	drift  []float64    // addition of mu to the rates

	demand, violation []float64   // by constraint
	columns           [][]float64 // by constraint: addition of a unit of its entry of r to the rates
	system            pivoting
	failure           error
}

// stageEnds are the times of the states after the stages of rk4, in steps. stageWeights are the shares of the stages'
// own rates in these states; the shares only scale the unknowns.
var (
	stageEnds    = [4]float64{0.5, 0.5, 1, 1}
	stageWeights = [4]float64{0.5, 0.5, 1, 1.0 / 6}
)

func newHalfExplicit(n int, both bool) *halfExplicit {
	m := make([]float64, 8*n)
	part := func(i int) []float64 { return m[i*n : (i+1)*n] }
	return &halfExplicit{both: both, stages: [4][]float64{part(0), part(1), part(2), part(3)},
		y: part(4), next: part(5), rates: part(6), drift: part(7)}
}

// allocate is called in the first step, which is made before time runs.
func (s *halfExplicit) allocate(constraints int) {
	s.demand, s.violation = make([]float64, constraints), make([]float64, constraints)
	s.columns = make([][]float64, constraints)
	for k := range s.columns {
		s.columns[k] = make([]float64, len(s.y))
	}
	s.system = newPivoting(constraints)
}

func (s *halfExplicit) Step(p Problem, t, h float64, x []float64) {
	c := p.(Constrained)
	if s.demand == nil {
		s.allocate(len(c.Residuals(t, x)) / 2)
	}
	s.failure = nil
	copy(s.y, x)
	begin := t
	for i, k := range s.stages {
		end := t + stageEnds[i]*h
		c.SetConstraintDemand(s.demand) // 0
		c.Rates(begin, s.y, k)
		if len(s.demand) > 0 {
			if s.both && !s.correctCoordinates(c, i, begin, end, h, x) {
				return
			}
			s.correctSpeeds(c, i, begin, end, h, x)
		}
		s.reach(i, h, x, k)
		copy(s.y, s.next)
		begin = end
	}
	copy(x, s.next)
	c.SetConstraintDemand(s.demand) // 0
}

// reach writes the state after stage i with rates k.
func (s *halfExplicit) reach(i int, h float64, x, k []float64) {
	switch k1, k2, k3 := s.stages[0], s.stages[1], s.stages[2]; i {
	case 0, 1:
		for j := range x {
			s.next[j] = x[j] + h/2*k[j]
		}
	case 2:
		for j := range x {
			s.next[j] = x[j] + h*k[j]
		}
	default:
		for j := range x {
			s.next[j] = x[j] + h/6*(k1[j]+2*k2[j]+2*k3[j]+k[j])
		}
	}
}

// correctSpeeds gives the rates of stage i the multipliers that make Phi' = 0 in the state after the stage.
func (s *halfExplicit) correctSpeeds(c Constrained, i int, begin, end, h float64, x []float64) {
	m, k := len(s.demand), s.stages[i]
	s.reach(i, h, x, k)
	copy(s.violation, c.Residuals(end, s.next)[m:])
	unit := 1 / (h * stageWeights[i]) // changes Phi' by about 1
	for j := range m {
		s.demand[j] = unit
		s.evaluate(c, begin, s.rates)
		s.demand[j] = 0
		s.reach(i, h, x, s.rates)
		for row, v := range c.Residuals(end, s.next)[m:] {
			s.system.set(row, j, v-s.violation[row])
		}
	}
	for j, a := range s.system.solve(s.violation) {
		s.demand[j] = -a * unit
	}
	s.evaluate(c, begin, k)
	clear(s.demand)
}

// evaluate writes the rates of a stage with the demand.
func (s *halfExplicit) evaluate(c Constrained, t float64, k []float64) {
	c.SetConstraintDemand(s.demand)
	c.Rates(t, s.y, k)
	if s.both {
		for j := range k {
			k[j] += s.drift[j]
		}
	}
}

// Newton's method ends when coordinates change by less than this share of the largest one, and of 1 m or 1 rad.
const (
	convergence      = 1e-14
	mostIterations   = 10
	differenceLength = 1e-7 // approximate change of Phi for its derivative
)

// correctCoordinates gives the rates of stage i the multipliers mu that make Phi = 0 in the state after the stage, and
// reports whether it found them.
func (s *halfExplicit) correctCoordinates(c Constrained, i int, begin, end, h float64, x []float64) bool {
	m, k := len(s.demand), s.stages[i]
	scale := h * stageWeights[i]
	clear(s.drift)
	c.Drift(begin, s.y, s.demand, s.drift) // with r = 0
	for j, column := range s.columns {
		clear(column)
		s.demand[j] = 1 / scale
		c.Drift(begin, s.y, s.demand, column)
		s.demand[j] = 0
		for q := range column {
			column[q] -= s.drift[q]
		}
	}
	phi := func(add float64, column []float64) []float64 {
		for q := range k {
			s.rates[q] = k[q] + s.drift[q] + add*column[q]
		}
		s.reach(i, h, x, s.rates)
		return c.Residuals(end, s.next)[:m]
	}
	for range mostIterations {
		copy(s.violation, phi(0, s.drift))
		for j, column := range s.columns {
			for row, v := range phi(differenceLength, column) {
				s.system.set(row, j, (v-s.violation[row])/differenceLength)
			}
		}
		change := s.rates
		clear(change)
		for j, r := range s.system.solve(s.violation) {
			for q, v := range s.columns[j] {
				change[q] += r * v
			}
		}
		largest, size := 0.0, 1.0
		for q, v := range change {
			if s.drift[q] -= v; v != 0 {
				largest, size = max(largest, math.Abs(scale*v)), max(size, math.Abs(s.next[q]))
			}
		}
		if largest <= convergence*size {
			for q := range k {
				k[q] += s.drift[q]
			}
			return true
		}
	}
	worst := 0.0
	for _, v := range s.violation {
		worst = max(worst, math.Abs(v))
	}
	s.failure = fmt.Errorf("a constraint is violated by %.3g after %d Newton iterations", worst, mostIterations)
	return false
}

// Failure implements Iterative.
func (s *halfExplicit) Failure() error { return s.failure }
