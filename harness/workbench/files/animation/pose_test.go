package animation

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want vector) {
	t.Helper()
	for k := range got {
		if !(math.Abs(got[k]-want[k]) <= 1e-14) {
			t.Errorf("%s: %v, not %v", what, got, want)
			return
		}
	}
}

// Turns are right-handed, and sequences turn about the rotated axes. A pose b given in a pose a is a.then(b); the
// inverse of b leads back to a.
func TestPoses(t *testing.T) {
	const right = math.Pi / 2
	near(t, "z leads x to y", turn([3]float64{0, 0, 1}, right).rotate(vector{1, 0, 0}), vector{0, 1, 0})
	near(t, "x leads y to z", turn([3]float64{1, 0, 0}, right).rotate(vector{0, 1, 0}), vector{0, 0, 1})
	// heading to the left, then a lean about the own forward axis, to the right: the top leans to where
	// right is now
	near(t, "top of what heads along y and leans", euler("312", [3]float64{right, 0.3, 0}).rotate(vector{0, 0, 1}),
		vector{math.Sin(0.3), 0, math.Cos(0.3)})
	a := pose{vector{1, -2, 3}, euler("321", [3]float64{0.3, -0.8, 1.1})}
	b := pose{vector{-0.4, 0.2, 5}, euler("312", [3]float64{-2, 0.4, 0.7})}
	near(t, "b in a, from a", a.then(b).then(b.inverse()).r, a.r)
	near(t, "a place and back", a.inverse().then(a).r, vector{})
	near(t, "a place in b in a", a.then(b).r, vector{a.r[0] + a.q.rotate(b.r)[0], a.r[1] + a.q.rotate(b.r)[1],
		a.r[2] + a.q.rotate(b.r)[2]})
}
