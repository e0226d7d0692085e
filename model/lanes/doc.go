// Package lanes evaluates tire functions by machine code, functions with the same law four at a time. Vectors hold the
// numbers of four tires side by side. A single function is evaluated alone. Results are bit-identical to the functions.
//
//	formulas of package tire -> tire.Law -> machine code -> BatchFunctions, BatchCarcasses
//
// A function that is not written as formulas is not replaced.
package lanes
