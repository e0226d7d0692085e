package validation

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"skidpad/harness/workbench/results/figures"
)

// point is a measured point: the means of all runs that have it.
type point struct {
	x, y       float64
	runs       int
	deviation  float64 // standard deviation over the runs; NaN of one run
	confidence float64 // half of the interval that has the mean at 95 %, by Student's t; NaN of one run
	distance   float64 // from the simulated curve, in half widths
	whole      bool    // all of the interval is within the boundaries
}

// student is the quantile 0.975 of Student's t, by the degrees of freedom less 1. Beyond the list, 2 is within 2 %.
var student = []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
	2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042}

// scatter are the mean of values, their standard deviation, and half of the interval that has the mean at 95 %.
func scatter(values []float64) (mean, deviation, confidence float64) {
	n := len(values)
	if n < 2 {
		return stat.Mean(values, nil), math.NaN(), math.NaN()
	}
	mean, deviation = stat.MeanStdDev(values, nil)
	t := 2.0
	if n-2 < len(student) {
		t = student[n-2]
	}
	return mean, deviation, t * deviation / math.Sqrt(float64(n))
}

// samples are points of one run, by their numbers.
type samples map[int][2]float64

// joined are the points of all runs, by their numbers.
func joined(runs []samples) (list []point) {
	var numbers []int
	for _, r := range runs {
		for k := range r {
			if !slices.Contains(numbers, k) {
				numbers = append(numbers, k)
			}
		}
	}
	slices.Sort(numbers)
	for _, k := range numbers {
		var xs, ys []float64
		for _, r := range runs {
			if s, has := r[k]; has {
				xs, ys = append(xs, s[0]), append(ys, s[1])
			}
		}
		p := point{x: stat.Mean(xs, nil), runs: len(xs)}
		p.y, p.deviation, p.confidence = scatter(ys)
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b point) int {
		if a.x < b.x {
			return -1
		}
		return 1
	})
	return list
}

// overLateral are the means of a quantity and of the lateral acceleration, in steps of the lateral acceleration.
func (r *run) overLateral(y []float64, every float64) samples {
	sums, counts := samples{}, map[int]float64{}
	first, last := r.ramp()
	for i := first; i <= last; i++ {
		k := int(math.Floor(r.Lateral[i] / every))
		s := sums[k]
		sums[k] = [2]float64{s[0] + r.Lateral[i], s[1] + y[i]}
		counts[k]++
	}
	for k, s := range sums {
		sums[k] = [2]float64{s[0] / counts[k], s[1] / counts[k]}
	}
	return sums
}

// overTime are values at times from the steering, from lead before it to the end of the simulated run.
func (r *run) overTime(y []float64, every, end float64) samples {
	list := samples{}
	for k := -int(lead / every); float64(k)*every <= end; k++ {
		if v := figures.At(r.Time, y, r.zero+float64(k)*every); !math.IsNaN(v) {
			list[k] = [2]float64{float64(k) * every, v}
		}
	}
	return list
}

// overFrequency are gains or phases at the frequencies at which the response is coherent.
func (r *run) overFrequency(y []float64, phase bool, o *figures.FrequencyOptions) samples {
	s := figures.Spectrum(r.Record, y, o)
	if s == nil {
		return nil
	}
	list := samples{}
	values := s.Gain()
	if phase {
		values = s.Phase()
	}
	for k, f := range s.Frequency {
		if s.Coherence[k] >= coherenceOf(o) {
			list[int(math.Round(1e6*f))] = [2]float64{f, values[k]}
		}
	}
	return list
}

// coherenceOf is the least coherence of a response that counts.
func coherenceOf(o *figures.FrequencyOptions) float64 {
	for _, option := range o.Numbers() {
		if option.Name == "coherence" {
			return *option.Value
		}
	}
	return math.NaN()
}

// simulatedOverLateral is the curve of a quantity over the lateral acceleration: at each of its new largest values.
func (r *run) simulatedOverLateral(y []float64) (xs, ys []float64) {
	first, last := r.ramp()
	most := -1.0
	const apart = 1e-3 // m/s2
	for i := first; i <= last; i++ {
		if a := math.Abs(r.Lateral[i]); a > most+apart {
			xs, ys, most = append(xs, r.Lateral[i]), append(ys, y[i]), a
		}
	}
	if len(xs) > 1 && xs[0] > xs[len(xs)-1] {
		slices.Reverse(xs)
		slices.Reverse(ys)
	}
	return xs, ys
}

// simulatedOverTime is the curve of a quantity over the time from the steering.
func (r *run) simulatedOverTime(y []float64) (xs, ys []float64) {
	const most = 1000 // rows
	stride := max(len(r.Time)/most, 1)
	for i := 0; i < len(r.Time); i += stride {
		if t := r.Time[i] - r.zero; t >= -lead {
			xs, ys = append(xs, t), append(ys, y[i])
		}
	}
	return xs, ys
}
