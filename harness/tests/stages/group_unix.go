//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a group of processes, which ends with all that it has started.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
}
