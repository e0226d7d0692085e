// Package external recognises strings that name tire functions in libraries; setting such a string runs code of the
// library. The package imports nothing of the repository, so that drivers of a vehicle can reject such strings without
// tire code.
package external

import (
	"slices"
	"strings"
)

// Prefixes begin the names of functions in libraries: by skidpad_tire.h, and by the Standard Tyre Interface.
var Prefixes = [...]string{"plugin:", "sti:"}

// Names reports whether a text names a library tire function, also one that a lookup does not find because of spaces
// or capital letters.
func Names(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return slices.ContainsFunc(Prefixes[:], func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}
