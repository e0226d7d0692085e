package drive

import (
	"testing"
	"time"
)

// Without pacing there are no deadlines: however long a step takes, none is missed.
func TestOnlyPacedRunsMissDeadlines(t *testing.T) {
	for _, paced := range []bool{false, true} {
		c := newClock(1e-3, 2, paced)
		c.start = time.Now().Add(-time.Hour) // every step is over long since
		c.took(0, time.Second)
		if got := c.timing().Missed; (got > 0) != paced {
			t.Errorf("paced %v: %d missed", paced, got)
		}
	}
}
