//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of all threads of this process.
func processorTime() (time.Duration, error) {
	var used syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), err
}
