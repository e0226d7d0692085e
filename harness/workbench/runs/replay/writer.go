package replay

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"skidpad/fmu/archive"
	"skidpad/harness/workbench/runs/live"
	"skidpad/model/bounded"
)

// MostTime is the longest drive that is recorded [s].
const MostTime = 7200.0

// Writer records a drive. Until it ends, a folder beside the file, NAME.part, holds what was recorded.
type Writer struct {
	Facts Facts

	path, folder string
	digests      map[int][]Digest
	begins       map[int]live.Event // of segments without rows yet
	inputs       *bufio.Writer      // of the present segment
	file         *os.File
	row          []byte
	slices, most int
	err          error // the first one; nothing is written after it
}

// NewWriter begins the recording of a vehicle, whose files are a ZIP archive. The file appears at End.
func NewWriter(path string, facts Facts, vehicle []byte) (*Writer, error) {
	w := &Writer{Facts: facts, path: path, folder: path + ".part", digests: map[int][]Digest{},
		begins: map[int]live.Event{}, row: make([]byte, 0, 8*len(facts.Inputs)), most: int(MostTime / facts.Step)}
	w.Facts.Format, w.Facts.Architecture = Format, runtime.GOARCH
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	if err := os.Mkdir(w.folder, 0o755); err != nil {
		return nil, err
	}
	files, err := archive.NewReader(bytes.NewReader(vehicle), int64(len(vehicle)))
	if err != nil {
		return nil, fmt.Errorf("the files of the vehicle: %w", err)
	}
	if names := files.Names(); len(names) > 0 {
		w.Facts.Model = names[0]
	}
	return w, os.WriteFile(w.in("vehicle.zip"), vehicle, 0o644)
}

func (w *Writer) in(name string) string { return filepath.Join(w.folder, name) }

// Event takes an event of the loop, before rows that come after it.
func (w *Writer) Event(e *live.Event) {
	switch e.Kind {
	case "begin":
		w.begins[e.Segment] = *e
	case "digest":
		w.digests[e.Segment] = append(w.digests[e.Segment], digestOf(e.Slice, e.Digest))
	default:
		text := e.Kind
		if e.Text != "" {
			text += ": " + e.Text
		}
		w.Facts.Events = append(w.Facts.Events, Event{e.Segment, e.Slice, text})
	}
}

// Row takes a slice. It returns the first error of the recording.
func (w *Writer) Row(r *live.Row) error {
	if w.err == nil && r.Slice > 0 {
		w.err = w.slice(r)
	}
	return w.err
}

func (w *Writer) slice(r *live.Row) error {
	if begin, is := w.begins[r.Segment]; is {
		if err := w.segment(&begin); err != nil {
			return err
		}
		clear(w.begins)
	}
	if w.slices == w.most {
		return fmt.Errorf("the drive is longer than %g s, the most that is recorded", MostTime)
	}
	w.slices++
	w.Facts.Segments[len(w.Facts.Segments)-1].Slices++
	w.row = w.row[:0]
	for _, x := range r.Inputs {
		w.row = binary.LittleEndian.AppendUint64(w.row, math.Float64bits(x))
	}
	_, err := w.inputs.Write(w.row)
	return err
}

// segment begins the files of a segment.
func (w *Writer) segment(begin *live.Event) error {
	if err := w.close(); err != nil {
		return err
	}
	w.Facts.Segments = append(w.Facts.Segments, Segment{Time: begin.Time, number: begin.Segment})
	n := len(w.Facts.Segments)
	if err := os.WriteFile(w.in(stateName(n)), begin.State, 0o644); err != nil {
		return err
	}
	file, err := os.Create(w.in(inputsName(n)))
	if err != nil {
		return err
	}
	w.file, w.inputs = file, bufio.NewWriterSize(file, 1<<16)
	return nil
}

func (w *Writer) close() error {
	if w.file == nil {
		return nil
	}
	err := errors.Join(w.inputs.Flush(), w.file.Close())
	w.file = nil
	return err
}

func stateName(segment int) string  { return fmt.Sprintf("state_%d.bin", segment) }
func inputsName(segment int) string { return fmt.Sprintf("inputs_%d.f64", segment) }

// End writes the drive and removes the folder. A drive without slices is not written.
func (w *Writer) End() (err error) {
	if err := errors.Join(w.err, w.close()); err != nil {
		return fmt.Errorf("%w; %s has what was recorded", err, w.folder)
	}
	if len(w.Facts.Segments) == 0 {
		return os.RemoveAll(w.folder)
	}
	for i := range w.Facts.Segments {
		s := &w.Facts.Segments[i]
		s.Digests = w.digests[s.number]
	}
	file, err := os.CreateTemp(filepath.Dir(w.path), ".drive-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // which it no longer is where all went well
	if err := errors.Join(w.zip(file), file.Chmod(0o644), file.Close()); err != nil {
		return fmt.Errorf("%w; %s has what was recorded", err, w.folder)
	}
	if err := os.Rename(file.Name(), w.path); err != nil {
		return err
	}
	return os.RemoveAll(w.folder)
}

// Done says what was recorded.
func (w *Writer) Done() string {
	if len(w.Facts.Segments) == 0 {
		return "nothing was driven, and no drive is recorded"
	}
	return fmt.Sprintf("%s: %.1f s in %d segments", w.path, float64(w.slices)*w.Facts.Step, len(w.Facts.Segments))
}

// zip writes the archive.
func (w *Writer) zip(to io.Writer) error {
	z := zip.NewWriter(to)
	facts, err := json.MarshalIndent(w.Facts, "", "  ")
	if err != nil {
		return err
	}
	entry, err := z.Create(factsName)
	if err != nil {
		return err
	}
	if _, err := entry.Write(append(facts, '\n')); err != nil {
		return err
	}
	vehicle, err := bounded.FMU.Read(w.in("vehicle.zip"))
	if err != nil {
		return err
	}
	files, err := archive.NewReader(bytes.NewReader(vehicle), int64(len(vehicle)))
	if err != nil {
		return err
	}
	for _, name := range files.Names() {
		data, err := files.Read(name, bounded.Road) // the largest kind
		if err != nil {
			return err
		}
		if err := add(z, vehicleFolder+name, bytes.NewReader(data)); err != nil {
			return err
		}
	}
	for i := range w.Facts.Segments {
		for _, name := range []string{stateName(i + 1), inputsName(i + 1)} {
			file, err := bounded.FMU.Open(w.in(name))
			if err != nil {
				return err
			}
			if err := errors.Join(add(z, name, file), file.Close()); err != nil {
				return err
			}
		}
	}
	return z.Close()
}

func add(z *zip.Writer, name string, from io.Reader) error {
	entry, err := z.Create(name)
	if err == nil {
		_, err = io.Copy(entry, from)
	}
	return err
}

const (
	factsName     = "drive.json"
	vehicleFolder = "vehicle/"
)
