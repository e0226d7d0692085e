//go:build !windows

package library

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"github.com/ebitengine/purego"
)

// system are libraries of the C library that FMUs use without naming them, because most programs have them.
var system = []string{"libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"}

// withSystem loads those of them that this system has, for all libraries to come.
var withSystem = sync.OnceFunc(func() {
	if runtime.GOOS != "linux" { // elsewhere every program has them
		return
	}
	for _, name := range system {
		purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL) // without: what needs it tells
	}
})

// locksLoaded is whether the system keeps the file of a library from removal while a process has it loaded.
const locksLoaded = false

// openLibrary loads a shared library with all symbols bound at once and none of
// them visible to libraries loaded later.
func openLibrary(path string) (uintptr, error) {
	withSystem()
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// memory returns the functions calloc and free of the C library.
func memory() (allocate, release uintptr) {
	allocate, _ = purego.Dlsym(purego.RTLD_DEFAULT, "calloc") // every program with a dynamic loader has them
	release, _ = purego.Dlsym(purego.RTLD_DEFAULT, "free")
	return allocate, release
}

func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

// separate starts a child in a process group of its own: Ctrl-C reaches the parent alone, which ends the child.
func separate(child *exec.Cmd) { child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup kills a child that separate was called for, with all processes that it has started.
func endGroup(child *os.Process) { syscall.Kill(-child.Pid, syscall.SIGKILL) }
