// Package check looks for mistakes in FMUs of any tool: archive, schema, variables and their attributes, model
// structure, terminals. It reads an FMU as the standard describes it and knows nothing of how this module writes one.
//
// Source: the FMI standard, versions 2.0.4 and 3.0.2.
package check
