// Package shim holds the functions of FMI 2.0 and 3.0 in C, which libraries and sources of FMUs share. Go does not
// compile them: libraries.sh does, and FMUs with sources contain them.
package shim

import (
	_ "embed"
	"strings"
)

//go:embed fmi2.c
var fmi2 string

//go:embed fmi3.c
var fmi3 string

//go:embed core.h
var core string

// Functions returns the C code of the functions of a version of FMI, 2 or 3.
func Functions(version int) string {
	if version == 2 {
		return flat(fmi2)
	}
	return flat(fmi3)
}

// Core returns core.h, the table of functions called by the FMI functions.
func Core() string { return flat(core) }

// flat converts includes of C code to a folder without subfolders, and removes build tags.
func flat(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "//go:build ignore\n\n"), `#include "../`, `#include "`)
}
