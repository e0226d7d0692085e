package output

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// made are the result folders made by this process, each after its parent folders.
var made struct {
	sync.Mutex
	folders []string
}

// MakeFolder makes a folder for results, with those above it, before the work.
func MakeFolder(path string) error {
	if err := makeAll(path); err != nil {
		return fmt.Errorf("the folder for results cannot be made: %w", err)
	}
	return checkWritable(path)
}

// makeAll is os.MkdirAll, and notes what it makes.
func makeAll(path string) error {
	var missing []string
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		if _, err := os.Stat(p); err == nil || filepath.Dir(p) == p {
			break
		}
		missing = append([]string{p}, missing...)
	}
	if len(missing) == 0 {
		return os.MkdirAll(path, 0o755) // which refuses what is not a folder
	}
	made.Lock()
	defer made.Unlock()
	for _, p := range missing { // by a path that a change of the working directory leaves as it is
		if absolute, err := filepath.Abs(p); err == nil {
			made.folders = append(made.folders, absolute)
		}
	}
	return os.MkdirAll(path, 0o755)
}

// RemoveEmptyFolders removes the folders that MakeFolder and WriteFile have made and nothing was written into, because
// the work failed. The command calls it at its end.
func RemoveEmptyFolders() {
	made.Lock()
	defer made.Unlock()
	for i := len(made.folders) - 1; i >= 0; i-- {
		os.Remove(made.folders[i]) // which fails where something is in it
	}
	made.folders = nil
}
