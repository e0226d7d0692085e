package formulate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/expr"
	"skidpad/model/formulate"
)

// Both wheels of a rolling axle keep it from slipping sideways, so one row depends on the others. Reactions then have
// the least norm, also beside the constraints, where rows contradict each other. They do not follow the rounding of
// states. The norm has a floor beside the diagonal of S, which changes the shares of both wheels a little.
func TestReactionsOfRedundantConstraintsHaveLeastNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	for _, name := range []string{"tilting_three_wheeler", "bicycle_trailer"} {
		m := read(t, name)
		p, k := machine(t, m, formulate.Options{})
		f, err := formulate.New(m, formulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		u := make([]float64, len(p.Inputs))
		for i, v := range p.Inputs {
			u[i] = v.Start
		}
		start := start(t, p, k, nil, u)
		n, rows := len(f.Speeds), len(f.Constraints)
		reactions := func(x []float64) []float64 {
			at, list := symbolValues(f, p, x, u), make([]float64, rows)
			for i := range list {
				list[i] = at.Value(f.Solution[n+i])
			}
			return list
		}
		for _, aside := range []float64{0, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2} {
			x, near := make([]float64, len(start)), make([]float64, len(start))
			for i, v := range start {
				x[i] = v + aside*r.NormFloat64()*(math.Abs(v)+0.3)
				near[i] = x[i] * (1 + 1e-13*r.NormFloat64())
			}
			got, moved, want := reactions(x), reactions(near), leastReactions(f, symbolValues(f, p, x, u).Value)
			size := 1.0
			for _, v := range want {
				size = max(size, math.Abs(v))
			}
			for i, v := range want {
				if !(math.Abs(got[i]-v) <= 1e-4*size) {
					t.Errorf("%s, %g beside the start: %s = %.12g, by the pseudo-inverse %.12g", m.Name, aside,
						f.Constraints[i].Name, got[i], v)
				}
				if !(math.Abs(moved[i]-got[i]) <= 1e-11*size) {
					t.Errorf("%s, %g beside the start: %s = %.12g becomes %.12g with states that differ by 1e-13", m.Name,
						aside, f.Constraints[i].Name, got[i], moved[i])
				}
			}
		}
	}
}

// leastReactions are -S^+ g with g = -e - C M^-1 b, by the pseudo-inverse of Moore and Penrose of S, whose rows and
// columns are scaled to a diagonal of 1.
func leastReactions(f *formulate.Formulation, value func(*expr.Expr) float64) []float64 {
	n, rows := len(f.Speeds), len(f.Constraints)
	mass, load := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		load.SetVec(i, value(f.Load[i]))
		for j := range i + 1 {
			mass.SetSym(i, j, value(f.Mass[i][j]))
		}
	}
	c, asked := mat.NewDense(rows, n, nil), mat.NewVecDense(rows, nil)
	for i, constraint := range f.Constraints {
		asked.SetVec(i, -value(constraint.Bias)-value(constraint.Stabilising))
		for j := range n {
			c.Set(i, j, value(constraint.Row[j]))
		}
	}
	var inverse, half, s mat.Dense
	if inverse.Inverse(mass) != nil {
		panic("the mass matrix is singular")
	}
	half.Mul(c, &inverse)
	s.Mul(&half, c.T())
	var free, lack mat.VecDense
	free.MulVec(&half, load)
	lack.SubVec(asked, &free)
	scale := mat.NewDiagDense(rows, nil)
	for i := range rows {
		scale.SetDiag(i, 1/math.Sqrt(s.At(i, i)))
	}
	var scaled, inverted mat.Dense
	scaled.Mul(scale, &s)
	scaled.Mul(&scaled, scale)
	inverted.Mul(scale, pseudoInverse(&scaled))
	inverted.Mul(&inverted, scale)
	var result mat.VecDense
	result.MulVec(&inverted, &lack)
	list := make([]float64, rows)
	for i := range list {
		list[i] = -result.AtVec(i)
	}
	return list
}
