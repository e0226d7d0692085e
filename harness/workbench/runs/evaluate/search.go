package evaluate

import (
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// searchLimit makes the runs of a search. Where it is made over another constant, its best value is a figure, too.
func searchLimit(
	s *manoeuvre.Search, run func([]manoeuvre.ConstantValue) (*Run, error),
) (list []figures.Figure, err error) {
	f := figures.Figure{ID: "highest_" + s.Constant, Time: math.NaN(), Unit: s.Unit, Value: math.NaN(),
		Definition: fmt.Sprintf("largest %s that keeps %s at 1; %.4g more does not", s.Constant, s.Figure,
			s.Tolerance)}
	holds := func(other ...manoeuvre.ConstantValue) func(x float64) (bool, error) {
		return func(x float64) (bool, error) {
			r, err := run(append(slices.Clip(other), manoeuvre.ConstantValue{Name: s.Constant, Value: x}))
			if err != nil {
				return false, err
			}
			i := slices.IndexFunc(r.Figures, func(f figures.Figure) bool { return f.ID == s.Figure })
			if i < 0 {
				return false, fmt.Errorf("search: there is no figure %q of a run", s.Figure)
			}
			return r.Figures[i].Value == 1, nil
		}
	}
	if s.Over == "" {
		f.Value, f.Missing, err = bisect(s.From, s.To, s.Tolerance, holds())
		return []figures.Figure{f}, err
	}
	best := figures.Figure{ID: "best_" + s.Over, Time: math.NaN(), Value: math.NaN(), Unit: "1",
		Definition: fmt.Sprintf("%s with which %s is largest, of %v", s.Over, f.ID, s.Values)}
	for _, value := range s.Values {
		from := s.From
		if !math.IsNaN(f.Value) { // only what is better matters
			if from = f.Value + s.Tolerance; !(from < s.To) {
				break
			}
		}
		x, missing, err := bisect(from, s.To, s.Tolerance, holds(manoeuvre.ConstantValue{Name: s.Over, Value: value}))
		switch {
		case err != nil:
			return nil, err
		case !math.IsNaN(x):
			f.Value, f.Missing, best.Value, best.Missing = x, "", value, ""
		case math.IsNaN(f.Value):
			f.Missing, best.Missing = missing, missing
		}
	}
	return []figures.Figure{f, best}, nil
}

// bisect bisects the interval between from, where a condition holds, and to, where it does not, down to the tolerance,
// and returns the lower end. If the condition holds at both ends, or not at from, it returns NaN and the reason.
func bisect(from, to, tolerance float64, holds func(x float64) (bool, error)) (x float64, missing string, err error) {
	low, err := holds(from)
	if err != nil {
		return math.NaN(), "", err
	}
	if !low {
		return math.NaN(), fmt.Sprintf("not even with %.6g", from), nil
	}
	high, err := holds(to)
	if err != nil {
		return math.NaN(), "", err
	}
	if high {
		return math.NaN(), fmt.Sprintf("with %.6g, too", to), nil
	}
	for to-from > tolerance*(1+1e-9) {
		middle := from + (to-from)/2
		if !(from < middle && middle < to) {
			break // they are neighbours
		}
		good, err := holds(middle)
		if err != nil {
			return math.NaN(), "", err
		}
		if good {
			from = middle
		} else {
			to = middle
		}
	}
	return from, "", nil
}
