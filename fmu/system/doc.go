// Package system reads systems of FMUs and packs them in the format SSP 1.0 (System Structure and Parameterization).
//
//	system file -> Read -> System -> Write -> X.ssp
package system
