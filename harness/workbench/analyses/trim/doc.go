// Package trim finds start values of a vehicle at rest or in a steady state, and writes them into its model file;
// comments and layout are kept.
//
//	model file -> Places: which key gives which start value
//	library    -> trimmed values -> Changes -> Tables to print, or the text of the file with them
package trim
