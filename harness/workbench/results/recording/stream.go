package recording

import (
	"io"
	"time"

	"skidpad/harness/workbench/results/output"
)

// Stream writes a recording while it is recorded, and keeps only the rows of the next write. A CSV or MDF file is at
// its path from the beginning and can be read up to its latest rows, even after the process has died; other files have
// a temporary name until they are complete.
type Stream struct {
	file *output.Growing // nil for standard output
	rows rowWriter
}

// Streams reports whether a file is written by a Stream. Others are written at once, by Write.
func Streams(path string) bool { return of(path).rows != nil }

// NewStream begins the file at path, - for standard output, with the facts of a recording without rows.
func NewStream(path string, stdout io.Writer, r *Recording) (*Stream, error) {
	f := of(path)
	if path == "-" {
		rows, err := f.rows(stdout, r)
		return &Stream{rows: rows}, err
	}
	grow := output.GrowAside
	if f.grows {
		grow = output.Grow
	}
	file, err := grow(path)
	if err != nil {
		return nil, err
	}
	s := &Stream{file: file}
	if s.rows, err = f.rows(file, r); err != nil {
		file.Discard()
		return nil, err
	}
	return s, nil
}

// Row adds a row; values are ordered as the signals.
func (s *Stream) Row(time float64, values []float64) error { return s.rows.row(time, values) }

// End completes the file, with what is known of the recording in the end.
func (s *Stream) End(facts []Fact) error {
	if err := s.rows.end(facts); err != nil {
		if s.file != nil {
			s.file.Discard()
		}
		return err
	}
	if s.file == nil {
		return nil
	}
	return s.file.Complete()
}

// pace decides when gathered rows are written: at a size that makes writing fast, or after a time. So a file can be
// read during the run or after the process has died.
type pace struct{ latest time.Time }

const (
	mostGathered = 64 << 10 // bytes
	mostBehind   = time.Second / 4
)

// due reports whether some bytes are to be written now.
func (p *pace) due(bytes int) bool {
	now := time.Now()
	if bytes < mostGathered && now.Sub(p.latest) < mostBehind {
		return false
	}
	p.latest = now
	return true
}
