//go:build !linux && !windows

package live

import "time"

type sleeper struct{}

func (sleeper) sleep(d time.Duration) { time.Sleep(d) }
