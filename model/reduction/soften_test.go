package reduction

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Any compliance becomes one that explicit Euler steps can follow: the mass on the hub has no higher frequency than the
// limit, and with the damping of the table every motion decays. The displacements of x, toe and camber under any load
// stay as they are where they are large enough.
func TestSoftenedCompliancesAreStable(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	random := func(rows int, size float64) *mat.Dense {
		d := mat.NewDense(5, rows, nil)
		for i := range 5 {
			for k := range rows {
				d.Set(i, k, size*r.NormFloat64())
			}
		}
		return d
	}
	for n := range 300 {
		inertia := random(5, 0.3)
		var spread mat.Dense
		spread.Mul(inertia, inertia.T())
		mass := mat.NewSymDense(5, nil)
		for i, m := range []float64{30, 30, 1, 0.4, 1} {
			for k := range i + 1 {
				mass.SetSym(i, k, spread.At(i, k)*math.Sqrt(m*[]float64{30, 30, 1, 0.4, 1}[k])/5)
			}
			mass.SetSym(i, i, mass.At(i, i)+m)
		}
		s, err := newSoftening(mass)
		if err != nil {
			t.Fatal(err)
		}
		// from stiff to soft, and rigid in some directions
		part := random(1+n%5, math.Pow(10, -1-2*r.Float64())/300)
		var scaled mat.Dense
		scaled.Mul(part, part.T())
		compliance := s.scaled(&scaled, -1)
		stiff, err := s.stiffness(compliance)
		if err != nil {
			t.Fatal(err)
		}
		var eigen mat.Eigen
		var rates mat.Dense
		if err := rates.Solve(mass, stiff); err != nil || !eigen.Factorize(&rates, mat.EigenNone) {
			t.Fatal(err)
		}
		for _, w2 := range eigen.Values(nil) {
			w := math.Sqrt(real(w2))
			if !(w*firstStep <= mostTurned*1.0001) {
				t.Errorf("case %d: a motion at %g Hz", n, w/(2*math.Pi))
			}
			// z^2 + (b - 2) z + 1 - b + (w h)^2 = 0 with b = c h w^2 of a damping c K
			b, turn := 2*damped*firstStep*firstStep*w*w, w*w*firstStep*firstStep
			root := cmplx.Sqrt(complex((b-2)*(b-2)-4*(1-b+turn), 0))
			for _, z := range []complex128{(complex(2-b, 0) + root) / 2, (complex(2-b, 0) - root) / 2} {
				if cmplx.Abs(z) >= 1 {
					t.Errorf("case %d: a motion at %g Hz grows in explicit steps", n, w/(2*math.Pi))
				}
			}
		}
		limit := math.Pow(firstStep/mostTurned, 2)
		values, _, err := eigenOver(s, compliance)
		if err != nil {
			t.Fatal(err)
		}
		if values[0] < 0.05*limit {
			continue
		}
		var soft mat.Dense
		if err := soft.Inverse(stiff); err != nil {
			t.Fatal(err)
		}
		for _, i := range exact {
			for k := range 5 {
				size := math.Sqrt(compliance.At(i, i) * compliance.At(k, k))
				if d := math.Abs(soft.At(i, k) - compliance.At(i, k)); d > 1e-9*size {
					t.Fatalf("case %d: compliance [%d][%d] is %g, softened %g", n, i, k, compliance.At(i, k), soft.At(i, k))
				}
			}
		}
	}
}

// eigenOver are the eigenvalues of the part over x, toe and camber beyond the limit.
func eigenOver(s *softening, compliance *mat.Dense) ([]float64, *mat.Dense, error) {
	return eigen(s.over(s.scaled(compliance, 1), exact, exact))
}
