//go:build linux

package machinecode

import (
	"errors"
	"unsafe"
)

// call runs machine code.
//
//go:noescape
func call(text, memory, pool, fixed unsafe.Pointer) (guards uint64)

// flushInstructions makes n bytes that were written visible to instruction fetches.
//
//go:noescape
func flushInstructions(address unsafe.Pointer, n int)

// packs reports whether code of this processor can have packed operations, on several numbers side by side.
const packs = false

func newMachine(lanes int, _, _ bool) (machine, error) {
	if lanes != 1 {
		return nil, errors.New("machine code of several lanes is written for amd64 only")
	}
	return &arm64{}, nil
}
