// Package text holds the C texts that the library and files of generated C have in common.
package text

import _ "embed"

// StepTables and StepMethods are the tables and the arithmetic of steps. In files of generated C, Vehicle is the end of
// the header, and VehicleRun is what makes runs of the equations: both with vehicle_ and VEHICLE_ for the beginning of
// names.
var (
	//go:embed step_tables.h
	StepTables string
	//go:embed step_methods.h
	StepMethods string
	//go:embed vehicle.h
	Vehicle string
	//go:embed vehicle_run.h
	VehicleRun string
)
