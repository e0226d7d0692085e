package fmu

import (
	"bufio"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
	"time"
)

// markup writes XML element by element. Attributes with empty values are left out;
// explicit makes an empty value appear.
type markup struct {
	to   *bufio.Writer
	open []string
}

// explicit is an attribute value that appears although it is empty.
const explicit = "\x00"

func newMarkup(w io.Writer) *markup {
	d := &markup{to: bufio.NewWriter(w)}
	d.to.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	return d
}

func (d *markup) tag(name string, attributes []string, end string) {
	d.to.WriteString(strings.Repeat("  ", len(d.open)))
	d.to.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		if attributes[i+1] == "" {
			continue
		}
		d.to.WriteString(" " + attributes[i] + `="`)
		_ = xml.EscapeText(d.to, []byte(strings.TrimSuffix(attributes[i+1], explicit))) // bufio keeps errors until Flush
		d.to.WriteString(`"`)
	}
	d.to.WriteString(end + "\n")
}

// begin opens an element with attributes given as names and values.
func (d *markup) begin(name string, attributes ...string) {
	d.tag(name, attributes, ">")
	d.open = append(d.open, name)
}

// leaf writes an element without content.
func (d *markup) leaf(name string, attributes ...string) { d.tag(name, attributes, "/>") }

// end closes the element opened last.
func (d *markup) end() {
	name := d.open[len(d.open)-1]
	d.open = d.open[:len(d.open)-1]
	d.to.WriteString(strings.Repeat("  ", len(d.open)) + "</" + name + ">\n")
}

// number writes the shortest decimal that reads back to the same bits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func decimal[T ~uint32 | ~int](n T) string { return strconv.FormatUint(uint64(n), 10) }

// About is what a model description says of itself.
type About struct {
	Version   string // of the generating tool
	Generated time.Time
}

func (a About) date() string { return a.Generated.UTC().Format("2006-01-02T15:04:05Z") }

// description is the text of the root element.
func (t *Table) description() string {
	if t.Source == "" {
		return t.Title
	}
	return strings.TrimSpace(t.Title + "; " + t.Source)
}

// common writes what is the same in both versions: units, categories, experiment.
func (d *markup) common(t *Table) {
	d.units(t)
	d.begin("LogCategories")
	for _, c := range Categories {
		d.leaf("Category", "name", c.Name, "description", c.Text)
	}
	d.end()
	stop := t.StopTime
	if stop <= 0 {
		stop = 10
	}
	d.leaf("DefaultExperiment", "startTime", "0", "stopTime", number(stop), "tolerance", "1e-06", "stepSize", number(t.Step))
}

// initialWord returns the attribute initial where it is written.
func (v *Variable) initialWord() string {
	if v.Causality == Parameter || v.Initial == None {
		return "" // parameters are exact by definition
	}
	return v.Initial.String()
}

// min returns the attribute min.
func (v *Variable) min() string {
	if v.AtLeastZero {
		return "0"
	}
	return ""
}

// nominal returns the attribute nominal.
func (v *Variable) nominal() string {
	if v.Nominal == 0 {
		return ""
	}
	return number(v.Nominal)
}

// list writes references or indices, separated by spaces.
func list(references []uint32, offset uint32) string {
	var words []string
	for _, r := range references {
		words = append(words, decimal(r+offset))
	}
	return strings.Join(words, " ") + explicit
}

func kinds(n int) string { return strings.TrimSpace(strings.Repeat("dependent ", n)) + explicit }
