package straightline

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// call runs machine code.
//
//go:noescape
func call(text, memory, pool unsafe.Pointer) (guards uint64)

func newMachine(lanes int) (machine, error) {
	switch {
	case lanes == 1 && !cpu.X86.HasAVX:
		return nil, errors.New("this processor lacks AVX")
	case lanes == 4 && !cpu.X86.HasAVX2:
		return nil, errors.New("this processor lacks AVX2")
	}
	return &amd64{lanes: lanes}, nil
}

func (m *amd64) bytes() []byte { return m.text }
