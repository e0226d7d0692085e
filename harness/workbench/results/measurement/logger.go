package measurement

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"skidpad/harness/workbench/results/trace"
)

// mostPreamble is how many lines may stand before the first row of numbers.
const mostPreamble = 500

// layout is how a table of a logger is written.
type layout struct {
	separator rune
	comma     bool // the decimal sign is a comma
	columns   int
	first     int  // row of the first numbers
	whole     bool // all cells of this row are numbers or gaps
}

// parseLogger reads a table of numbers with a heading, which may have lines before it and a row of units below.
func parseLogger(data []byte) ([]channel, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.IndexByte(data[:min(len(data), 1<<16)], 0) >= 0 {
		return nil, errors.New("the file has zero bytes and is no text; save the measurement as CSV in UTF-8, or read " +
			"the file in Python with skidpad.measurement(file)")
	}
	of, head, err := findLayout(data)
	if err != nil {
		return nil, err
	}
	list, err := headings(head, of)
	if err != nil {
		return nil, err
	}
	rows := reader(data, of.separator)
	numbers, values := trace.NewColumns(of.columns), make([]float64, of.columns)
	for n := 0; ; n++ {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if n < of.first || blank(row) {
			continue
		}
		if len(row) != of.columns {
			line, _ := rows.FieldPos(0)
			return nil, fmt.Errorf("line %d has %d cells, and the heading has %d; correct the line, or remove it", line,
				len(row), of.columns)
		}
		for k, cell := range row {
			x, ok := of.number(cell)
			if !ok && list[k].fault == nil {
				line, _ := rows.FieldPos(k)
				list[k].fault = fmt.Errorf("line %d, column %s: %q is not a finite number", line, list[k].Name, text(cell))
			}
			values[k] = x
		}
		if err := numbers.Append(values); err != nil {
			return nil, err
		}
	}
	for k, column := range numbers.Take() {
		list[k].Values = column
	}
	return slices.DeleteFunc(list, func(c channel) bool { return c.Name == "" }), nil // of separators at the end of lines
}

// reader returns a CSV reader. Rows may differ in the number of cells.
func reader(data []byte, separator rune) *csv.Reader {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = separator, -1, true, true
	return r
}

// findLayout tries each separator. The best one divides the first row of numbers into the most cells, all of them
// numbers. head has the rows before.
func findLayout(data []byte) (best layout, head [][]string, err error) {
	for _, separator := range []rune{';', '\t', ','} {
		rows := reader(data, separator)
		var before [][]string
		for n := 0; n <= mostPreamble; n++ {
			row, err := rows.Read()
			if err != nil {
				break
			}
			of := layout{separator: separator, columns: len(row), first: n}
			of.comma = slices.ContainsFunc(row, func(c string) bool { return strings.Contains(c, ",") })
			var data bool
			data, of.whole = of.isData(row)
			if !data {
				before = append(before, slices.Clone(row))
				continue
			}
			if of.whole && !best.whole || of.whole == best.whole && len(row) > best.columns {
				if !of.comma {
					of.comma = commaBelow(rows, row)
				}
				best, head = of, before
			}
			break
		}
	}
	if best.columns == 0 {
		return best, nil, fmt.Errorf("no heading with rows of numbers below it within the first %d lines; columns are "+
			"separated by comma, semicolon or tab, and there are two at least", mostPreamble)
	}
	return best, head, nil
}

// commaBelow looks for the decimal sign in the next rows, where the first numbers are whole.
func commaBelow(rows *csv.Reader, row []string) bool {
	for range mostPreamble {
		for _, cell := range row {
			if strings.Contains(cell, ",") {
				return true
			}
			if strings.Contains(cell, ".") {
				return false
			}
		}
		var err error
		if row, err = rows.Read(); err != nil {
			return false
		}
	}
	return false
}

// isData reports whether a row is one of numbers: two cells at least, and of those that are not empty more than half
// are numbers. "Serial;17" is not. whole is that all are.
func (l layout) isData(row []string) (is, whole bool) {
	numbers, filled := 0, 0
	for _, cell := range row {
		if isGap(cell) {
			continue
		}
		filled++
		if _, ok := l.number(cell); ok {
			numbers++
		}
	}
	return len(row) > 1 && 2*numbers > filled, numbers == filled
}

// isGap reports whether a cell says that there is no value.
func isGap(cell string) bool {
	switch strings.ToLower(strings.TrimSpace(cell)) {
	case "", "nan", "-nan", "na", "n/a", "null", "none", "-", "--", "---":
		return true
	}
	return false
}

// number reads a cell; NaN is a gap.
func (l layout) number(cell string) (x float64, ok bool) {
	if isGap(cell) {
		return gap, true
	}
	cell = strings.TrimSpace(cell)
	if l.comma {
		if strings.Contains(cell, ".") {
			return gap, false
		}
		cell = strings.Replace(cell, ",", ".", 1)
	}
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil || math.IsInf(x, 0) || strings.ContainsAny(cell, "xX_") {
		return gap, false
	}
	return x, true
}

// headings are the channels by the rows before the numbers: the last one has the names, or the units of the names
// above.
func headings(head [][]string, of layout) ([]channel, error) {
	head = slices.DeleteFunc(slices.Clone(head), blank)
	last := len(head) - 1
	if last < 0 || len(head[last]) != of.columns {
		return nil, fmt.Errorf("no heading with %d names above the first row of numbers; write the names of the columns "+
			"there", of.columns)
	}
	list := make([]channel, of.columns)
	var units []string
	if last > 0 && len(head[last-1]) == of.columns && areUnits(head[last]) {
		units = head[last]
		last--
	}
	for k, cell := range head[last] {
		c := &list[k]
		c.Name = strings.TrimSpace(text(cell))
		if name, in := splitUnit(c.Name); in != "" {
			c.Raw, c.Name, c.Unit = c.Name, name, in
		}
		if units != nil {
			if in := strings.TrimSpace(text(units[k])); in != "" {
				c.Unit = strings.TrimSpace(strings.Trim(in, "[]()"))
			}
		}
	}
	return list, nil
}

// areUnits reports whether a row is one of units: most of its cells are, and none is a number.
func areUnits(row []string) bool {
	units, filled := 0, 0
	for _, cell := range row {
		in := strings.TrimSpace(text(cell))
		if in == "" {
			continue
		}
		filled++
		if isUnit(strings.Trim(in, "[]()")) {
			units++
		}
	}
	return 2*units > filled || filled == 0
}

// splitUnit splits a heading such as "Speed [km/h]". Round brackets hold a unit where their text is one.
func splitUnit(heading string) (name, in string) {
	for _, brackets := range []string{"[]", "()"} {
		open := strings.LastIndexByte(heading, brackets[0])
		if open <= 0 || heading[len(heading)-1] != brackets[1] {
			continue
		}
		in = strings.TrimSpace(heading[open+1 : len(heading)-1])
		_, err := strconv.Atoi(in)
		if err != nil && in != "" && (brackets == "[]" && heading[open-1] == ' ' || isUnit(in)) {
			return strings.TrimSpace(heading[:open]), in
		}
	}
	return heading, ""
}

// text returns a cell in UTF-8. Cells that are not valid UTF-8 are read as Latin-1, for the degree sign.
func text(cell string) string {
	if utf8.ValidString(cell) {
		return strings.Clone(cell)
	}
	runes := make([]rune, len(cell))
	for i := range len(cell) {
		runes[i] = rune(cell[i])
	}
	return string(runes)
}

func blank(row []string) bool {
	return !slices.ContainsFunc(row, func(c string) bool { return strings.TrimSpace(c) != "" })
}
