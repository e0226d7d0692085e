// Command capi is the shared library of Skidpad: the native C API of skidpad.h
// over package cosim.
//
//	go build -buildmode=c-shared -o libskidpad.so ./capi
//
// A call passes four layers, each with one task:
//
//	skidpad.c   the C functions of skidpad.h: C types to machine words
//	export.go   the same functions in Go: machine words to Go types
//	entry.go    the call itself: argument checks and the engine's method
//	guard.go    around every entry: handle to vehicle, one call at a time,
//	            error or panic to status
//
// Handles travel as uintptr. They are addresses of reserved C memory (table.go), so no Go pointer ever reaches C. The
// Go runtime never takes a handle for a pointer, whatever its bits are.
//
// Set, Get and Step allocate nothing when they succeed.
package main

// main is never called: a C library has no main. The build mode requires the function.
func main() {}
