//go:build !linux && !darwin && !freebsd && !windows

package machinecode

import "unsafe"

// executable would be memory that holds machine code.
type executable struct{ address unsafe.Pointer }

func newExecutable([]byte) (*executable, error) { return nil, errNoMachine() }
