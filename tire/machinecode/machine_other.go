//go:build !amd64 && !(arm64 && linux)

package machinecode

import "unsafe"

// packs reports whether code of this processor can have packed operations, on several numbers side by side.
const packs = false

func newMachine(int, bool, bool) (machine, error) { return nil, errNoMachine() }

// call is never reached: without a machine there is no code.
func call(_, _, _, _ unsafe.Pointer) uint64 { return 1 }

func flushInstructions(unsafe.Pointer, int) {}
