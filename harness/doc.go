// Package harness drives the Skidpad library as a third party would: its rooms load the built shared library and FMUs
// at run time, without cgo, and step vehicles through skidpad.h and FMI alone. What drives, measures and judges knows
// nothing of the engine; ARCHITECTURE.md has the table of who knows whom, and a test holds it.
//
// From the library up:
//
//	library     the library and FMUs with Go types
//	signal      functions of time, and formulas
//	manoeuvre   what is done to a vehicle: TOML files, read by keys
//	drive       one run: inputs, drivers, steps and their times
//	trace       what was recorded
//	evaluate    a manoeuvre with its sweep, and its characteristic values
//	sweep       a run for every combination of values
//	compare     runs and characteristic values beside their references
//	statements  what publications state about a run
//	mainjob     the vehicles of all publications, checked
//
// These read model files by the engine's parser, or look into the engine, and say so:
//
//	reference   the independent solver; references: its stored results
//	tangent     linear equations body by body
//	linearise   linear equations of the engine, beside those
//	verify      everything that can be compared
//	animation   HTML animations of recorded runs
//	bench       how fast the engine is
//
// All quantities are SI, angles in radians, axes ISO 8855; plots and messages
// that show degrees say so.
package harness
