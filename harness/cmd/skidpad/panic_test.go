package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model/bounded"
)

// A defect of the program is one line with its place and the files that were read, and a failure.
func TestADefectIsOneLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "unicycle.toml")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	var none []int
	status := withoutPanic(&stderr, func() int {
		if _, err := bounded.Model.Read(path); err != nil {
			t.Error(err)
		}
		return none[len(stderr.String())]
	})
	got := stderr.String()
	if status != failed || strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "\n") {
		t.Errorf("status %d, %q", status, got)
	}
	for _, want := range []string{"defect", "index out of range", "TestADefectIsOneLine", "report", "--version"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	if all := bounded.Opened(); len(all) < 4 && !strings.Contains(got, path) {
		t.Errorf("%q lacks %q", got, path)
	}
	if status := withoutPanic(&stderr, func() int { return good }); status != good || stderr.String() != got {
		t.Errorf("without a panic: status %d, %q", status, stderr.String())
	}
}
