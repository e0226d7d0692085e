package bounded

import (
	"os"
	"path/filepath"

	"skidpad/model/shelf"
)

// IsAbsolute reports whether a name of a file is an absolute path or the path of a shipped file: the same file for all
// folders.
func IsAbsolute(file string) bool {
	return filepath.IsAbs(filepath.FromSlash(file)) || shelf.Holds(file)
}

// Beside is the path of a file that the file at path names: relative to its folder, unless it is absolute.
func Beside(path, file string) string { return In(filepath.Dir(path), file) }

// In is the path of a file that a file in a folder names.
func In(folder, file string) string {
	switch {
	case shelf.Holds(file):
		return filepath.ToSlash(file)
	case IsAbsolute(file):
		return filepath.FromSlash(file)
	}
	return filepath.Join(folder, filepath.FromSlash(file))
}

// OrShipped is a path if a file exists there. Otherwise it is the path of the shipped file with this name in one of
// folders of the shelf, if there is such a file.
func OrShipped(path, name string, folders ...string) string {
	if exists(path) {
		return path
	}
	if shipped, err := shelf.Find(name, folders...); err == nil && shipped != "" {
		return shipped
	}
	return path
}

func exists(path string) bool {
	if !shelf.Holds(path) {
		_, err := os.Stat(path)
		return err == nil
	}
	file, err := shelf.Open(path)
	if err != nil {
		return false
	}
	file.Close()
	return true
}
