package course

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// beside is how many places the band of a ring has on each side of its diagonal.
const beside = 4

// ring is a symmetric matrix whose elements are at most two places from the diagonal, round a ring: the first place
// follows the last one. In the order 0, n-1, 1, n-2, ... it is a band.
type ring struct {
	n    int
	band blas64.SymmetricBand
}

func newRing(n int) *ring {
	return &ring{n, blas64.SymmetricBand{N: n, K: beside, Stride: beside + 1, Uplo: blas.Upper,
		Data: make([]float64, n*(beside+1))}}
}

// place is where an index is in the order of the band.
func (r *ring) place(i int) int {
	if back := r.n - 1 - i; back < i {
		return 2*back + 1
	}
	return 2 * i
}

// element is an element or its mirror image.
func (r *ring) element(i, k int) *float64 {
	i, k = r.place(i), r.place(k)
	if i > k {
		i, k = k, i
	}
	return &r.band.Data[i*r.band.Stride+k-i]
}

// clone is a copy.
func (r *ring) clone() *ring {
	c := newRing(r.n)
	copy(c.band.Data, r.band.Data)
	return c
}

// factors are the Cholesky factors of a ring.
type factors struct {
	*ring
	triangle blas64.TriangularBand
}

// factorise replaces the matrix by its factors. It reports whether the matrix is positive definite.
func (r *ring) factorise() (*factors, bool) {
	triangle, is := lapack64.Pbtrf(r.band)
	return &factors{r, triangle}, is
}

// solve returns the solution for a right-hand side.
func (f *factors) solve(right []float64) []float64 {
	ordered := make([]float64, f.n)
	for i, x := range right {
		ordered[f.place(i)] = x
	}
	lapack64.Pbtrs(f.triangle, blas64.General{Rows: f.n, Cols: 1, Stride: 1, Data: ordered})
	list := make([]float64, f.n)
	for i := range list {
		list[i] = ordered[f.place(i)]
	}
	return list
}
