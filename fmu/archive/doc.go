// Package archive reads and writes the zip archives that FMUs and systems of them are, within limits: nothing in an
// archive or an XML file of it can cost more memory or disk than its kind may have, and no name leads out of a folder.
//
//	X.fmu -> Open -> Reader -> Description, Read, Extract
//	files -> Write -> X.fmu
//
// The package knows nothing of models and of the engine: what packs FMUs and what loads third-party FMUs use it alike.
package archive
