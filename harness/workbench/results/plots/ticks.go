package plots

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// mostTicks are as many labels as find room on an axis of half a column.
const mostTicks = 6

// LogTicks are the ticks of a logarithmic axis to base 10, labelled with the numbers themselves: powers of ten, and on
// axes of less than two decades also their multiples by two and five. The other digits have short ones.
func LogTicks(low, high float64) []plot.Tick {
	first, last := int(math.Floor(low)), int(math.Ceil(high))
	every := max(1, int(math.Ceil((high-low)/mostTicks)))
	var ticks []plot.Tick
	for decade := first; decade <= last; decade++ {
		for digit := 1; digit < 10; digit++ {
			at := float64(decade) + math.Log10(float64(digit))
			if at < low-rounding || at > high+rounding {
				continue
			}
			label := ""
			power := digit == 1 && decade%every == 0
			if power || high-low < 2 && (digit == 2 || digit == 5) {
				label = strconv.FormatFloat(float64(digit)*math.Pow(10, float64(decade)), 'g', 5, 64)
			}
			if label != "" || every == 1 || digit == 1 {
				ticks = append(ticks, plot.Tick{Value: at, Label: label})
			}
		}
	}
	return ticks
}

// rounding is the rounding error at the ends of an axis.
const rounding = 1e-9

// AngleTicks are the ticks of an axis of angles [degrees]: labels at multiples of 90, 45 or 15, or the usual labels for
// a shorter range, with short ticks between.
func AngleTicks(low, high float64) []plot.Tick {
	for _, step := range []float64{15, 45, 90, 180, 360} {
		if high-low < 2*step {
			break // fewer than two would have a label
		}
		if (high-low)/step > mostTicks {
			continue
		}
		var ticks []plot.Tick
		short := step / 3
		if step == 90 || step > 180 {
			short = step / 2
		}
		for k := math.Ceil((low - rounding) / short); k*short <= high+rounding; k++ {
			at := k * short
			label := ""
			if n := at / step; math.Abs(n-math.Round(n)) < rounding {
				label = strconv.FormatFloat(at+0, 'g', 5, 64)
			}
			ticks = append(ticks, plot.Tick{Value: at, Label: label})
		}
		return ticks
	}
	return Ticks(low, high)
}

// leastTicks are as many labels as an axis has at least; twice as many are the most.
const leastTicks = 4

// Ticks are the ticks of a linear axis: four to eight labels at multiples of 1, 2, 2.5 or 5 times a power of ten, with
// short ticks between. Labels have all digits that they need to differ.
func Ticks(low, high float64) []plot.Tick {
	size := max(math.Abs(low), math.Abs(high))
	const least = 1e-12 // of the numbers, below which an axis is wide by rounding alone
	if !(high-low > least*size) || math.IsInf(high-low, 0) {
		return []plot.Tick{{Value: low, Label: strconv.FormatFloat(low, 'g', 5, 64)}}
	}
	digits := 5
	if size > 0 { // of a short axis far from 0
		digits = max(digits, int(math.Ceil(math.Log10(size/(high-low))))+3)
	}
	const slack = 1e-9                                       // of a step, that rounding may take from the ends
	step, parts := tickStep((high - low) / (leastTicks - 1)) // which gives enough where labels stand near both ends
	if math.Floor(high/step+slack)-math.Ceil(low/step-slack)+1 < leastTicks {
		step, parts = tickStep((high - low) / leastTicks)
	}
	var ticks []plot.Tick
	first, last := math.Ceil(low/step-slack)*parts, math.Floor(high/step+slack)*parts
	for k := first - parts + 1; k < last+parts; k++ {
		at := k * step / parts
		if at < low-slack*step || at > high+slack*step {
			continue
		}
		label := ""
		if math.Mod(k, parts) == 0 {
			label = strconv.FormatFloat(at+0, 'g', digits, 64)
		}
		ticks = append(ticks, plot.Tick{Value: at, Label: label})
	}
	return ticks
}

// tickStep is the largest of 1, 2, 2.5 and 5 times a power of ten that is not above most, and into how many parts short
// ticks divide it.
func tickStep(most float64) (step, parts float64) {
	decade := math.Pow(10, math.Floor(math.Log10(most)))
	for _, s := range []struct{ size, parts float64 }{{5, 5}, {2.5, 5}, {2, 2}} {
		if s.size*decade <= most*(1+1e-9) {
			return s.size * decade, s.parts
		}
	}
	return decade, 2
}
