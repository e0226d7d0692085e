package measurement

import (
	"fmt"
	"math"
)

// filter takes the Butterworth low-pass of order 2 forwards and backwards over each piece: without delay, and with half
// of the amplitude at the cut-off [Hz]. Samples are brought to even distances and back.
func (s *Series) filter(cutOff float64) error {
	step := medianStep(s.Time)
	if rate := 1 / step; cutOff >= rate/2 {
		return fmt.Errorf("%s: a filter of %g Hz for samples at %.4g Hz; it must be below half of that", s.Name, cutOff, rate)
	}
	values := make([]float64, 0, len(s.Values))
	for _, p := range s.Pieces() {
		values = append(values, filtered(s.Time[p[0]:p[1]], s.Values[p[0]:p[1]], step, cutOff)...)
	}
	s.Values = values
	return nil
}

// filtered filters one piece.
func filtered(time, values []float64, step, cutOff float64) []float64 {
	last := len(time) - 1
	count := int(math.Round((time[last] - time[0]) / step))
	if last == 0 || count < 1 {
		return values
	}
	step = (time[last] - time[0]) / float64(count)
	// beyond its ends, the piece is continued by point reflection, which avoids transients of the filter there
	pad := min(count, int(math.Ceil(2/(cutOff*step))))
	even := make([]float64, pad+count+1+pad)
	for i := range count + 1 {
		t := min(time[0]+float64(i)*step, time[last])
		even[pad+i], _ = interpolated(time, values, t)
	}
	first, end := even[pad], even[pad+count]
	for i := 1; i <= pad; i++ {
		even[pad-i] = 2*first - even[pad+i]
		even[pad+count+i] = 2*end - even[pad+count-i]
	}
	lowPass(even, cutOff*step)
	reverse(even)
	lowPass(even, cutOff*step)
	reverse(even)
	back := make([]float64, len(values))
	for i, t := range time {
		at := (t - time[0]) / step
		k := min(int(at), count-1)
		u := at - float64(k)
		back[i] = even[pad+k] + u*(even[pad+k+1]-even[pad+k])
	}
	return back
}

func reverse(list []float64) {
	for i, k := 0, len(list)-1; i < k; i, k = i+1, k-1 {
		list[i], list[k] = list[k], list[i]
	}
}

// lowPass is the Butterworth low-pass of order 2 by the bilinear transformation with the cut-off at its place, as a
// share of the sampling rate. It starts in the steady state of the first value.
func lowPass(x []float64, cutOff float64) {
	k := math.Tan(math.Pi * cutOff)
	d := 1 + math.Sqrt2*k + k*k
	b, a1, a2 := k*k/d, 2*(k*k-1)/d, (1-math.Sqrt2*k+k*k)/d
	x1, x2, y1, y2 := x[0], x[0], x[0], x[0]
	for i, v := range x {
		y := b*(v+2*x1+x2) - a1*y1 - a2*y2
		x1, x2, y1, y2 = v, x1, y, y1
		x[i] = y
	}
}
