package plots

// Extremes returns a curve over a rising x with a limited number of points: its ends, and the lowest and the highest
// point of each of many equal pieces between them. No peak is lost, and each point that stays is one of the curve.
func Extremes(x, y []float64, most int) (fewX, fewY []float64) {
	if len(x) <= most || most < 4 {
		return x, y
	}
	fewX, fewY = make([]float64, 0, most), make([]float64, 0, most)
	keep := func(i int) { fewX, fewY = append(fewX, x[i]), append(fewY, y[i]) }
	keep(0)
	inner, pieces := len(x)-2, (most-2)/2
	for k := range pieces {
		first, end := 1+k*inner/pieces, 1+(k+1)*inner/pieces
		low, high := first, first
		for i := first; i < end; i++ {
			if y[i] < y[low] {
				low = i
			}
			if y[i] > y[high] {
				high = i
			}
		}
		keep(min(low, high))
		if low != high {
			keep(max(low, high))
		}
	}
	keep(len(x) - 1)
	return fewX, fewY
}
