package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// fullFrom is a file on a disk that is full.
type fullFrom struct{ name string }

func (f fullFrom) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: f.name, Err: syscall.ENOSPC}
}

// TestAFullDiskLeavesNoHalfFile, neither under the name that was asked for nor under another.
func TestAFullDiskLeavesNoHalfFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "run.csv")
	content := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			return err.Error()
		}
		return string(text)
	}
	refused := func(left int) {
		t.Helper()
		err := WriteFile(path, func(to io.Writer) error {
			if _, err := io.WriteString(to, "half of it"); err != nil {
				return err
			}
			n := to.(named)
			n.Writer = fullFrom{path + ".part"}
			_, err := io.WriteString(n, "the other half")
			return err
		})
		if want := "write " + path + ": "; !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q and that the disk is full", err, want)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != left {
			t.Errorf("%v %v are left, want %d files", files, err, left)
		}
	}
	refused(0)
	for _, text := range []string{"first", "second"} {
		if err := WriteFile(path,
			func(to io.Writer) error { _, err := io.WriteString(to, text); return err }); err != nil {
			t.Fatal(err)
		}
		if got := content(); got != text {
			t.Errorf("the file holds %q, want %q", got, text)
		}
		refused(1)
		if got := content(); got != text {
			t.Errorf("a write that fails leaves %q, want %q as before", got, text)
		}
	}
}

// TestWriteFileKeepsAttributesOfTheFile: its permissions, a link to it, and its write protection.
func TestWriteFileKeepsAttributesOfTheFile(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "run.csv"), filepath.Join(folder, "link.csv")
	something := func(to io.Writer) error { _, err := io.WriteString(to, "new"); return err }
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip("the system has no links: ", err)
	}
	if err := WriteFile(link, something); err != nil {
		t.Fatal(err)
	}
	if at, err := os.Lstat(link); err != nil || at.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link has become %v %v", at.Mode(), err)
	}
	if err := WriteFile(path, something); err != nil {
		t.Fatal(err)
	}
	if at, err := os.Stat(path); err != nil || at.Mode().Perm() != 0o600 {
		t.Errorf("mode %v %v, want 0600 as before", at.Mode(), err)
	}
	if text, _ := os.ReadFile(path); string(text) != "new" {
		t.Errorf("the file holds %q", text)
	}
}

// Two paths of one file are known before the file exists, also through a link to its folder. A device can be given
// twice.
func TestPathsOfOneFile(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.Mkdir("real", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("there.csv", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	linked := os.Symlink("real", "link") == nil // not allowed to every user of Windows
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"x.csv", filepath.Join(folder, "x.csv"), true},
		{"there.csv", filepath.Join("real", "..", "there.csv"), true},
		{"link/x.csv", "real/x.csv", linked},
		{"real/x.csv", "x.csv", false}, {"there.csv", "x.csv", false}, {"real/x.csv", "real/y.csv", false},
		{"x.csv", "X.CSV", runtime.GOOS == "windows"},
		{os.DevNull, os.DevNull, false},
	} {
		if same := SameFile(c.a, c.b); same != c.same {
			t.Errorf("%s and %s are one file: %t; want %t", c.a, c.b, same, c.same)
		}
	}
}
