package fmu

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"slices"
	"strings"
)

// WriteArchive writes files as a zip archive whose bytes depend on the files only:
// sorted, deflated, dated 1980-01-01, mode 0644, with all sizes in front, because
// readers that stream need them there, and without zip64.
func WriteArchive(w io.Writer, files map[string][]byte) error {
	deflated := map[string]*deflated{}
	for name, content := range files {
		var err error
		if deflated[name], err = deflate(content); err != nil {
			return err
		}
	}
	return writeDeflated(w, deflated)
}

// deflated is the content of a file, compressed.
type deflated struct {
	packed []byte
	crc    uint32
	size   int
}

func deflate(content []byte) (*deflated, error) {
	var packed bytes.Buffer
	f, err := flate.NewWriter(&packed, flate.DefaultCompression) // the best takes three times as long for half a percent
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(content); err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return &deflated{packed.Bytes(), crc32.ChecksumIEEE(content), len(content)}, nil
}

func writeDeflated(w io.Writer, files map[string]*deflated) error {
	var names []string
	for name := range files {
		if err := checkName(name); err != nil {
			return err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	z := zip.NewWriter(w)
	for _, name := range names {
		file := files[name]
		h := &zip.FileHeader{
			Name: name, Method: zip.Deflate, ReaderVersion: 20, CRC32: file.crc,
			CompressedSize64: uint64(len(file.packed)), UncompressedSize64: uint64(file.size),
			//lint:ignore SA1019 CreateRaw writes this field as it is, and not Modified
			ModifiedDate: 1<<5 | 1, // 1980-01-01
		}
		h.SetMode(0o644)
		entry, err := z.CreateRaw(h)
		if err != nil {
			return err
		}
		if _, err := entry.Write(file.packed); err != nil {
			return err
		}
	}
	return z.Close()
}

// maxArchive bounds what is unpacked from an archive, in bytes.
const maxArchive = 1 << 30

// ReadArchive reads all files of an archive. Names that could leave a folder, entries
// that come twice, links, encrypted and zip64 entries, unknown methods, and archives
// that unpack to more than 1 GiB are refused.
func ReadArchive(r io.ReaderAt, size int64) (map[string][]byte, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("not a zip archive: %w", err)
	}
	files := map[string][]byte{}
	left := int64(maxArchive)
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") && f.UncompressedSize64 == 0 {
			continue // a folder
		}
		if err := checkEntry(f); err != nil {
			return nil, err
		}
		if _, twice := files[f.Name]; twice {
			return nil, fmt.Errorf("%q comes twice", f.Name)
		}
		entry, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", f.Name, err)
		}
		content, err := io.ReadAll(io.LimitReader(entry, left+1))
		entry.Close()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", f.Name, err)
		}
		if left -= int64(len(content)); left < 0 {
			return nil, fmt.Errorf("the archive unpacks to more than %d bytes", int64(maxArchive))
		}
		files[f.Name] = content
	}
	return files, nil
}

func checkEntry(f *zip.File) error {
	switch {
	case f.Flags&1 != 0:
		return fmt.Errorf("%q is encrypted", f.Name)
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fmt.Errorf("%q is compressed by method %d; only store and deflate are allowed", f.Name, f.Method)
	case f.Method == zip.Store && f.Flags&8 != 0:
		return fmt.Errorf("%q is stored without its size in front", f.Name)
	case f.ReaderVersion > 20:
		return fmt.Errorf("%q needs version %d.%d of zip; 2.0 is allowed", f.Name, f.ReaderVersion/10, f.ReaderVersion%10)
	case !f.Mode().IsRegular():
		return fmt.Errorf("%q is a link or another special file; an FMU holds plain files only", f.Name)
	}
	return checkName(f.Name)
}

// checkName refuses names that are no clean relative path of ASCII letters.
func checkName(name string) error {
	if name == "" || strings.HasPrefix(name, ".") || name != path.Clean(name) || path.IsAbs(name) {
		return fmt.Errorf("the archive name %q is not a clean relative path", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return fmt.Errorf("the archive name %q leaves the archive", name)
		}
	}
	for _, c := range name {
		if c < ' ' || c > '~' || c == '\\' || c == ':' {
			return fmt.Errorf("the archive name %q has the character %q", name, c)
		}
	}
	return nil
}

var errNoDescription = errors.New("the archive has no modelDescription.xml in its root")
