//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processorTime is what all threads of this process have computed so far.
func processorTime() (time.Duration, error) {
	var used syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), err
}
