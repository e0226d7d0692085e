// Package fuzzinputs adds inputs to fuzz targets that are the same in every run: seeds, and changes of them that a
// generator with a fixed seed makes. Searching for new inputs is the work of go test -fuzz in ./build.sh test all.
package fuzzinputs

import "testing"

// Add adds a seed and its changes to the corpus of a fuzz target.
func Add(f *testing.F, arguments ...any) { f.Add(arguments...) }
