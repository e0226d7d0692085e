// Package keys describes the keys of model files and reads their values: numbers,
// formulas, vectors, curves, words and tables.
//
//	document.Node + []Key -> Reader.Fields -> Fields (values by the names of keys)
//
// A key says its shape, unit, range, default and meaning once; messages, the
// documentation and the reading follow it. The package knows no component.
package keys
