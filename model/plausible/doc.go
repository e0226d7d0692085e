// Package plausible finds allowed but implausible values of a model file: sides that contradict positions, springs that
// pull, steering axes that lead, masses and tracks in another unit.
//
//	components -> layout: where frames are at the start -> Check: faults, and doubts that only warn
package plausible
