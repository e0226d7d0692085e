//go:build !windows

package library

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// longestInt is how many letters l an integer of 64 bits has in a format.
const longestInt = 1

// newLogger2 makes the logger of FMI 2.0, a variadic function in C: arguments of the format follow in the remaining
// registers, then on the stack. Elsewhere than on Linux they are passed in another way, and formats stay as they are.
func newLogger2() uintptr {
	return purego.NewCallback(func(environment, _ uintptr, status uintptr, category, format *byte, i0, i1, i2 uintptr,
		f0, f1, f2, f3, f4, f5, f6, f7 float64, s0, s1, s2, s3, s4, s5, s6, s7 uintptr) uintptr {
		v := variadic{whole: []uintptr{i0, i1, i2}, real: []float64{f0, f1, f2, f3, f4, f5, f6, f7},
			stack: []uintptr{s0, s1, s2, s3, s4, s5, s6, s7}}
		switch {
		case runtime.GOOS != "linux":
			v = variadic{}
		case runtime.GOARCH == "amd64": // which has a register for one of them
			v.whole, v.stack = v.whole[:1], append([]uintptr{i1, i2}, v.stack...)
		}
		log2(environment, status, category, format, v)
		return 0
	})
}
