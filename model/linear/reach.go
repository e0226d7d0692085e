package linear

import (
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ModalMeasures measures the effect of an input on a mode and of the mode on an output.
type ModalMeasures struct {
	Input, Output            float64 // 0 for not at all, up to 1
	Controllable, Observable bool
}

// ModalMeasures are the measures of an input, as for Response, and an output for each mode of s, which has no
// constraints.
//
// Input is |w b|/(|w| |b|), the cosine of the angle between the left eigenvector w and the input's column b. Output is
// |c v|/(|c| |v|) of the shape v and the output's row c (Hamdan and Nayfeh 1989). States are scaled so that rows and
// columns of A have similar sizes: units do not matter. For a signal with derivatives b = B_0 + lambda B_1 + lambda^2
// B_2, as for exp(lambda t).
//
// A mode is controllable where [A - lambda, b] has full rank, and observable where [A - lambda; c] has full rank
// (Popov, Belevitch and Hautus). The rank is full if no singular value is less than 1e-10 of the largest.
func (s *System) ModalMeasures(modes []Mode, input, output string) ([]ModalMeasures, error) {
	h, err := s.channel(input, output)
	if err != nil {
		return nil, err
	}
	inputs, err := s.signal(input)
	if err != nil {
		return nil, err
	}
	y, err := find(s.Outputs, output, "output")
	if err != nil {
		return nil, err
	}
	balanced, scale := s.balanced()
	n := len(scale)
	moves := make([]float64, n) // 0 of states that are in no mode: cyclic ones
	for i := range modes {
		for k, p := range modes[i].Participation() {
			moves[k] += real(p)
		}
	}
	var excitations [powers]*mat.VecDense
	for power, list := range inputs {
		excitations[power] = balanced.excitation(list)
	}
	reach := make([]ModalMeasures, len(modes))
	for i, m := range modes {
		b, c, v, w := series(excitations, m.Value), make([]complex128, n), make([]complex128, n), make([]complex128, n)
		for k := range n {
			c[k] = complex(balanced.C.At(y, k), 0)
			if m.Left != nil {
				w[k] = m.Left[k] * complex(scale[k], 0)
			}
			if c[k] != 0 || moves[k] > tie {
				v[k] = m.Shape[k] / complex(scale[k], 0)
			}
		}
		reach[i] = ModalMeasures{Input: cosine(w, b), Output: cosine(c, v)}
		if reach[i].Controllable, reach[i].Observable, err = h.hasFullRank(m.Value); err != nil {
			return nil, err
		}
	}
	return reach, nil
}

// series is b_0 + p b_1 + p^2 b_2.
func series(b [powers]*mat.VecDense, p complex128) []complex128 {
	sum := make([]complex128, b[0].Len())
	for k := range sum {
		for power := powers - 1; power >= 0; power-- {
			sum[k] = sum[k]*p + complex(b[power].AtVec(k), 0)
		}
	}
	return sum
}

// norm of a vector.
func norm(v []complex128) float64 {
	sum := 0.0
	for _, x := range v {
		sum = math.Hypot(sum, cmplx.Abs(x))
	}
	return sum
}

// cosine is |a b|/(|a| |b|), without conjugation, and 0 where one is 0.
func cosine(a, b []complex128) float64 {
	size := norm(a) * norm(b)
	if size == 0 {
		return 0
	}
	var product complex128
	for i := range a {
		product += a[i] * b[i]
	}
	return cmplx.Abs(product) / size
}

// hasFullRank reports whether [A - p, b] and [A - p; c] have full rank.
func (h *channel) hasFullRank(p complex128) (controllable, observable bool, err error) {
	size := mat.Norm(h.a, 2)
	n := h.c.Len()
	full := func(a mat.Matrix, border []complex128) (bool, error) {
		m := mat.NewDense(2*n, 2*n+2, nil) // as a real matrix of twice the size
		set := func(i, k int, x complex128) {
			m.Set(i, k, real(x))
			m.Set(n+i, n+1+k, real(x))
			m.Set(i, n+1+k, -imag(x))
			m.Set(n+i, k, imag(x))
		}
		for i := range n {
			for k := range n {
				set(i, k, complex(a.At(i, k), 0))
			}
			set(i, i, complex(a.At(i, i), 0)-p)
			if borderSize := norm(border); borderSize > 0 {
				set(i, n, border[i]*complex(size/borderSize, 0))
			}
		}
		var svd mat.SVD
		if !svd.Factorize(m, mat.SVDNone) {
			return false, errSolve
		}
		values := svd.Values(nil)
		return slices.Min(values) > rankTolerance*slices.Max(values), nil
	}
	controllable, err = full(h.a, series(h.b, p))
	if err == nil {
		c := make([]complex128, n)
		for k := range c {
			c[k] = complex(h.c.AtVec(k), 0)
		}
		observable, err = full(h.a.T(), c)
	}
	return controllable, observable, err
}
