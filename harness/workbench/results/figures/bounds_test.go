package figures

import (
	"math"
	"strings"
	"testing"
)

// Any nonsensical option makes its figure missing: the search ends, and no record is cut beyond its ends.
func TestOptionsWithoutSenseGiveNoFigures(t *testing.T) {
	time := times(2)
	falling, rising := make([]float64, len(time)), make([]float64, len(time))
	for i := range time {
		falling[i], rising[i] = 20-float64(i)/200, float64(i)/100
	}
	extremes := []float64{0, -1, 1e-308, -1e-308, 1e308, -1e308, 1e-9, 3}
	for _, x := range extremes {
		r := &Record{Time: time, Speed: falling, Phases: []Phase{{"coast", 0, 2}}}
		for _, f := range coastDown.Run(r, &coastOptions{from: 19, to: 12, window: x}) {
			if f.ID == "a0" && (!math.IsNaN(f.Value) || f.Missing == "") {
				t.Errorf("window %g: %+v", x, f)
			}
		}
		if s := Spectrum(&Record{Time: time, Steer: rising, Phases: []Phase{{"steer", 0, 2}}}, rising,
			&FrequencyOptions{segment: x, from: 1, to: 2}); s != nil {
			t.Errorf("segment %g: %+v", x, s)
		}
		if x > 0 && x < 3 {
			if y := LowPass(rising, 1e-3, x, 4); len(y) != len(rising) {
				t.Errorf("edge %g: %d rows", x, len(y))
			}
		}
		p := &ramp{time: time, lateral: rising, steer: rising, curvature: rising}
		p.doubled(1, 16, &circleOptions{fitRange: fitRange{regressionFrom: x, regressionTo: x}, local: 1, wheelbase: 2.5})
	}
	// accelerations of a run that diverges
	rising[len(rising)-1] = 1e4
	p := &ramp{time: time, lateral: rising, steer: rising, curvature: rising}
	o := &circleOptions{fitRange: fitRange{regressionFrom: 1, regressionTo: 2}, local: 1, wheelbase: 2.5}
	if f := p.doubled(1, 16, o); !math.IsNaN(f.Value) || !strings.Contains(f.Missing, "more than 10000 places") {
		t.Errorf("%+v", f)
	}
}

// Windows as short as a step are differences from row to row: a deceleration that is a0 + a2 v^2 is found again.
func TestCoastingInTheShortestWindow(t *testing.T) {
	time := times(2)
	speed := make([]float64, len(time))
	for i, at := range time {
		speed[i] = 20 - at
	}
	list := coastDown.Run(&Record{Time: time, Speed: speed, Phases: []Phase{{"coast", 0, 2}}},
		&coastOptions{from: 19.5, to: 18.5, window: 1e-3})
	near(t, "a0", pick(t, list, "a0").Value, 1, 1e-6)
}
