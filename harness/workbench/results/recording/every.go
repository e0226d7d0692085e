package recording

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
)

// Thinning leaves a recording rows at a distance, of signals that a filter has smoothed before, so that nothing faster
// than the new rows appears in them as something slow.
type Thinning struct {
	Period float64 // s, between rows; 0: as recorded
	Edge   float64 // Hz, edge of the filter (attenuation 3 dB); 0: none
}

// filterOrder is the order of each of the two passes of the filter.
const filterOrder = 4

// ParseThinning takes a period [s], 0 for none, and reads a filter: none, an edge such as 10Hz, or "" for a third of
// the rate of the new rows. Without a period and a filter, recordings stay as they are.
func ParseThinning(every float64, filter string) (t Thinning, err error) {
	t.Period = every
	switch edge, is := strings.CutSuffix(filter, "Hz"); {
	case filter == "" && every != 0:
		t.Edge = 1 / (3 * t.Period)
	case filter == "" || filter == "none":
	case !is:
		return t, fmt.Errorf("--filter is %q; give none, or an edge such as 10Hz", filter)
	default:
		t.Edge, err = strconv.ParseFloat(strings.TrimSpace(edge), 64)
		if err != nil || !(t.Edge > 0 && t.Edge <= math.MaxFloat64) {
			return t, fmt.Errorf("--filter is %q; give none, or an edge above 0 such as 10Hz", filter)
		}
	}
	return t, nil
}

// Check rejects a thinning for rows at the given distance in seconds: a period that is not a multiple of the distance,
// or an edge above the frequencies of such rows.
func (t Thinning) Check(step float64) error {
	if n := math.Round(t.Period / step); t.Period > 0 && !(n >= 1 && math.Abs(t.Period/step-n) < 1e-6*n) {
		return fmt.Errorf("--every is %g s; it must be a multiple of the communication step, %g s", t.Period, step)
	}
	if half := 1 / (2 * step); t.Edge >= half {
		return fmt.Errorf("--filter has its edge at %g Hz; rows of %g s have frequencies below %g Hz", t.Edge, step, half)
	}
	return nil
}

// Of returns a recording with fewer rows, from the first on. Signals of whole numbers, such as gears, and those that
// are not finite somewhere are not filtered. Angles that jump by a turn are filtered without the jumps.
func (t Thinning) Of(r *Recording) (*Recording, error) {
	if t == (Thinning{}) || len(r.Time) < 2 {
		return r, nil
	}
	step := r.Time[1] - r.Time[0]
	if err := t.Check(step); err != nil {
		return nil, err
	}
	n := max(1, int(math.Round(t.Period/step)))
	thin := *r
	thin.Trace = trace.New(r.Channels, 0)
	thin.Time = every(n, r.Time)
	thin.Facts = append(thin.Facts[:len(thin.Facts):len(thin.Facts)], Fact{"every", fmt.Sprintf("%g s", float64(n)*step)},
		Fact{"filter", cmp.Or(t.text(), "none")})
	for i, x := range r.Values {
		if t.Edge > 0 && !switched(x) {
			x = t.filtered(x, r.Channels[i].Unit == "rad", step)
		}
		thin.Values[i] = every(n, x)
	}
	return &thin, nil
}

// text describes the filter, "" for none.
func (t Thinning) text() string {
	if t.Edge == 0 {
		return ""
	}
	return fmt.Sprintf("Butterworth of order %d, forward and backward, 3 dB at %.6g Hz", filterOrder, t.Edge)
}

func every(n int, x []float64) []float64 {
	list := make([]float64, 0, len(x)/n+1)
	for i := 0; i < len(x); i += n {
		list = append(list, x[i])
	}
	return list
}

// switched reports whether a signal has whole numbers only, or one that is not finite.
func switched(x []float64) bool {
	whole := true
	for _, v := range x {
		if math.IsNaN(v - v) {
			return true
		}
		whole = whole && v == math.Trunc(v)
	}
	return whole
}

// filtered is a signal without what is faster than the edge. One of angles may jump by a turn.
func (t Thinning) filtered(values []float64, angles bool, step float64) []float64 {
	x := values
	jumps := false
	if angles {
		x = append([]float64(nil), x...)
		for i := 1; i < len(x); i++ {
			if math.Abs(values[i]-values[i-1]) > math.Pi {
				jumps = true
			}
			x[i] = x[i-1] + math.Remainder(values[i]-values[i-1], 2*math.Pi)
		}
		if !jumps {
			x = values
		}
	}
	y := figures.LowPass(x, step, t.Edge, filterOrder)
	if jumps {
		for i := range y {
			y[i] = math.Remainder(y[i], 2*math.Pi)
		}
	}
	return y
}
