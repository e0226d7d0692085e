// Package trace holds recorded numbers: the variables of a run over time, and tables of results.
package trace

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"skidpad/model/bounded"
)

// Trace holds recorded variables: one row per communication point.
type Trace struct {
	Names  []string  // of the columns, without time
	Time   []float64 // s
	Values [][]float64

	column map[string]int
}

// New makes an empty trace of the variables called names, with room for
// rows rows.
func New(names []string, rows int) *Trace {
	t := &Trace{Names: names, Time: make([]float64, 0, rows), Values: make([][]float64, len(names)),
		column: map[string]int{}}
	for i, name := range names {
		t.Values[i] = make([]float64, 0, rows)
		t.column[name] = i
	}
	return t
}

// Append adds the row at time; values are ordered as Names.
func (t *Trace) Append(time float64, values []float64) {
	t.Time = append(t.Time, time)
	for i, value := range values {
		t.Values[i] = append(t.Values[i], value)
	}
}

// Column returns the recorded values of one variable. Asking for a variable
// that was not recorded is a programmer's error.
func (t *Trace) Column(name string) []float64 {
	i, recorded := t.column[name]
	if !recorded {
		panic("harness: variable " + name + " was not recorded")
	}
	return t.Values[i]
}

// Has reports whether a variable was recorded.
func (t *Trace) Has(name string) bool {
	_, recorded := t.column[name]
	return recorded
}

// At returns a variable at the recorded time nearest to time.
func (t *Trace) At(name string, time float64) float64 {
	return t.Column(name)[t.Row(time)]
}

// Row returns the index of the recorded time nearest to time.
func (t *Trace) Row(time float64) int {
	after := sort.SearchFloat64s(t.Time, time)
	switch {
	case after == len(t.Time):
		return after - 1
	case after > 0 && time-t.Time[after-1] < t.Time[after]-time:
		return after - 1
	}
	return after
}

// Range returns the times and values of one variable for from <= t <= to.
func (t *Trace) Range(name string, from, to float64) (times, values []float64) {
	first, last := t.Row(from), t.Row(to)
	return t.Time[first : last+1], t.Column(name)[first : last+1]
}

// WriteCSV writes the trace with a heading line; the first column is time.
// Numbers are written so that reading them back is bit-identical.
func (t *Trace) WriteCSV(to io.Writer) error {
	w := bufio.NewWriter(to)
	w.Write(CSVHeading(t.Names))
	var line []byte
	values := make([]float64, len(t.Values))
	for row, time := range t.Time {
		for i, column := range t.Values {
			values[i] = column[row]
		}
		line = AppendCSV(line[:0], time, values)
		w.Write(line)
	}
	return w.Flush()
}

// CSVHeading is the first line of a CSV file of variables over time.
func CSVHeading(names []string) []byte {
	var b bytes.Buffer
	heading := csv.NewWriter(&b) // names of foreign FMUs may hold commas: a[1,2]
	heading.Write(append([]string{"time"}, names...))
	heading.Flush()
	return b.Bytes()
}

// AppendCSV appends the line of a row.
func AppendCSV(to []byte, time float64, values []float64) []byte {
	to = strconv.AppendFloat(to, time, 'g', -1, 64)
	for _, x := range values {
		to = strconv.AppendFloat(append(to, ','), x, 'g', -1, 64)
	}
	return append(to, '\n')
}

// ReadCSV reads what WriteCSV writes.
func ReadCSV(from io.Reader) (*Trace, error) {
	rows := bounded.NewRows(from)
	errNoTable := errors.New("no table with the first column time")
	names, err := rows.Next()
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case len(names) == 0:
		return nil, errNoTable
	case names[0] != "time":
		return nil, fmt.Errorf("%w: that is called %q", errNoTable, names[0])
	}
	names = slices.Clone(names)
	if err := CheckNames(names); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	columns, values := NewColumns(len(names)), make([]float64, len(names))
	for {
		row, err := rows.Next()
		switch {
		case errors.Is(err, io.EOF) && columns.Rows() == 0:
			return nil, errNoTable
		case errors.Is(err, io.EOF):
			t := of(names[1:], columns.Take())
			return t, CheckTime("time", t.Time)
		case err != nil:
			return nil, err
		}
		for k, text := range row {
			if values[k], err = strconv.ParseFloat(text, 64); err != nil || math.IsNaN(values[k]) ||
				math.IsInf(values[k], 0) {
				line, _ := rows.Place(k)
				return nil, fmt.Errorf("line %d, column %s: %q is not a finite number", line, names[k], text)
			}
		}
		if err := columns.Append(values); err != nil {
			return nil, err
		}
	}
}

// Mistake is why a table is refused that can be read.
type Mistake string

func (m Mistake) Error() string { return string(m) }

// CheckNames refuses two columns of one name: a reader could not tell them apart.
func CheckNames(names []string) error {
	first := map[string]int{}
	for i, name := range names {
		if before, twice := first[name]; twice {
			return Mistake(fmt.Sprintf("columns %d and %d are both called %q; rename one of them, or remove it", before+1, i+1,
				name))
		}
		first[name] = i
	}
	return nil
}

// CheckTime refuses rows whose time is before that of the row above them. Rows count from 1, below the heading.
func CheckTime(column string, time []float64) error {
	for i := 1; i < len(time); i++ {
		if time[i] < time[i-1] {
			return Mistake(fmt.Sprintf("row %d, column %s: the time goes back from %g to %g; sort the rows by time, or keep "+
				"one run", i+1, column, time[i-1], time[i]))
		}
	}
	return nil
}

// of is a trace of columns, the first of which is the time.
func of(names []string, columns [][]float64) *Trace {
	t := New(names, 0)
	t.Time, t.Values = columns[0], columns[1:]
	return t
}

// Sampled returns the rows at the given times.
func (t *Trace) Sampled(times []float64) *Trace {
	s := New(t.Names, len(times))
	row := make([]float64, len(t.Names))
	for _, time := range times {
		n := t.Row(time)
		for i := range row {
			row[i] = t.Values[i][n]
		}
		s.Append(time, row)
	}
	return s
}

// Sampling is the distance of the samples at which runs are compared, s.
const Sampling = 0.05

// MainBody names the first recorded body that has a yaw rate, "" if none has.
func MainBody(t *Trace) string {
	for _, name := range t.Names {
		if body, is := strings.CutSuffix(name, ".wz"); is {
			return body
		}
	}
	return ""
}
