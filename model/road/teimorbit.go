package road

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// teimOrbit is a file in TeimOrbit format: sections [NAME] of lines KEY = value, and of rows of
// numbers, which can stand in a sub-section (NAME). "$" begins a comment, "{" a line of headings.
type teimOrbit struct{ sections map[string]*teimSection }

// teimSection is a section; names are in upper case.
type teimSection struct {
	line   int
	values map[string]teimValue
	rows   []teimRow
	sub    map[string][]teimRow
}

// teimValue is the value after KEY =, without quotes.
type teimValue struct {
	text string
	line int
}

// teimRow is a row of numbers.
type teimRow struct {
	numbers []float64
	line    int
}

// Limits of a file, in addition to the limits of a mesh.
const (
	mostMeshRows = 2 * mostTriangles // nodes and elements
	mostKeys     = 10_000
	longest      = 4096 // bytes of a line
)

// parseTeimOrbit reads the sections of a file. Rows are read where numbers stand; other lines are
// comments, as in the free text of a header. There may be mostRows of them.
func parseTeimOrbit(data []byte, mostRows int) (*teimOrbit, error) {
	f := &teimOrbit{map[string]*teimSection{}}
	var section *teimSection
	sub, rows, keys := "", 0, 0
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for line := 1; len(data) > 0; line++ {
		var raw []byte
		raw, data, _ = bytes.Cut(data, []byte{'\n'})
		switch {
		case len(raw) > longest:
			return nil, fmt.Errorf("line %d has %d bytes; at most %d are allowed", line, len(raw), longest)
		case rows > mostRows:
			return nil, fmt.Errorf("line %d: the file has more than %d rows of numbers; make the mesh coarser", line,
				mostRows)
		case keys > mostKeys:
			return nil, fmt.Errorf("line %d: the file has more than %d sections and keys; a road has some tens of them",
				line, mostKeys)
		}
		text := withoutComment(string(raw))
		switch {
		case text == "" || text[0] == '{':
		case text[0] == '[':
			name, _, ok := strings.Cut(text[1:], "]")
			if !ok {
				return nil, fmt.Errorf("line %d: %q lacks a closing bracket", line, text)
			}
			name, sub = strings.ToUpper(strings.TrimSpace(name)), ""
			if section = f.sections[name]; section == nil {
				keys++
				section = &teimSection{line: line, values: map[string]teimValue{}, sub: map[string][]teimRow{}}
				f.sections[name] = section
			}
		case section == nil:
			return nil, fmt.Errorf("line %d: %q stands before the first section [...]", line, text)
		case text[0] == '(':
			keys++
			sub = strings.ToUpper(strings.Trim(text, "() \t"))
		default:
			if key, value, ok := strings.Cut(text, "="); ok {
				keys++
				value = strings.Trim(strings.TrimSpace(value), "'\"`")
				section.values[strings.ToUpper(strings.TrimSpace(key))] = teimValue{value, line}
				continue
			}
			rows++
			if err := section.addRow(sub, text, line); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// addRow reads a row of numbers of a part of the section.
func (s *teimSection) addRow(sub, text string, line int) error {
	row := teimRow{line: line}
	for _, field := range strings.Fields(text) {
		v, err := decimal(field)
		if err != nil {
			row.numbers = nil
			break
		}
		row.numbers = append(row.numbers, v)
	}
	switch {
	case row.numbers == nil && sub != "COMMENTS":
		return fmt.Errorf("line %d: %q is neither KEY = value nor a row of numbers", line, text)
	case row.numbers == nil:
	case sub != "":
		s.sub[sub] = append(s.sub[sub], row)
	default:
		s.rows = append(s.rows, row)
	}
	return nil
}

// withoutComment cuts blanks, and text behind a "$" or "!" outside of quotes.
func withoutComment(text string) string {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"' || c == '`'):
			quote = c
		case quote == 0 && (c == '$' || c == '!'):
			return strings.TrimSpace(text[:i])
		}
	}
	return strings.TrimSpace(text)
}

// section returns a section that must be there.
func (f *teimOrbit) section(name string) (*teimSection, error) {
	if s := f.sections[name]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("the file has no section [%s]", name)
}

// number returns the value of a key in its unit.
func (s *teimSection) number(key string, unit float64) (float64, error) {
	value, ok := s.values[key]
	if !ok {
		return 0, fmt.Errorf("the section in line %d lacks the key %s", s.line, key)
	}
	v, err := decimal(value.text)
	if err != nil {
		return 0, fmt.Errorf("line %d: %s: %w", value.line, key, err)
	}
	return v * unit, nil
}

// optional is number for a key that need not be given.
func (s *teimSection) optional(key string, unit, without float64) (float64, error) {
	if _, ok := s.values[key]; !ok {
		return without, nil
	}
	return s.number(key, unit)
}

// teimUnits are names of units by their shortest forms; the longest matching form counts.
var teimUnits = map[string][]struct {
	short  string
	factor float64 // to SI
}{
	"LENGTH": {{"KM", 1000}, {"M", 1}, {"METER", 1}, {"METRE", 1}, {"CM", 1e-2}, {"MM", 1e-3}, {"MILLIM", 1e-3},
		{"CENTIM", 1e-2}, {"KILOM", 1000}, {"MILE", 1609.344}, {"FOOT", 0.3048}, {"FEET", 0.3048},
		{"FT", 0.3048}, {"IN", 0.0254}},
	"ANGLE": {{"DEG", math.Pi / 180}, {"RAD", 1}},
}

// unit returns the factor of a quantity to SI. Lengths need a unit; angles are degrees without.
func (f *teimOrbit) unit(quantity string) (float64, error) {
	s, err := f.section("UNITS")
	if err != nil {
		return 0, err
	}
	value, ok := s.values[quantity]
	if !ok && quantity == "ANGLE" {
		return math.Pi / 180, nil
	}
	if !ok {
		return 0, fmt.Errorf("the section [UNITS] lacks the key %s", quantity)
	}
	name, best, factor := strings.ToUpper(value.text), -1, 0.0
	for _, u := range teimUnits[quantity] {
		fits := strings.HasPrefix(name, u.short) && (len(u.short) > 1 || name == u.short)
		if fits && len(u.short) > best {
			best, factor = len(u.short), u.factor
		}
	}
	if best < 0 {
		return 0, fmt.Errorf("line %d: %q is not a unit of %s", value.line, value.text, strings.ToLower(quantity))
	}
	return factor, nil
}
