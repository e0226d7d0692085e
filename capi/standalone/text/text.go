// Package text holds the C texts that the library and files of generated C have in common.
package text

import _ "embed"

// StepTables and StepMethods are the tables and the arithmetic of steps.
var (
	//go:embed step_tables.h
	StepTables string
	//go:embed step_methods.h
	StepMethods string
)
