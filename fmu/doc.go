// Package fmu describes a system as FMI sees it: which variables there are, under
// which value reference, and how each may be used.
//
//	cosim.System -> Describe -> Table -> capi
//
// A Table is made once for a system and shared by all its instances. The package
// knows cosim, and nothing of C.
package fmu
