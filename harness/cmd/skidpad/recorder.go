package main

import (
	"io"
	"slices"
	"strings"

	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
)

// recorder writes what a run records into a file: as the run goes, or in the end.
type recorder struct {
	// what is known of it; without rows where the file is written by rows and nobody needs them
	recording.Recording
	path     string    // "" for no file
	stdout   io.Writer // for the path "-"
	thinning recording.Thinning
	keeps    bool              // rows are kept
	stream   *recording.Stream // nil for a file that is written in the end
}

// know adds a fact, unless there is none.
func (r *recorder) know(name, text string) {
	if text != "" {
		r.Facts = append(r.Facts, recording.Fact{Name: name, Text: text})
	}
	slices.SortFunc(r.Facts, func(a, b recording.Fact) int { return strings.Compare(a.Name, b.Name) })
}

// Begin implements drive.Sink.
func (r *recorder) Begin(channels []trace.Channel) (err error) {
	r.Trace = trace.New(channels, 0)
	if r.path == "" || !recording.Streams(r.path) || r.thinning != (recording.Thinning{}) {
		r.keeps = true
		return nil
	}
	known := r.Recording
	known.Facts = slices.Clone(r.Facts)
	r.stream, err = recording.NewStream(r.path, r.stdout, &known)
	return err
}

// Row implements drive.Sink.
func (r *recorder) Row(t float64, values []float64) error {
	if r.keeps {
		r.Append(t, values)
	}
	if r.stream != nil {
		return r.stream.Row(t, values)
	}
	return nil
}

// end completes the file with what a run has come to, and says where the results are.
func (r *recorder) end(result *drive.Result) (where string, err error) {
	r.know("verdict", result.Verdict)
	r.know("warnings", result.WarningTexts())
	if r.stream != nil {
		if where = r.path; where == "-" {
			where = "standard output"
		}
		return where, r.stream.End(r.Facts)
	}
	thin, err := r.thinning.Of(&r.Recording)
	if err != nil {
		return "", err
	}
	return writeResults(r.path, r.stdout, func(to io.Writer) error { return thin.Write(r.path, to) })
}
