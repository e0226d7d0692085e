//go:build !(amd64 && (linux || darwin || freebsd || windows)) && !(arm64 && linux)

package machinecode

import (
	"fmt"
	"runtime"
)

// errNoMachine says that this package writes no code for a machine.
func errNoMachine() error {
	return fmt.Errorf("no machine code is written for %s on %s", runtime.GOARCH, runtime.GOOS)
}
