//go:build !windows

package library

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/ebitengine/purego"
)

// openLibrary loads a shared library with all symbols bound at once and none of
// them visible to libraries loaded later.
func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

// separate starts a child in a process group of its own: Ctrl-C reaches the parent alone, which ends the child.
func separate(child *exec.Cmd) { child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills a child that separate was called for, with all processes that it has started.
func endGroup(child *os.Process) { syscall.Kill(-child.Pid, syscall.SIGKILL) }
