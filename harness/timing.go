package harness

import (
	"slices"
	"time"
)

// Timing says how long the steps of one run took in the library, seen from the
// harness: the call of skidpad_step and nothing else.
type Timing struct {
	Steps               int
	Median, P999, Worst time.Duration // of one communication step
	RealTime            float64       // simulated time over the sum of all steps' times
}

// newTiming evaluates the durations of equal steps of h seconds; it sorts them.
func newTiming(durations []time.Duration, h float64) Timing {
	if len(durations) == 0 {
		return Timing{}
	}
	var sum time.Duration
	for _, d := range durations {
		sum += d
	}
	slices.Sort(durations)
	n := len(durations)
	return Timing{
		Steps:    n,
		Median:   durations[n/2],
		P999:     durations[(n*999)/1000],
		Worst:    durations[n-1],
		RealTime: float64(n) * h / max(sum.Seconds(), 1e-9),
	}
}
