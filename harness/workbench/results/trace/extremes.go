package trace

import (
	"math"
	"strings"
)

// Maximum returns the largest of values and the time it has.
func Maximum(times, values []float64) (time, value float64) {
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

// Minimum returns the smallest of values and the time it has.
func Minimum(times, values []float64) (time, value float64) {
	time, value = Maximum(times, Mapped(values, func(x float64) float64 { return -x }))
	return time, -value
}

// Peak returns the largest magnitude of values and the time it has.
func Peak(times, values []float64) (time, value float64) {
	return Maximum(times, Mapped(values, math.Abs))
}

// Mapped are the values of a function at each of values.
func Mapped(values []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		out[i] = f(x)
	}
	return out
}

// Wrapped removes whole turns from the difference of two angles that are known modulo a turn.
func Wrapped(quantity string, difference float64) float64 {
	_, kind, _ := strings.Cut(quantity, ".")
	switch kind {
	case "yaw", "roll", "spin", "phi":
		return math.Remainder(difference, 2*math.Pi)
	}
	return difference
}
