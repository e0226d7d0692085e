// Package harness drives the Skidpad library like any third-party program: its packages load the built shared library
// and FMUs at run time, without cgo, and step vehicles through skidpad.h and FMI alone. The packages that drive,
// measure and evaluate import nothing of the engine. ARCHITECTURE.md has the table of imports, and a test checks it.
//
// From the library up:
//
//	library     the library and FMUs with Go types
//	signal      functions of time, and formulas
//	manoeuvre   the inputs of a vehicle: TOML files, read by keys
//	drive       one run: inputs, drivers, steps and their times
//	trace       recorded signals
//	evaluate    a manoeuvre with its sweep, and its characteristic values
//	sweep       a run for every combination of values
//	compare     runs and characteristic values beside their references
//	statements  what publications state about a run
//	mainjob     the vehicles of all publications, checked
//
// These packages read model files by the engine's parser, or import the engine:
//
//	reference   the independent solver; references: its stored results
//	tangent     linear equations body by body
//	linearise   linear equations of the engine, compared with tangent
//	verify      all comparisons
//	animation   HTML animations of recorded runs
//	bench       speed of the engine
//
// All quantities are SI, angles in radians, axes ISO 8855; plots and messages
// that show degrees say so.
package harness
