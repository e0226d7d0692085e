package live

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Signals, which the Go runtime sends to its threads, too, neither end a sleep nor begin it again.
func TestSignalsDoNotEndASleep(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const d, signals = 20 * time.Millisecond, 3
	c, thread, least := NewClock(), unix.Gettid(), time.Hour
	for range 4 {
		until, done := c.Now()+d, make(chan bool)
		go func() {
			defer close(done)
			for range signals {
				time.Sleep(d / (signals + 1))
				if err := unix.Tgkill(unix.Getpid(), thread, unix.SIGURG); err != nil {
					t.Error(err)
				}
			}
		}()
		c.SleepUntil(until)
		late := c.Now() - until
		if late < 0 {
			t.Errorf("it wakes up %v before its time", -late)
		}
		least = min(least, late)
		<-done
	}
	if least > d/4 {
		t.Errorf("it wakes up %v late, and never earlier", least)
	}
}
