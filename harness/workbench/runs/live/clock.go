package live

import "time"

// Clock is the time that slices are due by.
type Clock interface {
	Now() time.Duration
	// SleepUntil returns at a time, or somewhat later.
	SleepUntil(t time.Duration)
}

// realClock counts from its begin.
type realClock struct {
	begin time.Time
	sleeper
}

// NewClock is the clock of the machine.
func NewClock() Clock { return &realClock{begin: time.Now()} }

func (c *realClock) Now() time.Duration { return time.Since(c.begin) }

func (c *realClock) SleepUntil(t time.Duration) {
	if d := t - c.Now(); d > 0 {
		c.sleep(d)
	}
}
