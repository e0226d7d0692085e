package figures

import "math"

// MostOrder bounds the order of a filter.
const MostOrder = 20

// LowPass is a Butterworth filter, applied once forward and once backward, so phases are preserved. For rows T seconds
// apart the gain is 1/(1 + (tan(pi f T)/tan(pi f' T))^(2 order)), with the even order of one pass. f' is chosen so that
// both passes together attenuate by 3 dB at the edge [Hz]. What lies before and after the signal is taken for its
// reflection in its end points.
func LowPass(x []float64, step, edge float64, order int) []float64 {
	n := len(x)
	if n < 2 {
		return x
	}
	const periods = 6 // of the edge, after which the filter has settled
	pad := n - 1
	if rows := math.Ceil(periods / (edge * step)); rows < float64(pad) {
		pad = max(int(rows), 0)
	}
	long := make([]float64, 0, n+2*pad)
	for i := pad; i > 0; i-- {
		long = append(long, 2*x[0]-x[i])
	}
	long = append(long, x...)
	for i := 1; i <= pad; i++ {
		long = append(long, 2*x[n-1]-x[n-1-i])
	}
	warped := math.Tan(math.Pi*edge*step) / math.Pow(math.Sqrt2-1, 1/float64(2*order))
	for range 2 {
		for k := range order / 2 {
			section(long, warped, -2*math.Cos(math.Pi*float64(2*k+order+1)/float64(2*order)))
		}
		for i, j := 0, len(long)-1; i < j; i, j = i+1, j-1 {
			long[i], long[j] = long[j], long[i]
		}
	}
	return long[pad : pad+n]
}

// section is 1/(s^2 + a s + 1) by the bilinear transformation s = (1 - z^-1)/(w (1 + z^-1)), at rest in the first
// value.
func section(x []float64, w, a float64) {
	b0 := w * w / (1 + a*w + w*w)
	a1, a2 := 2*(w*w-1)/(1+a*w+w*w), (1-a*w+w*w)/(1+a*w+w*w)
	x1, x2, y1, y2 := x[0], x[0], x[0], x[0]
	for i, v := range x {
		y := b0*(v+2*x1+x2) - a1*y1 - a2*y2
		x1, x2, y1, y2 = v, x1, y, y1
		x[i] = y
	}
}
