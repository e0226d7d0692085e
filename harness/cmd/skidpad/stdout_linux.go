package main

import (
	"os"
	"sync"
	"syscall"
)

// formerStdout keeps the former file open: when nothing refers to it, its descriptor is closed.
var formerStdout os.File

// shieldStdout lets libraries that print to standard output print to standard error: results may go to standard
// output, and a row of a table must not be torn. os.Stdout stays what it was for this program.
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
