package plots

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A reduced curve keeps its ends and each peak of one row, has no more points than allowed, and has no others.
func TestExtremesStay(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, rows := range []int{5, 101, 2000, 2001, 2003, 30_017} {
		x, y := make([]float64, rows), make([]float64, rows)
		for i := range x {
			x[i], y[i] = float64(i)/100, random.NormFloat64()
		}
		for _, at := range []int{0, 1, 2, rows / 3, rows - 3, rows - 2, rows - 1} {
			for _, peak := range []float64{50, -50} {
				was := y[at]
				y[at] = peak
				for _, most := range []int{4, 5, 100, 2000} {
					fewX, fewY := Extremes(x, y, most)
					n := len(fewX)
					if n > max(most, 4) || n != len(fewY) || n < min(rows, most)/2 {
						t.Fatalf("%d points of %d where %d may stay", n, rows, most)
					}
					if fewX[0] != x[0] || fewX[n-1] != x[rows-1] || fewY[0] != y[0] || fewY[n-1] != y[rows-1] {
						t.Fatalf("%d of %d rows: the ends are (%g, %g) and (%g, %g)", most, rows, fewX[0], fewY[0], fewX[n-1],
							fewY[n-1])
					}
					if k := slices.Index(fewY, peak); k < 0 || fewX[k] != x[at] {
						t.Fatalf("%d of %d rows: the peak %g of row %d is lost", most, rows, peak, at)
					}
					for k := range fewX {
						if row := int(math.Round(fewX[k] * 100)); y[row] != fewY[k] || k > 0 && fewX[k] <= fewX[k-1] {
							t.Fatalf("%d of %d rows: point %d is (%g, %g)", most, rows, k, fewX[k], fewY[k])
						}
					}
				}
				y[at] = was
			}
		}
	}
	x, y := []float64{0, 1, 2, 3}, []float64{5, 5, 5, 5}
	if fewX, _ := Extremes(x, y, 2); len(fewX) != 4 {
		t.Errorf("%d points where fewer than four may stay", len(fewX))
	}
}
