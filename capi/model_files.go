package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"maps"
	"slices"
	"unsafe"

	"skidpad/cosim"
	"skidpad/fmu"
)

// origin names the model file of a vehicle.
type origin struct {
	path  string
	token string // of its files
}

// modelFiles: see skidpad_model_files.
func modelFiles(handle uintptr, buffer *byte, capacity int64, size *int64) status {
	return guard(handle, func(v *vehicle) error {
		if size == nil {
			return argumentError("size is NULL")
		}
		if capacity < 0 || capacity > 0 && buffer == nil {
			return argumentError("buffer is NULL, or its capacity is negative")
		}
		in, ok := v.engine.(*cosim.Instance)
		if !ok {
			return errors.New("the vehicle has no model file")
		}
		files, err := fmu.CollectInPlace(v.origin.path, v.origin.token, in.TextFiles())
		if err != nil {
			return err
		}
		packed, err := pack(files)
		if err != nil {
			return err
		}
		if *size = int64(len(packed)); capacity >= *size {
			copy(unsafe.Slice(buffer, capacity), packed)
		}
		return nil
	})
}

// pack writes a ZIP archive: the model file first, then the other files, sorted. The bytes of the archive depend on the
// files only.
func pack(files *fmu.ModelFiles) ([]byte, error) {
	names := slices.Sorted(maps.Keys(files.Files))
	names = slices.DeleteFunc(names, func(name string) bool { return name == files.Model })
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, name := range append([]string{files.Model}, names...) {
		entry, err := z.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(files.Files[name]); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return packed.Bytes(), err
}
