package linear

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// rankTolerance is how much smaller than the largest singular value those are that count as none.
const rankTolerance = 1e-10

// Mode is one eigenvalue, with the deviations of the states in it, the largest of which is 1.
type Mode struct {
	Value complex128 // 1/s
	Shape []complex128
}

// Frequency is that of the undamped oscillation [rad/s].
func (m *Mode) Frequency() float64 { return cmplx.Abs(m.Value) }

// Damping is the share of the critical damping; -1 to 1.
func (m *Mode) Damping() float64 {
	if m.Value == 0 {
		return 0
	}
	return -real(m.Value) / cmplx.Abs(m.Value)
}

// level is one step of a reduction, z = basis q, and what it leaves out.
type level struct {
	basis  *mat.Dense
	cyclic *mat.Dense // orthonormal, nil for constraints
	rates  *mat.Dense // of what is left out: cyclic^T A basis
}

// reduced is a system in fewer coordinates: levels lead back to its states, from the last on.
type reduced struct {
	levels []level
	a      *mat.Dense
}

// confine takes a step. cyclic may be nil.
func (r *reduced) confine(basis, cyclic *mat.Dense) {
	var right, a mat.Dense
	right.Mul(r.a, basis)
	a.Mul(basis.T(), &right)
	l := level{basis: basis}
	if cyclic != nil {
		l.cyclic, l.rates = cyclic, new(mat.Dense)
		l.rates.Mul(cyclic.T(), &right)
	}
	r.levels, r.a = append(r.levels, l), &a
}

// null returns an orthonormal basis of the null space of m, nil if there is none. Values below the
// tolerance times scale are rounding.
func null(m mat.Matrix, scale float64) (*mat.Dense, error) {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDFullV) {
		return nil, errSolve
	}
	rank := 0
	values := svd.Values(nil)
	for _, v := range values {
		if v > rankTolerance*max(values[0], scale) {
			rank++
		}
	}
	_, n := m.Dims()
	if rank == n {
		return nil, nil
	}
	var v mat.Dense
	svd.VTo(&v)
	return mat.DenseCopyOf(v.Slice(0, n, rank, n)), nil
}

// reduce confines the deviations to what constraints allow, and then leaves out cyclic coordinates
// one null space after the other, as they come in chains (linearised-eom specification, 4.3):
// those that the outputs of the rows of sees do not see. sees may be nil.
func (s *System) reduce(sees *mat.Dense) (*reduced, error) {
	r := &reduced{a: s.A}
	if s.constraints != nil {
		basis, err := null(s.constraints, 0)
		if err != nil || basis == nil {
			return nil, errSolve
		}
		r.confine(basis, nil)
	}
	scale := mat.Norm(r.a, 2)
	for {
		cyclic, err := null(r.a, scale)
		if err != nil {
			return nil, err
		}
		if cyclic != nil && sees != nil {
			var seen, unseen mat.Dense
			seen.Mul(sees, r.out())
			unseen.Mul(&seen, cyclic)
			for i := range unseen.RawMatrix().Data {
				if v := &unseen.RawMatrix().Data[i]; math.Abs(*v) < rankTolerance*mat.Norm(sees, 2) {
					*v = 0
				}
			}
			if mat.Norm(&unseen, 1) > 0 {
				part, err := null(&unseen, 0)
				if err != nil {
					return nil, err
				}
				if part == nil {
					return r, nil
				}
				var both mat.Dense
				both.Mul(cyclic, part)
				cyclic = &both
			}
		}
		if cyclic == nil {
			return r, nil
		}
		rest, err := null(cyclic.T(), 0)
		if err != nil {
			return nil, err
		}
		if rest == nil { // nothing but cyclic coordinates
			r.a = &mat.Dense{}
			return r, nil
		}
		r.confine(rest, cyclic)
	}
}

// out leads from the reduced coordinates back to the states.
func (r *reduced) out() *mat.Dense {
	n, _ := r.a.Dims()
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	for _, l := range slices.Backward(r.levels) {
		var next mat.Dense
		next.Mul(l.basis, m)
		m = &next
	}
	return m
}

// Modes are sorted by the real part, the largest first, and by the imaginary part. Those of cyclic
// coordinates, which are 0, are left out.
func (s *System) Modes() ([]Mode, error) {
	r, err := s.reduce(nil)
	if err != nil || r.a.IsEmpty() {
		return nil, err
	}
	var eigen mat.Eigen
	if !eigen.Factorize(r.a, mat.EigenRight) {
		return nil, errSolve
	}
	var vectors mat.CDense
	eigen.VectorsTo(&vectors)
	var modes []Mode
	for j, value := range eigen.Values(nil) {
		shape := make([]complex128, len(eigen.Values(nil)))
		for k := range shape {
			shape[k] = vectors.At(k, j)
		}
		for _, l := range slices.Backward(r.levels) {
			inner := shape
			shape = times(l.basis, inner)
			if l.cyclic == nil || value == 0 {
				continue
			}
			// what is left out is what its rates in this mode lead to
			rates := times(l.rates, inner)
			for i, v := range times(l.cyclic, rates) {
				shape[i] += v / value
			}
		}
		largest := complex128(0)
		for _, v := range shape {
			if cmplx.Abs(v) > cmplx.Abs(largest) {
				largest = v
			}
		}
		for i := range shape {
			shape[i] /= largest
		}
		modes = append(modes, Mode{Value: value, Shape: shape})
	}
	sort.SliceStable(modes, func(i, k int) bool {
		a, b := modes[i].Value, modes[k].Value
		if real(a) != real(b) {
			return real(a) > real(b)
		}
		return imag(a) > imag(b)
	})
	return modes, nil
}

// Response is that of an output to a sine of an input, by angular frequency [rad/s].
func (s *System) Response(input, output string, omega []float64) ([]complex128, error) {
	if s.constraints != nil {
		minimal, err := s.Minimal(nil)
		if err != nil {
			return nil, err
		}
		return minimal.Response(input, output, omega)
	}
	u, err := find(s.Inputs, input, "input")
	if err != nil {
		return nil, err
	}
	y, err := find(s.Outputs, output, "output")
	if err != nil {
		return nil, err
	}
	n := len(s.States)
	r, err := s.reduce(mat.DenseCopyOf(s.C.Slice(y, y+1, 0, n)))
	if err != nil {
		return nil, err
	}
	if r.a.IsEmpty() {
		return slices.Repeat([]complex128{complex(s.D.At(y, u), 0)}, len(omega)), nil
	}
	var b, c mat.Dense
	out := r.out()
	b.Mul(out.T(), s.B.Slice(0, n, u, u+1))
	c.Mul(s.C.Slice(y, y+1, 0, n), out)
	a := r.a
	n, _ = a.Dims()
	var list []complex128
	for _, w := range omega {
		// (j w - A) x = b as a real system of twice the size
		m, right := mat.NewDense(2*n, 2*n, nil), mat.NewVecDense(2*n, nil)
		for i := range n {
			for k := range n {
				m.Set(i, k, -a.At(i, k))
				m.Set(n+i, n+k, -a.At(i, k))
			}
			m.Set(i, n+i, -w)
			m.Set(n+i, i, w)
			right.SetVec(i, b.At(i, 0))
		}
		var x mat.VecDense
		err := x.SolveVec(m, right)
		if _, warning := errors.AsType[mat.Condition](err); err != nil && !warning {
			return nil, fmt.Errorf("response of %s to %s at %g rad/s: %w", output, input, w, err)
		}
		h := complex(s.D.At(y, u), 0)
		for k := range n {
			h += complex(c.At(0, k)*x.AtVec(k), c.At(0, k)*x.AtVec(n+k))
		}
		list = append(list, h)
	}
	return list, nil
}

// times is a real matrix times a complex vector.
func times(m *mat.Dense, v []complex128) []complex128 {
	rows, columns := m.Dims()
	out := make([]complex128, rows)
	for i := range rows {
		for k := range columns {
			out[i] += complex(m.At(i, k), 0) * v[k]
		}
	}
	return out
}

// Spread is count angular frequencies between two, evenly on a logarithmic scale [rad/s].
func Spread(low, high float64, count int) []float64 {
	list := make([]float64, count)
	for i := range list {
		list[i] = low * math.Pow(high/low, float64(i)/float64(count-1))
	}
	return list
}
