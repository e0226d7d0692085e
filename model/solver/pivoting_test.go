package solver

import (
	"math"
	"testing"
)

// Equations with zeros on the diagonal, in an order that needs exchanges of rows and of columns.
func TestPivotingSolvesEquations(t *testing.T) {
	s := newPivoting(3)
	want := []float64{2, -3, 0.5}
	right := make([]float64, 3)
	for i, row := range [][]float64{{0, 2, 1}, {1, 0, 4}, {0, 0, 100}} {
		for j, v := range row {
			s.set(i, j, v)
			right[i] += v * want[j]
		}
	}
	for i, x := range s.solve(right) {
		if !(math.Abs(x-want[i]) <= 1e-14) {
			t.Errorf("unknown %d is %g, not %g", i, x, want[i])
		}
	}
}

// An equation that equals another one except for rounding does not inflate the solution, and a row of zeros leaves its
// unknown 0.
func TestPivotingLeavesOutDependentEquations(t *testing.T) {
	s := newPivoting(3)
	for i, row := range [][]float64{{1, 1, 0}, {1, 1 + 1e-12, 0}, {0, 0, 0}} {
		for j, v := range row {
			s.set(i, j, v)
		}
	}
	x := s.solve([]float64{1, 1 + 1e-9, 0})
	if !(math.Abs(x[0]+x[1]-1) <= 1e-8 && math.Abs(x[0]) <= 2 && math.Abs(x[1]) <= 2) || x[2] != 0 {
		t.Errorf("the solution is %g", x)
	}
}
