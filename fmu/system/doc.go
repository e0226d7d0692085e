// Package system reads systems of FMUs and packs them as System Structure and Parameterization (SSP 1.0) says.
//
//	system file -> Read -> System -> Write -> X.ssp
package system
