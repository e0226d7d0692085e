package linear

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// rankTolerance is the ratio to the largest singular value below which singular values count as 0.
const rankTolerance = 1e-10

// Mode is one eigenvalue with its shape, the perturbations of the states, and its left eigenvector. The largest element
// of Shape is 1. Left times the perturbations of the states is the excitation of the mode: 1 for its own shape, 0 for
// the shapes of other modes. Modes have no Left where eigenvalues coincide and have too few eigenvectors.
type Mode struct {
	Value       complex128 // 1/s
	Shape, Left []complex128
}

// Frequency returns the frequency of the undamped oscillation [rad/s].
func (m *Mode) Frequency() float64 { return cmplx.Abs(m.Value) }

// Damping is the share of the critical damping; -1 to 1.
func (m *Mode) Damping() float64 {
	if m.Value == 0 {
		return 0
	}
	return -real(m.Value) / cmplx.Abs(m.Value)
}

// reduction is one step of a reduction, z = basis q, with the removed coordinates.
type reduction struct {
	basis  *mat.Dense
	cyclic *mat.Dense // orthonormal, nil for constraints
	rates  *mat.Dense // of the removed coordinates: cyclic^T A basis
}

// reduced is a system in fewer coordinates: levels lead back to its states, from the last on.
type reduced struct {
	of     *System
	size   float64 // of a without anything but constraints left out
	levels []reduction
	a      *mat.Dense
	graded bool // the rows of a are ordered by their sizes, which differ by many orders of magnitude
}

// confine takes a step. cyclic may be nil.
func (r *reduced) confine(basis, cyclic *mat.Dense) {
	var right, a mat.Dense
	right.Mul(r.a, basis)
	a.Mul(basis.T(), &right)
	l := reduction{basis: basis}
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

// reduce confines the perturbations to the tangent space of the constraints. It then removes the cyclic coordinates
// without effect on the outputs, null space by null space, as they come in chains (linearised-eom specification, 4.3).
// Each null space is removed only as far as a neighbour of the vehicle has it, too. Thus a mode whose eigenvalue is 0
// only at the border of stability stays.
func (s *System) reduce(outputs []int) (*reduced, error) {
	r, err := s.confined()
	if err != nil || len(s.States) == 0 {
		return r, err
	}
	if end := r.grade(outputs); end {
		return r, nil
	}
	var others *mat.Dense
	for first := true; ; first = false {
		cyclic, err := r.cyclic(outputs)
		if err != nil || cyclic == nil {
			return r, err
		}
		if first && s.neighbour != nil {
			if others, err = allCyclic(s.neighbour(), outputs); err != nil {
				return nil, err
			}
		}
		if others != nil {
			if cyclic, err = r.shared(cyclic, others); err != nil || cyclic == nil {
				return r, err
			}
		}
		if end, err := r.leave(cyclic); err != nil || end {
			return r, err
		}
	}
}

// confined is a system as constraints allow.
func (s *System) confined() (*reduced, error) {
	r := &reduced{of: s, a: s.A}
	if len(s.States) == 0 {
		return r, nil
	}
	if s.constraints != nil {
		basis, err := null(s.constraints, 0)
		if err != nil || basis == nil {
			return nil, errSolve
		}
		r.confine(basis, nil)
	}
	r.size = mat.Norm(r.a, 2)
	return r, nil
}

// widest is the ratio of the rates of a network to slower ones from which on rounding of the former hides the latter.
const widest = 1e9

// grade prepares a system of very different rates, such as that of a fan behind an open switch, of 1e12 1/s and 1 1/s.
// Coordinates that no rate depends on leave by themselves, without mixing the others. These are ordered by the sizes of
// their rows, the largest first. In this order eigenvalues of all sizes are accurate. It reports whether no coordinates
// remain. Other systems stay as they are.
func (r *reduced) grade(outputs []int) (end bool) {
	n := len(r.of.States)
	if r.graded = r.of.constraints == nil && r.of.wide(); !r.graded {
		return false
	}
	for {
		var kept, gone []int
		var seen mat.Dense
		if len(outputs) > 0 {
			seen.Mul(part(r.of.C, outputs, nil), r.out())
		}
		for k := range n {
			if mat.Norm(r.a.ColView(k), 1) > 0 || !seen.IsEmpty() && mat.Norm(seen.ColView(k), 1) > 0 {
				kept = append(kept, k)
			} else {
				gone = append(gone, k)
			}
		}
		if len(kept) == 0 {
			r.a = &mat.Dense{}
			return true
		}
		sizes := rowSizes(r.a)
		slices.SortStableFunc(kept, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
		var cyclic *mat.Dense
		if len(gone) > 0 {
			cyclic = unitColumns(n, gone)
		}
		r.confine(unitColumns(n, kept), cyclic)
		if n = len(kept); len(gone) == 0 {
			return false
		}
	}
}

// wide reports whether a network is faster than another one, or than the mechanics, by many orders of magnitude.
func (s *System) wide() bool {
	fastest, slowest, mechanics := 0.0, math.Inf(1), 0.0
	for i, size := range rowSizes(s.A) {
		switch {
		case !s.networks[s.States[i]]:
			mechanics = max(mechanics, size)
		case size > 0:
			fastest, slowest = max(fastest, size), min(slowest, size)
		}
	}
	if mechanics > 0 {
		slowest = min(slowest, mechanics)
	}
	return fastest > widest*slowest
}

// rowSizes are the norms of the rows of a matrix.
func rowSizes(m *mat.Dense) []float64 {
	n, _ := m.Dims()
	list := make([]float64, n)
	for i := range list {
		list[i] = mat.Norm(m.RowView(i), 2)
	}
	return list
}

// unitColumns are columns of the unit matrix.
func unitColumns(n int, which []int) *mat.Dense {
	m := mat.NewDense(n, len(which), nil)
	for k, i := range which {
		m.Set(i, k, 1)
	}
	return m
}

// leave removes cyclic coordinates, given by an orthonormal basis in the columns of a matrix, and reports whether no
// coordinates remain.
func (r *reduced) leave(cyclic *mat.Dense) (end bool, err error) {
	rest, err := null(cyclic.T(), 0)
	if err != nil {
		return true, err
	}
	if rest == nil {
		r.a = &mat.Dense{}
		return true, nil
	}
	r.confine(rest, cyclic)
	return false, nil
}

// cyclic is an orthonormal basis of the directions that no rate depends on and outputs do not include; nil if there is
// none.
func (r *reduced) cyclic(outputs []int) (*mat.Dense, error) {
	matrix, size := r.a, r.size
	if r.graded { // rows in proportion have the same null space
		matrix, size = mat.DenseCopyOf(r.a), 0
		rows, _ := matrix.Dims()
		for i := range rows {
			if norm := mat.Norm(matrix.RowView(i), 2); norm > 0 {
				floats.Scale(1/norm, matrix.RawRowView(i))
			}
		}
	}
	cyclic, err := null(matrix, size)
	if err != nil || cyclic == nil || len(outputs) == 0 {
		return cyclic, err
	}
	sees := part(r.of.C, outputs, nil)
	var seen, unseen mat.Dense
	seen.Mul(sees, r.out())
	unseen.Mul(&seen, cyclic)
	for i := range unseen.RawMatrix().Data {
		if v := &unseen.RawMatrix().Data[i]; math.Abs(*v) < rankTolerance*mat.Norm(sees, 2) {
			*v = 0
		}
	}
	if mat.Norm(&unseen, 1) == 0 {
		return cyclic, nil
	}
	part, err := null(&unseen, 0)
	if err != nil || part == nil {
		return nil, err
	}
	var both mat.Dense
	both.Mul(cyclic, part)
	return &both, nil
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

// Modes are sorted by the real part, the largest first, and by the imaginary part. The zero eigenvalues of cyclic
// coordinates are left out.
func (s *System) Modes() ([]Mode, error) {
	balanced, scale := s.balanced()
	r, err := balanced.reduce(nil)
	if err != nil || r.a.IsEmpty() {
		return nil, err
	}
	var eigen mat.Eigen
	if !eigen.Factorize(r.a, mat.EigenRight) {
		return nil, errSolve
	}
	var vectors mat.CDense
	eigen.VectorsTo(&vectors)
	n := len(eigen.Values(nil))
	right := make([][]complex128, n)
	for j := range right {
		right[j] = make([]complex128, n)
		for k := range right[j] {
			right[j][k] = vectors.At(k, j)
		}
	}
	left := dual(right)
	out := r.out()
	var modes []Mode
	for j, value := range eigen.Values(nil) {
		shape := r.shape(value, right[j])
		largest := complex128(0)
		for i := range shape {
			shape[i] *= complex(scale[i], 0)
			if cmplx.Abs(shape[i]) > cmplx.Abs(largest) {
				largest = shape[i]
			}
		}
		for i := range shape {
			shape[i] /= largest
		}
		m := Mode{Value: value, Shape: shape}
		if left != nil {
			m.Left = times(out, left[j])
			for i := range m.Left {
				m.Left[i] *= largest / complex(scale[i], 0)
			}
		}
		modes = append(modes, m)
	}
	slices.SortStableFunc(modes, func(a, b Mode) int { return ordered(a.Value, b.Value) })
	return modes, nil
}

// shape returns the shape of a mode in all states, from its shape in the states of the reduced system.
func (r *reduced) shape(value complex128, shape []complex128) []complex128 {
	for _, l := range slices.Backward(r.levels) {
		inner := shape
		shape = times(l.basis, inner)
		if l.cyclic == nil || value == 0 {
			continue
		}
		// removed coordinates follow from their rates in this mode
		rates := times(l.rates, inner)
		for i, v := range times(l.cyclic, rates) {
			shape[i] += v / value
		}
	}
	return shape
}

// ordered compares by the real part, the largest first, and by the imaginary part.
func ordered(a, b complex128) int {
	return cmp.Or(cmp.Compare(real(b), real(a)), cmp.Compare(imag(b), imag(a)))
}

// maxCondition is the largest condition number of the shapes of modes that count as separate.
const maxCondition = 1e13

// dual returns vectors whose products with the vectors of a list are 1 at the same index and 0 otherwise: the rows of
// the inverse of the matrix with the columns of the list. It is nil if they do not exist.
func dual(list [][]complex128) [][]complex128 {
	n := len(list)
	real2, unit := mat.NewDense(2*n, 2*n, nil), mat.NewDense(2*n, n, nil) // (a + j b)(c + j d) as real matrices
	for j, v := range list {
		for k, x := range v {
			real2.Set(k, j, real(x))
			real2.Set(n+k, n+j, real(x))
			real2.Set(k, n+j, -imag(x))
			real2.Set(n+k, j, imag(x))
		}
		unit.Set(j, j, 1)
	}
	var lu mat.LU
	if lu.Factorize(real2); lu.Cond() > maxCondition {
		return nil
	}
	var inverse mat.Dense
	if lu.SolveTo(&inverse, false, unit) != nil {
		return nil
	}
	rows := make([][]complex128, n)
	for j := range rows {
		rows[j] = make([]complex128, n)
		for k := range rows[j] {
			rows[j][k] = complex(inverse.At(j, k), inverse.At(n+j, k))
		}
	}
	return rows
}

// Participation of the states in a mode: the deviation of each times its weight in Left. They sum to 1 and do not
// depend on units, because a unit scales both factors inversely (Perez-Arriaga, Verghese and Schweppe 1982). nil for a
// mode without Left.
func (m *Mode) Participation() []complex128 {
	if m.Left == nil {
		return nil
	}
	p := make([]complex128, len(m.Shape))
	for i := range p {
		p[i] = m.Left[i] * m.Shape[i]
	}
	return p
}

// Share is the participation of a group of coordinates and speeds in a mode: the real part of the sum of their
// participation factors.
type Share struct {
	Group string
	Value float64
}

// Shares returns the shares of all groups, the largest first; on ties the first among the states comes first. They sum
// to 1, and the first one names the mode. The system must be the system of the mode, without constraints.
func (s *System) Shares(m *Mode) []Share {
	var list []Share
	for i, p := range m.Participation() {
		k := slices.IndexFunc(list, func(g Share) bool { return g.Group == s.Groups[i] })
		if k < 0 {
			k = len(list)
			list = append(list, Share{Group: s.Groups[i]})
		}
		list[k].Value += real(p)
	}
	slices.SortStableFunc(list, func(a, b Share) int {
		if math.Abs(a.Value-b.Value) <= tie {
			return 0
		}
		return cmp.Compare(b.Value, a.Value)
	})
	return list
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

// LogSpace is count angular frequencies between two, evenly on a logarithmic scale [rad/s].
func LogSpace(low, high float64, count int) []float64 {
	list := make([]float64, count)
	for i := range list {
		list[i] = low * math.Pow(high/low, float64(i)/float64(count-1))
	}
	return list
}
