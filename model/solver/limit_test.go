package solver

import (
	"math"
	"testing"
)

// Methods are stable on the negative real axis up to their limits and not beyond; methods that require constraints take
// the stages of another method.
func TestLimitsOnTheNegativeRealAxis(t *testing.T) {
	after := func(m Method, product float64) float64 {
		p := problemOf(func(_ float64, x, dx []float64) { dx[0] = -x[0] }, func(_ float64, _, j []float64) { j[0] = -1 })
		return math.Abs(integrate(m.New(1), p, []float64{1}, 1000*product, product)[0])
	}
	tested := 0
	for _, m := range methods {
		if m.Constraints {
			if m.Limit != 2 && m.Limit != limitOfRK4 {
				t.Errorf("%s: the limit is %g", m.Name, m.Limit)
			}
			continue
		}
		tested++
		if m.Limit == 0 {
			if x := after(m, 1e6); !(x < 1e-3) {
				t.Errorf("%s has no limit, but goes from 1 to %g", m.Name, x)
			}
			continue
		}
		if x := after(m, m.Limit*0.99); !(x < 1) {
			t.Errorf("%s below its limit %g: %g", m.Name, m.Limit, x)
		}
		if x := after(m, m.Limit*1.01); !(x > 1) {
			t.Errorf("%s beyond its limit %g: %g", m.Name, m.Limit, x)
		}
	}
	if tested < 5 {
		t.Errorf("%d methods", tested)
	}
}
