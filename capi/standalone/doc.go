// Package standalone writes whole vehicles as C99: equations, tires, solver, start and saved states in one file that
// needs no library. Its results are bit-identical to those of the library.
//
// It prints the listing of an instance (package cosim) by the printer of package machinecode, and adds the fixed texts
// of the folder text. Sources of FMUs are that file, the functions of FMI from package shim, and what is between them,
// in the folder text/fmu.
package standalone
