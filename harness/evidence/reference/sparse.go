package reference

import (
	"errors"
	"math"
)

// sparse is a sparse matrix with its LU factors. The pivots are chosen once, by the least
// product of entries in row and column among those that are large enough (Markowitz
// 1957), and kept while they stay large enough.
type sparse struct {
	n        int
	rows     [][]int     // columns of the entries, by row
	values   [][]float64 // of the entries
	index    []map[int]int
	scale    []float64 // of the rows
	analysed bool

	pivotRow, pivotColumn []int   // by step
	step                  []int   // of a column
	lower, upper          [][]int // columns as steps, ascending, by step
	l, u                  [][]float64
	work                  []float64
}

// relativePivot is the least size of a pivot relative to its row when pivots are chosen;
// leastPivot the one below which they are chosen again.
const (
	relativePivot = 0.05
	leastPivot    = 1e-6
)

func newSparse(n int) *sparse {
	m := &sparse{n: n, rows: make([][]int, n), values: make([][]float64, n), index: make([]map[int]int, n),
		scale: make([]float64, n), work: make([]float64, n)}
	for i := range m.index {
		m.index[i] = map[int]int{}
	}
	return m
}

// entry makes an entry, if there is none, and returns where it stands in its row.
func (m *sparse) entry(row, column int) int {
	k, ok := m.index[row][column]
	if !ok {
		k = len(m.rows[row])
		m.index[row][column] = k
		m.rows[row] = append(m.rows[row], column)
		m.values[row] = append(m.values[row], 0)
	}
	return k
}

// errSingular says that a matrix has no inverse.
var errSingular = errors.New(
	"the equations are singular: constraints contradict or repeat each other, or something without mass is free")

// factor finds the LU factors of the present values.
func (m *sparse) factor() error {
	for i, row := range m.values {
		largest := 0.0
		for _, v := range row {
			largest = max(largest, math.Abs(v))
		}
		if largest == 0 || math.IsNaN(largest) || math.IsInf(largest, 0) {
			return errSingular
		}
		m.scale[i] = 1 / largest
	}
	if m.analysed && m.refactor() {
		return nil
	}
	if err := m.analyse(); err != nil {
		return err
	}
	if !m.refactor() {
		return errSingular
	}
	return nil
}

// elimination is a dense working copy of a matrix for the elimination of rows and columns.
type elimination struct {
	a                   [][]float64
	filled              [][]bool
	inRow, inColumn     []int // entries that are left
	doneRow, doneColumn []bool
}

func newElimination(m *sparse) *elimination {
	n := m.n
	e := &elimination{
		a: make([][]float64, n), filled: make([][]bool, n), inRow: make([]int, n), inColumn: make([]int, n),
		doneRow: make([]bool, n), doneColumn: make([]bool, n),
	}
	for i := range n {
		e.a[i], e.filled[i] = make([]float64, n), make([]bool, n)
		for k, j := range m.rows[i] {
			e.a[i][j], e.filled[i][j] = m.values[i][k]*m.scale[i], true
			e.inColumn[j]++
			e.inRow[i]++
		}
	}
	return e
}

// pivot is the entry that fills least, of those that are large enough in their row; -1 if there is none.
func (e *elimination) pivot() (row, column int) {
	row, column = -1, -1
	cost, size := math.MaxInt, 0.0
	for i, done := range e.doneRow {
		if done {
			continue
		}
		largest := 0.0
		for j, v := range e.a[i] {
			if !e.doneColumn[j] {
				largest = max(largest, math.Abs(v))
			}
		}
		for j, v := range e.a[i] {
			if e.doneColumn[j] || !e.filled[i][j] || v == 0 || math.Abs(v) < relativePivot*largest {
				continue
			}
			c := (e.inRow[i] - 1) * (e.inColumn[j] - 1)
			if relative := math.Abs(v) / largest; c < cost || c == cost && relative > size {
				row, column, cost, size = i, j, c, relative
			}
		}
	}
	return row, column
}

// eliminate takes a row and a column out.
func (e *elimination) eliminate(row, column int) {
	e.doneRow[row], e.doneColumn[column] = true, true
	for j, filled := range e.filled[row] {
		if filled && !e.doneColumn[j] {
			e.inColumn[j]--
		}
	}
	for i, done := range e.doneRow {
		if done || !e.filled[i][column] {
			continue
		}
		e.inRow[i]--
		factor := e.a[i][column] / e.a[row][column]
		for j, filled := range e.filled[row] {
			if e.doneColumn[j] || !filled {
				continue
			}
			if !e.filled[i][j] {
				e.filled[i][j] = true
				e.inRow[i]++
				e.inColumn[j]++
			}
			e.a[i][j] -= factor * e.a[row][j]
		}
	}
}

// analyse chooses pivots by eliminating a dense copy.
func (m *sparse) analyse() error {
	n := m.n
	e := newElimination(m)
	m.pivotRow, m.pivotColumn, m.step = make([]int, n), make([]int, n), make([]int, n)
	for step := range n {
		row, column := e.pivot()
		if row < 0 {
			return errSingular
		}
		m.pivotRow[step], m.pivotColumn[step], m.step[column] = row, column, step
		e.eliminate(row, column)
	}
	m.lower, m.upper = make([][]int, n), make([][]int, n)
	m.l, m.u = make([][]float64, n), make([][]float64, n)
	for k := range n {
		for step := range n {
			if e.filled[m.pivotRow[k]][m.pivotColumn[step]] {
				if step < k {
					m.lower[k] = append(m.lower[k], step)
				} else {
					m.upper[k] = append(m.upper[k], step) // the pivot first
				}
			}
		}
		m.l[k], m.u[k] = make([]float64, len(m.lower[k])), make([]float64, len(m.upper[k]))
	}
	m.analysed = true
	return nil
}

// refactor finds the factors with the pivots chosen; false when one is too small.
func (m *sparse) refactor() bool {
	w := m.work
	for k := range m.n {
		row := m.pivotRow[k]
		for i, j := range m.rows[row] {
			w[m.step[j]] = m.values[row][i] * m.scale[row]
		}
		for i, step := range m.lower[k] {
			upper, u := m.upper[step], m.u[step]
			factor := w[step] / u[0]
			w[step] = 0
			m.l[k][i] = factor
			if factor != 0 {
				for x := 1; x < len(upper); x++ {
					w[upper[x]] -= factor * u[x]
				}
			}
		}
		largest := 0.0
		u := m.u[k]
		for i, step := range m.upper[k] {
			u[i] = w[step]
			w[step] = 0
			largest = max(largest, math.Abs(u[i]))
		}
		if !(math.Abs(u[0]) > leastPivot*largest) {
			clear(w)
			return false
		}
	}
	return true
}

// solve replaces b by the solution of A x = b.
func (m *sparse) solve(b []float64) {
	x := m.work
	for k := range m.n {
		row := m.pivotRow[k]
		sum := b[row] * m.scale[row]
		for i, step := range m.lower[k] {
			sum -= m.l[k][i] * x[step]
		}
		x[k] = sum
	}
	for k := m.n - 1; k >= 0; k-- {
		upper, u := m.upper[k], m.u[k]
		sum := x[k]
		for i := 1; i < len(upper); i++ {
			sum -= u[i] * x[upper[i]]
		}
		x[k] = sum / u[0]
	}
	for k := range m.n {
		b[m.pivotColumn[k]] = x[k]
	}
	clear(x)
}
