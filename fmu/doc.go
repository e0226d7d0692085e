// Package fmu is what FMI 2.0 and 3.0 add to a system: which variables there are and
// how each may be used, the files of an FMU, and the state machine of an instance.
//
//	model file -> Collect -> Resources (and their Token)
//	cosim.System -> Describe -> Table -> ModelDescription2, 3, TerminalsAndIcons
//	Table + Resources + libraries -> Package -> Write -> X.fmu
//	Table + cosim.Instance -> Component -> capi
//
// A Table is made once for a system and may be shared by its instances. A Component
// answers the calls of both versions; numbers lie in a window that the importer's side
// reads and writes itself where that is allowed. The package knows cosim and model, and
// nothing of C. Archives are read and written by fmu/archive, checked by fmu/check; fmu/system joins FMUs to systems.
//
// Sources: the FMI standard, versions 2.0.4 and 3.0.2.
package fmu
