package recording

import (
	"compress/gzip"
	"io"

	"skidpad/harness/workbench/results/trace"
)

var csvFile = format{ending: ".csv", text: "text, names and numbers alone", grows: true,
	write: begins(beginCSV).writeAll, rows: beginCSV}

// gzipFile is CSV, compressed. It has no time and no name in it, so that equal runs give equal bytes.
var gzipFile = format{ending: ".csv.gz", text: "the same, compressed", write: begins(beginGzip).writeAll,
	rows: beginGzip}

func beginCSV(to io.Writer, r *Recording) (rowWriter, error) { return newCSVRows(to, r), nil }

func beginGzip(to io.Writer, r *Recording) (rowWriter, error) {
	w := gzip.NewWriter(to)
	rows := newCSVRows(w, r)
	rows.compressed = w
	return rows, nil
}

// csvRows writes CSV, always whole lines.
type csvRows struct {
	to         io.Writer
	lines      []byte
	pace       pace
	compressed *gzip.Writer // nil without
}

func newCSVRows(to io.Writer, r *Recording) *csvRows {
	return &csvRows{to: to, lines: trace.CSVHeading(r.Channels)}
}

func (c *csvRows) row(time float64, values []float64) error {
	c.lines = trace.AppendCSV(c.lines, time, values)
	if !c.pace.due(len(c.lines)) {
		return nil
	}
	return c.flush()
}

func (c *csvRows) flush() error {
	_, err := c.to.Write(c.lines)
	c.lines = c.lines[:0]
	return err
}

func (c *csvRows) end([]Fact) error {
	if err := c.flush(); err != nil || c.compressed == nil {
		return err
	}
	return c.compressed.Close()
}
