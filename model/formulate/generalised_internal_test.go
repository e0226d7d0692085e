package formulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/expr"
)

// For a singular matrix the generalised inverse gives the least-norm solution, in the norm of W, of the equations
// nearest to the right side. The test solves these with the eigenvectors of the scaled matrix whose eigenvalues are not
// 0.
func TestGeneralisedInverseOfSingularMatrices(t *testing.T) {
	const rows, rank, scale = 6, 4, 0.3
	p := expr.NewPool()
	f := newFormulation(nil, nil, nil, p)
	s, right := make([][]*expr.Expr, rows), make([]*expr.Expr, rows)
	for i := range rows {
		s[i], right[i] = make([]*expr.Expr, rows), p.Sym(fmt.Sprint("r", i), expr.Input)
		for j := range i + 1 {
			s[i][j] = p.Sym(fmt.Sprint("s", i, j), expr.Input)
			s[j][i] = s[i][j]
		}
	}
	solution := f.invert(s, p.Num(expr.Fraction(3, 10)), strconv.Itoa)(right, "x")
	if f.err != nil {
		t.Fatal(f.err)
	}
	r := rand.New(rand.NewPCG(87, 88))
	for range 100 {
		root := mat.NewDense(rows, rank, nil)
		for i := range rows {
			for j := range rank {
				root.Set(i, j, r.NormFloat64())
			}
		}
		var product mat.Dense
		product.Mul(root, root.T())
		values, d, asked := map[*expr.Expr]float64{}, make([]float64, rows), make([]float64, rows)
		scaled := mat.NewSymDense(rows, nil)
		for i := range rows {
			d[i] = 1 / math.Sqrt(product.At(i, i)+1e-4*scale)
			asked[i] = r.NormFloat64()
			values[right[i]] = asked[i]
			for j := range i + 1 {
				values[s[i][j]] = product.At(i, j)
				scaled.SetSym(i, j, product.At(i, j)*d[i]*d[j])
			}
		}
		var e mat.EigenSym
		e.Factorize(scaled, true)
		var vectors mat.Dense
		e.VectorsTo(&vectors)
		want, size := make([]float64, rows), 0.0
		for k := rows - rank; k < rows; k++ { // in ascending order
			along := 0.0
			for i := range rows {
				along += vectors.At(i, k) * d[i] * asked[i]
			}
			for i := range rows {
				want[i] += d[i] * vectors.At(i, k) * along / e.Values(nil)[k]
			}
		}
		for _, v := range want {
			size = max(size, math.Abs(v))
		}
		at := expr.NewEvaluator(values)
		for i := range rows {
			if got := at.Value(solution[i]); !(math.Abs(got-want[i]) <= 1e-9*size) {
				t.Errorf("x[%d] = %.15g, by eigenvectors %.15g", i, got, want[i])
			}
		}
	}
}
