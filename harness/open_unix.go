//go:build !windows

package harness

import "github.com/ebitengine/purego"

// openLibrary loads a shared library with all symbols bound at once and none of
// them visible to libraries loaded later.
func openLibrary(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }
