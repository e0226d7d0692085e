// Package standalone writes whole vehicles as C99: equations, tires, solver, start and saved states in one file that
// needs no library. Its results are bit-identical to those of the library.
//
// It prints the listing of an instance (package cosim) by the printer of package machinecode, and adds the fixed texts
// of the folder text.
package standalone
