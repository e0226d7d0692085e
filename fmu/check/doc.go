// Package check looks for mistakes in FMUs of any tool: archive, schema, variables and their attributes, model
// structure, terminals; and in packages of systems of them. It reads an FMU as the standard describes it and knows
// nothing of how this module writes one.
//
//	X.fmu -> FMU    -> findings, each by one of Rules, which has its grade and its clause
//	X.ssp -> System -> findings, and the FMUs of the package
//
// Sources: the FMI standard, versions 2.0.5 and 3.0.2; System Structure and Parameterization, version 2.0.
package check
