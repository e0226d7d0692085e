package live

import (
	"time"

	"golang.org/x/sys/unix"
)

// sleeper sleeps by the system, whose timers are finer than those of the Go runtime.
type sleeper struct{}

func (sleeper) sleep(d time.Duration) {
	rest := unix.NsecToTimespec(d.Nanoseconds())
	for {
		switch unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &rest, &rest) {
		case nil:
			return
		case unix.EINTR: // by a signal; the rest is left
		default:
			time.Sleep(d)
			return
		}
	}
}
