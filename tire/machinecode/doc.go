// Package machinecode makes machine code of straight-line arithmetic at load time: sums,
// products, quotients, square roots, choices and the functions built of them, on a memory of
// float64 slots, for one or four sets of numbers at once.
//
//	Builder     operations, each once, in an order in which they can be computed
//	Limbs       operations that a vehicle has several times, side by side in one register
//	Code        the same as machine code, or, where none can be made, interpreted
//	Text        the same as functions in C99
//
// Every operation rounds once, as IEEE 754 requires, and operations are never fused. Results are bit-identical in
// machine code, interpreted, and in Go code with the same operations, in every lane. The functions Sin, Cos, Atan and
// Asin are such Go code.
//
// It knows nothing of tires and models.
package machinecode
