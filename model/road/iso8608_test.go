package road

import (
	"math"
	"testing"
)

func rough(t *testing.T, class string, seed uint64) *Surface {
	t.Helper()
	s := open(t, Shape{Kind: ISO8608, Class: class}, "")
	s.Seed(seed)
	return s
}

// Along a line of any direction the surface has the spectral density of its class, falling with the square of the
// frequency. The density at 0.1 cycles/m is 16e-6 m3 for class A and grows by a factor of 4 from class to class. A wave
// of the wave number (p, q) has the wave number p along the line. The sum over a band is the integral of the density,
// in the mean of many roads.
func TestSpectrumOfISO8608(t *testing.T) {
	const roads = 400
	bands := []float64{0.011, 0.03, 0.1, 0.3, 1, 2.83}
	for _, heading := range []float64{0, 0.6, math.Pi / 2} {
		power := make([]float64, len(bands)-1)
		for seed := range uint64(roads) {
			for _, w := range rough(t, "C", seed).shape.(*iso8608).waves {
				n := math.Abs(w.kx*math.Cos(heading)+w.ky*math.Sin(heading)) / (2 * math.Pi)
				for i := range power {
					if n >= bands[i] && n < bands[i+1] {
						power[i] += w.amplitude * w.amplitude / 2 / roads
					}
				}
			}
		}
		for i, got := range power {
			want := 256e-6 * 0.1 * 0.1 * (1/bands[i] - 1/bands[i+1])
			if !(math.Abs(got-want) <= 0.04*want) {
				t.Errorf("heading %g, %g to %g cycles/m: variance %g m2, not %g m2", heading, bands[i],
					bands[i+1], got, want)
			}
		}
	}
}

// Two tracks at a distance b have the coherence of an isotropic surface whose spectrum falls with the square of the
// frequency. It is z K1(z) with z = 2 pi n b: 1 for long waves, 0 for short ones.
func TestTracksOfISO8608AreCoherent(t *testing.T) {
	const roads, distance = 400, 1.5
	bessel := func(z float64) (k1 float64) { // K1(z), the integral of exp(-z cosh s) cosh s
		const h = 1e-3
		for s := h / 2; s < 12; s += h {
			k1 += h * math.Exp(-z*math.Cosh(s)) * math.Cosh(s)
		}
		return k1
	}
	for _, n := range []float64{0.02, 0.05, 0.1, 0.2, 0.4} {
		both, one := 0.0, 0.0
		for seed := range uint64(roads) {
			for _, w := range rough(t, "A", seed).shape.(*iso8608).waves {
				if along := math.Abs(w.kx) / (2 * math.Pi); along > 0.9*n && along < n/0.9 {
					both += w.amplitude * w.amplitude * math.Cos(w.ky*distance)
					one += w.amplitude * w.amplitude
				}
			}
		}
		z := 2 * math.Pi * n * distance
		if got, want := both/one, z*bessel(z); !(math.Abs(got-want) <= 0.03) {
			t.Errorf("%g cycles/m: coherence %g, not %g", n, got, want)
		}
	}
}

// The height is the sum of the waves; the same seed gives bit-identical heights, another seed another road,
// and a class twice the heights of the one before.
func TestRoadsOfISO8608(t *testing.T) {
	a, again, other, next := rough(t, "A", 7), rough(t, "A", 7), rough(t, "A", 8), rough(t, "B", 7)
	for x := -50.0; x < 500; x += 7.3 {
		p := a.under(x, 3, 0, Unknown)
		sum := 0.0
		for _, w := range a.shape.(*iso8608).waves {
			sum += w.amplitude * math.Cos(w.kx*x+w.ky*3+w.phase)
		}
		if !(math.Abs(p.Height-sum) <= 1e-12) || p != again.under(x, 3, 0, Unknown) ||
			p.Height == other.under(x, 3, 0, Unknown).Height ||
			!(math.Abs(next.under(x, 3, 0, Unknown).Height-2*p.Height) <= 1e-15) {
			t.Fatalf("at x = %g: %+v, sum of the waves %g, again %+v, class B %+v", x, p, sum,
				again.under(x, 3, 0, Unknown), next.under(x, 3, 0, Unknown))
		}
	}
	if _, err := (Shape{Kind: ISO8608, Class: "AB"}).Open(nil); err == nil {
		t.Error("there is a class AB")
	}
}

// pointwise hides the kind of a terrain.
type pointwise struct{ shape }

// The plane under a footprint on roads that know it by themselves is the plane of least squares through its points.
func TestFootprintsOnRoadsWithOwnPlanes(t *testing.T) {
	for _, kind := range []string{ISO8608, Plane} {
		byThemselves, byPoints := open(t, Shape{Kind: kind, Class: "C"}, ""), open(t, Shape{Kind: kind, Class: "C"}, "")
		for _, s := range []*Surface{byThemselves, byPoints} {
			s.Seed(3)
			s.Height, s.SlopeX, s.SlopeY, s.Right = 0.4, 0.03, -0.02, 0.5
		}
		byPoints.shape = pointwise{byPoints.shape}
		for points := 2; points <= 6; points++ {
			for _, yaw := range []float64{0, 0.7, math.Pi / 2, 4} {
				f := &Footprint{Length: 0.15, Width: 0.22, Points: points, ForwardX: math.Cos(yaw),
					ForwardY: math.Sin(yaw)}
				for x := -3.0; x < 20; x += 1.7 {
					q := Query{X: x, Y: 0.02, Near: Unknown}
					got, want := byThemselves.ContactPlane(f, q), byPoints.ContactPlane(f, q)
					if !(math.Abs(got.Height-want.Height) <= 1e-15 && math.Abs(got.SlopeX-want.SlopeX) <= 1e-13 &&
						math.Abs(got.SlopeY-want.SlopeY) <= 1e-13 && math.Abs(got.Friction-want.Friction) <= 1e-15) {
						t.Fatalf("%s: %d points, %g rad, x = %g: %+v, by its points %+v", kind, points,
							yaw, x, got, want)
					}
				}
			}
		}
	}
}
