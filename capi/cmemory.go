package main

// #include <stdlib.h>
import "C"

import "unsafe"

// newHandle returns the address of a new C block. The block is never freed, so
// that the address stays unique for the life of the process.
func newHandle() uintptr { return uintptr(C.malloc(1)) }

// cString copies s to C memory, ended by NUL; release it with cFree.
func cString(s string) *byte { return (*byte)(unsafe.Pointer(C.CString(s))) }

// cFree releases a cString; nil is allowed.
func cFree(p *byte) { C.free(unsafe.Pointer(p)) }
