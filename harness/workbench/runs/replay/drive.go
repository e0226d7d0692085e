package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"skidpad/fmu/archive"
	"skidpad/model/bounded"
)

// Drive is a recorded drive.
type Drive struct {
	Facts
	path  string
	files *archive.Reader
	file  *bounded.File
}

// Limits of drive.json.
const (
	mostInputs   = 10_000
	mostSegments = 100_000
)

// Open opens a recorded drive. Close it when done.
func Open(path string) (*Drive, error) {
	file, err := bounded.Drive.Open(path)
	if err != nil {
		return nil, err
	}
	d, err := read(path, file)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

func read(path string, file *bounded.File) (*Drive, error) {
	files, err := archive.NewReader(file, file.Size())
	if err != nil {
		return nil, fmt.Errorf("%w; a drive is a file that 'skidpad view --record' writes", err)
	}
	if !slices.Contains(files.Names(), factsName) {
		return nil, fmt.Errorf("it has no %s; a drive is a file that 'skidpad view --record' writes", factsName)
	}
	text, err := files.Read(factsName, bounded.Facts)
	if err != nil {
		return nil, err
	}
	d := &Drive{path: path, files: files, file: file}
	if err := json.Unmarshal(text, &d.Facts); err != nil {
		return nil, fmt.Errorf("%s: %w", factsName, err)
	}
	return d, d.check()
}

// check refuses what no recording has.
func (d *Drive) check() error {
	switch {
	case d.Format != Format:
		return fmt.Errorf("the drive has the format %d; this version of Skidpad reads the format %d", d.Format, Format)
	case !(d.Step > 0) || math.IsInf(d.Step, 0):
		return fmt.Errorf("%s: a slice of %g s", factsName, d.Step)
	case len(d.Inputs) == 0 || len(d.Inputs) > mostInputs:
		return fmt.Errorf("%s: %d inputs; 1 to %d are possible", factsName, len(d.Inputs), mostInputs)
	case len(d.Segments) > mostSegments:
		return fmt.Errorf("%s: %d segments; at most %d are possible", factsName, len(d.Segments), mostSegments)
	case !slices.Contains(d.files.Names(), vehicleFolder+d.Model):
		return fmt.Errorf("the model file %q is missing in the drive", vehicleFolder+d.Model)
	}
	return nil
}

// Close closes the file.
func (d *Drive) Close() error { return d.file.Close() }

// Unpack writes the files of the vehicle to a folder, and returns the path of the model file.
func (d *Drive) Unpack(folder string) (model string, err error) {
	err = d.files.Extract(folder, func(name string) bool { return strings.HasPrefix(name, vehicleFolder) })
	return filepath.Join(folder, filepath.FromSlash(vehicleFolder+d.Model)), err
}

// Vehicle repeats a drive.
type Vehicle interface {
	References(names ...string) ([]uint32, error)
	Advance(h float64, in []uint32, inputs []float64, out []uint32, outputs []float64) error
	Get(references []uint32, values []float64) error
	Save() ([]byte, error)
	Restore(state []byte) error
}

// Sink takes the rows of a repetition: at the begin of each segment, and after each slice. The slice is 0 at the begin.
type Sink func(segment, slice int, values []float64) error

// Result is the result of a repetition.
type Result struct {
	Equal, Compared int // states
}

// errOther is the error of a drive from another architecture.
var errOther = errors.New("numbers of another architecture differ in their last bits")

// Comparable is an error where the bits of a drive cannot be compared here.
func (d *Drive) Comparable() error {
	if d.Architecture != runtime.GOARCH {
		return fmt.Errorf("the drive was recorded on %s, this machine is %s: %w; --no-check repeats it without comparison",
			d.Architecture, runtime.GOARCH, errOther)
	}
	return nil
}

// Repeat repeats segments of the drive, all or one (from 1 on), with the outputs to read. It compares states, unless
// compare is false.
func (d *Drive) Repeat(v Vehicle, segment int, outputs []string, compare bool, to Sink) (result Result, err error) {
	if segment < 0 || segment > len(d.Segments) {
		return result, fmt.Errorf("segment %d; the drive has the segments 1 to %d", segment, len(d.Segments))
	}
	in, err := v.References(d.Inputs...)
	if err != nil {
		return result, err
	}
	out, err := v.References(outputs...)
	if err != nil {
		return result, err
	}
	row := make([]float64, len(out))
	for i := range d.Segments {
		if segment != 0 && segment != i+1 {
			continue
		}
		if err := d.repeat(v, i, in, out, row, compare, to, &result); err != nil {
			return result, err
		}
	}
	return result, nil
}

// checkInputs refuses inputs of a segment that are not as many as its slices.
func (d *Drive) checkInputs(segment int, data []byte) error {
	slices := d.Segments[segment-1].Slices
	if size := 8 * len(d.Inputs); len(data)%size != 0 || len(data)/size != slices {
		return fmt.Errorf("%s has %d bytes; %d slices of %d inputs have %d", inputsName(segment), len(data), slices,
			len(d.Inputs), slices*size)
	}
	return nil
}

func (d *Drive) repeat(v Vehicle, i int, in, out []uint32, row []float64, compare bool, to Sink, result *Result) error {
	s := &d.Segments[i]
	state, err := d.files.Read(stateName(i+1), bounded.State)
	if err != nil {
		return err
	}
	data, err := d.files.Read(inputsName(i+1), bounded.Drive)
	if err != nil {
		return err
	}
	if err := d.checkInputs(i+1, data); err != nil {
		return err
	}
	if err := v.Restore(state); err != nil {
		return fmt.Errorf("%s: %w", stateName(i+1), err)
	}
	if err := v.Get(out, row); err != nil {
		return err
	}
	if err := to(i+1, 0, row); err != nil {
		return err
	}
	inputs, left := make([]float64, len(in)), s.Digests
	for n := 1; n <= s.Slices; n++ {
		for k := range inputs {
			inputs[k] = math.Float64frombits(binary.LittleEndian.Uint64(data))
			data = data[8:]
		}
		if err := v.Advance(d.Step, in, inputs, out, row); err != nil {
			return fmt.Errorf("segment %d, slice %d: %w", i+1, n, err)
		}
		if err := to(i+1, n, row); err != nil {
			return err
		}
		if !compare || len(left) == 0 || left[0].Slice != n {
			continue
		}
		state, err := v.Save()
		if err != nil {
			return err
		}
		sum := sha256.Sum256(state)
		want, err := hex.DecodeString(left[0].Sum)
		result.Compared++
		if err != nil || !bytes.Equal(sum[:], want) {
			return fmt.Errorf("segment %d differs from the recorded drive within the second before %.6g s: the files, the "+
				"version (%s) or the machine are not those of the recording; --no-check repeats it without comparison", i+1,
				s.Time+float64(n)*d.Step, d.Version)
		}
		result.Equal++
		left = left[1:]
	}
	return nil
}
