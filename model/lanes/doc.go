// Package lanes evaluates tire functions of one kind four at a time: as machine code whose vectors hold the numbers of
// four tires side by side. Results are those of the functions themselves, to the last bit.
//
//	Go of package tire -> trace -> operations_gen.go -> machine code -> BatchFunctions
//
// The operations are not written by hand: go generate follows the Go of every type of package tire that has the methods
// bounded, Eval and Jacobian. A function without operations, or whose operations are older than its fields, runs alone.
package lanes
