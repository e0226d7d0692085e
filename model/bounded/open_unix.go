//go:build !windows

package bounded

import "syscall"

// nonblocking opens a pipe that nobody writes to at once, where it would wait for a writer, and makes no terminal that
// of the process.
const nonblocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
