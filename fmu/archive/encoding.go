package archive

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Decoder reads an XML document in any encoding that it declares, and tells the name of the encoding. A document that
// would cost far more than its size is refused.
func Decoder(document []byte) (d *xml.Decoder, encoding string, err error) {
	data, encoding, err := toUTF8(document)
	if err != nil {
		return nil, encoding, err
	}
	if err := CheckXML(data); err != nil {
		return nil, encoding, err
	}
	d = xml.NewDecoder(bytes.NewReader(data))
	// Its declaration may still name the encoding that it had.
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	return d, encoding, nil
}

// toUTF8 returns an XML document in UTF-8, without a byte order mark, and the name of the encoding that it was in. FMI
// and SSP demand UTF-8. Tools also write other encodings, which a byte order mark or the XML declaration names. The
// result has at most three times as many bytes.
func toUTF8(document []byte) (data []byte, name string, err error) {
	of, name := encodingOf(document)
	if name == "" {
		return nil, "", fmt.Errorf("the encoding %q of its declaration is unknown or contradicts its bytes; save it as "+
			"UTF-8", declared(document))
	}
	if of == nil { // UTF-8
		data = bytes.TrimPrefix(document, utf8Mark)
		if !utf8.Valid(data) {
			return nil, name, fmt.Errorf("line %d has bytes that are not UTF-8; save the file as UTF-8",
				invalidLine(data))
		}
		return data, name, nil
	}
	data, err = of.NewDecoder().Bytes(document)
	if err != nil {
		return nil, name, fmt.Errorf("it cannot be read as %s: %w", name, err)
	}
	return data, name, nil
}

var utf8Mark = []byte("\xef\xbb\xbf")

// encodingOf tells the encoding of a document; nil is UTF-8, an empty name is none that is known.
func encodingOf(document []byte) (of encoding.Encoding, name string) {
	utf16 := func(order unicode.Endianness) encoding.Encoding { return unicode.UTF16(order, unicode.UseBOM) }
	switch {
	case bytes.HasPrefix(document, utf8Mark):
		return nil, "UTF-8"
	case bytes.HasPrefix(document, []byte("\xff\xfe")), bytes.HasPrefix(document, []byte("<\x00?\x00")):
		return utf16(unicode.LittleEndian), "UTF-16"
	case bytes.HasPrefix(document, []byte("\xfe\xff")), bytes.HasPrefix(document, []byte("\x00<\x00?")):
		return utf16(unicode.BigEndian), "UTF-16"
	}
	name = declared(document)
	switch plain := plainName(name); plain {
	case "", "utf8", "usascii", "ascii": // ASCII is a part of UTF-8
		return nil, "UTF-8"
	default:
		if alias, ok := aliases[plain]; ok {
			plain = alias
		}
		for _, e := range charmap.All { // ISO 8859 and the code pages of systems, of one byte for a character
			if c, ok := e.(*charmap.Charmap); ok && plainName(c.String()) == plain {
				return c, name
			}
		}
	}
	return nil, ""
}

// aliases are names of encodings that package charmap calls otherwise.
var aliases = map[string]string{"latin1": "iso88591", "latin9": "iso885915", "cp1250": "windows1250",
	"cp1251": "windows1251", "cp1252": "windows1252", "ansi": "windows1252"}

// plainName leaves letters and digits of a name, in lower case.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		}
		return -1
	}, name)
}

var declaration = regexp.MustCompile(`^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]*)["']`)

// declared is the encoding that the XML declaration names.
func declared(document []byte) string {
	if found := declaration.FindSubmatch(document[:min(len(document), 1000)]); found != nil {
		return string(found[1])
	}
	return ""
}

// invalidLine is the line of the first byte that is not UTF-8.
func invalidLine(data []byte) int {
	for at := 0; at < len(data); {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size == 1 {
			return 1 + bytes.Count(data[:at], []byte{'\n'})
		}
		at += size
	}
	return 0
}
