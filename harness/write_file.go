package harness

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile creates the file at path, and its folder, with what write writes. The file appears when it is complete: where
// writing fails, for example because the disk is full, the error names path, and what was there before stays as it is.
// Links, devices and pipes are written through.
func WriteFile(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	old, err := os.Lstat(path)
	if err == nil && !old.Mode().IsRegular() {
		return fill(path, path, os.O_CREATE|os.O_TRUNC, write)
	}
	if err == nil { // what must not be written is not replaced either
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		file.Close()
	}
	part := fmt.Sprintf("%s.%d.part", path, os.Getpid())
	err = fill(part, path, os.O_CREATE|os.O_EXCL, write)
	if err == nil && old != nil {
		err = os.Chmod(part, old.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		os.Remove(part)
	}
	return err
}

// fill opens file and lets write write to it. Errors of writing name path; those of write about its inputs stay as they
// are.
func fill(file, path string, flags int, write func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_WRONLY|flags, 0o666)
	if err != nil {
		return err
	}
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if of, is := errors.AsType[*fs.PathError](err); is && of.Path == file {
		of.Path = path
	}
	return err
}
