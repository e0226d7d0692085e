package figures

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Steady is the mean of x over the last window seconds up to row last; NaN where x changes there by more than
// share of it, or where the rows from first on are less than a window.
func Steady(time, x []float64, first, last int, window, share float64) float64 {
	begin := last
	for begin > first && time[last]-time[begin] < window*(1-1e-9) {
		begin--
	}
	if last <= begin || time[last]-time[begin] < window*(1-1e-9) {
		return math.NaN()
	}
	least, most, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, v := range x[begin : last+1] {
		least, most, sum = min(least, v), max(most, v), sum+v
	}
	mean := sum / float64(last+1-begin)
	if !(most-least <= share*math.Abs(mean)) {
		return math.NaN()
	}
	return mean
}

// Crossing is the first time from row first to row last at which x passes a level, interpolated linearly; NaN if
// it does not.
func Crossing(time, x []float64, level float64, first, last int) float64 {
	for i := first; i < last; i++ {
		a, b := x[i]-level, x[i+1]-level
		if a == 0 {
			return time[i]
		}
		if a*b <= 0 {
			return time[i] + (time[i+1]-time[i])*a/(a-b)
		}
	}
	return math.NaN()
}

// At is x at a time, interpolated linearly; NaN outside of the record.
func At(time, x []float64, t float64) float64 {
	last := len(time) - 1
	if !(t >= time[0] && t <= time[last]) {
		return math.NaN()
	}
	low, high := 0, last
	for high-low > 1 {
		if m := (low + high) / 2; time[m] <= t {
			low = m
		} else {
			high = m
		}
	}
	if high == low {
		return x[low]
	}
	return x[low] + (x[high]-x[low])*(t-time[low])/(time[high]-time[low])
}

// Peak is the row from first to last with the largest magnitude of x, of equals the first; -1 without rows.
func Peak(x []float64, first, last int) int {
	row := -1
	for i := first; i <= last; i++ {
		if row < 0 || math.Abs(x[i]) > math.Abs(x[row]) {
			row = i
		}
	}
	return row
}

// Regression fits y = slope x + offset by least squares; NaN with less than two different x.
func Regression(x, y []float64) (slope, offset float64) {
	if len(x) == 0 || floats.Min(x) == floats.Max(x) {
		return math.NaN(), math.NaN()
	}
	offset, slope = stat.LinearRegression(x, y, nil, false)
	return slope, offset
}

// Integral is the cumulative integral of x by the trapezoidal rule, from the first row on.
func Integral(x []float64, step float64) []float64 {
	out := make([]float64, len(x))
	for i := 1; i < len(x); i++ {
		out[i] = out[i-1] + step*(x[i-1]+x[i])/2
	}
	return out
}

// scaled is x times a factor.
func scaled(x []float64, factor float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = factor * x[i]
	}
	return out
}
