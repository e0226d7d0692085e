// Package plausible finds what a model file may say, and its author hardly means: sides that places contradict, springs
// that pull, steering axes that lead, masses and tracks of another unit.
//
//	components -> layout: where frames are at the start -> Check: faults, and doubts that only warn
package plausible
