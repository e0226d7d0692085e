// Package text holds the C texts that the library and files of generated C have in common.
package text

import _ "embed"

// StepTables, StepGround and StepMethods are the tables and the arithmetic of steps, and of terrain in them. In files
// of generated C, Vehicle is the end of the header, and VehicleRun is what makes runs of the equations: both with
// vehicle_ and VEHICLE_ for the beginning of names. Wasm and Module export and use a vehicle as a WebAssembly module,
// which has no C library: WasmString and WasmMath are headers for it.
var (
	//go:embed step_tables.h
	StepTables string
	//go:embed step_ground.h
	StepGround string
	//go:embed step_methods.h
	StepMethods string
	//go:embed vehicle.h
	Vehicle string
	//go:embed vehicle_run.h
	VehicleRun string
	//go:embed wasm_exports.h
	Wasm string
	//go:embed module.mjs
	Module string
	//go:embed wasm_string.h
	WasmString string
	//go:embed wasm_math.h
	WasmMath string
)
