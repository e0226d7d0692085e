package main

// #include <stdlib.h>
// #include <string.h>
import "C"

import (
	"errors"
	"unsafe"
)

// errMemory is the panic of cAllocate, which protect returns as an error.
var errMemory = errors.New("the system has no memory left for the library; free vehicles, instances or saved states")

// cAllocate returns zeroed C memory for n things of a size, at least one; release it with C.free. Where the system has
// none it panics with errMemory. (C.malloc and C.CString would end the process then.)
func cAllocate(n, size int) unsafe.Pointer {
	p := C.calloc(C.size_t(max(n, 1)), C.size_t(size))
	if p == nil {
		panic(errMemory)
	}
	return p
}

// memoryError is deferred by functions that open something foreign: it makes an error of the panic of cAllocate before
// the engine, which would be left in the middle of something, sees it.
func memoryError(err *error) {
	switch cause := recover(); cause {
	case nil:
	case errMemory:
		*err = errMemory
	default:
		panic(cause)
	}
}

// cString copies s to C memory, ended by NUL; release it with cFree.
func cString(s string) *byte {
	p := (*byte)(cAllocate(len(s)+1, 1))
	copy(unsafe.Slice(p, len(s)), s)
	return p
}

// cText is cString for functions that take a C text.
func cText(s string) *C.char { return (*C.char)(unsafe.Pointer(cString(s))) }

// cFree releases a cString; nil is allowed.
func cFree(p *byte) { C.free(unsafe.Pointer(p)) }
