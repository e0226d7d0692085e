package curve_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/model/curve"
)

// clustered are points with distances of about 1e-6 and about 1, at random.
func clustered(r *rand.Rand, n int) (x, y []float64) {
	at := 10 * r.NormFloat64()
	for range n {
		x, y = append(x, at), append(y, r.NormFloat64())
		at += math.Pow(10, -6*float64(r.IntN(2))) * (0.5 + r.Float64())
	}
	return x, y
}

// plain evaluates a curve by its definition: the piece is found by going through the points.
func plain(c *curve.Curve, x float64) [3]float64 {
	n := len(c.X)
	i := 0
	for i < n && x >= c.X[i] {
		i++
	}
	p, from := curve.Piece{B: c.First}, 0
	switch {
	case i == n:
		p, from = curve.Piece{B: c.Last}, n-1
	case i > 0:
		p, from = c.Pieces[i-1], i-1
	}
	t := x - c.X[from]
	return [3]float64{c.Y[from] + t*(p.B+t*(p.C+t*p.D)), p.B + t*(2*p.C+3*t*p.D), 2*p.C + 6*t*p.D}
}

// A table finds the same piece as a search through all points: at the points, right before and behind them, between
// them, beyond the ends, at any distances of the points.
func TestTablesFindTheirPiece(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	check := func(x, y []float64) {
		t.Helper()
		c, err := curve.Monotone(x, y)
		if err != nil {
			t.Fatal(err)
		}
		n := len(x)
		width := x[n-1] - x[0]
		at := []float64{x[0] - width, x[n-1] + width, -1e300, 1e300}
		for i, p := range x {
			at = append(at, p, math.Nextafter(p, math.Inf(-1)), math.Nextafter(p, math.Inf(1)))
			if i > 0 {
				at = append(at, x[i-1]+(p-x[i-1])*r.Float64())
			}
		}
		for _, at := range at {
			value, slope, curvature := c.At(at)
			if got, want := [3]float64{value, slope, curvature}, plain(c, at); got != want {
				t.Fatalf("%d points, %d comparisons, at %g: %v, want %v", n, c.Table().Grid.Comparisons, at, got, want)
			}
		}
		if table := c.Table().Grid; len(table.Start.Values) > curve.MostCells || table.Comparisons > 1 &&
			len(table.Start.Values) < curve.MostCells {
			t.Errorf("%d points, %d cells, %d comparisons", n, len(table.Start.Values), table.Comparisons)
		}
	}
	for range 60 {
		check(points(r, 2+r.IntN(50)))
		check(clustered(r, 2+r.IntN(50)))
	}
	check(points(r, curve.Most))
	check([]float64{0, 1e-100, 1}, []float64{0, 0, 1})
	check([]float64{1, math.Nextafter(1, 2), 2}, []float64{0, 0, 1})
}

// Points at equal distances have few cells with one comparison: the promise of a constant cost.
func TestEqualDistancesNeedOneComparison(t *testing.T) {
	for _, n := range []int{2, 3, 9, 33, curve.Most} {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = -0.1+0.2*float64(i)/float64(n-1), float64(i%3)
		}
		c, err := curve.Smooth(x, y)
		if err != nil {
			t.Fatal(err)
		}
		if table := c.Table().Grid; table.Comparisons != 1 || len(table.Start.Values) > 4*n {
			t.Errorf("%d points: %d cells, %d comparisons", n, len(table.Start.Values), table.Comparisons)
		}
	}
}

func TestTablesAtNonNumbers(t *testing.T) {
	c, err := curve.Smooth([]float64{0, 1, 3}, []float64{1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	value, slope, curvature := c.At(math.NaN())
	if !math.IsNaN(value) || !math.IsNaN(slope) || !math.IsNaN(curvature) {
		t.Errorf("at NaN: %g, %g, %g", value, slope, curvature)
	}
}

func BenchmarkLookUp(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{9, curve.Most} {
		x, y := points(r, n)
		c, err := curve.Smooth(x, y)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(map[bool]string{true: "nine", false: "most"}[n == 9], func(b *testing.B) {
			at, step := x[0], (x[n-1]-x[0])/997
			for b.Loop() {
				if at += step; at > x[n-1] {
					at = x[0]
				}
				c.At(at)
			}
		})
	}
}

// The integral of a curve equals the integral of its values, from its first point on and beyond the ends. The test uses
// Simpson's rule piece by piece, which is exact for cubics.
func TestIntegralsMatchTheValues(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	value := func(c *curve.Curve, x float64) float64 { y, _, _ := c.At(x); return y }
	for range 50 {
		x, y := points(r, 2+r.IntN(12))
		for _, through := range []func(x, y []float64) (*curve.Curve, error){curve.Monotone, curve.Smooth, curve.Linear} {
			c, err := through(x, y)
			if err != nil {
				t.Fatal(err)
			}
			n := len(x) - 1
			width := x[n] - x[0]
			for _, to := range []float64{x[0] - width*r.Float64(), x[0], x[0] + width*r.Float64(), x[n],
				x[n] + width*r.Float64()} {
				want, size := 0.0, 0.0
				breaks := append([]float64{x[0]}, x[1:]...)
				if to < x[0] {
					breaks = []float64{x[0], to}
				} else if to > x[n] {
					breaks = append(breaks, to)
				}
				for i := 1; i < len(breaks); i++ {
					from, end := breaks[i-1], breaks[i]
					if to >= x[0] {
						end = min(end, to)
					}
					if to >= x[0] && end <= from {
						break
					}
					part := (end - from) / 6 * (value(c, from) + 4*value(c, (from+end)/2) + value(c, end))
					want, size = want+part, size+math.Abs(part)
				}
				if got := c.Integral(to); !(math.Abs(got-want) <= 1e-12*(size+1)) {
					t.Fatalf("%d points, to %g: %.17g, want %.17g", n+1, to, got, want)
				}
			}
		}
	}
}

// Straight lines between the points, and ends that are held.
func TestLinearAndHeldCurves(t *testing.T) {
	c, err := curve.Linear([]float64{-1, 0, 2}, []float64{3, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	h := c.Hold()
	for _, w := range []struct{ x, y, slope, hold, heldSlope float64 }{
		{-2, 5, -2, 3, 0}, {-0.5, 2, -2, 2, -2}, {0, 1, 0.5, 1, 0.5}, {1, 1.5, 0.5, 1.5, 0.5}, {4, 3, 0.5, 2, 0},
	} {
		if y, slope, curvature := c.At(w.x); y != w.y || slope != w.slope || curvature != 0 {
			t.Errorf("at %g: %g, %g, %g", w.x, y, slope, curvature)
		}
		if y, slope, curvature := h.At(w.x); y != w.hold || slope != w.heldSlope || curvature != 0 {
			t.Errorf("held at %g: %g, %g, %g", w.x, y, slope, curvature)
		}
	}
	if c.Smooth || h.Smooth {
		t.Error("a curve with corners is called smooth")
	}
}

// Points whose distance is too small for a scale share the first cell.
func TestPointsTooNearForAScale(t *testing.T) {
	least := math.SmallestNonzeroFloat64
	c, err := curve.Linear([]float64{0, 2 * least}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if scale := c.Table().Grid.Scale; scale != 0 {
		t.Errorf("scale %g", scale)
	}
	if y, _, _ := c.At(1); y != 1 {
		t.Errorf("%g", y)
	}
}
