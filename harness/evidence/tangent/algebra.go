package tangent

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	// rowRank is how much smaller than the largest singular value those of redundant rows are (4.2).
	rowRank = 1e-11
	// zeroRank is the same for zero eigenvalues (4.3).
	zeroRank = 1e-10
)

var errDecompose = errors.New(
	"a matrix of the linear equations cannot be decomposed; look for numbers that are not finite")

// decomposed is a singular value decomposition with its rank.
type decomposed struct {
	mat.SVD
	values  []float64
	columns int
	rank    int
}

func decompose(m mat.Matrix, tolerance float64) (*decomposed, error) {
	d := &decomposed{}
	_, d.columns = m.Dims()
	if size := mat.Norm(m, 1); size-size != 0 || !d.Factorize(m, mat.SVDFull) {
		return nil, errDecompose
	}
	d.values = d.Values(nil)
	for d.rank < len(d.values) && d.values[d.rank] > tolerance*d.values[0] {
		d.rank++
	}
	return d, nil
}

// null is an orthonormal basis of the null space, with no column where that is empty.
func (d *decomposed) null() *mat.Dense {
	var v mat.Dense
	d.VTo(&v)
	return block(&v, 0, d.columns, d.rank, d.columns)
}

// stacked puts rows below each other.
func stacked(columns int, rows ...[]float64) *mat.Dense {
	if len(rows) == 0 {
		return &mat.Dense{}
	}
	m := mat.NewDense(len(rows), columns, nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}

// null is an orthonormal basis of what rows, perhaps none, leave free.
func null(columns int, rows [][]float64) (*mat.Dense, error) {
	if len(rows) == 0 {
		return one(columns), nil
	}
	d, err := decompose(stacked(columns, rows...), rowRank)
	if err != nil {
		return nil, err
	}
	return d.null(), nil
}

func one(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// block copies rows and columns of a matrix; without any it is empty.
func block(m *mat.Dense, row, rowEnd, column, columnEnd int) *mat.Dense {
	if row == rowEnd || column == columnEnd {
		return &mat.Dense{}
	}
	return mat.DenseCopyOf(m.Slice(row, rowEnd, column, columnEnd))
}

// width is the number of columns.
func width(m *mat.Dense) int {
	_, n := m.Dims()
	return n
}

// product multiplies matrices; the product is empty if a factor is empty.
func product(first mat.Matrix, others ...mat.Matrix) *mat.Dense {
	p := mat.DenseCopyOf(first)
	for _, o := range others {
		if r, _ := o.Dims(); r == 0 || p.IsEmpty() {
			return &mat.Dense{}
		}
		next := new(mat.Dense)
		next.Mul(p, o)
		p = next
	}
	return p
}

// largest is the greatest magnitude of an element, 0 without any.
func largest(m *mat.Dense) float64 {
	most := 0.0
	for _, v := range m.RawMatrix().Data {
		most = max(most, math.Abs(v))
	}
	return most
}
