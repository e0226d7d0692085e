package cosim

import (
	"fmt"
	"strings"
	"time"

	"skidpad/tire"
)

// timeLimit holds the time from which a communication step is reported as slow, and the measured times.
type timeLimit struct {
	limit time.Duration // 0: none, and no clock is read
	begun time.Time     // the solver step under way
	spent time.Duration // of the communication step under way
	texts []string      // reports that nobody has read
}

// mostReports bounds the reports of slow steps between two readings.
const mostReports = 8

// SetTimeLimit makes RangeWarnings report communication steps that take longer than a time, with the tires whose
// functions took most of the time. 0, the value at the start, means no limit. The step is not stopped, and its results
// do not change.
func (in *Instance) SetTimeLimit(limit time.Duration) {
	in.slow = timeLimit{limit: limit}
	in.tires.setTimed(limit > 0)
}

// setTimed starts or ends the timing of all functions that support timing.
func (b *bindings) setTimed(on bool) {
	if b == nil {
		return
	}
	for _, f := range b.opened {
		if t, ok := f.(tire.Timed); ok {
			t.SetTimed(on)
		}
	}
}

// begin begins to measure a solver step.
func (s *timeLimit) begin() { s.begun = time.Now() }

// end ends the measurement. If last, the communication step ends at t, and is reported if it took too long.
func (s *timeLimit) end(last bool, b *bindings, t float64) {
	s.spent += time.Since(s.begun)
	if !last {
		return
	}
	spent := s.spent
	s.spent = 0
	slowest, longest := b.slowest()
	if spent <= s.limit || len(s.texts) == mostReports {
		return
	}
	by := "no function in a library was called"
	if slowest >= 0 {
		by = fmt.Sprintf("%.3g s of it in the function of %s", longest.Seconds(),
			strings.Join(b.servedWith(slowest), ", "))
	}
	s.texts = append(s.texts, fmt.Sprintf("the step that ends at %g s took %.3g s, longer than the limit of %g s: %s",
		t, spent.Seconds(), s.limit.Seconds(), by))
}

// slowest returns the number of the opened function with the longest time since the last call of slowest, -1 if none
// was timed.
func (b *bindings) slowest() (at int, longest time.Duration) {
	at = -1
	if b == nil {
		return at, 0
	}
	for i, f := range b.opened {
		if t, ok := f.(tire.Timed); ok {
			if spent := t.Spent(); spent > longest {
				at, longest = i, spent
			}
		}
	}
	return at, longest
}

// servedWith returns the components that one call of a function serves.
func (b *bindings) servedWith(function int) (names []string) {
	if k := function - len(b.functions); k >= 0 {
		return []string{b.controllers[k].name}
	}
	for i, f := range b.functions {
		if i == function || together(f, b.functions[function]) {
			names = append(names, b.names[i])
		}
	}
	return names
}

// together reports whether one call serves two functions.
func together(a, b tire.Function) bool {
	one, ok := a.(tire.Grouped)
	other, also := b.(tire.Grouped)
	if !ok || !also {
		return false
	}
	g, _ := one.Member()
	h, _ := other.Member()
	return g == h
}
