//go:build amd64 && !windows

package machinecode

// cConvention: on this system the code is a C function. It takes memory and pool as the first two arguments of the
// System V convention, returns its result as this convention requires, and uses no callee-saved register.
const cConvention = true
