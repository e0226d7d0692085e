package component

import (
	"math"
	"slices"
	"testing"
)

// The matrix has known principal moments and axes rotated about y. The third moment also has scales whose squares
// overflow or underflow.
func TestPrincipalMomentsOfAnyScale(t *testing.T) {
	const first, second, angle = 2.0, 5.0, 0.7
	c, s := math.Cos(angle), math.Sin(angle)
	for _, other := range []float64{0, 1e-300, 1, 1e200, 1e308} {
		for _, scale := range []float64{1e-200, 1, 1e200} {
			a := [3][3]float64{
				{scale * (first*c*c + second*s*s), 0, scale * (second - first) * s * c},
				{0, other, 0},
				{scale * (second - first) * s * c, 0, scale * (first*s*s + second*c*c)},
			}
			want := []float64{scale * first, scale * second, other}
			slices.Sort(want)
			for i, p := range principal(a) {
				if allowed := 1e-14 * want[2]; math.Abs(p-want[i]) > allowed {
					t.Errorf("of %g: %g, not %g", a, p, want[i])
				}
			}
		}
	}
}
