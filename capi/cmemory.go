package main

// #include <stddef.h>
// #include <stdlib.h>
// #include <string.h>
//
// typedef union kept { union kept *before; max_align_t aligned; } kept;
// static kept *latest;
// static void *keep(size_t n, size_t size)
// {
//     kept *k = calloc(1, sizeof *k + n * size);
//     if (k == NULL)
//         return NULL;
//     k->before = __atomic_load_n(&latest, __ATOMIC_RELAXED);
//     while (!__atomic_compare_exchange_n(&latest, &k->before, k, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
//         ;
//     return k + 1;
// }
import "C"

import (
	"errors"
	"unsafe"
)

// errMemory is the panic of cAllocate, which protect returns as an error.
var errMemory = errors.New("the system has no memory left for the library; free vehicles, instances or saved states")

// cAllocate returns zeroed C memory for n items of a size, at least one; release the memory with C.free. cAllocate
// panics with errMemory if the system has no memory. (C.malloc and C.CString would end the process then.)
func cAllocate(n, size int) unsafe.Pointer {
	p := C.calloc(C.size_t(max(n, 1)), C.size_t(size))
	if p == nil {
		panic(errMemory)
	}
	return p
}

// cKeep is cAllocate for memory that stays until the process ends. The pieces form a linked list that starts at a C
// variable. Leak checkers, which do not search the memory of Go, find all pieces there.
func cKeep(n, size int) unsafe.Pointer {
	p := C.keep(C.size_t(max(n, 1)), C.size_t(size))
	if p == nil {
		panic(errMemory)
	}
	return p
}

// memoryError turns the panic of cAllocate into an error. Functions that open foreign functions defer memoryError, so
// that the panic never unwinds the engine.
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
func cString(s string) *byte { return put(s, cAllocate(len(s)+1, 1)) }

// put copies s to zeroed memory longer than s.
func put(s string, to unsafe.Pointer) *byte {
	copy(unsafe.Slice((*byte)(to), len(s)), s)
	return (*byte)(to)
}

// cText is cString for functions with a C string argument.
func cText(s string) *C.char { return (*C.char)(unsafe.Pointer(cString(s))) }

// cFree releases a cString; nil is allowed.
func cFree(p *byte) { C.free(unsafe.Pointer(p)) }
