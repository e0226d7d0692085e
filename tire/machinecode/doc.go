// Package machinecode makes machine code of straight-line arithmetic at load time: sums,
// products, quotients, square roots, choices and the functions built of them, on a memory of
// float64 slots, for one or four sets of numbers at once.
//
//	Builder     operations, each once, in an order in which they can be computed
//	Limbs       operations that a vehicle has several times, side by side in one register
//	Code        the same as machine code, or, where none can be made, interpreted
//	Text        the same as functions in C99
//
// Every operation rounds once, as IEEE 754 says, and none is fused with another: results are
// the same to the last bit in machine code, interpreted, and in Go that does the same
// operations, whichever the lane. The functions Sin, Cos, Atan and Asin are such Go.
//
// It knows nothing of tires and models.
package machinecode
