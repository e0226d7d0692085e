package curve_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/model/curve"
)

// clustered are points of which many lie 1e-6 apart and others 1.
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

// A table finds the piece that going through all points finds: at the points, right before and behind
// them, between them, beyond the ends, whatever their distances.
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

func TestTablesOfNoNumber(t *testing.T) {
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
