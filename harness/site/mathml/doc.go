// Package mathml converts the mathematics of the documentation, a small part of LaTeX, to
// MathML that browsers draw without help.
//
// It reads fractions, roots, scripts, Greek letters, accents, fonts (\mathbf, \mathrm, \text), named functions, sums,
// integrals, products, \left and \right, tables of the environments aligned, matrix, pmatrix, bmatrix and cases, and
// the symbols of the lists in symbols.go. Any other input is an error with its position: nothing is left out or
// guessed.
package mathml
