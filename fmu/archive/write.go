package archive

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"
	"slices"
)

// Write writes files as a zip archive whose bytes depend on the files only: sorted, deflated, dated 1980-01-01, mode
// 0644, without zip64. All sizes precede the data, because streaming readers need them there.
func Write(w io.Writer, files map[string][]byte) error {
	compressed := map[string]*Compressed{}
	for name, content := range files {
		var err error
		if compressed[name], err = Compress(content); err != nil {
			return err
		}
	}
	return WriteCompressed(w, compressed)
}

// Compressed is the content of a file, deflated once for any number of archives.
type Compressed struct {
	packed []byte
	crc    uint32
	size   int
}

// Compress deflates the content of a file.
func Compress(content []byte) (*Compressed, error) {
	var packed bytes.Buffer
	// the best takes three times as long for half a percent
	f, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if _, err := f.Write(content); err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return &Compressed{packed.Bytes(), crc32.ChecksumIEEE(content), len(content)}, nil
}

// WriteCompressed is Write for files that are compressed already.
func WriteCompressed(w io.Writer, files map[string]*Compressed) error {
	var names []string
	for name := range files {
		if err := CheckName(name); err != nil {
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
