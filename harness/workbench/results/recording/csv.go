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

func beginCSV(to io.Writer, r *Recording) (rowWriter, error) {
	return &csvRows{lines: trace.NewCSVWriter(to, r.Channels)}, nil
}

func beginGzip(to io.Writer, r *Recording) (rowWriter, error) {
	w := gzip.NewWriter(to)
	return &csvRows{lines: trace.NewCSVWriter(w, r.Channels), compressed: w}, nil
}

// csvRows writes CSV, always whole lines.
type csvRows struct {
	lines      *trace.CSVWriter
	pace       pace
	compressed *gzip.Writer // nil without
}

func (c *csvRows) row(time float64, values []float64) error {
	if err := c.lines.Row(time, values); err != nil || !c.pace.due(0) {
		return err
	}
	return c.lines.Flush()
}

func (c *csvRows) end([]Fact) error {
	if err := c.lines.Flush(); err != nil || c.compressed == nil {
		return err
	}
	return c.compressed.Close()
}
