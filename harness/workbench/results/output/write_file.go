package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// File is a file to write, by its name in a folder.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// WriteFile creates the file at path, and its folder, with what write writes. The file appears when it is complete: if
// writing fails, for example because the disk is full, an earlier file at path is unchanged. An error of write is
// returned unchanged: writing errors already name the file at path, other errors name their input. Links, devices and
// pipes are written through.
func WriteFile(path string, write func(io.Writer) error) error {
	g, err := GrowAside(path)
	if err != nil {
		return err
	}
	if err := write(named{g.file, path}); err != nil {
		g.Discard()
		return err
	}
	return g.Complete()
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
