package archive

import (
	"bytes"
	"fmt"
)

// What an XML file may hold. A model description of FMI nests 6 deep, terminals within terminals some more; it has 3
// elements for a variable at most, and 20 attributes for an element.
const (
	maxElements   = 1_000_000
	maxDepth      = 100
	maxAttributes = 100
)

// CheckXML rejects a document that would cost a parser far more than its size: by elements in elements, by their
// number, or by attributes of one of them. It does not check that the document is well formed.
func CheckXML(data []byte) error {
	elements, depth := 0, 0
	at := 0
	line := func() int { return 1 + bytes.Count(data[:at], []byte{'\n'}) }
	skip := func(end string) { // to behind an end, or to the end of the document
		if i := bytes.Index(data[at:], []byte(end)); i >= 0 {
			at += i + len(end)
		} else {
			at = len(data)
		}
	}
	for {
		i := bytes.IndexByte(data[at:], '<')
		if i < 0 {
			return nil
		}
		at += i
		rest := data[at:]
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			at += 4
			skip("-->")
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			skip("]]>")
		case bytes.HasPrefix(rest, []byte("<?")):
			skip("?>")
		case bytes.HasPrefix(rest, []byte("</")):
			depth--
			skip(">")
		case bytes.HasPrefix(rest, []byte("<!")):
			return fmt.Errorf("line %d: the document has a DOCTYPE or another declaration; remove it", line())
		default:
			length, attributes, empty := tag(rest)
			if !empty {
				depth++
			}
			var has string
			var value, most int
			switch elements++; {
			case attributes > maxAttributes:
				has, value, most = "attributes of an element", attributes, maxAttributes
			case depth > maxDepth:
				has, value, most = "elements within each other", depth, maxDepth
			case elements > maxElements:
				has, value, most = "elements", elements, maxElements
			}
			if has != "" {
				return fmt.Errorf("line %d: %d %s; there may be %d at most", line(), value, has, most)
			}
			at += length
		}
	}
}

// tag measures the start tag that data begin with: up to the first > outside of quotes.
func tag(data []byte) (length, attributes int, empty bool) {
	quote := byte(0)
	for i, c := range data {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '=':
			attributes++
		case c == '>':
			return i + 1, attributes, data[i-1] == '/'
		}
	}
	return len(data), attributes, false
}
