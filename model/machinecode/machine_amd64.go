package machinecode

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// call runs machine code.
//
//go:noescape
func call(text, memory, pool unsafe.Pointer) (guards uint64)

func newMachine(lanes int, gathers bool) (machine, error) {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil, errors.New("this processor lacks AVX2 or FMA")
	}
	return &amd64{lanes: lanes, gathers: gathers, places: noPlaces}, nil
}

func (m *amd64) bytes() []byte { return m.text }
