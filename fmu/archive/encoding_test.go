package archive

import (
	"strings"
	"testing"
	"unicode/utf16"

	"skidpad/harness/tests/fuzzinputs"
)

// inUTF16 encodes a text with a byte order mark or without.
func inUTF16(text string, mark, bigEndian bool) string {
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	var b strings.Builder
	for _, u := range units {
		if bigEndian {
			b.WriteByte(byte(u >> 8))
			b.WriteByte(byte(u))
		} else {
			b.WriteByte(byte(u))
			b.WriteByte(byte(u >> 8))
		}
	}
	return b.String()
}

// A document is decoded by its own encoding: its byte order mark or its declaration. The bytes are taken from the code
// charts: ISO 8859-1, ISO 8859-15, Windows 1252.
func TestDocumentsAreReadInTheirEncoding(t *testing.T) {
	const text = `<a b="Prüfstand Ångström €"/>`
	const declared16 = `<?xml version="1.0" encoding="UTF-16"?>` + text
	for what, document := range map[string]struct{ bytes, want string }{
		"without declaration":    {text, text},
		"UTF-8 with a mark":      {"\xef\xbb\xbf" + text, text},
		"utf-8 in small letters": {`<?xml version='1.0' encoding='utf-8'?>` + text, text},
		"US-ASCII":               {`<?xml version="1.0" encoding="US-ASCII"?><a b="x"/>`, `<a b="x"/>`},
		"ISO-8859-1": {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a b=\"Pr\xfcfstand\"/>",
			`<a b="Prüfstand"/>`},
		"iso-8859-1, single":      {"<?xml version='1.0' encoding='iso-8859-1' ?><a b=\"\xc5\"/>", `<a b="Å"/>`},
		"latin1":                  {"<?xml version='1.0' encoding='latin1'?><a b=\"\xb5\"/>", `<a b="µ"/>`},
		"ISO-8859-15":             {"<?xml version=\"1.0\" encoding=\"ISO-8859-15\"?><a b=\"\xa4\"/>", `<a b="€"/>`},
		"windows-1252":            {"<?xml version=\"1.0\" encoding=\"windows-1252\"?><a b=\"\x80\"/>", `<a b="€"/>`},
		"UTF-16 little endian":    {inUTF16(declared16, true, false), text},
		"UTF-16 big endian":       {inUTF16(declared16, true, true), text},
		"UTF-16 without its mark": {inUTF16(declared16, false, false), text},
		"UTF-16, big, no mark":    {inUTF16(declared16, false, true), text},
	} {
		data, _, err := toUTF8([]byte(document.bytes))
		if err != nil || !strings.HasSuffix(string(data), document.want) || data[0] != '<' {
			t.Errorf("%s: %q, error %v", what, data, err)
			continue
		}
		var read struct {
			B string `xml:"b,attr"`
		}
		d, _, err := Decoder([]byte(document.bytes))
		if err == nil {
			err = d.Decode(&read)
		}
		if err != nil || !strings.Contains(document.want, read.B) || read.B == "" {
			t.Errorf("%s: b is %q, error %v", what, read.B, err)
		}
	}
	for says, document := range map[string]string{
		`"EBCDIC"`:                   `<?xml version="1.0" encoding="EBCDIC"?><a/>`,
		`"UTF-16"`:                   `<?xml version="1.0" encoding="UTF-16"?><a/>`, // whose bytes are ASCII
		"line 3 has bytes":           "<a>\n\n\xfc</a>",
		"line 1 has bytes that are ": "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a b=\"\xc5\"/>",
	} {
		if _, _, err := toUTF8([]byte(document)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v, want %s", document, err, says)
		}
	}
}

// Whatever a document is, it is refused or becomes UTF-8 of three times its size at most.
func FuzzUTF8(f *testing.F) {
	fuzzinputs.Add(f, []byte("<?xml version='1.0' encoding='ISO-8859-1'?><a b=\"\xc5\"/>"))
	fuzzinputs.Add(f, []byte(inUTF16(`<?xml version="1.0" encoding="UTF-16"?><a b="€"/>`, true, true)))
	f.Fuzz(func(t *testing.T, document []byte) {
		data, name, err := toUTF8(document)
		if err != nil {
			return
		}
		if name == "" || len(data) > 3*len(document)+3 || strings.ToValidUTF8(string(data), "") != string(data) {
			t.Errorf("%q becomes %q of %q", document, data, name)
		}
		d, _, err := Decoder(document)
		for err == nil {
			_, err = d.Token()
		}
	})
}
