package harness

import (
	"io"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
)

// visible replaces characters that act on a terminal instead of being seen: ESC by its picture, others likewise, and those that
// change the direction of writing by the sign for what cannot be shown. Lines and tabs stay.
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

// Visible writes text for a terminal. Names and titles come from files that anyone may have written; none of them may move
// the cursor, colour or hide what stands there, or make the terminal answer. Close writes what is left.
type Visible struct {
	*transform.Writer
	to io.Writer
}

// NewVisible writes to to.
func NewVisible(to io.Writer) *Visible { return &Visible{transform.NewWriter(to, visible), to} }
