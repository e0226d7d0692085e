// Package fmu adds FMI 2.0 and 3.0 to a system: the variables and their allowed uses, the files of an FMU, and the
// state machine of an instance.
//
//	model file -> Collect -> Resources (and their Token)
//	cosim.System -> Describe -> Table -> ModelDescription2, 3, TerminalsAndIcons
//	Table + Resources + libraries -> Package -> Write -> X.fmu
//	Table + cosim.Instance -> Component -> capi
//
// A Table is made once for a system and may be shared by its instances. A Component answers the calls of both versions.
// Numbers lie in a window, which the importer's side reads and writes itself in states that allow this. The package
// imports cosim and model, and contains no C. Archives are read and written by fmu/archive, checked by fmu/check;
// fmu/system joins FMUs to systems.
//
// Sources: the FMI standard, versions 2.0.4 and 3.0.2.
package fmu
