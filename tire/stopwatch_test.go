package tire

import (
	"testing"
	"time"
)

// A watch that is on counts each call once; off it counts none and begins at no time.
func TestAStopwatchCountsCallsOnce(t *testing.T) {
	var w Stopwatch
	if begin := w.Begin(); !begin.IsZero() {
		t.Error("a watch that is off reads the clock")
	}
	w.End(time.Time{})
	if w.Spent() != 0 {
		t.Error("a watch that is off counts")
	}
	w.SetTimed(true)
	w.End(w.Begin().Add(-time.Hour))
	w.End(w.Begin().Add(-time.Hour))
	if spent := w.Spent(); spent < 2*time.Hour || spent > 2*time.Hour+time.Minute {
		t.Errorf("two calls of an hour took %v", spent)
	}
	if spent := w.Spent(); spent != 0 {
		t.Errorf("%v are counted twice", spent)
	}
	w.End(w.Begin().Add(-time.Hour))
	if w.SetTimed(false); w.Spent() != 0 {
		t.Error("what was counted outlives the end of timing")
	}
}
