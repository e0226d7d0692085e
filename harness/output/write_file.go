package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file to write, by its name in a folder.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// WriteFile creates the file at path, and its folder, with what write writes. The file appears when it is complete:
// where writing fails, for example because the disk is full, what was there before stays as it is. An error of write is
// returned as it is: one of writing names the file at path already, others name the input that they are about. Links,
// devices and pipes are written through.
func WriteFile(path string, write func(io.Writer) error) error {
	if err := makeAll(filepath.Dir(path)); err != nil {
		return err
	}
	old, err := os.Lstat(path)
	if err == nil && !old.Mode().IsRegular() {
		return fill(path, path, os.O_CREATE|os.O_TRUNC, write)
	}
	if err := checkReplaceable(path); err != nil {
		return err
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

// checkReplaceable refuses a file that must not be written: it is not replaced either. One that is not there yet is not
// refused.
func checkReplaceable(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return file.Close()
}

// fill opens file and lets write write to it.
func fill(file, path string, flags int, write func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_WRONLY|flags, 0o666)
	if err != nil {
		return called(path, err)
	}
	err = write(named{f, path})
	if closing := f.Close(); err == nil {
		err = called(path, closing)
	}
	return err
}

// named is a file that its errors call path.
type named struct {
	io.Writer
	path string
}

func (n named) Write(p []byte) (int, error) {
	written, err := n.Writer.Write(p)
	return written, called(n.path, err)
}

// called returns err with path in place of the name that a file has until it is complete.
func called(path string, err error) error {
	if of, is := errors.AsType[*fs.PathError](err); is {
		return &fs.PathError{Op: of.Op, Path: path, Err: of.Err}
	}
	return err
}
