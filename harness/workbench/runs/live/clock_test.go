package live

import (
	"testing"
	"time"
)

// The clock of the machine sleeps until a time, never less, and where the machine is not busy hardly longer.
func TestTheClockOfTheMachine(t *testing.T) {
	c := NewClock()
	least := time.Hour
	for range 5 {
		until := c.Now() + 8*time.Millisecond
		c.SleepUntil(until)
		late := c.Now() - until
		if late < 0 {
			t.Errorf("it wakes up %v before its time", -late)
		}
		least = min(least, late)
	}
	if least > 4*time.Millisecond {
		t.Errorf("it wakes up %v late, and never earlier", least)
	}
	before := c.Now()
	c.SleepUntil(before - time.Hour)
	if passed := c.Now() - before; passed > time.Minute {
		t.Errorf("it sleeps %v until a time that has passed", passed)
	}
}
