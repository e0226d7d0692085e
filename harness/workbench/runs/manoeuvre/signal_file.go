package manoeuvre

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/bounded"
	"skidpad/model/keys"
	"skidpad/model/unit"
)

// mostPoints bounds the points of a signal from a file: an hour at 20 Hz has 72 000.
const mostPoints = 100_000

// signalFile reads a signal from the columns time and column of a CSV, "time [s], speed [km/h]". The values have the SI
// unit si; keys.AnyUnit where it is not known, and then the unit of the column is noted for the comparison with the
// vehicle. It is nil if something is wrong.
func (r *manoeuvreReader) signalFile(f *keys.Fields, si string) *signal.PiecewiseLinear {
	file, column := f.Text("file"), f.Text("column")
	if file == "" || column == "" {
		return nil
	}
	path := bounded.Beside(r.File, file)
	data, err := bounded.Curves.Read(path)
	if err != nil {
		f.Fault("file", "%v", err)
		return nil
	}
	rows := bounded.NewRows(bytes.NewReader(data))
	rows.Comment = '#'
	at := func(field int, format string, args ...any) {
		line, place := rows.Place(field)
		r.Place(keys.Position{File: path, Line: line, Column: place}, format, args...)
	}
	header, err := rows.Next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("the file is empty; it needs a header such as time [s], %s [m/s] and two rows of numbers", column)
		}
		f.Fault("file", "%s: %v", path, err)
		return nil
	}
	var index [2]int
	var units [2]unit.Unit
	for i, wanted := range [2]struct{ name, unit string }{{"time", "s"}, {column, si}} {
		problem := ""
		if index[i], units[i], problem = keys.FindColumn(header, wanted.name, wanted.unit); problem != "" {
			if index[i] >= 0 {
				at(index[i], "%s", problem)
			} else {
				f.Fault("file", "%s %s", path, problem)
			}
			return nil
		}
	}
	if si == keys.AnyUnit {
		title := strings.TrimSpace(header[index[1]])
		_, name, _ := strings.Cut(strings.TrimSuffix(title, "]"), "[")
		line, place := rows.Place(index[1])
		r.columns[f.Table] = constants.WrittenAt(fmt.Sprintf("%s:%d:%d", path, line, place), "column", title,
			strings.TrimSpace(name))
	}
	p := &signal.PiecewiseLinear{}
	for {
		row, err := rows.Next()
		switch {
		case errors.Is(err, io.EOF) && len(p.Time) < 2:
			f.Fault("file", "%s has %d rows of numbers; a signal needs two", path, len(p.Time))
			return nil
		case errors.Is(err, io.EOF):
			return p
		case err != nil:
			f.Fault("file", "%s: %v", path, err)
			return nil
		case len(p.Time) == mostPoints:
			at(0, "is point %d; there may be %d", mostPoints+1, mostPoints)
			return nil
		}
		var point [2]float64
		for i, field := range index {
			text := strings.TrimSpace(row[field])
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || math.IsNaN(x-x) {
				at(field, "%q is not a finite number", text)
				return nil
			}
			point[i] = units[i].Of(x)
		}
		if n := len(p.Time); n > 0 && point[0] <= p.Time[n-1] {
			at(index[0], "time %g s after %g s; times must increase", point[0], p.Time[n-1])
			return nil
		}
		p.Time, p.Value = append(p.Time, point[0]), append(p.Value, point[1])
	}
}
