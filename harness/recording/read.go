package recording

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/parquet-go/parquet-go"

	"skidpad/harness/trace"
	"skidpad/model/bounded"
)

// MostRead is the largest number of numbers that are read from a file.
const MostRead = 100_000_000

// MayRead lists the endings of files that Read reads.
const MayRead = ".csv, .csv.gz and .parquet"

// Read reads the recorded variables of a run, each file with a column time: by its ending Parquet or compressed CSV,
// and CSV otherwise.
func Read(path string) (*trace.Trace, error) {
	if strings.HasSuffix(strings.ToLower(path), ".parquet") {
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
	file, err := bounded.Table.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	from := &io.LimitedReader{R: file, N: bounded.Table.Bytes + 1}
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		if from.R, err = gzip.NewReader(file); err != nil {
			return nil, fmt.Errorf("%s: not compressed by gzip, as its name says: %w", path, err)
		}
	}
	t, err := trace.ReadCSV(from)
	switch {
	case from.N == 0:
		return nil, bounded.Table.TooLarge(path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w; runs are read from files that end in %s", path, err, MayRead)
	}
	return t, nil
}

// readParquet reads columns of numbers. The library panics at some files that are not whole, which is an error here.
func readParquet(data []byte) (t *trace.Trace, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			t, err = nil, fmt.Errorf("is not a Parquet file that can be read: %v", fault)
		}
	}()
	// The library makes room for the footer before it compares that with the file.
	if n := len(data); n >= 8 && uint64(binary.LittleEndian.Uint32(data[n-8:])) > uint64(n-8) {
		return nil, fmt.Errorf("is not a Parquet file that can be read: its footer is longer than the file, %d bytes", n)
	}
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("is not a Parquet file that can be read: %w", err)
	}
	columns := file.Schema().Columns()
	if count := float64(file.NumRows()) * float64(len(columns)); !(count <= MostRead) {
		return nil, fmt.Errorf("has %.3g numbers; at most %d are read", count, MostRead)
	}
	var names []string
	time := -1
	for k, path := range columns {
		leaf, ok := file.Schema().Lookup(path...)
		if !ok || len(path) != 1 || leaf.Node.Optional() || leaf.Node.Repeated() ||
			leaf.Node.Type().Kind() != parquet.Double && leaf.Node.Type().Kind() != parquet.Float {
			return nil, fmt.Errorf("column %s does not hold one number in each row", strings.Join(path, "."))
		}
		if path[0] == "time" {
			time = k
		} else {
			names = append(names, path[0])
		}
	}
	if time < 0 || file.NumRows() == 0 {
		return nil, fmt.Errorf("has no rows with a column time")
	}
	t = trace.New(names, int(file.NumRows()))
	rows := parquet.NewReader(file)
	defer rows.Close()
	read := make([]parquet.Row, rowsAtOnce)
	values := make([]float64, len(names))
	for left := file.NumRows(); left > 0; {
		n, err := rows.ReadRows(read[:min(left, rowsAtOnce)])
		if n == 0 {
			return nil, fmt.Errorf("ends %d rows early: %v", left, err)
		}
		for _, row := range read[:n] {
			if len(row) != len(columns) {
				return nil, fmt.Errorf("has a row of %d numbers in %d columns", len(row), len(columns))
			}
			at, next := 0.0, 0
			for k, v := range row {
				x := v.Double()
				if v.Kind() == parquet.Float {
					x = float64(v.Float())
				}
				if math.IsNaN(x - x) {
					return nil, fmt.Errorf("row %d, column %s: %g is not a finite number", len(t.Time)+1, columns[k][0], x)
				}
				if k == time {
					at = x
					continue
				}
				values[next] = x
				next++
			}
			t.Append(at, values)
		}
		left -= int64(n)
	}
	return t, nil
}
