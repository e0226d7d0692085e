package measurement

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/trace"
)

// Correlation is how a shift was found.
type Correlation struct {
	Variable    string
	Coefficient float64 // of run and measurement, 1 for curves of one form
}

// Bounds of a search.
const (
	leastCoefficient = 0.5
	// A shift fits as well as the best where the coefficient is less by not more than this.
	asGood = 0.01
	// leastCommon is the share of the shorter curve that both must have.
	leastCommon = 0.5
	// mostProducts bounds the work of a search: shifts times samples.
	mostProducts = 200_000_000
)

// Align finds the shift with the largest correlation between a variable of a run and the measurement, and applies it.
func (m *Measurement) Align(run *trace.Trace) error {
	name := m.mapping.Align
	if name == "" {
		return nil
	}
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%s: no shift by %s: %s; give another variable in align, or the time in shift", m.File, name,
			fmt.Sprintf(format, args...))
	}
	if !run.Has(name) {
		return noSuch("the run", name, run.Names())
	}
	if m.time == nil {
		return refuse("the file has no column of time")
	}
	m.Shift = 0
	s, err := m.Series(name, unitIn(run, name))
	if err != nil {
		return err
	}
	shift, c, second := bestShift(run.Time, run.Column(name), s.Time, s.Values)
	switch {
	case math.IsNaN(c):
		return refuse("one of the curves is constant, or they are too short")
	case c < leastCoefficient:
		return refuse("the largest coefficient of correlation is %.2f, at %.4g s, and %.1f is needed", c, shift,
			leastCoefficient)
	case !math.IsNaN(second):
		return refuse("%.4g s and %.4g s fit equally well, with a coefficient of correlation of %.3f", shift, second, c)
	}
	m.Shift, m.Found = shift, &Correlation{name, c}
	return nil
}

// unitIn is the unit of a variable of a run, "" where that is not known.
func unitIn(run *trace.Trace, name string) string {
	for _, c := range run.Channels {
		if c.Name == name {
			return c.Unit
		}
	}
	return ""
}

// bestShift finds the shift of the measured times with the largest coefficient of correlation. The coefficient is NaN
// if no shift has one. Another shift that fits equally well is returned as second, otherwise NaN.
func bestShift(time, ours, measured, theirs []float64) (shift, coefficient, second float64) {
	none := math.NaN()
	lengthA, lengthB := time[len(time)-1]-time[0], measured[len(measured)-1]-measured[0]
	step := medianStep(measured)
	if !(lengthA > 0 && lengthB > 0 && step > 0) {
		return 0, none, none
	}
	at := func(shift float64, stride int) float64 {
		return correlation(time, ours, measured, theirs, shift, stride)
	}
	low := time[0] - measured[len(measured)-1] + leastCommon*min(lengthA, lengthB)
	high := time[len(time)-1] - measured[0] - leastCommon*min(lengthA, lengthB)
	// long files are searched with fewer samples and shifts first
	coarse, stride := step, 1
	for (high-low)/coarse*float64(len(measured)/stride) > mostProducts {
		coarse, stride = 2*coarse, 2*stride
	}
	count := int((high-low)/coarse) + 1
	all := make([]float64, count)
	best := 0
	for i := range all {
		all[i] = at(low+float64(i)*coarse, stride)
		if all[i] > all[best] || math.IsNaN(all[best]) {
			best = i
		}
	}
	if math.IsNaN(all[best]) {
		return 0, none, none
	}
	left, right := best, best
	for left > 0 && all[left-1] >= all[best]-asGood {
		left--
	}
	for right < count-1 && all[right+1] >= all[best]-asGood {
		right++
	}
	second = none
	if count > 1 && (left == 0 || right == count-1) { // no peak: the curves fit on to the end of the search
		second = low + float64(left)*coarse
		if left == best {
			second = low + float64(right)*coarse
		}
	}
	for i, c := range all {
		if (i < left || i > right) && c >= all[best]-asGood {
			second = low + float64(i)*coarse
		}
	}
	shift = low + float64(best)*coarse
	for h := coarse; h > step/16; h /= 2 { // the top of a parabola through three shifts, ever closer together
		a, b, c := at(shift-h, 1), at(shift, 1), at(shift+h, 1)
		if d := a - 2*b + c; d < 0 {
			shift += max(-h, min(h, h/2*(a-c)/d))
		}
	}
	return shift, at(shift, 1), second
}

// correlation is the coefficient of a run and samples of a measurement at shifted times, which lie within the run. NaN
// where these are too few, or one of the curves is constant.
func correlation(time, ours, measured, theirs []float64, shift float64, stride int) float64 {
	var n, sumX, sumY float64
	type pair struct{ x, y float64 }
	pairs := make([]pair, 0, len(measured)/stride+1)
	k, last := 0, len(time)-1
	for i := 0; i < len(measured); i += stride {
		t := measured[i] + shift
		if t < time[0] {
			continue
		}
		if t > time[last] {
			break
		}
		for k < last-1 && time[k+1] < t {
			k++
		}
		x := ours[k]
		if d := time[k+1] - time[k]; d > 0 {
			x += (t - time[k]) / d * (ours[k+1] - ours[k])
		}
		pairs = append(pairs, pair{x, theirs[i]})
		n, sumX, sumY = n+1, sumX+x, sumY+theirs[i]
	}
	if len(pairs) < 3 {
		return math.NaN()
	}
	var xx, yy, xy float64
	for _, p := range pairs {
		x, y := p.x-sumX/n, p.y-sumY/n
		xx, yy, xy = xx+x*x, yy+y*y, xy+x*y
	}
	tiny := 1e-24 * n * (1 + sumX*sumX/(n*n)) // rounding errors of a constant
	if !(xx > tiny && yy > 1e-24*n*(1+sumY*sumY/(n*n))) {
		return math.NaN()
	}
	return xy / math.Sqrt(xx*yy)
}
