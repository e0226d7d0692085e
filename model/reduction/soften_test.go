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

// The stiffness by the order of turns is the second derivative of Q times the rotation vector of Rz(a) Rx(b) Ry(c).
func TestTurnsInOrder(t *testing.T) {
	q := [3]float64{3, -5, 7}
	stored := func(b, c, a float64) float64 {
		sa, ca := math.Sincos(a)
		sb, cb := math.Sincos(b)
		sc, cc := math.Sincos(c)
		r := [3][3]float64{
			{ca*cc - sa*sb*sc, -sa * cb, ca*sc + sa*sb*cc},
			{sa*cc + ca*sb*sc, ca * cb, sa*sc - ca*sb*cc},
			{-cb * sc, sb, cb * cc},
		}
		axis := [3]float64{(r[2][1] - r[1][2]) / 2, (r[0][2] - r[2][0]) / 2, (r[1][0] - r[0][1]) / 2}
		sine := math.Sqrt(axis[0]*axis[0] + axis[1]*axis[1] + axis[2]*axis[2])
		factor := math.Asin(sine) / sine
		return factor * (q[0]*axis[0] + q[1]*axis[1] + q[2]*axis[2])
	}
	stiff := mat.NewDense(5, 5, nil)
	turnInOrder(stiff, q)
	const h = 1e-4
	for _, x := range [][2]int{{2, 3}, {2, 4}, {3, 4}} {
		at := func(first, second float64) float64 {
			var y [5]float64
			y[x[0]], y[x[1]] = first*h, second*h
			return stored(y[2], y[3], y[4])
		}
		want := (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h * h)
		if got := stiff.At(x[0], x[1]); math.Abs(got-want) > 1e-5 || got != stiff.At(x[1], x[0]) {
			t.Errorf("stiffness %v is %g, want %g", x, got, want)
		}
	}
}
