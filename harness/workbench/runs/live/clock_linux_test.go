package live

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Signals, which the Go runtime sends to its threads, too, do not end a sleep.
func TestSignalsDoNotEndASleep(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, thread, done := NewClock(), unix.Gettid(), make(chan bool)
	until := c.Now() + 20*time.Millisecond
	go func() {
		defer close(done)
		for range 3 {
			time.Sleep(4 * time.Millisecond)
			if err := unix.Tgkill(unix.Getpid(), thread, unix.SIGURG); err != nil {
				t.Error(err)
			}
		}
	}()
	c.SleepUntil(until)
	if early := until - c.Now(); early > 0 {
		t.Errorf("it wakes up %v before its time", early)
	}
	<-done
}
