package main

import (
	"os"
	"sync"
	"syscall"
)

// formerStdout keeps the former file open: when nothing refers to it, its descriptor is closed.
var formerStdout os.File

// shieldStdout directs the standard output of libraries to standard error, so no line of a library is mixed with
// results on standard output. os.Stdout of this program stays the same.
var shieldStdout = sync.OnceFunc(func() {
	kept, err := syscall.Dup(syscall.Stdout)
	if err != nil {
		return
	}
	syscall.CloseOnExec(kept)
	if err := syscall.Dup3(syscall.Stderr, syscall.Stdout, 0); err != nil {
		syscall.Close(kept)
		return
	}
	formerStdout = *os.Stdout
	*os.Stdout = *os.NewFile(uintptr(kept), formerStdout.Name())
})
