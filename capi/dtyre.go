package main

// #include "sti.h"
import "C"

import (
	"unsafe"

	"skidpad/tire/sti"
)

// stiServer serves this library's tires to hosts that call them through the Standard Tyre Interface.
var stiServer sti.Server

// goDtyre runs one job of the Standard Tyre Interface. Before, dtyre.c has called the host's road routine.
//
//export goDtyre
func goDtyre(t *C.sti_tire) {
	a := (*sti.Arguments)(unsafe.Pointer(&t.fixed))
	err := protect(func() error {
		if err := settle(); err != nil {
			return err
		}
		s := a.Sizes
		stiServer.Serve(a, &sti.Arrays{
			States:     hostArray[float64](unsafe.Pointer(t.deqvar), s.States),
			Initial:    hostArray[float64](unsafe.Pointer(t.deqini), s.States),
			Rates:      hostArray[float64](unsafe.Pointer(t.deqder), s.States),
			Parameters: hostArray[float64](unsafe.Pointer(t.typarr), s.Parameters),
			Road:       hostArray[float64](unsafe.Pointer(t.ropar), s.Road),
			Outputs:    hostArray[float64](unsafe.Pointer(t.varinf), s.Outputs),
			Work:       hostArray[float64](unsafe.Pointer(t.wrkarr), s.Work),
			Integers:   hostArray[int32](unsafe.Pointer(t.iwrkar), s.Integers),
		}, func() string { return C.GoStringN(t.chtdst, C.int(max(t.nchtds, 0))) })
		return nil
	})
	if err != nil {
		sti.Refuse(a, err)
	}
}

// hostArray returns an array of the host as a slice, nil if the host passes none or a length of 0.
func hostArray[T any](p unsafe.Pointer, n int32) []T {
	if p == nil || n <= 0 {
		return nil
	}
	return unsafe.Slice((*T)(p), n)
}
