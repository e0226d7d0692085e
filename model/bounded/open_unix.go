//go:build !windows

package bounded

import "syscall"

// nonblocking opens a pipe without a writer at once instead of waiting for a writer. A terminal does not become the
// controlling terminal of the process.
const nonblocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
