package library

import "syscall"

// longestInt is how many letters l an integer of 64 bits has in a format: a long has 32 bits.
const longestInt = 2

// newLogger2 makes the logger of FMI 2.0, a variadic function in C. Four arguments come in registers. The format and
// all of its arguments follow on the stack, floating-point numbers too.
func newLogger2() uintptr {
	return syscall.NewCallback(func(environment, _ uintptr, status uintptr, category, format *byte,
		s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11 uintptr) uintptr {
		log2(environment, status, category, format,
			variadic{stack: []uintptr{s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11}})
		return 0
	})
}
