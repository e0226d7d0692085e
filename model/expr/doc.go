// Package expr is the symbolic layer: hash-consed expressions with exact
// rational constants.
//
// Every expression lives in a Pool. Two equal expressions of one pool are the same pointer, so equality is comparison
// and a repeated subterm costs nothing. Constructors (Add, Mul, Pow, Call ...) return canonical forms. Sums and
// products are flattened and sorted, like terms are collected, and constants are folded; sin^2 + cos^2 = 1 when both
// occur with the same factor.
//
// Canonical sums would dissolve a shared subterm into its parts. Define gives a
// subterm a name instead: a Definition is an atom for simplification, while
// differentiation, evaluation and dependence look through it. These are the
// computational sequences of Morency (2007), section 4.4.
//
//	Pool  -> Number, Symbol, Definition, Sum, Product, Call
//	      -> Derivative (forward), Gradient (reverse)
//	      -> Expand, Simplify, Combine
//	      -> Vector, Rotation: components tied to a frame
//
// The package knows nothing of mechanics, files or generated code.
package expr
