package plots

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/plot"
)

// labels returns the labels of ticks, and the number of short ticks.
func labels(ticks []plot.Tick) (list []string, short int) {
	for _, t := range ticks {
		if t.Label == "" {
			short++
			continue
		}
		list = append(list, t.Label)
	}
	return list, short
}

// A frequency axis names the frequencies, not their logarithms, at most seven of them.
func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
		short     int
	}{
		{0.01, 100, []string{"0.01", "0.1", "1", "10", "100"}, 32},
		{0.5, 40, []string{"0.5", "1", "2", "5", "10", "20"}, 12},
		{3, 8, []string{"5"}, 5},
		{1e-6, 1e6, []string{"1e-06", "0.0001", "0.01", "1", "100", "10000", "1e+06"}, 6},
		{0.1, 1000, []string{"0.1", "1", "10", "100", "1000"}, 32},
	} {
		ticks := LogTicks(math.Log10(c.low), math.Log10(c.high))
		got, short := labels(ticks)
		if !slices.Equal(got, c.want) || short != c.short {
			t.Errorf("from %g to %g: %v and %d short ones; want %v and %d", c.low, c.high, got, short, c.want, c.short)
		}
		for _, tick := range ticks {
			if tick.Value < math.Log10(c.low)-1e-9 || tick.Value > math.Log10(c.high)+1e-9 {
				t.Errorf("a tick at %g, outside of %g to %g", math.Pow(10, tick.Value), c.low, c.high)
			}
		}
	}
	for _, tick := range LogTicks(-1, 1) {
		if tick.Label == "5" && math.Abs(tick.Value-0.69897) > 1e-5 {
			t.Errorf("5 is at %g", tick.Value)
		}
	}
}

// Angles are labelled at multiples of 15, 45 or 90 degrees, the usual parts of a turn.
func TestAngleTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
	}{
		{-180, 180, []string{"-180", "-90", "0", "90", "180"}},
		{-179.6, 179.9, []string{"-90", "0", "90"}},
		{-170, 10, []string{"-135", "-90", "-45", "0"}},
		{-101, -2, []string{"-90", "-45"}},
		{-40, 7, []string{"-30", "-15", "0"}},
		{-720, 0, []string{"-720", "-540", "-360", "-180", "0"}},
		{-2000, 0, []string{"-1800", "-1440", "-1080", "-720", "-360", "0"}},
	} {
		if got, _ := labels(AngleTicks(c.low, c.high)); !slices.Equal(got, c.want) {
			t.Errorf("from %g to %g: %v; want %v", c.low, c.high, got, c.want)
		}
	}
	for _, short := range []float64{3, 12} {
		if got, _ := labels(AngleTicks(0, short)); len(got) < 2 {
			t.Errorf("an axis of %g degrees has the labels %v", short, got)
		}
	}
	if got, _ := labels(AngleTicks(-1e9, 1e9)); len(got) > 20 {
		t.Errorf("%d labels", len(got))
	}
}

// Ticks of angles stand at the degrees that they name, within the axis, and between labels are short ones at even parts
// of a turn: of 5, 15, 45, 60 and 180 degrees.
func TestAngleTicksStandAtTheirDegrees(t *testing.T) {
	for _, c := range []struct{ low, high, short, step float64 }{
		{-40, 7, 5, 15}, {-101, -2, 15, 45}, {0, 90, 5, 15}, {-170, 10, 15, 45}, {-180, 180, 45, 90}, {-720, 0, 60, 180},
		{-2000, 0, 180, 360},
	} {
		ticks := AngleTicks(c.low, c.high)
		first, last := math.Ceil(c.low/c.short)*c.short, math.Floor(c.high/c.short)*c.short
		if want := int(math.Round((last-first)/c.short)) + 1; len(ticks) != want {
			t.Errorf("from %g to %g: %d ticks, want %d", c.low, c.high, len(ticks), want)
			continue
		}
		for k, tick := range ticks {
			at := first + float64(k)*c.short
			label := ""
			if math.Mod(at, c.step) == 0 {
				label = strconv.FormatFloat(at+0, 'f', -1, 64)
			}
			if math.Abs(tick.Value-at) > 1e-9 || tick.Label != label {
				t.Errorf("from %g to %g: tick %d is %q at %g, want %q at %g", c.low, c.high, k, tick.Label, tick.Value, label,
					at)
			}
		}
	}
}

// Labels say where their ticks are, also on a short axis far from 0.
func TestTicksSayWhereTheyAre(t *testing.T) {
	for _, c := range [][2]float64{{19.9994, 20.0011}, {9.5, 10.25}, {-1e5 - 0.01, -1e5}, {0, 1}, {-3e-8, 7e-8},
		{1e6, 5e6}} {
		got, _ := labels(Ticks(c[0], c[1]))
		if len(got) < 2 {
			t.Errorf("from %g to %g: labels %v", c[0], c[1], got)
		}
		for _, tick := range Ticks(c[0], c[1]) {
			if tick.Label == "" {
				continue
			}
			if x, err := strconv.ParseFloat(tick.Label, 64); err != nil || math.Abs(x-tick.Value) > 1e-3*(c[1]-c[0]) {
				t.Errorf("from %g to %g: %q is at %.12g", c[0], c[1], tick.Label, tick.Value)
			}
			if len(tick.Label) > 12 {
				t.Errorf("from %g to %g: the label %q", c[0], c[1], tick.Label)
			}
		}
	}
}

// A linear axis has four to eight labels, at multiples of 1, 2, 2.5 or 5 times a power of ten, all within the axis, and
// the coarsest of these steps that leaves four.
func TestLabelsStandAtRoundNumbers(t *testing.T) {
	for _, low := range []float64{-1234.5, -3, -0.07, 0, 0.4, 17, 2e5} {
		for width := max(1e-2, 1e-6*math.Abs(low)); width < 1e6; width *= 1.0371 {
			var at []float64
			for _, tick := range Ticks(low, low+width) {
				if tick.Value < low-1e-6*width || tick.Value > low+width*(1+1e-6) {
					t.Fatalf("from %g, %g wide: a tick at %g", low, width, tick.Value)
				}
				if tick.Label != "" {
					at = append(at, tick.Value)
				}
			}
			if len(at) < 4 || len(at) > 8 {
				t.Fatalf("from %g, %g wide: %d labels", low, width, len(at))
			}
			step := (at[len(at)-1] - at[0]) / float64(len(at)-1)
			digits := step / math.Pow(10, math.Floor(math.Log10(step*(1+1e-9))))
			isRound := slices.ContainsFunc([]float64{1, 2, 2.5, 5}, func(d float64) bool { return math.Abs(digits-d) < 1e-5 })
			if whole := at[0] / step; !isRound || math.Abs(whole-math.Round(whole)) > 1e-2 || step > width/3*(1+1e-9) {
				t.Fatalf("from %g, %g wide: labels from %g on by %g", low, width, at[0], step)
			}
			if next := map[bool]float64{true: 1.25, false: 2}[math.Abs(digits-2) < 1e-4]; step*next < width/4*(1-1e-4) {
				t.Fatalf("from %g, %g wide: labels by %g, though %g times that leaves four, too", low, width, step, next)
			}
		}
	}
	for _, c := range [][2]float64{{1, 1 + 2e-16}, {5, 5}, {math.Pi / 9, math.Nextafter(math.Pi/9, 1)}, {0, math.Inf(1)},
		{math.NaN(), 1}} {
		if n := len(Ticks(c[0], c[1])); n != 1 {
			t.Errorf("from %g to %g: %d ticks", c[0], c[1], n)
		}
	}
	for _, c := range []struct {
		low, high float64
		want      []string
		short     int
	}{
		{0, 10, []string{"0", "2.5", "5", "7.5", "10"}, 16},
		{0, 6, []string{"0", "2", "4", "6"}, 3},                       // four labels at a step that the range is three times
		{0.4, 6.8, []string{"1", "2", "3", "4", "5", "6"}, 5 + 1 + 1}, // short ones before the first label and after the last
	} {
		if got, short := labels(Ticks(c.low, c.high)); !slices.Equal(got, c.want) || short != c.short {
			t.Errorf("from %g to %g: %v and %d short ones, want %v and %d", c.low, c.high, got, short, c.want, c.short)
		}
	}
}
