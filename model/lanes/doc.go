// Package lanes evaluates tire functions by machine code: functions with one law four at a time, whose vectors hold the
// numbers of four tires side by side, and a function that is alone by itself. Results have the bits of the
// functions.
//
//	formulas of package tire -> tire.Law -> machine code -> BatchFunctions, BatchCarcasses
//
// A function that is not written as formulas stays as it is.
package lanes
