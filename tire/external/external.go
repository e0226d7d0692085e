// Package external knows which texts name tire functions in libraries, whose code runs where they are set. It knows
// nothing of the repository, so that what drives a vehicle can refuse such texts without knowing tires.
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
