// Package keys describes the keys of files and reads their values: numbers,
// formulas, vectors, curves, words, lists and tables.
//
//	document.Node + []Key -> Reader.Fields -> Fields (values by the names of keys)
//
// A key says its shape, unit, range, default and meaning once; messages, the
// schemas of editors, the documentation and the reading follow it. All TOML
// files that users write are read so. The package knows no component: what
// model files have besides numbers, such as curves, is read here because it
// needs nothing but leaves.
package keys
