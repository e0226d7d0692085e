package trace

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

	"skidpad/model/bounded"
)

// WriteCSV writes the trace with a heading line; the first column is time.
// Numbers are written so that reading them back is bit-identical.
func (t *Trace) WriteCSV(to io.Writer) error {
	w := NewCSVWriter(to, t.Channels)
	values := make([]float64, len(t.Values))
	for row, time := range t.Time {
		for i, column := range t.Values {
			values[i] = column[row]
		}
		if err := w.Row(time, values); err != nil {
			return err
		}
	}
	return w.Flush()
}

// CSVHeading is the first line of a CSV file of variables over time.
func CSVHeading(channels []Channel) []byte {
	names := []string{"time"}
	for i := range channels {
		names = append(names, channels[i].Name)
	}
	var b bytes.Buffer
	heading := csv.NewWriter(&b) // names of foreign FMUs may hold commas: a[1,2]
	heading.Write(names)
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
	errNoTable := errors.New("no table with the first column time")
	names, columns, err := ReadColumns(from)
	switch {
	case err != nil:
		return nil, err
	case len(names) == 0:
		return nil, errNoTable
	case names[0] != "time":
		return nil, fmt.Errorf("%w: that is called %q", errNoTable, names[0])
	case len(columns[0]) == 0:
		return nil, errNoTable
	}
	t := Of(Named(names[1:]...), columns)
	return t, CheckTime("time", t.Time)
}

// ReadColumns reads a table of CSV with a heading and finite numbers, whatever its columns are called; none of an empty
// file.
func ReadColumns(from io.Reader) (names []string, columns [][]float64, err error) {
	rows := bounded.NewRows(from)
	heading, err := rows.Next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return nil, nil, err
	}
	names = slices.Clone(heading)
	if err := CheckNames(names); err != nil {
		return nil, nil, fmt.Errorf("line 1: %w", err)
	}
	numbers, values := NewColumns(len(names)), make([]float64, len(names))
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return names, numbers.Take(), nil
		}
		if err != nil {
			return nil, nil, err
		}
		for k, text := range row {
			if values[k], err = strconv.ParseFloat(strings.TrimSpace(text), 64); err != nil ||
				math.IsNaN(values[k]-values[k]) {
				line, _ := rows.Place(k)
				return nil, nil, fmt.Errorf("line %d, column %s: %q is not a finite number", line, names[k], text)
			}
		}
		if err := numbers.Append(values); err != nil {
			return nil, nil, err
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
