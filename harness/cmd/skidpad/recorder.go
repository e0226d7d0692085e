package main

import (
	"io"
	"slices"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/model/roles"
)

// recorder writes what a run records into a file: as the run goes, or in the end.
type recorder struct {
	recording.Recording // what is known of it, without rows
	path                string
	stdout              io.Writer // for the path "-"
	thinning            recording.Thinning
	vehicle             *roles.Roles
	keeps               bool // all rows, for others

	stream *recording.Stream // nil for a file that is written in the end
	kept   *trace.Trace      // nil where no rows are kept
}

// know adds a fact, unless there is none.
func (r *recorder) know(name, text string) {
	if text != "" {
		r.Facts = append(r.Facts, recording.Fact{Name: name, Text: text})
	}
	slices.SortFunc(r.Facts, func(a, b recording.Fact) int { return strings.Compare(a.Name, b.Name) })
}

// Begin implements drive.Sink.
func (r *recorder) Begin(names []string, about map[string]library.Variable) (err error) {
	for _, name := range names {
		v := about[name]
		r.Signals = append(r.Signals, recording.Signal{Name: name, Unit: v.Unit, Text: v.Text, Role: r.vehicle.Role(name)})
	}
	streams := recording.Streams(r.path) && r.thinning == (recording.Thinning{})
	if r.keeps || !streams {
		r.kept = trace.New(names, 0)
	}
	if streams {
		known := r.Recording
		known.Facts = slices.Clone(r.Facts)
		r.stream, err = recording.NewStream(r.path, r.stdout, &known)
	}
	return err
}

// Row implements drive.Sink.
func (r *recorder) Row(t float64, values []float64) error {
	if r.kept != nil {
		r.kept.Append(t, values)
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
	r.Time = r.kept.Time
	for i := range r.Signals {
		r.Signals[i].Values = r.kept.Values[i]
	}
	thin, err := r.thinning.Of(&r.Recording)
	if err != nil {
		return "", err
	}
	return writeResults(r.path, r.stdout, func(to io.Writer) error { return thin.Write(r.path, to) })
}
