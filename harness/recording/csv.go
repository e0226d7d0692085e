package recording

import (
	"compress/gzip"
	"io"

	"skidpad/harness/trace"
)

var csvFile = format{ending: ".csv", text: "text, names and numbers alone", write: writeCSV}

// gzipFile is CSV, compressed. It has no time and no name in it, so that equal runs give equal bytes.
var gzipFile = format{ending: ".csv.gz", text: "the same, compressed", write: func(to io.Writer, r *Recording) error {
	w := gzip.NewWriter(to)
	if err := writeCSV(w, r); err != nil {
		return err
	}
	return w.Close()
}}

func writeCSV(to io.Writer, r *Recording) error {
	t := trace.Trace{Time: r.Time}
	for _, s := range r.Signals {
		t.Names, t.Values = append(t.Names, s.Name), append(t.Values, s.Values)
	}
	return t.WriteCSV(to)
}
