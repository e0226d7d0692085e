package library

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A library may need a file from outside of the FMU: always in FMI 2.0, and in FMI 3.0 if the need is documented. A
// file that is no library is an error.
func TestExternalNeedsOfAnFMU(t *testing.T) {
	documented := t.TempDir()
	if err := os.MkdirAll(filepath.Join(documented, "documentation"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(documented, "documentation", "externalDependencies.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for text, elsewhere := range map[string]bool{
		"cannot load x.so: libgfortran.so.3: cannot open shared object file: No such file or directory": true,
		"cannot load x.so: x.so: undefined symbol: _Py_NoneStruct":                                      true,
		"cannot load x.so: libc.so.6: version `GLIBC_2.99' not found (required by x.so)":                true,
		"cannot load x.dylib: Library not loaded: libpython.dylib":                                      true,
		"cannot load x.dll: The specified module could not be found.":                                   true,
		"cannot load x.so: x.so: file too short":                                                        false,
		"cannot load x.so: x.so: invalid ELF header":                                                    false,
	} {
		for folder, documents := range map[string]bool{documented: true, t.TempDir(): false} {
			for _, version := range []int{2, 3} {
				f := &FMU{Description: &Description{Version: version}, Folder: folder}
				if got := f.mayNeed(errors.New(text)); got != (elsewhere && (version == 2 || documents)) {
					t.Errorf("FMI %d.0, documented %t, %s: %t", version, documents, text, got)
				}
			}
		}
	}
	needs := faulty(t, "fmi2DoStep", "({ extern void from_elsewhere(void); from_elsewhere(); })", "")
	found, err := Exercise(foreign(t, "faulty", needs, nil))
	if err != nil || len(found) != 1 || found[0].Level != Caution ||
		!strings.Contains(found[0].Text, "undefined symbol: from_elsewhere; the FMU does not bring what it needs") {
		t.Errorf("%v, error %v", found, err)
	}
}
