package machinecode

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/windows"
)

// executable is memory that holds machine code and can no longer be written.
type executable struct{ address unsafe.Pointer }

// newExecutable copies code into pages of its own: writable first, then executable, never both.
func newExecutable(code []byte) (*executable, error) {
	address, err := windows.VirtualAlloc(0, uintptr(len(code)), windows.MEM_COMMIT|windows.MEM_RESERVE,
		windows.PAGE_READWRITE)
	if err != nil {
		return nil, fmt.Errorf("no memory for machine code: %w", err)
	}
	pages := *(*unsafe.Pointer)(unsafe.Pointer(&address)) // not memory of Go's
	copy(unsafe.Slice((*byte)(pages), len(code)), code)
	var before uint32
	if err := windows.VirtualProtect(address, uintptr(len(code)), windows.PAGE_EXECUTE_READ, &before); err != nil {
		windows.VirtualFree(address, 0, windows.MEM_RELEASE)
		return nil, fmt.Errorf("the system refuses to run machine code made at load time: %w", err)
	}
	flushInstructions(pages, len(code))
	e := &executable{pages}
	runtime.AddCleanup(e, func(a uintptr) { windows.VirtualFree(a, 0, windows.MEM_RELEASE) }, address)
	return e, nil
}
