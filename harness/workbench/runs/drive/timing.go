package drive

import (
	"runtime"
	"slices"
	"time"
)

// Timing says how long the steps of one run took in the library, seen from the
// harness: the call that makes the step and nothing else.
type Timing struct {
	Steps               int
	Median, P999, Worst time.Duration // of one communication step
	Total               time.Duration // of all steps
	RealTime            float64       // simulated time over the sum of all steps' times
	// Missed counts the steps of a paced run that were not done when their time was over; without pacing there are no
	// deadlines.
	Missed int
}

// clock paces the steps of a run, if they are to be, and takes their times.
type clock struct {
	h         float64
	paced     bool
	start     time.Time
	durations []time.Duration
	missed    int
}

func newClock(h float64, steps int, paced bool) *clock {
	return &clock{h: h, paced: paced, durations: make([]time.Duration, 0, min(steps, 100_000)), start: time.Now()}
}

// due is when step n begins: a fixed time after the start, so that errors do not add up.
func (c *clock) due(n int) time.Time {
	return c.start.Add(time.Duration(float64(n) * c.h * float64(time.Second)))
}

// spin is the last part of a wait that is not slept: the system wakes up too late.
const spin = 200 * time.Microsecond

// wait returns when step n is due.
func (c *clock) wait(n int) {
	if !c.paced {
		return
	}
	if ahead := time.Until(c.due(n)) - spin; ahead > 0 {
		time.Sleep(ahead)
	}
	for time.Now().Before(c.due(n)) {
		runtime.Gosched()
	}
}

// took notes the duration of step n.
func (c *clock) took(n int, d time.Duration) {
	c.durations = append(c.durations, d)
	if c.paced && time.Now().After(c.due(n+1)) {
		c.missed++
	}
}

// timing evaluates what was noted; it sorts the durations.
func (c *clock) timing() Timing {
	n := len(c.durations)
	if n == 0 {
		return Timing{}
	}
	var sum time.Duration
	for _, d := range c.durations {
		sum += d
	}
	slices.Sort(c.durations)
	return Timing{
		Steps:    n,
		Median:   c.durations[n/2],
		P999:     c.durations[(n*999)/1000],
		Worst:    c.durations[n-1],
		Total:    sum,
		RealTime: float64(n) * c.h / max(sum.Seconds(), 1e-9),
		Missed:   c.missed,
	}
}
