package harness

import "math"

// maximum returns the largest of values and the time it has.
func maximum(times, values []float64) (time, value float64) {
	value = math.Inf(-1)
	for i, x := range values {
		if math.IsNaN(x) {
			return times[i], x // fails every bound
		}
		if x > value {
			time, value = times[i], x
		}
	}
	return time, value
}

// minimum returns the smallest of values and the time it has.
func minimum(times, values []float64) (time, value float64) {
	time, value = maximum(times, mapped(values, func(x float64) float64 { return -x }))
	return time, -value
}

// peak returns the largest magnitude of values and the time it has.
func peak(times, values []float64) (time, value float64) {
	return maximum(times, mapped(values, math.Abs))
}

func mapped(values []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = f(x)
	}
	return out
}
