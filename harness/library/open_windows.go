package library

import (
	"os"
	"os/exec"
	"syscall"
)

// locksLoaded is whether the system keeps the file of a library from removal while a process has it loaded.
const locksLoaded = true

func openLibrary(path string) (uintptr, error) {
	handle, err := syscall.LoadLibrary(path)
	return uintptr(handle), err
}

// memory returns the functions calloc and free of the C library that every Windows has.
func memory() (allocate, release uintptr) {
	runtime := syscall.NewLazyDLL("msvcrt.dll")
	return runtime.NewProc("calloc").Addr(), runtime.NewProc("free").Addr()
}

func symbol(library uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(library), name)
}

// separate starts a child in a process group of its own: Ctrl-C reaches the parent alone, which ends the child.
func separate(child *exec.Cmd) {
	child.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func endGroup(child *os.Process) { child.Kill() }
