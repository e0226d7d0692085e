// Command capi is the shared library of Skidpad: the native C API of skidpad.h
// over package cosim.
//
//	go build -buildmode=c-shared -o libskidpad.so ./capi
//
// A call passes four layers, each with one task:
//
//	skidpad.c   the C functions of skidpad.h: C types to machine words
//	export.go   the same functions in Go: machine words to Go types
//	entry.go    what the call means: argument checks and the engine's method
//	guard.go    around every entry: handle to vehicle, one call at a time,
//	            error or panic to status
//
// Handles travel as uintptr. They are addresses of C blocks that nobody reads
// (table.go), so no Go pointer ever reaches C, and whatever bits a caller
// passes as a handle the Go runtime never takes them for a pointer.
//
// Set, Get and Step allocate nothing when they succeed.
package main

// main is never called: a C library has none. The build mode asks for it.
func main() {}
