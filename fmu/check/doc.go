// Package check finds errors in FMUs of any tool: archive, schema, variables and their attributes, model structure,
// terminals; and in packages of systems of FMUs. It reads an FMU as the standard describes it, without any code that
// writes FMUs.
//
//	X.fmu -> FMU    -> findings, each by one of Rules, which has its grade and its clause
//	X.ssp -> System -> findings, and the FMUs of the package
//
// Sources: the FMI standard, versions 2.0.5 and 3.0.2; System Structure and Parameterization, version 2.0.
package check
