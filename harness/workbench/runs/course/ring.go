package course

import "gonum.org/v1/gonum/mat"

// ring is a symmetric matrix whose elements are at most two places from the diagonal, round a ring: the first place
// follows the last one. In the order 0, n-1, 1, n-2, ... it is a band of four places.
type ring struct {
	n    int
	band *mat.SymBandDense
}

func newRing(n int) *ring { return &ring{n, mat.NewSymBandDense(n, min(4, n-1), nil)} }

// place is where an index is in the order of the band.
func (r *ring) place(i int) int {
	if back := r.n - 1 - i; back < i {
		return 2*back + 1
	}
	return 2 * i
}

// add adds to an element and its mirror image.
func (r *ring) add(i, k int, value float64) {
	i, k = r.place(i), r.place(k)
	r.band.SetSymBand(i, k, r.band.At(i, k)+value)
}

// factors are the factors of a ring that is positive definite.
type factors struct {
	*ring
	cholesky mat.BandCholesky
}

// factorise reports whether the matrix is positive definite.
func (r *ring) factorise() (*factors, bool) {
	f := &factors{ring: r}
	return f, f.cholesky.Factorize(r.band)
}

// solve returns the solution for a right-hand side.
func (f *factors) solve(right []float64) []float64 {
	ordered, solution := mat.NewVecDense(f.n, nil), mat.NewVecDense(f.n, nil)
	for i, x := range right {
		ordered.SetVec(f.place(i), x)
	}
	// The error tells of an estimated condition alone; the solution is there.
	_ = f.cholesky.SolveVecTo(solution, ordered)
	list := make([]float64, f.n)
	for i := range list {
		list[i] = solution.AtVec(f.place(i))
	}
	return list
}
