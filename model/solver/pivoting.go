package solver

import "math"

// pivoting solves small systems of linear equations by elimination with pivots of both rows and columns, without
// allocation. Dependent equations are left out, and as many unknowns become 0.
type pivoting struct {
	a       [][]float64
	right   []float64
	columns []int // by position: the unknown
}

// smallestPivot is the share of the largest pivot below which the remainder of an equation counts as rounding.
const smallestPivot = 1e-6

func newPivoting(n int) pivoting {
	s := pivoting{a: make([][]float64, n), right: make([]float64, n), columns: make([]int, n)}
	for i := range s.a {
		s.a[i] = make([]float64, n)
	}
	return s
}

func (s *pivoting) set(row, column int, v float64) { s.a[row][column] = v }

// solve replaces right by the solution, and forgets the coefficients.
func (s *pivoting) solve(right []float64) []float64 {
	n := len(right)
	copy(s.right, right)
	for i := range s.columns {
		s.columns[i] = i
	}
	rank, first := 0, 0.0
	for ; rank < n; rank++ {
		row, column, largest := rank, rank, 0.0
		for i := rank; i < n; i++ {
			for j := rank; j < n; j++ {
				if v := math.Abs(s.a[i][j]); v > largest {
					row, column, largest = i, j, v
				}
			}
		}
		if first = max(first, largest); largest <= smallestPivot*first {
			break
		}
		s.a[rank], s.a[row] = s.a[row], s.a[rank]
		s.right[rank], s.right[row] = s.right[row], s.right[rank]
		for i := range s.a {
			s.a[i][rank], s.a[i][column] = s.a[i][column], s.a[i][rank]
		}
		s.columns[rank], s.columns[column] = s.columns[column], s.columns[rank]
		for i := rank + 1; i < n; i++ {
			factor := s.a[i][rank] / s.a[rank][rank]
			for j := rank; j < n; j++ {
				s.a[i][j] -= factor * s.a[rank][j]
			}
			s.right[i] -= factor * s.right[rank]
		}
	}
	clear(right)
	for i := rank - 1; i >= 0; i-- {
		v := s.right[i]
		for j := i + 1; j < rank; j++ {
			v -= s.a[i][j] * right[s.columns[j]]
		}
		right[s.columns[i]] = v / s.a[i][i]
	}
	return right
}
