// Package recording writes the recording of a run into files in formats of other programs. A format is a file of this
// package.
package recording

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/trace"
)

// Fact is something that is known of a recording, for example the vehicle's name.
type Fact struct{ Name, Text string }

// Recording has the channels of a run in SI units, and facts about the run. Names are unique.
type Recording struct {
	*trace.Trace
	Facts  []Fact
	Single bool // numbers are written in single precision by formats that have it; times never are
}

// format is a kind of file.
type format struct {
	ending, text string
	single       bool // it has numbers of single precision
	write        func(io.Writer, *Recording) error
	// rows writes a recording row by row; nil for a format that needs all of it at once. Files of a format that grows
	// can be read as far as they have come.
	rows  begins
	grows bool
}

// rowWriter writes a recording row by row.
type rowWriter interface {
	row(time float64, values []float64) error
	// end writes what comes behind the rows, with what is known of the recording in the end.
	end(facts []Fact) error
}

// begins makes a writer of rows.
type begins func(to io.Writer, r *Recording) (rowWriter, error)

// writeAll writes all rows of a recording.
func (rows begins) writeAll(to io.Writer, r *Recording) error {
	w, err := rows(to, r)
	if err != nil {
		return err
	}
	values := make([]float64, len(r.Channels))
	for n, t := range r.Time {
		for i := range values {
			values[i] = r.Values[i][n]
		}
		if err := w.row(t, values); err != nil {
			return err
		}
	}
	return w.end(r.Facts)
}

// formats, in the order of the documentation.
var formats = []*format{&csvFile, &gzipFile, &parquetFile, &matFile, &mdfFile, &jsonFile}

// Endings lists the endings of files that can be written.
func Endings() (list []string) {
	for _, f := range formats {
		list = append(list, f.ending)
	}
	return list
}

// Text describes the formats for --help, a line each.
func Text() string {
	var b strings.Builder
	for _, f := range formats {
		fmt.Fprintf(&b, "  %-9s %s\n", f.ending, f.text)
	}
	return b.String()
}

// of finds the format of a file by its ending; CSV for names without, which are devices and pipes.
func of(path string) *format {
	i := slices.IndexFunc(formats, func(f *format) bool { return strings.HasSuffix(strings.ToLower(path), f.ending) })
	if i < 0 {
		return &csvFile
	}
	return formats[i]
}

// Check rejects impossible files before the run: an unknown ending, or single precision in a format without
// single-precision numbers. "-" is standard output, in CSV.
func Check(path string, single bool) error {
	if path != "-" {
		if strings.HasSuffix(strings.ToLower(path), ".mat73") || strings.HasSuffix(strings.ToLower(path), ".h5") {
			return fmt.Errorf("%s: MAT-files of version 7.3 are not written; .mat is version 5, which holds the same", path)
		}
		if err := output.CheckOutput(path, Endings()...); err != nil {
			return err
		}
	}
	if f := of(path); single && !f.single {
		return fmt.Errorf("%s: %s holds numbers as text; single precision is for .parquet, .mat and .mf4", path, f.ending)
	}
	return nil
}

// Write writes a recording in the format that the ending of a file asks for.
func (r *Recording) Write(path string, to io.Writer) error {
	return of(path).write(to, r)
}

// Fact returns the text of a fact, "" for none.
func (r *Recording) Fact(name string) string {
	for _, f := range r.Facts {
		if f.Name == name {
			return f.Text
		}
	}
	return ""
}
