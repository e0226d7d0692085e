package archive

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"skidpad/model/bounded"
)

// Limits of an archive. An FMU for many platforms with debug information has some 100 MiB in 100 files.
const (
	MaxUnpacked  = 1 << 30 // bytes of all entries
	MaxEntries   = 10_000
	maxDirectory = 8 << 20 // bytes that are read to find the entries: the directory, and the part searched for its end
)

// DescriptionFile is the name of the model description in an FMU.
const DescriptionFile = "modelDescription.xml"

// ErrNoDescription is the error for an archive that is not an FMU.
var ErrNoDescription = errors.New("the archive has no modelDescription.xml in its root")

// ErrNotZip is the error for a file that is no archive.
var ErrNotZip = errors.New("not a zip archive")

// Reader is an open archive whose entries have been checked. An entry is unpacked only when it is read or extracted.
type Reader struct {
	files  []*zip.File
	byName map[string]*zip.File
	file   io.Closer // nil where the archive is in memory
}

// Open opens an archive file. Close it when done.
func Open(path string) (*Reader, error) {
	file, err := bounded.FMU.Open(path)
	if err != nil {
		return nil, err
	}
	a, err := NewReader(file, file.Size())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	a.file = file
	return a, nil
}

// NewReader reads the directory of an archive. It rejects names that could leave a folder, duplicate entries, links,
// encrypted entries, unknown methods, and archives that unpack to more than 1 GiB or have more than 10 000 entries.
// It accepts some entries that FMI forbids; CheckEntry rejects them, too.
func NewReader(r io.ReaderAt, size int64) (*Reader, error) {
	files, err := Entries(r, size)
	if err != nil {
		return nil, err
	}
	a := &Reader{byName: map[string]*zip.File{}}
	left := uint64(MaxUnpacked)
	for _, f := range files {
		if strings.HasSuffix(f.Name, "/") && f.UncompressedSize64 == 0 {
			continue // a folder
		}
		if err := checkReadable(f); err != nil {
			return nil, err
		}
		if a.byName[f.Name] != nil {
			return nil, fmt.Errorf("%q is in the archive twice", f.Name)
		}
		if f.UncompressedSize64 > left {
			return nil, fmt.Errorf("the archive unpacks to more than %d bytes (1 GiB), the most that an FMU may have; "+
				"remove what it does not need", MaxUnpacked)
		}
		left -= f.UncompressedSize64
		a.files, a.byName[f.Name] = append(a.files, f), f
	}
	return a, nil
}

// Close closes the file of the archive.
func (a *Reader) Close() error {
	if a.file == nil {
		return nil
	}
	return a.file.Close()
}

// Names lists the files in the order of the archive.
func (a *Reader) Names() []string {
	var names []string
	for _, f := range a.files {
		names = append(names, f.Name)
	}
	return names
}

// Read unpacks a file, up to the largest size of its kind.
func (a *Reader) Read(name string, kind bounded.Kind) ([]byte, error) {
	f := a.byName[name]
	if f == nil {
		return nil, fmt.Errorf("the archive has no file %s", name)
	}
	return Unpack(f, kind)
}

// Description unpacks modelDescription.xml.
func (a *Reader) Description() ([]byte, error) {
	if a.byName[DescriptionFile] == nil {
		return nil, ErrNoDescription
	}
	return a.Read(DescriptionFile, bounded.Description)
}

// Extract writes the files with wanted names to a folder, a part of a file at a time.
func (a *Reader) Extract(folder string, wanted func(name string) bool) error {
	for _, f := range a.files {
		if !wanted(f.Name) {
			continue
		}
		to := filepath.Join(folder, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := ExtractEntry(f, to); err != nil {
			return fmt.Errorf("%q: %w", f.Name, err)
		}
	}
	return nil
}

// ExtractEntry writes the content of an entry to a new file, a part at a time.
func ExtractEntry(f *zip.File, to string) error {
	entry, err := f.Open()
	if err != nil {
		return err
	}
	defer entry.Close()
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	// Package zip limits the content to the size in the directory.
	if _, err = io.Copy(file, entry); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// Unpack returns the content of an entry.
func Unpack(f *zip.File, kind bounded.Kind) ([]byte, error) {
	// Deflate packs at most 1032 bytes into one: a larger size is false, and no memory is allocated for it.
	if f.UncompressedSize64 > uint64(kind.Bytes) || f.UncompressedSize64/1033 > f.CompressedSize64 {
		return nil, fmt.Errorf("%q unpacks to %d bytes; a %s has at most %s, and at most 1032 bytes for each packed byte",
			f.Name, f.UncompressedSize64, kind.Name, kind.Size())
	}
	entry, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%q: %w", f.Name, err)
	}
	defer entry.Close()
	content := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(entry, content); err != nil {
		return nil, fmt.Errorf("%q: %w", f.Name, err)
	}
	if n, err := entry.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) { // the checksum is compared at the end
		return nil, fmt.Errorf("%q: %w", f.Name, cmp.Or(err, zip.ErrFormat))
	}
	return content, nil
}

// Entries lists the entries of an archive. Package zip reads all consecutive entries and ignores the archive's count,
// so Entries limits the bytes that package zip reads for the directory.
func Entries(r io.ReaderAt, size int64) ([]*zip.File, error) {
	limited := &directoryReader{ReaderAt: r, left: maxDirectory}
	z, err := zip.NewReader(limited, size)
	switch {
	case limited.left < 0:
		return nil, fmt.Errorf("the directory of the archive has more than %d bytes (8 MiB); an FMU has at most %d "+
			"entries", maxDirectory, MaxEntries)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNotZip, err)
	case len(z.File) > MaxEntries:
		return nil, fmt.Errorf("the archive has %d entries; an FMU has at most %d", len(z.File), MaxEntries)
	}
	limited.left = math.MaxInt64
	return z.File, nil
}

// directoryReader bounds what is read until the entries of an archive are known.
type directoryReader struct {
	io.ReaderAt
	left int64
}

func (r *directoryReader) ReadAt(p []byte, at int64) (int, error) {
	if r.left != math.MaxInt64 {
		if r.left -= int64(len(p)); r.left < 0 {
			return 0, errors.New("the directory is too large")
		}
	}
	return r.ReaderAt.ReadAt(p, at)
}

// CheckEntry rejects an entry that an FMU must not have.
func CheckEntry(f *zip.File) error {
	switch {
	case f.Method == zip.Store && f.Flags&8 != 0:
		return fmt.Errorf("%q is stored without its size in the local header", f.Name)
	case f.ReaderVersion&0xff > 20: // some writers put the system into the upper byte
		return fmt.Errorf("%q needs version %d.%d of zip; at most 2.0 is allowed", f.Name, f.ReaderVersion&0xff/10,
			f.ReaderVersion&0xff%10)
	}
	return checkReadable(f)
}

// checkReadable rejects an entry that cannot be read, or that is not safe to read.
func checkReadable(f *zip.File) error {
	switch {
	case f.Flags&1 != 0:
		return fmt.Errorf("%q is encrypted", f.Name)
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fmt.Errorf("%q is compressed by method %d; only store and deflate are allowed", f.Name, f.Method)
	case !f.Mode().IsRegular():
		return fmt.Errorf("%q is a link or another special file; an FMU holds plain files only", f.Name)
	}
	return CheckPath(f.Name)
}

// CheckPath rejects names that are not a clean relative path with forward slashes. A name that passes is allowed in a
// zip archive and stays in its folder. It can have letters beyond ASCII and name a hidden file.
func CheckPath(name string) error {
	switch {
	case strings.Contains(name, `\`):
		return fmt.Errorf(`the archive name %q has a backslash; a zip archive separates folders by /`, name)
	case name == "" || name == "." || name != path.Clean(name) || path.IsAbs(name) || name == ".." ||
		strings.HasPrefix(name, "../"):
		return fmt.Errorf("the archive name %q is not a clean relative path", name)
	case !filepath.IsLocal(name): // such as NUL or a drive where this system has them
		return fmt.Errorf("the archive name %q cannot be the name of a file on this system", name)
	}
	for _, c := range name {
		if c < ' ' || c == 0x7f {
			return fmt.Errorf("the archive name %q has the character %q", name, c)
		}
	}
	return nil
}

// CheckName rejects what CheckPath rejects, and names that some systems cannot unpack: letters beyond ASCII, colons,
// and a dot at the beginning.
func CheckName(name string) error {
	if err := CheckPath(name); err != nil {
		return err
	}
	if strings.HasPrefix(name, ".") {
		return fmt.Errorf("the archive name %q begins with a dot, which some importers reject", name)
	}
	for _, c := range name {
		if c > '~' || c == ':' {
			return fmt.Errorf("the archive name %q has the character %q, which some systems cannot unpack", name, c)
		}
	}
	return nil
}
