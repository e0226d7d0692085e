package leastsquares

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// linear is the fit of a line or a plane: residuals a p - y.
func linear(a *mat.Dense, y, start []float64) *Problem {
	m, n := a.Dims()
	return &Problem{Start: start, Residuals: m, Evaluate: func(p, r []float64, jacobian *mat.Dense) error {
		for i := range m {
			r[i] = -y[i]
			for j := range n {
				r[i] += a.At(i, j) * p[j]
			}
		}
		if jacobian != nil {
			jacobian.Copy(a)
		}
		return nil
	}}
}

// A linear problem has its minimum and its covariance in closed form: s^2 (A'A)^-1.
func TestALinearProblem(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	a, y := mat.NewDense(40, 3, nil), make([]float64, 40)
	for i := range 40 {
		a.SetRow(i, []float64{1, float64(i) / 10, random.NormFloat64()})
		y[i] = 3 - 2*a.At(i, 1) + 0.5*a.At(i, 2) + 0.1*random.NormFloat64()
	}
	r, err := Solve(linear(a, y, []float64{0, 0, 0}))
	if err != nil {
		t.Fatal(err)
	}
	var normal, inverse mat.Dense
	normal.Mul(a.T(), a)
	if err := inverse.Inverse(&normal); err != nil {
		t.Fatal(err)
	}
	var right, best mat.VecDense
	right.MulVec(a.T(), mat.NewVecDense(40, y))
	best.MulVec(&inverse, &right)
	c, err := r.Covariance(0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if !(math.Abs(r.Parameters[i]-best.AtVec(i)) < 1e-10) {
			t.Errorf("parameter %d is %g, not %g", i, r.Parameters[i], best.AtVec(i))
		}
		for j := range 3 {
			if want := r.Sum / 37 * inverse.At(i, j); !(math.Abs(c.Matrix[i][j]-want) < 1e-10*math.Abs(c.Matrix[i][i])) {
				t.Errorf("covariance %d, %d is %g, not %g", i, j, c.Matrix[i][j], want)
			}
		}
	}
	if given, err := r.Covariance(4); err != nil || math.Abs(given.Deviations[1]-2*math.Sqrt(inverse.At(1, 1))) > 1e-12 {
		t.Errorf("with a given variance %v, %v", given.Deviations, err)
	}
}

// Bounds hold the parameters that the descent leads beyond; the others find the minimum on the bound, as they do where
// the start is on a bound and the minimum within.
func TestBounds(t *testing.T) {
	a := mat.NewDense(4, 2, []float64{1, 0, 0, 1, 1, 1, 1, -1})
	y := []float64{2, 3, 5, -1} // the minimum is at 2, 3
	for _, c := range []struct {
		low, high, start, want []float64
		held                   bool
	}{
		{[]float64{-9, -9}, []float64{1, 9}, []float64{0, 0}, []float64{1, 3}, true},
		{[]float64{-9, 4}, []float64{9, 9}, []float64{0, 9}, []float64{2, 4}, false},
		{[]float64{0, 0}, []float64{9, 9}, []float64{0, 0}, []float64{2, 3}, false},
		{[]float64{0, 0}, []float64{1, 1}, []float64{-5, 7}, []float64{1, 1}, true},
	} {
		p := linear(a, y, c.start)
		p.Low, p.High = c.low, c.high
		r, err := Solve(p)
		if err != nil {
			t.Fatal(err)
		}
		if math.Hypot(r.Parameters[0]-c.want[0], r.Parameters[1]-c.want[1]) > 1e-9 || r.AtBound[0] != c.held {
			t.Errorf("between %v and %v: %v, held %v; want %v", c.low, c.high, r.Parameters, r.AtBound, c.want)
		}
	}
}

// Parameters that the data do not tell are named: a product of two, and one without effect.
func TestUndeterminedParametersAreNamed(t *testing.T) {
	p := &Problem{Start: []float64{2, 3, 1}, Residuals: 10,
		Evaluate: func(p, r []float64, jacobian *mat.Dense) error {
			for i := range r {
				x := float64(i)
				r[i] = p[0]*p[1]*x - 7*x - 0.1*math.Sin(9*x)
				if jacobian != nil {
					jacobian.SetRow(i, []float64{p[1] * x, p[0] * x, 0})
				}
			}
			return nil
		}}
	r, err := Solve(p)
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.Covariance(0)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(c.Undetermined([]string{"a", "b", "idle"}, 0.95, 0.25), "\n")
	text = strings.ReplaceAll(text, "a^-0.71 b^0.71", "a^0.71 b^-0.71")
	for _, want := range []string{"nothing responds to idle", "a and b have a correlation of -1.0000",
		"the product a^0.71 b^-0.71 is known to"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// Steps into a region without residuals are shortened. Searches end by the caller, and refuse what cannot be solved.
func TestStepsThatFailAndCalls(t *testing.T) {
	root := func(p, r []float64, jacobian *mat.Dense) error {
		if p[0] <= 0 {
			return errors.New("no value")
		}
		r[0], r[1] = math.Log(p[0]), 0
		if jacobian != nil {
			jacobian.Set(0, 0, 1/p[0])
			jacobian.Set(1, 0, 0)
		}
		return nil
	}
	r, err := Solve(&Problem{Start: []float64{20}, Residuals: 2, Evaluate: root}) // the first full step leads to -40
	if err != nil || math.Abs(r.Parameters[0]-1) > 1e-9 {
		t.Errorf("%v, %v", r, err)
	}
	stopped := &Problem{Start: []float64{20}, Residuals: 2, Evaluate: root,
		Progress: func(int, float64) bool { return false }}
	if _, err := Solve(stopped); !errors.Is(err, ErrInterrupted) {
		t.Error(err)
	}
	if _, err := Solve(&Problem{Start: []float64{1, 1}, Residuals: 1}); err == nil ||
		!strings.Contains(err.Error(), "too few") {
		t.Error(err)
	}
	if _, err := Solve(&Problem{Start: []float64{-1}, Residuals: 2, Evaluate: root}); err == nil ||
		!strings.Contains(err.Error(), "at the start") {
		t.Error(err)
	}
}
