package tangent

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// without removes cyclic coordinates, such as position and heading, from the equations; their eigenvalues are exactly
// zero. Cyclic coordinates come in chains, so null spaces of A are removed one after the other (4.3). Cyclic
// coordinates that act on the output with the row c stay; c may be nil.
func without(a, b, c *mat.Dense) (*mat.Dense, *mat.Dense, *mat.Dense, error) {
	sees := 0.0
	if c != nil {
		sees = largest(c)
	}
	scale := 0.0 // the largest singular value at the beginning: what is left may be rounding
	for {
		n := width(a)
		d, err := decompose(a, zeroRank)
		if err != nil {
			return nil, nil, nil, err
		}
		scale = max(scale, d.values[0])
		for d.rank > 0 && d.values[d.rank-1] <= zeroRank*scale {
			d.rank--
		}
		cyclic := d.null()
		if c != nil && width(cyclic) > 0 {
			if seen := product(c, cyclic); largest(seen) > zeroRank*sees {
				unseen, err := null(width(cyclic), [][]float64{seen.RawRowView(0)})
				if err != nil {
					return nil, nil, nil, err
				}
				cyclic = product(cyclic, unseen)
			}
		}
		k := width(cyclic)
		switch k {
		case 0:
			return a, b, c, nil
		case n:
			return &mat.Dense{}, b, c, nil
		}
		if d, err = decompose(cyclic.T(), zeroRank); err != nil {
			return nil, nil, nil, err
		}
		rest := d.null()
		a, b = product(rest.T(), a, rest), product(rest.T(), b)
		if c != nil {
			c = product(c, rest)
		}
	}
}

// Eigenvalues returns the eigenvalues [1/s] that are not exactly zero, and the number of zeros that were left out. They
// are sorted by real part, the largest first, then by imaginary part.
func (s *System) Eigenvalues() (values []complex128, zeros int, err error) {
	a, _, _, err := without(s.A, s.B, nil)
	if err != nil {
		return nil, 0, err
	}
	n := width(a)
	if n > 0 {
		var eigen mat.Eigen
		if !eigen.Factorize(a, mat.EigenNone) {
			return nil, 0, errDecompose
		}
		values = eigen.Values(nil)
	}
	slices.SortFunc(values, func(x, y complex128) int {
		return cmp.Or(cmp.Compare(real(y), real(x)), cmp.Compare(imag(y), imag(x)))
	})
	return values, width(s.A) - n, nil
}

// Response returns the frequency response of an output to an input at angular frequencies [rad/s]; a prescribed motion,
// named by its position, comes with its rate and acceleration (4.5).
func (s *System) Response(input, output string, omega []float64) ([]complex128, error) {
	u, y := slices.Index(s.Inputs, input), slices.Index(s.Outputs, output)
	if u < 0 {
		return nil, fmt.Errorf("there is no input %q; there are %s", input, strings.Join(s.Inputs, ", "))
	}
	if y < 0 {
		return nil, fmt.Errorf("there is no output %q; there are %s", output, strings.Join(s.Outputs, ", "))
	}
	a, b, c, err := without(s.A, s.B, block(s.C, y, y+1, 0, width(s.A)))
	if err != nil {
		return nil, err
	}
	columns := [3]int{u, -1, -1}
	for _, d := range s.drives {
		if d[0] == u {
			columns = d
		}
	}
	n := width(a)
	var list []complex128
	for _, w := range omega {
		var share [3]complex128 = [3]complex128{1, complex(0, w), complex(-w*w, 0)}
		h := complex(0, 0)
		right := mat.NewVecDense(max(2*n, 1), nil)
		for k, column := range columns {
			if column < 0 {
				continue
			}
			h += share[k] * complex(s.D.At(y, column), 0)
			for i := range n {
				right.SetVec(i, right.AtVec(i)+real(share[k])*b.At(i, column))
				right.SetVec(n+i, right.AtVec(n+i)+imag(share[k])*b.At(i, column))
			}
		}
		if n > 0 {
			// (j w - A) x = b as a real system of twice the size
			m := mat.NewDense(2*n, 2*n, nil)
			for i := range n {
				for k := range n {
					m.Set(i, k, -a.At(i, k))
					m.Set(n+i, n+k, -a.At(i, k))
				}
				m.Set(i, n+i, -w)
				m.Set(n+i, i, w)
			}
			var x mat.VecDense
			if err := x.SolveVec(m, right); err != nil {
				if condition, ok := errors.AsType[mat.Condition](err); !ok || math.IsInf(float64(condition), 1) {
					return nil, fmt.Errorf("response of %s to %s at %g rad/s: %w", output, input, w, err)
				}
			}
			for k := range n {
				h += complex(c.At(0, k)*x.AtVec(k), c.At(0, k)*x.AtVec(n+k))
			}
		}
		list = append(list, h)
	}
	return list, nil
}
