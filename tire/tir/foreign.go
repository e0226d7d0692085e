package tir

import (
	"bytes"
	"regexp"
)

// tydex is the first line of a TYDEX file: a keyword such as **HEADER.
var tydex = regexp.MustCompile(`^\*\*[A-Za-z]+`)

// Foreign recognises files of other kinds, such as TYDEX, that a user could mistake for a tire file. It returns the
// line that identifies the kind, and the kind with a remedy; line 0 for an unknown kind.
func Foreign(data []byte) (line int, what string) {
	if bytes.HasPrefix(data, []byte("MATLAB 5.0 MAT-file")) {
		return 1, "this is a MATLAB file; write its coefficients as a tire property file (.tir) or as TOML"
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return 1, "this is a ZIP archive; unpack it, and name the tire file in it"
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for line = 1; len(data) > 0; line++ {
		var text []byte
		text, data = firstLine(data)
		text = bytes.TrimSpace(text)
		switch {
		case len(text) == 0 || text[0] == '!' || text[0] == '$':
		case tydex.Match(text):
			return line, "this is a TYDEX file (" + string(tydex.Find(text)) + "), which holds measurements and no " +
				"coefficients; fit a Magic Formula to them and name the tire property file (.tir) of the fit"
		case text[0] == '{' && bytes.IndexByte(data, '"') >= 0:
			return line, "this is a JSON file; if it is a tire of Project Chrono with a tire property file (.tir), give that " +
				"file; otherwise write its coefficients as .tir or TOML"
		case text[0] == '<':
			return line, "this is an XML file; export the tire as a tire property file (.tir), or write its coefficients as TOML"
		default:
			return 0, ""
		}
	}
	return 0, ""
}
