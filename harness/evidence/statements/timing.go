package statements

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"skidpad/model/bounded"
)

// Host is watched while something is timed: if its load is above its processors, times say nothing.
type Host struct {
	samples, load float64
	processors    int
	loads         string // file with the mean load of the last minute
}

// NewHost watches this machine.
func NewHost() *Host { return &Host{processors: runtime.NumCPU(), loads: "/proc/loadavg"} }

// Look reads the load: how many threads have wanted to run, on average over the last minute. Systems that do not tell
// count as quiet.
func (h *Host) Look() {
	text, err := bounded.Facts.Read(h.loads) // "0.31 0.25 0.30 2/411 12345"
	if err != nil {
		return
	}
	minute, _, _ := strings.Cut(string(text), " ")
	if load, err := strconv.ParseFloat(minute, 64); err == nil {
		h.samples, h.load = h.samples+1, h.load+load
	}
}

// Loaded reports whether more threads wanted to run than there are processors.
func (h *Host) Loaded() bool { return h.load > h.samples*float64(h.processors) }

// hostIsLoaded is why a statement about times is not judged.
const hostIsLoaded = "host is loaded"

// Timed makes a check of times, which a loaded host leaves without a verdict.
func Timed(h *Host, name, statement string, parts ...Part) Check {
	c := NewCheck(name, statement, parts...)
	if h.Loaded() {
		c.Pass, c.NotJudged = false, hostIsLoaded
	}
	return c
}

// MedianAtLeast compares the median of several measurements with a bound.
func MedianAtLeast(what string, values []float64, bound float64) Part {
	m := median(values)
	return Part{fmt.Sprintf("%s %.4g", what, m), fmt.Sprintf(">= %.3g", bound), m >= bound}
}

// MedianBelow is MedianAtLeast for durations that must not reach a limit.
func MedianBelow(what string, values []time.Duration, limit time.Duration) Part {
	m := median(values)
	return Part{fmt.Sprintf("%s %v", what, m), fmt.Sprintf("< %v", limit), m < limit}
}

// median is the middle one of an odd number of values.
func median[T float64 | time.Duration](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// SameInEveryStep says that each step did the same number of evaluations of the equations, a straight line of
// instructions.
func SameInEveryStep(what string, least, largest, want int) Part {
	return Part{fmt.Sprintf("%s: %d to %d evaluations", what, least, largest), fmt.Sprintf("%d in every step", want),
		least == want && largest == want}
}
