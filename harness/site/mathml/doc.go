// Package mathml converts the formulas of the documentation, written in a small part of LaTeX, to MathML, which
// browsers draw without a script.
//
// It reads fractions, roots, scripts, Greek letters, accents, fonts (\mathbf, \mathrm, \text), named functions, sums,
// integrals, products, \left and \right, tables of the environments aligned, matrix, pmatrix, bmatrix and cases, and
// the symbols of the lists in symbols.go. Any other input is an error with its position:
// the package neither leaves out nor guesses anything.
package mathml
