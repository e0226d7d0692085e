// Package bounded opens the files that a user names: regular files only, and of each no more than its kind may have.
//
//	path, Kind -> Read (the bytes) or Open (a reader of them)
//
// A pipe, a device, a socket or a folder is rejected before anything is read from it. The limit holds during reading: a
// file that grows, or that reports a wrong size, as below /proc, costs no more than a file of the largest allowed size.
// Every read of a file whose name or content comes from a third party goes through this package. bounded_test.go of
// package harness fails for reads outside this package.
package bounded

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"skidpad/model/shelf"
)

// Kind is a kind of file, with the most bytes that one may have.
type Kind struct {
	Name  string // as in "a NAME has at most"
	Bytes int64
}

const (
	kibi = 1 << 10
	mebi = 1 << 20
	gibi = 1 << 30
)

// The kinds of files that are read. docs/limits.md lists them.
var (
	// Model is a model file, or a base of one. The longest chain that is measured, of 500 bodies, has 150 KiB.
	Model = Kind{"model file", 4 * mebi}
	// Tire is a parameter file of a built-in tire function; the largest property files, with tables of shapes and loads,
	// have some 100 KiB.
	Tire = Kind{"tire file", 4 * mebi}
	// TireData is a parameter file that a library tire function reads itself: here it only counts as a part of the model's
	// identity.
	TireData = Kind{"parameter file of a library tire function", 64 * mebi}
	// Road is a table, a grid, a CRG or a road property file. A grid of 100 million heights, the most that are read, has
	// 0.5 to 1 GiB.
	Road = Kind{"road file", 1 * gibi}
	// Track is a CSV with the line of a track; 100 000 rows of 6 columns have some 8 MiB.
	Track = Kind{"track file", 16 * mebi}
	// Curves is a CSV of curves; 10 000 rows of 50 columns have some 8 MiB.
	Curves = Kind{"table of curves", 16 * mebi}
	// Manoeuvre is a manoeuvre file. A measured signal of an hour at 20 Hz has 2 MiB.
	Manoeuvre = Kind{"manoeuvre file", 4 * mebi}
	// Car is a file with the data of a car for manoeuvres.
	Car = Kind{"car file", 1 * mebi}
	// HardPoints is a file of another program with the hard points of an axle, a table of their names, or a table of the
	// points of a use. A subsystem text with all its blocks has some 100 KiB.
	HardPoints = Kind{"file of hard points", 4 * mebi}
	// Measured is a table of a K&C measurement, or a table of its names; 2000 rows of 24 columns have some 1 MiB.
	Measured = Kind{"table of a K&C measurement", 16 * mebi}
	// Study is a sweep as a file.
	Study = Kind{"study file", 4 * mebi}
	// Comparison says how runs are compared.
	Comparison = Kind{"comparison file", 1 * mebi}
	// System is a system of FMUs.
	System = Kind{"system file", 4 * mebi}
	// Table is a CSV of numbers: recorded runs, references, characteristic values, slips for a tire. A run of 1000 s at 1
	// kHz with 60 columns has 1 GiB.
	Table = Kind{"CSV table", 1 * gibi}
	// FMU is a packed FMU.
	FMU = Kind{"FMU", 1 * gibi}
	// Description is a modelDescription.xml; that of 100 000 variables has some 30 MiB.
	Description = Kind{"modelDescription.xml", 64 * mebi}
	// Source is a source file of an FMU; the largest that are made here have 6 MiB.
	Source = Kind{"source file of an FMU", 64 * mebi}
	// Library is a shared library that is copied or packed.
	Library = Kind{"shared library", 256 * mebi}
	// State is a vehicle's state; that of a vehicle with a terrain and 1000 coefficients has some 100 KiB.
	State = Kind{"saved state", 64 * mebi}
	// Drive is a recorded drive. The inputs of two hours at 1 kHz have 600 MB.
	Drive = Kind{"recorded drive", 1 * gibi}
	// Facts are the small files of resources/references, and pages that the command itself has written.
	Facts = Kind{"reference file", 64 * mebi}
)

// Files reads a file of a kind that another file names.
type Files func(kind Kind, name string) ([]byte, error)

// Size is the limit as messages show it.
func (k Kind) Size() string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{gibi, "GiB"}, {mebi, "MiB"}, {kibi, "KiB"}} {
		if k.Bytes >= unit.bytes && k.Bytes%unit.bytes == 0 {
			return fmt.Sprintf("%d %s", k.Bytes/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", k.Bytes)
}

// Read returns the content of a file.
func (k Kind) Read(path string) ([]byte, error) {
	f, err := k.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// One byte more than the reported size: if the size is right, the read finds the end of the file without another
	// allocation.
	data := make([]byte, 0, f.size+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// File is an open file of a kind. Reading beyond the limit of its kind is an error.
type File struct {
	kind Kind
	name string
	file shelf.File
	size int64 // when it was opened
	read int64 // bytes, by Read
}

// Open opens a file for reading, on disk or of the shelf. Close it when done.
func (k Kind) Open(path string) (*File, error) {
	if shelf.Holds(path) {
		return k.shipped(path)
	}
	// Some devices act on being opened, so that the name is checked first. The open file decides: the name may have been
	// replaced since.
	if info, err := os.Stat(path); err == nil {
		if err := k.regular(path, info); err != nil {
			return nil, err
		}
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = k.regular(path, info)
	}
	if err == nil && info.Size() > k.Bytes {
		err = k.TooLarge(path)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	opened.note(path)
	return &File{kind: k, name: path, file: file, size: info.Size()}, nil
}

// shipped opens a file of the shelf.
func (k Kind) shipped(path string) (*File, error) {
	file, err := shelf.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = k.regular(path, info)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return &File{kind: k, name: path, file: file, size: info.Size()}, nil
}

// open opens a file without waiting for anything, as a writer to a pipe.
func open(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|nonblocking, 0) }

// regular rejects anything except a regular file.
func (k Kind) regular(path string, info fs.FileInfo) error {
	mode := info.Mode()
	is := "a special file"
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		is = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		is = "a pipe"
	case mode&fs.ModeSocket != 0:
		is = "a socket"
	case mode&fs.ModeDevice != 0:
		is = "a device"
	}
	return fmt.Errorf(
		"%s is %s; a %s must be a regular file of at most %s; copy the content into one, or correct the path", path, is,
		k.Name, k.Size())
}

// TooLarge says that a file is larger than its kind may be.
func (k Kind) TooLarge(path string) error {
	return fmt.Errorf("%s has more than %s, the most that a %s may have; correct the path or make the file smaller", path,
		k.Size(), k.Name)
}

// Size is how many bytes the file had when it was opened.
func (f *File) Size() int64 { return f.size }

// Read reads on. The first byte beyond the limit is an error.
func (f *File) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	if f.read += int64(n); f.read > f.kind.Bytes {
		return 0, f.kind.TooLarge(f.name)
	}
	return n, err
}

// ReadAt reads at a place within the limit, as an archive is read.
func (f *File) ReadAt(p []byte, at int64) (int, error) {
	if at > f.kind.Bytes-int64(len(p)) {
		return 0, f.kind.TooLarge(f.name)
	}
	return f.file.ReadAt(p, at)
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
