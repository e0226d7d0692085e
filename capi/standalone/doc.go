// Package standalone writes whole vehicles as C99: equations, tires, solver, start and saved states in one file that
// needs no library. Results are bit-identical to the library.
//
// It prints the listing of an instance (package cosim) with the printer of package machinecode, and adds the fixed
// texts of the folder text. Sources of FMUs consist of this file, the functions of FMI from package shim, and the
// connecting code of the folder text/fmu.
package standalone
