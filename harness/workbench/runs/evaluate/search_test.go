package evaluate

import (
	"errors"
	"math"
	"testing"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Whatever the threshold, it is found within the tolerance, from below, with intervals that lie within each other, and
// again in the same steps.
func TestSearchesFindTheirThreshold(t *testing.T) {
	const from, to, tolerance = 40.0, 104.0, 0.5
	for threshold := 40.0; threshold < 104; threshold += 0.37 {
		var tried [2][]float64
		for again := range tried {
			low, high := math.Inf(-1), math.Inf(1)
			x, missing, err := bisect(from, to, tolerance, func(x float64) (bool, error) {
				if x <= low || x >= high {
					t.Errorf("%g is tried, which is not between %g and %g", x, low, high)
				}
				if x <= threshold {
					low = x
				} else {
					high = x
				}
				tried[again] = append(tried[again], x)
				return x <= threshold, nil
			})
			if err != nil || missing != "" || x > threshold || x+tolerance < threshold || len(tried[again]) != 9 {
				t.Errorf("threshold %g: %g in %d tries, %q, %v", threshold, x, len(tried[again]), missing, err)
			}
		}
		for i := range tried[0] {
			if tried[0][i] != tried[1][i] {
				t.Errorf("threshold %g: %v the first time, %v the second", threshold, tried[0], tried[1])
			}
		}
	}
	for _, c := range []struct {
		holds bool
		says  string
	}{{false, "not even with 40"}, {true, "with 104, too"}} {
		x, missing, err := bisect(from, to, tolerance, func(float64) (bool, error) { return c.holds, nil })
		if err != nil || !math.IsNaN(x) || missing != c.says {
			t.Errorf("%g, %q, %v", x, missing, err)
		}
	}
}

// A search ends where no number lies between its ends, however small its tolerance is beside them.
func TestASearchEndsWhereNoNumberIsLeft(t *testing.T) {
	for _, from := range []float64{1e17, -1e17, 1e300, 1} {
		runs := 0
		to := from + 64*math.Abs(math.Nextafter(from, math.Inf(1))-from)
		x, _, err := bisect(from, to, 1e-30, func(x float64) (bool, error) {
			if runs++; runs > 20 {
				return false, errors.New("the search goes on")
			}
			return x < to, nil
		})
		if err != nil || x != math.Nextafter(to, from) {
			t.Errorf("from %g: %g after %d runs, error %v", from, x, runs, err)
		}
	}
}

// A search over a second constant finds the largest result and the value of the constant there. Worse values cost one
// run each.
func TestASearchOverAnotherConstant(t *testing.T) {
	limits := map[float64]float64{1: 60.3, 0.8: 55, 1.2: 71.9, 1.4: 71.8}
	runs := map[float64]int{}
	run := func(varied []manoeuvre.ConstantValue) (*Run, error) {
		value := func(name string) float64 {
			for _, c := range varied {
				if c.Name == name {
					return c.Value
				}
			}
			t.Fatalf("no %s among %v", name, varied)
			return 0
		}
		factor, pass := value("factor"), 0.0
		runs[factor]++
		if value("speed") <= limits[factor] {
			pass = 1
		}
		return &Run{Figures: []figures.Figure{{ID: "pass", Value: pass}}}, nil
	}
	s := &manoeuvre.Search{Constant: "speed", Unit: "m/s", From: 40, To: 104, Tolerance: 0.5, Figure: "pass",
		Over: "factor", Values: []float64{1, 0.8, 1.2, 1.4}}
	list, err := searchLimit(s, run)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	if f := list[0]; f.ID != "highest_speed" || f.Value > 71.9 || f.Value < 71.3 || f.Missing != "" {
		t.Errorf("the highest speed is %+v", f)
	}
	if f := list[1]; f.ID != "best_factor" || f.Value != 1.2 || f.Missing != "" {
		t.Errorf("the best factor is %+v", f)
	}
	if runs[0.8] != 1 || runs[1] != 9 {
		t.Errorf("runs by factor: %v", runs)
	}
	clear(limits)
	if list, err = searchLimit(s, run); err != nil || list[0].Missing != "not even with 40" ||
		list[1].Missing != "not even with 40" || !math.IsNaN(list[1].Value) {
		t.Errorf("a search without a result: %+v, %v", list, err)
	}
}
