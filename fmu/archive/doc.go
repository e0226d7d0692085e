// Package archive reads and writes the zip archives of FMUs and of systems of FMUs, within limits. No content of an
// archive, and no XML file in it, takes more memory or disk space than its kind allows. No name leads out of a folder.
//
//	X.fmu -> Open -> Reader -> Description, Read, Extract
//	files -> Write -> X.fmu
//
// The package imports neither models nor the engine: the code that packs FMUs and the code that loads third-party FMUs
// share it.
package archive
