package bounded

import "path/filepath"

// Beside is the path of a file that the file at path names: relative to its folder, unless it is absolute.
func Beside(path, file string) string {
	if file = filepath.FromSlash(file); filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(filepath.Dir(path), file)
}
