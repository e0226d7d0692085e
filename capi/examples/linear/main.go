// Command linear is a tire function in Go, built as a shared library:
//
//	go build -buildmode=c-shared -o linear.so ./capi/examples/linear
//
//	tire_FL.model = plugin:linear.so#skidpad_linear
//
// Forces grow in proportion to load and slip: Fx = 15 Fz S and Fy = -12 Fz q2. The internal state q2 is the tangent of
// a slip angle that lags by a relaxation length of 0.3 m:
//
//	dq2/dt = (VPy - |VPxs| q2) / 0.3
//
// The library's only export, in linear.c, returns a table of C functions that call the
// Go functions here.
package main

// #cgo CFLAGS: -I../..
// #include <stdlib.h>
// #include "skidpad_tire.h"
import "C"

import (
	"math"
	"unsafe"
)

const (
	longitudinal = 15  // dFx/dS over Fz
	cornering    = 12  // -dFy/dtan(alpha) over Fz
	relaxation   = 0.3 // m
	inputs       = 4   // Fz S VPy VPxs
)

//export linearEvaluate
func linearEvaluate(n C.size_t, in, states, out, rates *C.double) C.int32_t {
	x, q := unsafe.Slice((*float64)(in), inputs*int(n)), unsafe.Slice((*float64)(states), int(n))
	y, dq := unsafe.Slice((*float64)(out), C.SKIDPAD_TIRE_OUTPUTS*int(n)), unsafe.Slice((*float64)(rates), int(n))
	for k := range q {
		fz, s, across, along := x[inputs*k], x[inputs*k+1], x[inputs*k+2], x[inputs*k+3]
		force := y[C.SKIDPAD_TIRE_OUTPUTS*k:][:C.SKIDPAD_TIRE_OUTPUTS]
		clear(force)
		force[0], force[1] = longitudinal*fz*s, -cornering*fz*q[k]
		dq[k] = (across - math.Abs(along)*q[k]) / relaxation
	}
	return 0
}

// main is never called: a C library has none.
func main() {}
