package reduction

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// softening makes compliances of the hub that explicit steps can follow: no motion of the mass M on the hub has an
// angular frequency above w = mostTurned/firstStep. So the compliance C must exceed the limit M^-1/w^2. Coordinates are
// scaled by the square roots of the masses.
type softening struct {
	mass  *mat.SymDense
	scale []float64  // coordinate times scale
	limit *mat.Dense // M^-1/w^2, scaled
}

func newSoftening(mass *mat.SymDense) (*softening, error) {
	var cholesky mat.Cholesky
	if !cholesky.Factorize(mass) {
		return nil, errors.New("no inertia")
	}
	var inverse mat.SymDense
	if err := cholesky.InverseTo(&inverse); err != nil {
		return nil, err
	}
	s := &softening{mass: mass}
	for i := range mass.SymmetricDim() {
		s.scale = append(s.scale, math.Sqrt(mass.At(i, i)))
	}
	s.limit = s.scaled(&inverse, 1)
	s.limit.Scale(math.Pow(firstStep/mostTurned, 2), s.limit)
	return s, nil
}

// scaled is a compliance in scaled coordinates for the sign 1, and back again for -1.
func (s *softening) scaled(m mat.Matrix, sign float64) *mat.Dense {
	n := len(s.scale)
	d := mat.NewDense(n, n, nil)
	for i := range n {
		for k := range n {
			d.Set(i, k, m.At(i, k)*math.Pow(s.scale[i]*s.scale[k], sign))
		}
	}
	return d
}

// modes are the motions of the mass on the hub by a compliance, C M v = v/w^2, the softest one first.
func (s *softening) modes(compliance mat.Matrix) (list []Mode, err error) {
	var cholesky mat.Cholesky
	cholesky.Factorize(s.mass)
	var lower mat.TriDense
	cholesky.LTo(&lower)
	var product mat.Dense
	product.Product(lower.T(), compliance, &lower)
	values, _, err := eigen(&product)
	if err != nil {
		return nil, err
	}
	for k := len(values) - 1; k >= 0; k-- {
		w := math.Inf(1)
		if values[k] > stiffest {
			w = 1 / math.Sqrt(values[k])
		}
		list = append(list, Mode{w / (2 * math.Pi), w*firstStep > mostTurned})
	}
	return list, nil
}

// stiffness is the inverse of a compliance C that is large enough. The part of C over x, toe and camber stays as it is
// where it exceeds the limit. With B = C - M^-1/w^2, the least further compliance of y and castor is the negative part
// of the Schur complement B_yy - B_yx B_xx^-1 B_xy. It changes no rows of x, toe and camber.
func (s *softening) stiffness(compliance mat.Matrix) (*mat.Dense, error) {
	c := s.scaled(compliance, 1)
	const least = 0.02 // of 1/w^2: of the part over x, toe and camber beyond the limit, which is inverted
	b := s.over(c, exact, exact)
	if err := s.clip(c, b, exact, least*math.Pow(firstStep/mostTurned, 2)); err != nil {
		return nil, err
	}
	var inverse, schur mat.Dense
	if err := inverse.Inverse(s.over(c, exact, exact)); err != nil {
		return nil, err
	}
	mixed := s.over(c, rest, exact)
	schur.Product(mixed, &inverse, mixed.T())
	schur.Sub(s.over(c, rest, rest), &schur)
	if err := s.clip(c, &schur, rest, 0); err != nil {
		return nil, err
	}
	stiff := new(mat.Dense)
	if err := stiff.Inverse(s.scaled(c, -1)); err != nil {
		return nil, err
	}
	return stiff, nil
}

// over is the part of a scaled compliance beyond the limit over some coordinates.
func (s *softening) over(c *mat.Dense, rows, columns []int) *mat.Dense {
	d := mat.NewDense(len(rows), len(columns), nil)
	for i, row := range rows {
		for k, column := range columns {
			d.Set(i, k, c.At(row, column)-s.limit.At(row, column))
		}
	}
	return d
}

// clip adds a compliance over some coordinates so that no eigenvalue of the part is below a least one.
func (s *softening) clip(c, part *mat.Dense, coordinates []int, least float64) error {
	values, vectors, err := eigen(part)
	if err != nil {
		return err
	}
	for j, value := range values {
		for i, row := range coordinates {
			for k, column := range coordinates {
				c.Set(row, column, c.At(row, column)+max(least-value, 0)*vectors.At(i, j)*vectors.At(k, j))
			}
		}
	}
	return nil
}

// eigen are the eigenvalues of the symmetric part of a matrix, rising, and its eigenvectors.
func eigen(m *mat.Dense) ([]float64, *mat.Dense, error) {
	n, _ := m.Dims()
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			symmetric.SetSym(i, k, (m.At(i, k)+m.At(k, i))/2)
		}
	}
	var of mat.EigenSym
	if !of.Factorize(symmetric, true) {
		return nil, nil, errors.New("the compliance of the hub has no modes")
	}
	var vectors mat.Dense
	of.VectorsTo(&vectors)
	return of.Values(nil), &vectors, nil
}
