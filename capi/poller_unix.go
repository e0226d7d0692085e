//go:build !windows

package main

import (
	"fmt"
	"os"
	"sync"
	"syscall"
)

// poller reports whether Go's poller of descriptors runs.
var poller struct {
	sync.Mutex
	runs bool
}

// startPoller makes Go open the two descriptors of its poller. Otherwise Go opens them at any later time, also within
// its collector, and ends the process if no descriptors are left. After startPoller, a lack of descriptors is an
// ordinary error.
func startPoller() error {
	poller.Lock()
	defer poller.Unlock()
	if poller.runs {
		return nil
	}
	var pipes [2][2]int // as many as the pipe below and the poller
	for i := range pipes {
		if err := syscall.Pipe(pipes[i][:]); err != nil {
			for _, pipe := range pipes[:i] {
				closePipe(pipe)
			}
			return fmt.Errorf("the library needs four free file descriptors to begin: %w; close files, or raise the limit "+
				"(ulimit -n)", err)
		}
	}
	for _, pipe := range pipes {
		closePipe(pipe)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	r.Close()
	w.Close()
	poller.runs = true
	return nil
}

func closePipe(pipe [2]int) {
	for _, end := range pipe {
		_ = syscall.Close(end)
	}
}
