package output

import (
	"io"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// visible replaces characters that act on a terminal: control characters by their pictures, and those that change the
// direction of writing by U+FFFD. Line ends and tabs stay.
var visible = runes.Map(func(r rune) rune {
	const pictures, unknown = 0x2400, '\uFFFD'
	switch {
	case r == '\n' || r == '\t':
		return r
	case r < ' ':
		return pictures + r
	case r == 0x7F:
		return pictures + 0x21
	case r >= 0x80 && r < 0xA0 || unicode.Is(unicode.Bidi_Control, r):
		return unknown
	}
	return r
})

// Visible writes text for a terminal. Names and titles come from files of any author; none of them can move the cursor,
// colour or hide other text, or make the terminal answer. Close writes the rest of a character that came in pieces.
type Visible struct {
	*transform.Writer
	to io.Writer
}

// NewVisible writes to to.
func NewVisible(to io.Writer) *Visible { return &Visible{transform.NewWriter(to, visible), to} }
