package output

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Growing is a file that is written while its content comes to be.
type Growing struct {
	file *os.File
	path string      // that it has when it is complete
	part string      // temporary name until completion; "" for a file that is at its path from the beginning
	old  fs.FileInfo // of the file that was at its path before; nil without
}

// Grow creates the file at path, and its folder, and lets it grow there: written parts can be read during the writing,
// and stay if the process dies. An earlier file is overwritten.
func Grow(path string) (*Growing, error) {
	if err := makeAll(filepath.Dir(path)); err != nil {
		return nil, err
	}
	return grow(&Growing{path: path}, path, os.O_CREATE|os.O_TRUNC)
}

// GrowAside makes a file beside path, and its folder, which Complete moves there. Links, devices and pipes are written
// through.
func GrowAside(path string) (*Growing, error) {
	if err := makeAll(filepath.Dir(path)); err != nil {
		return nil, err
	}
	old, err := os.Lstat(path)
	if err == nil && !old.Mode().IsRegular() {
		return Grow(path)
	}
	if err := checkReplaceable(path); err != nil {
		return nil, err
	}
	g := &Growing{path: path, part: fmt.Sprintf("%s.%d.part", path, os.Getpid()), old: old}
	return grow(g, g.part, os.O_CREATE|os.O_EXCL)
}

func grow(g *Growing, file string, flags int) (_ *Growing, err error) {
	if g.file, err = os.OpenFile(file, os.O_WRONLY|flags, 0o666); err != nil {
		return nil, called(g.path, err)
	}
	return g, nil
}

// Write writes on. Errors name the path of the file.
func (g *Growing) Write(p []byte) (int, error) {
	n, err := g.file.Write(p)
	return n, called(g.path, err)
}

// WriteAt overwrites data at an offset; the data must have been written before.
func (g *Growing) WriteAt(p []byte, at int64) (int, error) {
	n, err := g.file.WriteAt(p, at)
	return n, called(g.path, err)
}

// HasPlaces reports whether WriteAt can be called: not for devices and pipes.
func (g *Growing) HasPlaces() bool {
	info, err := g.file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// Complete closes the file and moves it to its path, unless it is there already.
func (g *Growing) Complete() error {
	err := called(g.path, g.file.Close())
	if g.part == "" {
		return err
	}
	if err == nil && g.old != nil {
		err = os.Chmod(g.part, g.old.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(g.part, g.path)
	}
	if err != nil {
		os.Remove(g.part)
	}
	return err
}

// Discard closes the file and removes it, unless it is at its path already.
func (g *Growing) Discard() {
	g.file.Close()
	if g.part != "" {
		os.Remove(g.part)
	}
}
