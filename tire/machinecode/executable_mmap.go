//go:build linux || darwin || freebsd

package machinecode

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// executable is memory that holds machine code and can no longer be written.
type executable struct{ address unsafe.Pointer }

// newExecutable copies code into pages of its own: writable first, then executable, never both.
func newExecutable(code []byte) (*executable, error) {
	pages, err := unix.Mmap(-1, 0, len(code), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("no memory for machine code: %w", err)
	}
	copy(pages, code)
	if err := unix.Mprotect(pages, unix.PROT_READ|unix.PROT_EXEC); err != nil {
		unix.Munmap(pages)
		return nil, fmt.Errorf("the system refuses to run machine code made at load time: %w", err)
	}
	flushInstructions(unsafe.Pointer(&pages[0]), len(code))
	e := &executable{unsafe.Pointer(&pages[0])}
	runtime.AddCleanup(e, func(p []byte) { unix.Munmap(p) }, pages)
	return e, nil
}
