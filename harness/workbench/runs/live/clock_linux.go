package live

import (
	"time"

	"golang.org/x/sys/unix"
)

// sleeper sleeps by the system, whose timers are finer than those of the Go runtime.
type sleeper struct{}

func (sleeper) sleep(d time.Duration) {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		time.Sleep(d)
		return
	}
	until := unix.NsecToTimespec(now.Nano() + d.Nanoseconds())
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &until, nil) == unix.EINTR {
		continue
	}
}
