//go:build linux || darwin || freebsd

package straightline

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

// executable is memory that holds machine code and can no longer be written.
type executable struct{ address unsafe.Pointer }

// newExecutable copies code into pages of its own: writable first, then executable, never both.
func newExecutable(code []byte) (*executable, error) {
	pages, err := syscall.Mmap(-1, 0, len(code), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("no memory for machine code: %w", err)
	}
	copy(pages, code)
	if err := syscall.Mprotect(pages, syscall.PROT_READ|syscall.PROT_EXEC); err != nil {
		syscall.Munmap(pages)
		return nil, fmt.Errorf("the system refuses to run machine code made at load time: %w", err)
	}
	flushInstructions(unsafe.Pointer(&pages[0]), len(code))
	e := &executable{unsafe.Pointer(&pages[0])}
	runtime.AddCleanup(e, func(p []byte) { syscall.Munmap(p) }, pages)
	return e, nil
}
