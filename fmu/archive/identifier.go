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
func CheckIdentifier(text string) error {
	if !IsIdentifier(text) {
		return fmt.Errorf("modelIdentifier %q is not a C identifier: use letters, digits and _, and no digit at the "+
			"beginning", shortened(text))
	}
	return CheckLibraryName(text)
}

var libraryName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_. +-]*$`)

// CheckLibraryName says why no library can be called so. Tools write names that are no identifiers of C, such as
// watertank-c, and importers load them. No name that passes leads out of a folder.
func CheckLibraryName(text string) error {
	if !libraryName.MatchString(text) {
		return fmt.Errorf("modelIdentifier %q cannot be the name of a file: use letters, digits and _, and no digit at "+
			"the beginning", shortened(text))
	}
	if len(text) > maxIdentifier {
		return fmt.Errorf("modelIdentifier %q has %d characters; at most %d are allowed, because it names a file",
			shortened(text), len(text), maxIdentifier)
	}
	return nil
}

// shortened is the beginning of a text, for messages.
func shortened(text string) string {
	if len(text) > 60 {
		return text[:60] + "..."
	}
	return text
}
