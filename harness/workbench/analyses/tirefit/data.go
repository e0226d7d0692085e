// Package tirefit fits coefficients of tire functions to measured points of test rigs, and says how well the points
// determine them.
//
//	CSV -> points -> residuals by output -> least squares -> coefficients with deviations -> tire file, report
package tirefit

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/unit"
)

// Data are the points of one or more files.
type Data struct {
	Columns []string // of the files, known ones
	Rows    int
	Left    int // points that are left out: without a load, or with an empty cell
	values  map[string][]float64
}

// column is what a column of a file can be: an input or an output of tire functions.
type column struct {
	name, unit string   // of the engine
	others     []string // names of rigs and loggers, without their case
	turned     bool     // SAE axes have the other sign
}

// columns are those that a fit knows. Names of rigs are those of TYDEX and of the files of tire test consortia.
var columns = []column{
	{"Fz", "N", []string{"FZ", "FZW", "load"}, true},
	{"S", "1", []string{"SL", "SR", "LONGSLIP", "kappa"}, false},
	{"alpha", "rad", []string{"SA", "SLIPANGL"}, true},
	{"gamma", "rad", []string{"IA", "INCLANGL", "camber"}, false},
	{"VCx", "m/s", []string{"V", "TRAJVELW", "speed"}, false},
	{"Omega", "rad/s", []string{"N", "WHROTSPD"}, false},
	{"mu", "1", nil, false},
	{pressure, "Pa", []string{"P", "INFLPRES"}, false},
	{"Fx", "N", []string{"FX", "FXW"}, false},
	{"Fy", "N", []string{"FY", "FYW"}, true},
	{"Mx", "N.m", []string{"MX", "MXW"}, false},
	{"My", "N.m", []string{"MY", "MYW"}, true},
	{"Mz", "N.m", []string{"MZ", "MZW"}, true},
}

// pressure is the column of the inflation pressure, a parameter of functions that have it.
const pressure = "pressure"

const mostPoints = 1_000_000

// Add reads a CSV: a header of names with units, such as "alpha [deg]", then a row for each point. With sae the file
// has the axes of SAE J670, y to the right and z down. Columns that are not known are passed over.
func (d *Data) Add(from io.Reader, name string, sae bool) error {
	rows := bounded.NewRows(from)
	heading, err := rows.Next()
	if err != nil {
		return fmt.Errorf("%s: no header row: %w", name, err)
	}
	type field struct {
		column *column
		of     unit.Unit
		sign   float64
	}
	fields := make([]field, len(heading))
	var given []string
	for i, text := range heading {
		title, rest, has := strings.Cut(strings.TrimSpace(text), "[")
		title = strings.TrimSpace(title)
		c := find(title)
		if c == nil {
			continue
		}
		if slices.Contains(given, c.name) {
			return fmt.Errorf("%s:1: two columns are %s; leave one out", name, c.name)
		}
		given = append(given, c.name)
		of := unit.Unit{}
		if text := strings.TrimSuffix(strings.TrimSpace(rest), "]"); has {
			if of, err = unit.Fit(text, c.unit); err != nil {
				return fmt.Errorf("%s:1: column %s: %w", name, title, err)
			}
		} else if c.unit != "1" {
			return fmt.Errorf("%s:1: column %s lacks its unit; write %s [%s] or another unit of this dimension", name, title,
				title, c.unit)
		}
		sign := 1.0
		if sae && c.turned {
			sign = -1
		}
		fields[i] = field{c, of, sign}
	}
	if !slices.Contains(given, "Fz") {
		return fmt.Errorf("%s:1: no column Fz; known columns are %s", name, known())
	}
	slices.Sort(given)
	switch {
	case d.values == nil:
		d.Columns, d.values = given, map[string][]float64{}
	case !slices.Equal(given, d.Columns):
		return fmt.Errorf("%s:1: the columns are %s; those of the first file are %s", name, strings.Join(given, ", "),
			strings.Join(d.Columns, ", "))
	}
	row := make([]float64, len(fields))
	for {
		line, err := rows.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		whole := true
		for i, f := range fields {
			if f.column == nil {
				continue
			}
			text := strings.TrimSpace(line[i])
			if text == "" {
				whole = false
				continue
			}
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				at, column := rows.Place(i)
				return fmt.Errorf("%s:%d:%d: %s is %q; it must be a finite number, or empty", name, at, column, f.column.name, text)
			}
			row[i] = f.sign * f.of.Of(x)
			whole = whole && (f.column.name != "Fz" || row[i] > 0)
		}
		if !whole {
			d.Left++
			continue
		}
		if d.Rows++; d.Rows > mostPoints {
			return fmt.Errorf("%s: more than %d points; thin them", name, mostPoints)
		}
		for i, f := range fields {
			if f.column != nil {
				d.values[f.column.name] = append(d.values[f.column.name], row[i])
			}
		}
	}
}

// find finds the column of a title, nil for none.
func find(title string) *column {
	for i := range columns {
		c := &columns[i]
		if c.name == title {
			return c
		}
	}
	for i := range columns {
		if slices.ContainsFunc(columns[i].others, func(o string) bool { return strings.EqualFold(o, title) }) {
			return &columns[i]
		}
	}
	return nil
}

func known() string {
	var list []string
	for _, c := range columns {
		list = append(list, c.name)
	}
	return strings.Join(list, ", ")
}

// nearest names a known name near to a wrong one.
func nearest(name string, names []string) string {
	if near := document.Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
