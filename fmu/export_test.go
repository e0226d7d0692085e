package fmu

import (
	"io"

	"skidpad/model/bounded"
)

// ReadArchive unpacks all files of an archive.
func ReadArchive(r io.ReaderAt, size int64) (map[string][]byte, error) {
	a, err := NewArchive(r, size)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range a.Names() {
		if files[name], err = a.Read(name, bounded.FMU); err != nil {
			return nil, err
		}
	}
	return files, nil
}
