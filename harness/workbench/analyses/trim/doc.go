// Package trim finds start values with which a vehicle is at rest or drives steadily, and writes them into its model
// file, where comments and layout stay.
//
//	model file -> Places: which key gives which start value
//	library    -> trimmed values -> Changes -> Tables to print, or the text of the file with them
package trim
