package archive

import (
	"fmt"
	"regexp"
)

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// IsIdentifier reports whether a text is an identifier of C.
func IsIdentifier(text string) bool { return identifier.MatchString(text) }

// maxIdentifier is the length of a modelIdentifier that, with the longest suffix of a library, is a file name
// everywhere.
const maxIdentifier = 255 - len(".dylib")

// CheckIdentifier says why a text cannot be a modelIdentifier, the name of an FMU's libraries without their suffix.
// Nothing that passes leads out of a folder.
func CheckIdentifier(text string) error {
	shown := text
	if len(shown) > 60 {
		shown = shown[:60] + "..."
	}
	if !IsIdentifier(text) {
		return fmt.Errorf("modelIdentifier %q is not a C identifier: use letters, digits and _, and no digit at the "+
			"beginning",
			shown)
	}
	if len(text) > maxIdentifier {
		return fmt.Errorf("modelIdentifier %q has %d characters; at most %d are allowed, because it names a file",
			shown, len(text), maxIdentifier)
	}
	return nil
}
