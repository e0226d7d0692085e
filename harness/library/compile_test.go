package library

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"skidpad/fmu/check"
	"skidpad/harness/tests/testrun"
)

// Source files that take too long together end the check of sources with one finding.
func TestCompilingIsLimited(t *testing.T) {
	testrun.RequiresOne(t, "cc", "gcc", "clang")
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("there is no file that never ends")
	}
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "sources"), 0o700); err != nil {
		t.Fatal(err)
	}
	endless := []byte("#include \"/dev/zero\"\n")
	if err := os.WriteFile(filepath.Join(folder, "sources", "m.c"), endless, 0o600); err != nil {
		t.Fatal(err)
	}
	limit, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	found, err := compileSets(limit, folder, slices.Repeat([]check.SourceSet{{Files: []string{"m.c", "m.c"}}}, 2))
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Text, "sources/m.c took the C compiler longer than") {
		t.Errorf("%v, error %v", found, err)
	}
}
