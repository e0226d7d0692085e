//go:build !amd64 && !(arm64 && linux)

package machinecode

import "unsafe"

// packs tells that operations on several numbers side by side are written.
const packs = false

func newMachine(int, bool, bool) (machine, error) { return nil, errNoMachine() }

// call is never reached: no code is made.
func call(_, _, _, _ unsafe.Pointer) uint64 { return 1 }

func flushInstructions(unsafe.Pointer, int) {}
