package machinecode

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// call runs machine code.
//
//go:noescape
func call(text, memory, pool, fixed unsafe.Pointer) (guards uint64)

// packs reports whether code of this processor can have packed operations, on several numbers side by side.
const packs = true

func newMachine(lanes int, wide, gathers bool) (machine, error) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil, errors.New("this processor lacks AVX2 or FMA")
	}
	return &amd64{wide: wide || lanes == full, gathers: gathers, places: noPlaces, several: none}, nil
}

func (m *amd64) bytes() []byte { return m.text }
