package search

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// formulas are equations with exact derivatives.
type formulas struct {
	f  func(x, f []float64)
	df func(x []float64, j *mat.Dense)
}

func (e formulas) Evaluate(x, f []float64)                 { e.f(x, f) }
func (e formulas) Differentiate(x []float64, j *mat.Dense) { e.df(x, j) }

// sphere is |x - centre| = 5 in space.
func sphere(centre ...float64) formulas {
	return formulas{
		func(x, f []float64) {
			if len(f) == 0 {
				return
			}
			f[0] = -25
			for i, c := range centre {
				f[0] += (x[i] - c) * (x[i] - c)
			}
		},
		func(x []float64, j *mat.Dense) {
			for i, c := range centre {
				j.Set(0, i, 2*(x[i]-c))
			}
		}}
}

// The nearest point of a sphere lies on the line through its centre, of an ellipsoid in unequal units where the
// condition of Lagrange holds.
func TestNearestPointOfASphere(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		at := func() float64 { return 20*r.Float64() - 10 }
		centre, units := []float64{at(), at(), at()}, []float64{1, 1 + r.Float64(), 1}
		start := []float64{at(), at(), at()}
		away := mat.Norm(mat.NewVecDense(3, start), 2)
		for i, c := range centre {
			start[i] = c + start[i]*(4.7+0.6*r.Float64())/away // within 6 % of the radius
		}
		x := append([]float64(nil), start...)
		s := Search{Of: sphere(centre...), Equations: 1, Enough: 1e-12, Steps: 7, Units: units, Nearest: true}
		result, err := s.Run(x)
		if err != nil || result.Largest > 1e-12 {
			t.Fatalf("seed %d: %v, %+v", seed, err, result)
		}
		var change, normal [3]float64
		size := 0.0
		for i := range x {
			change[i], normal[i] = (x[i]-start[i])/(units[i]*units[i]), x[i]-centre[i]
			size = math.Hypot(size, change[i])
		}
		for i := range x {
			if d := change[i]*normal[(i+1)%3] - change[(i+1)%3]*normal[i]; math.Abs(d) > 1e-3*size {
				t.Errorf("seed %d: the change %v is not along the normal %v", seed, change, normal)
			}
		}
	}
}

// Exact derivatives give quadratic convergence.
func TestConvergesQuadratically(t *testing.T) {
	x := []float64{8, 1, 0}
	for _, want := range []float64{5, 0.3, 2e-3, 1e-7, 1e-13} {
		s := Search{Of: sphere(0, 0, 0), Equations: 1, Steps: 1}
		result, err := s.Run(x)
		if err != nil || result.Steps != 1 || !(result.Largest <= 25*want) {
			t.Errorf("%v: %+v, want %g at most", err, result, 25*want)
		}
	}
}

func linearEquations(a *mat.Dense, b []float64) formulas {
	return formulas{
		func(x, f []float64) {
			for i := range b {
				f[i] = mat.Dot(a.RowView(i), mat.NewVecDense(len(x), x)) - b[i]
			}
		},
		func(_ []float64, j *mat.Dense) { j.Copy(a) }}
}

// A step leads to the nearest solution in the given units. Repeated equations do not matter. Contradictory equations
// end at the least squares.
func TestLinearEquations(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  []float64
		right []float64
		units []float64
		want  []float64
	}{
		{"least change", []float64{1, 1}, []float64{2}, nil, []float64{1, 1}},
		{"in units", []float64{1, 1}, []float64{5}, []float64{1, 2}, []float64{1, 4}},
		{"repeated", []float64{1, 1, 2, 2}, []float64{2, 4}, nil, []float64{1, 1}},
		{"contradictory", []float64{1, 0, 1, 0}, []float64{1, 3}, nil, []float64{2, 0}},
	} {
		x := make([]float64, 2)
		e := linearEquations(mat.NewDense(len(c.right), 2, c.rows), c.right)
		if _, err := (&Search{Of: e, Equations: len(c.right), Steps: 9, Units: c.units}).Run(x); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for i, want := range c.want {
			if !(math.Abs(x[i]-want) <= 1e-12) {
				t.Errorf("%s: %v, want %v", c.name, x, c.want)
			}
		}
	}
}

// An unknown stops at its bound, and the other unknowns go on. An unknown that starts at its bound can move inwards.
func TestBounds(t *testing.T) {
	e := linearEquations(mat.NewDense(1, 2, []float64{1, 1}), []float64{4})
	for _, c := range []struct{ start, low, high, want []float64 }{
		{[]float64{0, 0}, nil, []float64{1, 9}, []float64{1, 3}},
		{[]float64{9, 9}, []float64{3, 0}, nil, []float64{3, 1}},
		{[]float64{0, 0}, []float64{0, 0}, []float64{9, 9}, []float64{2, 2}},
		{[]float64{0, 0}, nil, []float64{1, 1}, []float64{1, 1}},
	} {
		x := append([]float64(nil), c.start...)
		result, _ := (&Search{Of: e, Equations: 1, Enough: 1e-12, Steps: 20, Low: c.low, High: c.high}).Run(x)
		if solved := len(result.Held)+len(result.Unbalanced) == 0; solved != (c.want[0]+c.want[1] == 4) {
			t.Errorf("from %v: %+v", c.start, result)
		}
		if math.Hypot(x[0]-c.want[0], x[1]-c.want[1]) > 1e-9 {
			t.Errorf("from %v within %v and %v: %v, want %v", c.start, c.low, c.high, x, c.want)
		}
	}
}

// The search shortens steps to larger values and to values that are not finite. Full Newton steps from 2 diverge for
// atan. The logarithm does not exist below 0.
func TestShortensSteps(t *testing.T) {
	for name, c := range map[string]struct {
		of    formulas
		start float64
		want  float64
	}{
		"atan": {formulas{func(x, f []float64) { f[0] = math.Atan(x[0]) },
			func(x []float64, j *mat.Dense) { j.Set(0, 0, 1/(1+x[0]*x[0])) }}, 2, 0},
		"log": {formulas{func(x, f []float64) { f[0] = math.Log(x[0]) },
			func(x []float64, j *mat.Dense) { j.Set(0, 0, 1/x[0]) }}, 9, 1},
	} {
		x := []float64{c.start}
		result, err := (&Search{Of: c.of, Equations: 1, Enough: 1e-12, Steps: 40}).Run(x)
		if err != nil || !(math.Abs(x[0]-c.want) <= 1e-11) || result.Steps > 20 {
			t.Errorf("%s: %v, %+v at %v", name, err, result, x)
		}
	}
}

// A search without effect, and one that starts where nothing is finite, change nothing.
func TestNothingToFollow(t *testing.T) {
	nothing := linearEquations(mat.NewDense(1, 1, []float64{0}), []float64{1})
	nan := formulas{func(_, f []float64) { f[0] = math.NaN() }, func(_ []float64, j *mat.Dense) { j.Set(0, 0, 1) }}
	for _, e := range []formulas{nothing, nan} {
		x := []float64{3}
		result, err := (&Search{Of: e, Equations: 1, Steps: 9}).Run(x)
		if x[0] != 3 || result.Steps != 0 || result.Largest < 1 || err == nil && !math.IsInf(result.Largest, 1) {
			t.Errorf("%v: %+v at %v", err, result, x)
		}
	}
	if result, err := (&Search{Of: sphere(), Equations: 0, Steps: 9}).Run(nil); err != nil || result.Largest != 0 {
		t.Errorf("no equation: %v, %+v", err, result)
	}
}

// Equations of very different stiffness are balanced by the error that they allow.
func TestBalance(t *testing.T) {
	e := formulas{
		func(x, f []float64) { f[0], f[1] = 1e7*(x[1]-x[0]*x[0]), 1-x[0] },
		func(x []float64, j *mat.Dense) {
			j.Set(0, 0, -2e7*x[0])
			j.Set(0, 1, 1e7)
			j.Set(1, 0, -1)
			j.Set(1, 1, 0)
		}}
	steps := map[bool]int{}
	for _, balanced := range []bool{false, true} {
		x := []float64{-1.2, 1}
		result, err := (&Search{Of: e, Equations: 2, Enough: 1e-8, Steps: 500, Balanced: balanced}).Run(x)
		if steps[balanced] = result.Steps; balanced && (err != nil || result.Largest > 1e-8) {
			t.Errorf("%v, %+v at %v", err, result, x)
		}
	}
	if !(2*steps[true] < steps[false]) {
		t.Errorf("%v steps with and without balance", steps)
	}
}

// The search names the equations that contradict each other, and not the one that is solved.
func TestNamesWhatIsUnbalanced(t *testing.T) {
	e := linearEquations(mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 0}), []float64{1, 5, 3})
	result, _ := (&Search{Of: e, Equations: 3, Enough: 1e-12, Steps: 9}).Run(make([]float64, 2))
	if !slices.Equal(result.Unbalanced, []int{0, 2}) || math.Abs(result.Largest-1) > 1e-12 {
		t.Errorf("%+v", result)
	}
}

func TestDifferences(t *testing.T) {
	e, x := sphere(1, 2, -3), []float64{4, 0, 100}
	got, want := mat.NewDense(1, 3, nil), mat.NewDense(1, 3, nil)
	Differences(e, x, 1e-6, got)
	e.df(x, want)
	if !mat.EqualApprox(got, want, 1e-6) || x[2] != 100 {
		t.Errorf("%v at %v, want %v", got, x, want)
	}
}

// Continue halves a step that fails, restores its unknowns, and doubles other steps. It reports the last solved share.
func TestContinue(t *testing.T) {
	failure := errors.New("too far")
	for _, end := range []float64{2, 0.7} {
		x, last := []float64{0}, 0.0
		var shares []float64
		reached, err := Continue(0.25, 1e-3, func(share float64) error {
			if x[0] != last {
				t.Errorf("share %g starts from %g, not %g", share, x[0], last)
			}
			shares = append(shares, share)
			x[0] = share
			if share-last > 0.3 || share > end {
				return failure
			}
			last = share
			return nil
		}, x)
		switch {
		case x[0] != last || shares[0] != 0.25:
			t.Errorf("ends at %g, after %v", x[0], shares)
		case end > 1 && (reached != 1 || err != nil):
			t.Errorf("%g, %v", reached, err)
		case end < 1 && (err != failure || !(reached <= end && reached > end-2e-3)):
			t.Errorf("%g, %v", reached, err)
		}
	}
}

// The solutions of a stiff equation are a circle, and a soft one selects a point of it. The stiff equation allows short
// steps only, if progress is measured by the values of the equations.
func TestNaturalStepsFollowCurvedWays(t *testing.T) {
	const stiff = 1e9
	turned := formulas{
		func(x, f []float64) { f[0], f[1] = stiff*(x[0]*x[0]+x[1]*x[1]-1), x[1]-0.6 },
		func(x []float64, j *mat.Dense) {
			j.Set(0, 0, 2*stiff*x[0])
			j.Set(0, 1, 2*stiff*x[1])
			j.Set(1, 1, 1)
		}}
	steps := map[bool]int{}
	for _, natural := range []bool{false, true} {
		x := []float64{1, 0}
		s := Search{Of: turned, Equations: 2, Enough: 1e-6, Steps: 100, Natural: natural}
		result, err := s.Run(x)
		if natural && (err != nil || math.Abs(x[0]-0.8) > 1e-12 || math.Abs(x[1]-0.6) > 1e-12) {
			t.Errorf("it ends at %v: %v, %+v", x, err, result)
		}
		steps[natural] = result.Steps
	}
	if steps[true] > 7 || steps[false] < 2*steps[true] {
		t.Errorf("%d natural steps, %d others", steps[true], steps[false])
	}
}

// The last change is below Within, and is made.
func TestNaturalSearchEndsWithASmallChange(t *testing.T) {
	root := formulas{
		func(x, f []float64) { f[0] = x[0]*x[0] - 2 },
		func(x []float64, j *mat.Dense) { j.Set(0, 0, 2*x[0]) }}
	x := []float64{1.5}
	result, err := (&Search{Of: root, Equations: 1, Steps: 20, Natural: true, Within: 1e-5}).Run(x)
	// Heron: 1.5, 17/12, 577/408, 665857/470832: changes of 8e-2, 2e-3, 2e-6
	if err != nil || result.Steps != 3 || x[0] != 665857.0/470832 {
		t.Errorf("%v after %d steps: %v", x, result.Steps, err)
	}
}

// A step of as many equations as unknowns is the step by singular values, in units and with weights. Where an unknown
// has no effect, only the singular values tell the smallest change.
func TestDirectSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 50 {
		const n = 4
		a, b, units := mat.NewDense(n, n, nil), make([]float64, n), make([]float64, n)
		for i := range n {
			b[i], units[i] = r.NormFloat64(), 0.5+r.Float64()
			for k := range n {
				a.Set(i, k, 3*r.NormFloat64())
			}
		}
		s := &Search{Of: linearEquations(a, b), Equations: n, Units: units, Balanced: true}
		w := &work{Search: s, x: make([]float64, n), values: make([]float64, n), weights: make([]float64, n)}
		s.Of.Evaluate(w.x, w.values)
		if err := w.linearise(); err != nil || !w.direct {
			t.Fatalf("%v, direct %t", err, w.direct)
		}
		direct, damped := w.step(0), w.step(1e-30) // the second one finds the singular values
		if w.direct {
			t.Fatal("a damped step has no singular values")
		}
		for i, x := range damped {
			if math.Abs(direct[i]-x) > 1e-9*math.Abs(x)+1e-12 {
				t.Errorf("a direct step is %v, by singular values %v", direct, damped)
			}
		}
		for _, effect := range []float64{1e-13, 0} {
			for i := range n {
				a.Set(i, 0, effect*a.At(i, 1)*float64(i))
			}
			if err := w.linearise(); err != nil || w.direct {
				t.Errorf("%v, a step without singular values changes an unknown with the effect %g", err, effect)
			}
		}
	}
}

// Of two equations with two unknowns, a search that may not go far enough names none as unbalanced. If one unknown
// stays at its bound, the search names the equation that only this unknown balances.
func TestDirectStepsBalanceAllEquations(t *testing.T) {
	of := formulas{
		func(x, f []float64) { f[0], f[1] = x[0]*x[0]*x[0]-8, x[1]-3 },
		func(x []float64, j *mat.Dense) { j.Set(0, 0, 3*x[0]*x[0]); j.Set(1, 1, 1) }}
	result, err := (&Search{Of: of, Equations: 2, Enough: 1e-12, Steps: 1}).Run([]float64{1.9, 0})
	if err != nil || result.Largest < 1e-6 || len(result.Unbalanced)+len(result.Held) > 0 {
		t.Errorf("%v, %+v", err, result)
	}
	x := []float64{1.9, 2}
	result, err = (&Search{Of: of, Equations: 2, Enough: 1e-12, Steps: 9, High: []float64{9, 2}}).Run(x)
	if err != nil || math.Abs(x[0]-2) > 1e-6 || !slices.Equal(result.Unbalanced, []int{1}) ||
		!slices.Equal(result.Held, []int{1}) {
		t.Errorf("%v, %v, %+v", err, x, result)
	}
}
