package recording

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	parquetformat "github.com/parquet-go/parquet-go/format"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/bounded"
)

// MayRead lists the endings of files that Read reads.
const MayRead = ".csv, .csv.gz and .parquet"

// Read reads the recorded variables of a run, each file with a column time: by its ending Parquet or compressed CSV,
// and CSV otherwise. Of Parquet files of recordings, units, texts and roles are known.
func Read(path string) (*trace.Trace, error) {
	if isParquet(path) {
		data, err := bounded.Table.Read(path)
		if err != nil {
			return nil, err
		}
		t, err := readParquet(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return t, nil
	}
	var t *trace.Trace
	err := readText(path, func(from io.Reader) (err error) {
		t, err = trace.ReadCSV(from)
		return err
	})
	return t, err
}

// ReadGapped reads the columns of numbers of a Parquet file of any program; NaN is a gap. The time is among the
// channels.
func ReadGapped(path string) (*trace.Trace, error) {
	data, err := bounded.Table.Read(path)
	if err != nil {
		return nil, err
	}
	names, columns, about, err := parquetColumns(data, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t := &trace.Trace{Channels: trace.Named(names...), Values: columns}
	for i := range t.Channels {
		t.Channels[i].Unit = about[names[i]].Unit
	}
	return t, nil
}

// ReadColumns reads a file of numbers in the same formats, whatever its columns are called.
func ReadColumns(path string) (names []string, columns [][]float64, err error) {
	if isParquet(path) {
		data, err := bounded.Table.Read(path)
		if err != nil {
			return nil, nil, err
		}
		if names, columns, _, err = parquetColumns(data, false); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		return names, columns, nil
	}
	err = readText(path, func(from io.Reader) (err error) {
		names, columns, err = trace.ReadColumns(from)
		return err
	})
	return names, columns, err
}

func isParquet(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".parquet") }

// readText has a CSV file read, which may be compressed.
func readText(path string, read func(from io.Reader) error) error {
	file, err := bounded.Table.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	from := &io.LimitedReader{R: file, N: bounded.Table.Bytes + 1}
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		if from.R, err = gzip.NewReader(file); err != nil {
			return fmt.Errorf("%s: not compressed by gzip, as its name says: %w", path, err)
		}
	}
	err = read(from)
	mistake := trace.Mistake("")
	switch {
	case from.N == 0:
		return bounded.Table.TooLarge(path)
	case err == nil:
		return nil
	case errors.Is(err, trace.ErrTooMany), errors.As(err, &mistake):
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s: %w; files are read that end in %s", path, err, MayRead)
}

// readParquet reads a run, whose column time is the time.
func readParquet(data []byte) (*trace.Trace, error) {
	names, columns, about, err := parquetColumns(data, false)
	if err != nil {
		return nil, err
	}
	time := slices.Index(names, "time")
	if time < 0 || len(columns[time]) == 0 {
		return nil, fmt.Errorf("has no rows with a column time")
	}
	times := columns[time]
	channels := trace.Named(slices.Delete(names, time, time+1)...)
	for i := range channels {
		a := about[channels[i].Name]
		channels[i].Unit, channels[i].Text, channels[i].Role = a.Unit, a.Text, a.Role
	}
	t := trace.Of(channels, slices.Insert(slices.Delete(columns, time, time+1), 0, times))
	return t, trace.CheckTime("time", t.Time)
}

// parquetColumns reads columns of numbers. Optional columns, as other programs write them, must have a value in each
// row. With gaps, missing values are NaN, and columns of other types are left out.
// Files of recordings also describe their columns. The library panics at some files that are not whole, which is an
// error here.
func parquetColumns(data []byte, gaps bool) (names []string, columns [][]float64, about map[string]described,
	err error) {
	defer func() {
		if fault := recover(); fault != nil {
			names, columns, about, err = nil, nil, nil, fmt.Errorf("is not a Parquet file that can be read: %v", fault)
		}
	}()
	file, err := openParquet(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("is not a Parquet file that can be read: %w", err)
	}
	if err := checkLZ4(file, data); err != nil {
		return nil, nil, nil, fmt.Errorf("is not a Parquet file that can be read: %w", err)
	}
	paths := file.Schema().Columns()
	if count := float64(file.NumRows()) * float64(len(paths)); !(count <= trace.MostRead) {
		return nil, nil, nil, fmt.Errorf("has %.3g numbers; at most %d are read", count, trace.MostRead)
	}
	var readings []reading // by column of the file; nil where it is left out
	for _, path := range paths {
		leaf, ok := file.Schema().Lookup(path...)
		var of reading
		if ok && len(path) == 1 && !leaf.Node.Repeated() {
			of = readingOf(leaf.Node.Type())
		}
		readings = append(readings, of)
		if of == nil && gaps {
			continue
		}
		if of == nil {
			return nil, nil, nil, fmt.Errorf("column %s does not hold one number in each row", strings.Join(path, "."))
		}
		names = append(names, path[0])
	}
	if err := trace.CheckNames(names); err != nil {
		return nil, nil, nil, err
	}
	numbers, values := trace.NewColumns(len(names)), make([]float64, len(names))
	rows := parquet.NewReader(file)
	defer rows.Close()
	read := make([]parquet.Row, rowsAtOnce)
	for left := file.NumRows(); left > 0; {
		n, err := rows.ReadRows(read[:min(left, rowsAtOnce)])
		if n == 0 {
			return nil, nil, nil, fmt.Errorf("ends %d rows early: %v", left, err)
		}
		for _, row := range read[:n] {
			if err := readRow(values, row, readings, gaps); err != nil {
				return nil, nil, nil, fmt.Errorf("row %d, %w", numbers.Rows()+1, nameColumn(err, names))
			}
			if err := numbers.Append(values); err != nil {
				return nil, nil, nil, err
			}
		}
		left -= int64(n)
	}
	if text, has := file.Lookup(signalsFact); has && json.Unmarshal([]byte(text), &about) != nil {
		about = nil
	}
	return names, numbers.Take(), about, nil
}

// cellFault is why the value of a column that is read cannot be taken.
type cellFault struct {
	column int
	why    string
}

func (f cellFault) Error() string { return f.why }

// nameColumn gives a fault the name of its column.
func nameColumn(err error, names []string) error {
	if fault, is := err.(cellFault); is {
		return fmt.Errorf("column %s: %s", names[fault.column], fault.why)
	}
	return err
}

// readRow reads the values of the columns that have a reading.
func readRow(values []float64, row parquet.Row, readings []reading, gaps bool) error {
	k := 0
	for i, v := range row {
		if i >= len(readings) || v.Column() != i {
			return fmt.Errorf("it has %d numbers in %d columns", len(row), len(readings))
		}
		if readings[i] == nil {
			continue
		}
		switch {
		case v.IsNull() && gaps:
			values[k] = math.NaN()
		case v.IsNull():
			return cellFault{k, "has no value"}
		default:
			values[k] = readings[i](v)
			if isGap := gaps && math.IsNaN(values[k]); !isGap && math.IsNaN(values[k]-values[k]) {
				return cellFault{k, fmt.Sprintf("%g is not a finite number", values[k])}
			}
		}
		k++
	}
	if len(row) != len(readings) {
		return fmt.Errorf("it has %d numbers in %d columns", len(row), len(readings))
	}
	return nil
}

// openParquet reads the footer of a Parquet file of some bytes.
func openParquet(from io.ReaderAt, size int64) (*parquet.File, error) {
	// The library makes room for the footer before it compares that with the file.
	var length [4]byte
	if _, err := from.ReadAt(length[:], size-8); err == nil && int64(binary.LittleEndian.Uint32(length[:])) > size-8 {
		return nil, fmt.Errorf("its footer is longer than the file, %d bytes", size)
	}
	return parquet.OpenFile(from, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
}

// FactOf is a fact of a Parquet file that Write has made, by its name; empty for other files.
func FactOf(path, name string) (text string) {
	defer func() {
		if recover() != nil { // the library panics at some files that are not whole
			text = ""
		}
	}()
	file, err := bounded.Table.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	opened, err := openParquet(file, file.Size())
	if err != nil {
		return ""
	}
	text, _ = opened.Lookup(name)
	return text
}

// reading gives the number that a value of a column holds.
type reading func(v parquet.Value) float64

// readingOf is how columns of a type are read: floating-point numbers, and integers that are neither times nor
// decimals; nil for others.
func readingOf(t parquet.Type) reading {
	logical := t.LogicalType()
	integer := &parquetformat.IntType{IsSigned: true}
	if logical != nil {
		integer, _ = logical.Value.(*parquetformat.IntType)
	} else if t.ConvertedType() != nil {
		integer = nil
	}
	switch kind := t.Kind(); {
	case kind == parquet.Double:
		return parquet.Value.Double
	case kind == parquet.Float:
		return func(v parquet.Value) float64 { return float64(v.Float()) }
	case integer == nil:
		return nil
	case kind == parquet.Int32 && integer.IsSigned:
		return func(v parquet.Value) float64 { return float64(v.Int32()) }
	case kind == parquet.Int32:
		return func(v parquet.Value) float64 { return float64(v.Uint32()) }
	case kind == parquet.Int64 && integer.IsSigned:
		return func(v parquet.Value) float64 { return float64(v.Int64()) }
	case kind == parquet.Int64:
		return func(v parquet.Value) float64 { return float64(v.Uint64()) }
	}
	return nil
}
