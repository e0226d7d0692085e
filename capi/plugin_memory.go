package main

// #include <stdlib.h>
import "C"

import "unsafe"

// cNumbers returns n zeros in C memory; at least one, so that it has an address.
func cNumbers(n int) []float64 {
	return unsafe.Slice((*float64)(cAllocate(n, 8)), max(n, 1))[:n]
}

func cFreeNumbers(list []float64) { C.free(unsafe.Pointer(unsafe.SliceData(list))) }

func cPointer(list []float64) *C.double { return (*C.double)(unsafe.Pointer(unsafe.SliceData(list))) }

// guarded is C memory for results of a library. Guards on either side detect writes out of bounds, which would
// otherwise crash the process later, far from the cause.
type guarded struct{ numbers, all []float64 }

// guardLength is how many numbers each guard has.
const guardLength = 32

// untouched fills the guards: the bits of a NaN that no calculation returns.
const untouched = 0x7ff4_5ca1_ab1e_0ff1

// cGuarded returns n zeros in C memory between guards.
func cGuarded(n int) guarded {
	g := guarded{all: cNumbers(n + 2*guardLength)}
	g.numbers = g.all[guardLength:][:n:n]
	g.set()
	return g
}

// sides returns the bits of both guards.
func (g *guarded) sides() [2]*[guardLength]uint64 {
	behind := g.all[len(g.all)-guardLength:]
	return [...]*[guardLength]uint64{(*[guardLength]uint64)(unsafe.Pointer(&g.all[0])),
		(*[guardLength]uint64)(unsafe.Pointer(&behind[0]))}
}

// set rewrites the guards.
func (g *guarded) set() {
	for _, side := range g.sides() {
		for i := range side {
			side[i] = untouched
		}
	}
}

// whole is an undamaged guard.
var whole = func() (g [guardLength]uint64) {
	for i := range g {
		g[i] = untouched
	}
	return g
}()

// intact reports whether both guards are undamaged.
func (g *guarded) intact() bool {
	sides := g.sides()
	return *sides[0] == whole && *sides[1] == whole
}

func (g *guarded) free() {
	cFreeNumbers(g.all)
	*g = guarded{}
}
