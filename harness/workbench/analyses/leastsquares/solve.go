// Package leastsquares minimises sums of squares of residuals within bounds, and says how well the data determine the
// parameters.
//
//	residuals, Jacobian -> damped steps (Levenberg and Marquardt) -> minimum -> covariance, undetermined combinations
package leastsquares

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Problem is a sum of squares of residuals, which are functions of parameters.
type Problem struct {
	Start     []float64
	Low, High []float64 // bounds of the parameters; nil: none
	Residuals int       // their number
	// Evaluate writes the residuals, and their derivatives by the parameters if the matrix is not nil. An error stands
	// for parameters where there are no residuals: the step there is shortened.
	Evaluate func(p, residuals []float64, jacobian *mat.Dense) error
	// Progress is called after each step, if it is not nil; false ends the search.
	Progress func(iterations int, sum float64) bool
}

// Result is a minimum.
type Result struct {
	Parameters []float64
	Sum        float64 // of the squares
	Residuals  []float64
	Jacobian   *mat.Dense
	AtBound    []bool // parameters that a bound holds
	Iterations int
	End        string // why the search ended
}

// Limits of the search.
const (
	// MostIterations is the largest number of steps of a search.
	MostIterations = 500
	firstDamping   = 1e-3
	mostDamping    = 1e20
	leastChange    = 1e-12 // of the parameters, by their size
	leastDescent   = 1e-15 // of the sum, by its size
)

// ErrInterrupted is returned where Progress has ended the search.
var ErrInterrupted = errors.New("the search was ended")

// search is a search for a minimum.
type search struct {
	*Problem
	p, r      []float64
	jacobian  *mat.Dense
	sum       float64
	scale     []float64 // of the parameters: the largest norm of their columns
	free      []int     // parameters that no bound holds
	trial     []float64
	residuals []float64
}

// Solve searches for the minimum next to the start, by the method of Levenberg and Marquardt: steps are solutions of
// least squares with a damping of the scaled parameters (Moré 1978), which follows the ratio of the descent to the
// predicted descent (Nielsen 1999). A bound holds a parameter as long as the descent leads beyond it.
func Solve(problem *Problem) (*Result, error) {
	n, m := len(problem.Start), problem.Residuals
	if m < n {
		return nil, fmt.Errorf("%d residuals are too few for %d parameters", m, n)
	}
	s := &search{Problem: problem, p: append([]float64(nil), problem.Start...), r: make([]float64, m),
		jacobian: mat.NewDense(m, n, nil), scale: make([]float64, n), trial: make([]float64, n),
		residuals: make([]float64, m)}
	s.project(s.p)
	if err := s.Evaluate(s.p, s.r, s.jacobian); err != nil {
		return nil, fmt.Errorf("at the start: %w", err)
	}
	if s.sum = sumOfSquares(s.r); math.IsNaN(s.sum) || math.IsInf(s.sum, 0) {
		return nil, fmt.Errorf("at the start the sum of squares is %v", s.sum)
	}
	damping, growth := firstDamping, 2.0
	for k := 0; ; k++ {
		end := ""
		if s.find(); len(s.free) == 0 {
			end = "converged: bounds hold all parameters"
		} else if k == MostIterations {
			end = fmt.Sprintf("not converged after %d steps", k)
		}
		for end == "" {
			step, predicted, err := s.step(damping)
			if err != nil {
				return nil, err
			}
			change := s.change(step)
			if predicted <= leastDescent*s.sum && change <= math.Sqrt(leastChange) || change <= leastChange {
				end = "converged: no further descent"
				break
			}
			sum := math.Inf(1)
			if s.Evaluate(s.trial, s.residuals, nil) == nil {
				sum = sumOfSquares(s.residuals)
			}
			if ratio := (s.sum - sum) / predicted; sum < s.sum && ratio > 1e-4 {
				damping *= max(1./3, 1-math.Pow(2*ratio-1, 3))
				growth = 2
				copy(s.p, s.trial)
				if err := s.Evaluate(s.p, s.r, s.jacobian); err != nil {
					return nil, err
				}
				s.sum = sum
				break
			}
			if damping *= growth; damping > mostDamping {
				end = "no descent: the residuals or their derivatives are not exact enough there"
			}
			growth *= 2
		}
		if end != "" {
			return s.result(k, end), nil
		}
		if s.Progress != nil && !s.Progress(k+1, s.sum) {
			return nil, ErrInterrupted
		}
	}
}

// find finds the free parameters, and the scale of all.
func (s *search) find() {
	s.free = s.free[:0]
	for j := range s.p {
		slope, norm := 0.0, 0.0
		for i, r := range s.r {
			x := s.jacobian.At(i, j)
			slope += x * r
			norm = math.Hypot(norm, x)
		}
		s.scale[j] = max(s.scale[j], norm)
		if s.Low != nil && s.p[j] <= s.Low[j] && slope >= 0 || s.High != nil && s.p[j] >= s.High[j] && slope <= 0 {
			continue
		}
		s.free = append(s.free, j)
	}
}

// step finds the damped step of the free parameters, writes the parameters after it, within the bounds, and predicts
// the descent of the sum.
func (s *search) step(damping float64) (step []float64, predicted float64, err error) {
	m, n := len(s.r), len(s.free)
	damped := mat.NewDense(m+n, n, nil)
	right := mat.NewDense(m+n, 1, nil)
	for i, r := range s.r {
		for k, j := range s.free {
			damped.Set(i, k, s.jacobian.At(i, j))
		}
		right.Set(i, 0, -r)
	}
	for k, j := range s.free {
		scale := s.scale[j]
		if scale == 0 {
			scale = 1 // nothing responds
		}
		damped.Set(m+k, k, math.Sqrt(damping)*scale)
	}
	var qr mat.QR
	qr.Factorize(damped)
	var x mat.Dense
	if err := qr.SolveTo(&x, false, right); err != nil {
		var condition mat.Condition
		if !errors.As(err, &condition) {
			return nil, 0, err
		}
	}
	copy(s.trial, s.p)
	for k, j := range s.free {
		s.trial[j] += x.At(k, 0)
	}
	s.project(s.trial)
	step = make([]float64, len(s.p))
	for j := range step {
		step[j] = s.trial[j] - s.p[j]
	}
	// of the step within the bounds; differences of sums would lose the last digits
	for i, r := range s.r {
		change := 0.0
		for _, j := range s.free {
			change += s.jacobian.At(i, j) * step[j]
		}
		predicted -= change * (2*r + change)
	}
	return step, predicted, nil
}

// change is the largest change of a parameter by its size.
func (s *search) change(step []float64) (most float64) {
	for j, x := range step {
		most = max(most, math.Abs(x)/(math.Abs(s.p[j])+1e-300))
	}
	return most
}

func (s *search) project(p []float64) {
	for j := range p {
		if s.Low != nil {
			p[j] = max(p[j], s.Low[j])
		}
		if s.High != nil {
			p[j] = min(p[j], s.High[j])
		}
	}
}

func (s *search) result(iterations int, end string) *Result {
	r := &Result{Parameters: s.p, Sum: s.sum, Residuals: s.r, Jacobian: s.jacobian, AtBound: make([]bool, len(s.p)),
		Iterations: iterations, End: end}
	for j := range r.AtBound {
		r.AtBound[j] = true
	}
	for _, j := range s.free {
		r.AtBound[j] = false
	}
	return r
}

func sumOfSquares(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}
