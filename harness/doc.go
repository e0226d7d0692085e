// Package harness drives the Skidpad library exactly as a third party would:
// it loads the built shared library at run time, without cgo, and steps vehicles
// through skidpad.h and FMI alone. Linear analysis, descriptions of tires and the
// reading of files use the engine's own packages; ARCHITECTURE.md lists them.
//
// From the library up:
//
//	Library, Vehicle   the C API with Go types (library.go)
//	Manoeuvre, Signal  what is done to a vehicle: TOML files (manoeuvre.go)
//	Phase, Law, Path   parts of a manoeuvre and its drivers (phase.go, law.go, path.go)
//	Simulate, Trace    one run and its recorded variables (simulate.go, drive.go)
//	Evaluator          all runs of a manoeuvre and their key figures (evaluate.go, figures)
//	Check              what the reference publications state about a run (statements_*.go)
//	Timing             how long steps took (timing.go)
//	Job                the manoeuvres of the vehicles of all sources, checked (mainjob.go)
//
// All quantities are SI, angles in radians, axes ISO 8855; plots and messages
// that show degrees say so.
package harness
