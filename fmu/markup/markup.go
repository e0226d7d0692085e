// Package markup writes XML, one element per line.
package markup

import (
	"bufio"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// Writer writes XML element by element. Attributes with empty values are left out;
// Explicit makes an empty value appear.
type Writer struct {
	to   *bufio.Writer
	open []string
}

// Explicit is the value of an attribute that is written with an empty value.
const Explicit = "\x00"

// New begins a document with the XML declaration.
func New(to io.Writer) *Writer {
	w := &Writer{to: bufio.NewWriter(to)}
	w.to.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	return w
}

// tag writes a start tag or, with the end "/>", an empty-element tag on a line.
func (w *Writer) tag(name string, attributes []string, end string) {
	w.to.WriteString(strings.Repeat("  ", len(w.open)))
	w.to.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		if attributes[i+1] == "" {
			continue
		}
		w.to.WriteString(" " + attributes[i] + `="`)
		// bufio keeps errors until Flush
		_ = xml.EscapeText(w.to, []byte(strings.TrimSuffix(attributes[i+1], Explicit)))
		w.to.WriteString(`"`)
	}
	w.to.WriteString(end + "\n")
}

// Begin opens an element with attributes given as names and values.
func (w *Writer) Begin(name string, attributes ...string) {
	w.tag(name, attributes, ">")
	w.open = append(w.open, name)
}

// Leaf writes an element without content.
func (w *Writer) Leaf(name string, attributes ...string) { w.tag(name, attributes, "/>") }

// End closes the element opened last.
func (w *Writer) End() {
	name := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	w.to.WriteString(strings.Repeat("  ", len(w.open)) + "</" + name + ">\n")
}

// Number writes the shortest decimal that reads back to the same bits.
func Number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Flush writes what is left and returns the first error of all writes.
func (w *Writer) Flush() error { return w.to.Flush() }
