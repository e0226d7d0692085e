// Package vectors turns formulas of vectors into formulas of their coordinates, by text: a program then knows only
// numbers.
//
//	"lower - upper"        -> "lower_x - upper_x", "lower_y - upper_y", "lower_z - upper_z"
//	"norm(lower) + lower.x" -> "sqrt(lower_x^2 + lower_y^2 + lower_z^2) + lower_x"
//
// Names of vectors come from the caller. Everything else in a formula stays as it is.
package vectors
