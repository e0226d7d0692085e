// Package text holds the C code that the library and generated C files share.
package text

import "embed"

// StepTables, StepGround and StepMethods are the tables and the arithmetic of steps and terrain. StepLine is the part
// of StepGround for roads along a line, StepContacts are wheel contacts on terrain, and StepSamples are samples. In
// generated C files, Vehicle is the end of the header, and VehicleRun runs the equations; vehicle_ and VEHICLE_ stand
// for the prefix of names.
// Tires and TiresRun add library tire functions, Derivatives and DerivativesRun add derivatives. CasADi, CasADiStep and
// Acados are functions for CasADi and acados. They follow Point, the last two also StepDerivatives. Wasm and Module
// export and use a vehicle as a WebAssembly module; WasmString and WasmMath replace headers of the C library.
var (
	//go:embed step_tables.h
	StepTables string
	//go:embed step_line.h
	StepLine string
	//go:embed step_ground.h
	StepGround string
	//go:embed step_contacts.h
	StepContacts string
	//go:embed step_methods.h
	StepMethods string
	//go:embed step_samples.h
	StepSamples string
	//go:embed vehicle.h
	Vehicle string
	//go:embed vehicle_run.h
	VehicleRun string
	//go:embed tires.h
	Tires string
	//go:embed tires_run.h
	TiresRun string
	//go:embed derivatives.h
	Derivatives string
	//go:embed derivatives_run.h
	DerivativesRun string
	//go:embed point.h
	Point string
	//go:embed step_derivatives.h
	StepDerivatives string
	//go:embed acados.h
	Acados string
	//go:embed casadi.h
	CasADi string
	//go:embed casadi_step.h
	CasADiStep string
	//go:embed wasm_exports.h
	Wasm string
	//go:embed module.mjs
	Module string
	//go:embed wasm_string.h
	WasmString string
	//go:embed wasm_math.h
	WasmMath string
)

// Model and ModelHeader are parts of the C file of a vehicle and of its header in an FMU. Sources are the files of the
// folder sources that depend only on the names of the model. Tables and PlainNames have placeholders for generated
// text.
var (
	//go:embed fmu/model.h
	Model string
	//go:embed fmu/model_header.h
	ModelHeader string
	//go:embed fmu/tables.h
	Tables string
	//go:embed fmu/plain_names.h
	PlainNames string
	//go:embed fmu/*.c fmu/component.h fmu/shim.h fmu/uri.h fmu/window.h fmu/fmi2.h fmu/fmi3.h
	Sources embed.FS
)
