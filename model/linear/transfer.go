package linear

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"

	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// powers is how many derivatives of a signal can be separate inputs, with the signal itself.
const powers = 3

// channel is the transfer path from a signal u to an output. Its coordinates do not include the cyclic ones that the
// output does not depend on:
//
//	x' = A x + B_0 u + B_1 u' + B_2 u",  y = C x + D_0 u + D_1 u' + D_2 u"
type channel struct {
	a     *mat.Dense // empty where nothing moves
	b     [powers]*mat.VecDense
	c     *mat.VecDense
	d     [powers]float64
	order int     // the highest derivative
	names string  // for messages
	s     *System // without constraints, balanced
}

// signal resolves a name into the inputs for the signal, its rate and its acceleration. The name of a motion driver, a
// steering or a road alone stands for all of its inputs; names joined by + take the same signal.
func (s *System) signal(name string) (inputs [powers][]int, err error) {
	for part := range strings.SplitSeq(name, "+") {
		motion := false
		for _, m := range s.motions {
			if owner, _, _ := strings.Cut(s.Inputs[m.Position], "."); owner != part {
				continue
			}
			motion = true
			inputs[0], inputs[1] = append(inputs[0], m.Position), append(inputs[1], m.Rate)
			if m.Acceleration >= 0 {
				inputs[2] = append(inputs[2], m.Acceleration)
			}
		}
		if motion {
			continue
		}
		i, err := find(s.Inputs, part, "input or prescribed motion")
		if err != nil {
			return inputs, err
		}
		inputs[0] = append(inputs[0], i)
	}
	return inputs, nil
}

// Motion is the name of the motion driver, steering or road whose position is an input, "" for none.
func (s *System) Motion(input string) string {
	for _, m := range s.motions {
		if s.Inputs[m.Position] == input {
			owner, _, _ := strings.Cut(input, ".")
			return owner
		}
	}
	return ""
}

// channel is the path from an input, or a name for several inputs, to an output.
func (s *System) channel(input, output string) (*channel, error) {
	if s.constraints != nil {
		minimal, err := s.Minimal(nil)
		if err != nil {
			return nil, err
		}
		return minimal.channel(input, output)
	}
	inputs, err := s.signal(input)
	if err != nil {
		return nil, err
	}
	y, err := find(s.Outputs, output, "output")
	if err != nil {
		return nil, err
	}
	s, _ = s.balanced()
	r, err := s.reduce([]int{y})
	if err != nil {
		return nil, err
	}
	h := &channel{a: r.a, names: output + " to " + input, s: s}
	for power, list := range inputs {
		if len(list) > 0 {
			h.order = power
		}
		for _, u := range list {
			h.d[power] += s.D.At(y, u)
		}
		if !r.a.IsEmpty() {
			h.b[power] = new(mat.VecDense)
			h.b[power].MulVec(r.out().T(), s.excitation(list))
		}
	}
	if !r.a.IsEmpty() {
		h.c = new(mat.VecDense)
		h.c.MulVec(r.out().T(), s.C.RowView(y))
	}
	return h, nil
}

// excitation is the sum of the columns of B of some inputs.
func (s *System) excitation(inputs []int) *mat.VecDense {
	b := mat.NewVecDense(len(s.States), nil)
	for _, u := range inputs {
		b.AddVec(b, s.B.ColView(u))
	}
	return b
}

// at is the transfer function at a complex frequency p. The state follows from (p - A) x = b with all derivatives of
// the signal, b = B_0 + p B_1 + p^2 B_2.
func (h *channel) at(p complex128) (complex128, error) {
	y := complex(h.d[0], 0) + p*complex(h.d[1], 0) + p*p*complex(h.d[2], 0)
	if h.a.IsEmpty() {
		return y, nil
	}
	n := h.c.Len()
	m, right := mat.NewDense(2*n, 2*n, nil), mat.NewVecDense(2*n, nil) // as a real system of twice the size
	for i, b := range series(h.b, p) {
		for k := range n {
			m.Set(i, k, -h.a.At(i, k))
			m.Set(n+i, n+k, -h.a.At(i, k))
		}
		m.Set(i, i, m.At(i, i)+real(p))
		m.Set(n+i, n+i, m.At(n+i, n+i)+real(p))
		m.Set(i, n+i, -imag(p))
		m.Set(n+i, i, imag(p))
		right.SetVec(i, real(b))
		right.SetVec(n+i, imag(b))
	}
	var x mat.VecDense
	err := x.SolveVec(m, right)
	if _, warning := errors.AsType[mat.Condition](err); err != nil && !warning {
		return 0, fmt.Errorf("response of %s at s = %g 1/s: %w", h.names, p, err)
	}
	for k := range n {
		y += complex(h.c.AtVec(k)*x.AtVec(k), h.c.AtVec(k)*x.AtVec(n+k))
	}
	return y, nil
}

// Response returns the response of an output to a sine of an input, by angular frequency [rad/s]. The name of a motion
// driver, a steering or a road alone includes its rate and acceleration, and names joined by + move together.
func (s *System) Response(input, output string, omega []float64) ([]complex128, error) {
	h, err := s.channel(input, output)
	if err != nil {
		return nil, err
	}
	var list []complex128
	for _, w := range omega {
		y, err := h.at(complex(0, w))
		if err != nil {
			return nil, err
		}
		list = append(list, y)
	}
	return list, nil
}

// Transfer is a transfer function by its poles and zeros [1/s], without cancelling ones.
type Transfer struct {
	Poles, Zeros []complex128
	Cancelled    int     // poles that zeros cancel: modes that the input does not move or the output does not see
	Gain         float64 // steady: at s = 0; infinite with a pole there
}

// together bounds the distance between a pole and the zero that cancels it: this share of the pole's magnitude, plus
// the square of this share of the largest magnitude.
const together = 1e-6

// Transfer returns the transfer function from an input to an output. Inputs are named as for Response.
func (s *System) Transfer(input, output string) (*Transfer, error) {
	h, err := s.channel(input, output)
	if err != nil {
		return nil, err
	}
	all, err := h.s.reduce(nil)
	if err != nil {
		return nil, err
	}
	poles, err := eigenvalues(all.a)
	if err != nil {
		return nil, err
	}
	t := &Transfer{}
	n, _ := h.a.Dims()
	for len(poles) < n { // of cyclic coordinates that the output sees
		poles = append(poles, 0)
	}
	if t.Zeros, err = h.zeros(); err != nil {
		return nil, err
	}
	scale := 0.0
	for _, p := range poles {
		scale = max(scale, cmplx.Abs(p))
	}
	for _, p := range poles {
		best := -1
		for k, z := range t.Zeros {
			if best < 0 || cmplx.Abs(z-p) < cmplx.Abs(t.Zeros[best]-p) {
				best = k
			}
		}
		if best >= 0 && cmplx.Abs(t.Zeros[best]-p) <= together*(cmplx.Abs(p)+together*scale) {
			t.Zeros = slices.Delete(t.Zeros, best, best+1)
			t.Cancelled++
			continue
		}
		t.Poles = append(t.Poles, p)
	}
	slices.SortFunc(t.Poles, ordered)
	slices.SortFunc(t.Zeros, ordered)
	if t.Gain = math.Inf(1); !slices.Contains(t.Poles, 0) {
		y, err := h.at(0)
		if err != nil {
			return nil, err
		}
		t.Gain = real(y)
	}
	return t, nil
}

// infinite is how small, as a share of its row, the direct term must be for a zero to count as infinite.
const infinite = 1e-11

// zeros are the complex frequencies p at which a state x and a signal u, not both 0, keep the output at
// 0:
//
//	[A - p  B] [x]
//	[C      D] [u] = 0
//
// A signal with derivatives becomes a system with x, u and its lower derivatives as states and the highest derivative
// as input. The derivatives are integrators, and the equations of x keep their form. Without direct term the output is
// 0 as long as x stays in the null space of C. The output of the motion in this null space is C x' = C A x + C B u;
// each such step makes one zero infinite (Emami-Naeini and Van Dooren 1982, for one input and one output). With a
// direct term, u = -C x/D keeps the output at 0, and the zeros are the eigenvalues of A - B C/D.
func (h *channel) zeros() ([]complex128, error) {
	system, n := h.matrix()
	size := 1.0
	if n > 0 && mat.Norm(system.Slice(0, n, 0, n), 2) > 0 {
		size = mat.Norm(system.Slice(0, n, 0, n), 2)
	}
	for ; n > 0; n-- {
		a, b, c, d := system.Slice(0, n, 0, n), system.Slice(0, n, n, n+1), system.Slice(n, n+1, 0, n), system.At(n, n)
		sizeB, sizeC := mat.Norm(b, 2), mat.Norm(c, 2)
		if math.Abs(d)*size > infinite*sizeB*sizeC {
			var rest mat.Dense
			rest.Mul(b, c)
			rest.Scale(-1/d, &rest)
			rest.Add(a, &rest)
			return eigenvalues(&rest)
		}
		if sizeC == 0 {
			break
		}
		var err error
		if system, err = withoutOutput(system, n); err != nil {
			return nil, err
		}
		// the remainder of cancelling terms is 0
		for k := range n {
			terms := size
			if k == n-1 {
				terms = sizeB
			}
			if math.Abs(system.At(n-1, k)) <= infinite*terms {
				system.Set(n-1, k, 0)
			}
		}
	}
	if n > 0 || system.At(0, 0) == 0 {
		return nil, fmt.Errorf("the response of %s is 0 at all frequencies; it has no poles or zeros", h.names)
	}
	return nil, nil
}

// matrix has A and C in the rows of x' and y, and B and D in the last column. n is the number of states, including
// derivatives of the signal.
func (h *channel) matrix() (system *mat.Dense, n int) {
	states := 0
	if !h.a.IsEmpty() {
		states, _ = h.a.Dims()
	}
	n = states + h.order
	size, unit := 0.0, 1.0 // of the signal, so that it moves the states as they move each other
	for power := range h.order + 1 {
		if states > 0 {
			size = max(size, mat.Norm(h.b[power], 2))
		}
	}
	if size > 0 {
		unit = mat.Norm(h.a, 2) / size
	}
	system = mat.NewDense(n+1, n+1, nil)
	for i := range states {
		for k := range states {
			system.Set(i, k, h.a.At(i, k))
		}
		for power := range h.order + 1 {
			system.Set(i, states+power, unit*h.b[power].AtVec(i))
		}
		system.Set(n, i, h.c.AtVec(i))
	}
	for power := range h.order + 1 {
		system.Set(n, states+power, unit*h.d[power])
		if power > 0 {
			system.Set(states+power-1, states+power, 1)
		}
	}
	return system, n
}

// withoutOutput is a system of n states without direct term whose output is 0: its states stay in the null space of C,
// and its output is the rate along C.
func withoutOutput(system *mat.Dense, n int) (*mat.Dense, error) {
	c := system.Slice(n, n+1, 0, n)
	states, err := null(c, 0)
	if err != nil {
		return nil, err
	}
	rows, columns := mat.NewDense(n, n, nil), mat.NewDense(n+1, n, nil)
	columns.Set(n, n-1, 1)
	if n > 1 {
		rows.Slice(0, n-1, 0, n).(*mat.Dense).Copy(states.T())
		columns.Slice(0, n, 0, n-1).(*mat.Dense).Copy(states)
	}
	rows.Slice(n-1, n, 0, n).(*mat.Dense).Scale(1/mat.Norm(c, 2), c)
	var next mat.Dense
	next.Product(rows, system.Slice(0, n, 0, n+1), columns)
	return &next, nil
}

// balanced is the system in states scaled by powers of 2, x = scale times the states of the result. Rows and columns of
// A then have similar sizes in any units. An element counts with the larger of its values in the system and in its
// neighbour. An element that is 0 at the border of stability, or its rounding, would otherwise scale a state far too
// large or too small. The neighbour has the same scales, so that both can be compared.
func (s *System) balanced() (*System, []float64) {
	if len(s.States) == 0 {
		return s, nil
	}
	size := mat.DenseCopyOf(s.A)
	if s.neighbour != nil {
		if n := s.neighbour(); n != nil {
			size.Apply(func(i, k int, v float64) float64 { return max(math.Abs(v), math.Abs(n.A.At(i, k))) }, size)
		}
	}
	raw := size.RawMatrix()
	scale := make([]float64, raw.Rows)
	gonum.Implementation{}.Dgebal(lapack.Scale, raw.Rows, raw.Data, raw.Stride, scale)
	return s.scaled(scale), scale
}

// scaled is the system in new states; the old states are scale times the new ones.
func (s *System) scaled(scale []float64) *System {
	b := *s
	b.A, b.B, b.C = mat.DenseCopyOf(s.A), &mat.Dense{}, mat.DenseCopyOf(s.C)
	columns := func(_, k int, v float64) float64 { return v * scale[k] }
	rows := func(i, _ int, v float64) float64 { return v / scale[i] }
	b.A.Apply(columns, b.A)
	b.A.Apply(rows, b.A)
	b.C.Apply(columns, b.C)
	if s.constraints != nil {
		b.constraints = mat.DenseCopyOf(s.constraints)
		b.constraints.Apply(columns, b.constraints)
	}
	if !s.B.IsEmpty() {
		b.B.Apply(rows, s.B)
	}
	if s.neighbour != nil {
		b.neighbour = func() *System {
			n := s.neighbour()
			if n == nil {
				return nil
			}
			return n.scaled(scale)
		}
	}
	return &b
}

// eigenvalues of a matrix, which may be empty.
func eigenvalues(m *mat.Dense) ([]complex128, error) {
	if m.IsEmpty() {
		return nil, nil
	}
	var eigen mat.Eigen
	if !eigen.Factorize(m, mat.EigenNone) {
		return nil, errSolve
	}
	return eigen.Values(nil), nil
}
