package bounded

import (
	"slices"
	"sync"
)

// opened are the first files that the process has opened.
var opened files

type files struct {
	sync.Mutex
	paths []string
}

// mostNoted is how many files a message names.
const mostNoted = 4

func (f *files) note(path string) {
	f.Lock()
	defer f.Unlock()
	if len(f.paths) < mostNoted && !slices.Contains(f.paths, path) {
		f.paths = append(f.paths, path)
	}
}

// Opened lists the first files that the process has opened for reading, at most four, for a message about a defect.
func Opened() []string {
	opened.Lock()
	defer opened.Unlock()
	return slices.Clone(opened.paths)
}
