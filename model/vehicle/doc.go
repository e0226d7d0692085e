// Package vehicle describes vehicles: the TOML dialect of model files, its
// validation, and the validated description that the engine formulates.
//
//	file -> Read, Parse -> Model (components, frames, parameters, trees)
//	packages below it: keys (what tables of the file hold), component (the components, a file each),
//	unit (names of units), curve (curves by points), road (heights of
//	terrain), expr (symbols), graph (linear graphs), formulate (equations), program
//	(optimised code), linear (linear
//	equations about steady motions)
//
// It knows package tire for the names and parameters of tire functions, and
// nothing of solvers, FMI or the harness. The dialect is documented in
// docs/model-files.md; the keys in packages component and vehicle are its only
// definition.
package vehicle
