package machinecode

import "unsafe"

// flushInstructions does nothing: these processors see what was written.
func flushInstructions(unsafe.Pointer, int) {}
