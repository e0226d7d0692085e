package bench

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of all threads of this process.
func processorTime() (time.Duration, error) {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0, err
	}
	var begun, ended, system, user syscall.Filetime
	if err := syscall.GetProcessTimes(process, &begun, &ended, &system, &user); err != nil {
		return 0, err
	}
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(100 * (ticks(system) + ticks(user))), nil
}
