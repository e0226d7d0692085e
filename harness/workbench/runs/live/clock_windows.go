package live

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// sleeper sleeps by a waitable timer of high resolution, which Windows 10 of 2018 and later have.
type sleeper struct {
	timer  windows.Handle
	failed bool
}

var (
	kernel32            = windows.NewLazySystemDLL("kernel32.dll")
	createWaitableTimer = kernel32.NewProc("CreateWaitableTimerExW")
	setWaitableTimer    = kernel32.NewProc("SetWaitableTimer")
)

const (
	timerHighResolution = 2                  // CREATE_WAITABLE_TIMER_HIGH_RESOLUTION
	timerAllAccess      = 0x1F0003           // TIMER_ALL_ACCESS
	unit                = time.Duration(100) // of times of timers
)

func (s *sleeper) sleep(d time.Duration) {
	if s.timer == 0 && !s.failed {
		handle, _, _ := createWaitableTimer.Call(0, 0, timerHighResolution, timerAllAccess)
		s.timer, s.failed = windows.Handle(handle), handle == 0
	}
	due := -int64(d / unit) // negative: from now on
	if s.failed {
		time.Sleep(d)
		return
	}
	if ok, _, _ := setWaitableTimer.Call(uintptr(s.timer), uintptr(unsafe.Pointer(&due)), 0, 0, 0, 0); ok == 0 {
		time.Sleep(d)
		return
	}
	if _, err := windows.WaitForSingleObject(s.timer, windows.INFINITE); err != nil {
		time.Sleep(d)
	}
}
