package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Empty folders that were made for results are removed, inner folders first; folders with content, and folders that
// existed before, stay.
func TestEmptyFoldersAreRemoved(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	if err := os.Mkdir("own", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"own", "a/b/c", filepath.Join(top, "a", "b", "d"), "full/empty"} {
		if err := MakeFolder(folder); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			t.Fatalf("%s was not made: %v", folder, err)
		}
	}
	failure := errors.New("fails")
	if err := WriteFile("written/x.csv", func(io.Writer) error { return failure }); !errors.Is(err, failure) {
		t.Error(err)
	}
	write := func(to io.Writer) error { _, err := io.WriteString(to, "1"); return err }
	if err := WriteFile("full/x.csv", write); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	unwritable := []string{"file", "file/x"}
	if runtime.GOOS == "linux" { // where also root makes no file
		unwritable = append(unwritable, "/proc")
		if err := CheckOutput("/proc/x.csv", ".csv"); err == nil || !strings.HasPrefix(err.Error(),
			"results cannot be written into /proc: ") || strings.Contains(err.Error(), "skidpad") {
			t.Errorf("a file in /proc: %v", err)
		}
	}
	for _, folder := range unwritable {
		if err := MakeFolder(folder); err == nil {
			t.Errorf("%s is made a folder", folder)
		}
	}
	if err := CheckOutput("full/y.csv", ".csv"); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir("full"); len(entries) != 2 {
		t.Errorf("a check leaves %v", entries)
	}
	t.Chdir(os.TempDir()) // paths refer to the working folder at the time of their creation
	RemoveEmptyFolders()
	for path, stays := range map[string]bool{"own": true, "a": false, "full/x.csv": true, "full/empty": false,
		"written": false, "file": true} {
		if _, err := os.Stat(filepath.Join(top, path)); (err == nil) != stays {
			t.Errorf("%s stays %v, want %v", path, err == nil, stays)
		}
	}
	if err := os.Mkdir(filepath.Join(top, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	RemoveEmptyFolders()
	if _, err := os.Stat(filepath.Join(top, "a")); err != nil {
		t.Error("a folder that the user has made since is removed")
	}
}
