package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"skidpad/harness"
	"skidpad/harness/tests/testrun"
)

// write makes files below a new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// Licences of authors below a module are copied, too; a module without any is refused.
func TestLicencesAreFoundOrRefused(t *testing.T) {
	source := write(t, map[string]string{"LICENSE": "a", "deep/COPYING.txt": "b", "deep/licence-MIT": "c", "NOTICE": "d",
		"testdata/LICENSE": "x", "licenses.go": "x", "license.go": "x", "README.md": "x", "unlicensed": "x"})
	for deep, want := range map[bool][]string{
		true: {"LICENSE", "NOTICE", "deep/COPYING.txt", "deep/licence-MIT"}, false: {"LICENSE", "NOTICE"},
	} {
		folder := t.TempDir()
		if err := copyLicences(source, folder, deep); err != nil {
			t.Fatal(err)
		}
		var got []string
		filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if !entry.IsDir() {
				name, _ := filepath.Rel(folder, path)
				got = append(got, filepath.ToSlash(name))
			}
			return err
		})
		if !slices.Equal(got, want) {
			t.Errorf("deep %v: %q; want %q", deep, got, want)
		}
	}
	err := copyLicences(write(t, map[string]string{"README.md": "x", "testdata/LICENSE": "x"}), t.TempDir(), true)
	if err == nil || !strings.Contains(err.Error(), "no file with a licence") {
		t.Errorf("a module without a licence: %v", err)
	}
}

// The licences of this test program include the licence of Go and no module licence, since it uses the standard library
// only.
func TestBinariesWithoutModulesAreRefused(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text := write(t, map[string]string{"text": "no program"})
	for name, want := range map[string]string{self: "no module", filepath.Join(text, "text"): "text: "} {
		if err := collect(t.TempDir(), []string{name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
}

// A library that needs a glibc newer than 2.28 is refused. Older libraries and other files pass.
func TestNewerSymbolsAreRefused(t *testing.T) {
	testrun.Requires(t, "gcc")
	folder := write(t, map[string]string{"new.c": "extern int uses(void);\n" +
		"__asm__(\".symver uses, pthread_create@GLIBC_2.34\");\nint f(void) { return uses(); }\n",
		"old.c": "extern int abs(int);\nint f(int x) { return abs(x) + 1; }\n"})
	for name, refused := range map[string]bool{"new": true, "old": false} {
		library := filepath.Join(folder, name+".so")
		if text, err := exec.Command("gcc", "-shared", "-fPIC", "-Wl,-soname,lib"+name, "-o", library,
			filepath.Join(folder, name+".c")).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		content, err := os.ReadFile(library)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkSymbols(content); (err != nil) != refused {
			t.Errorf("%s: %v", name, err)
		} else if refused && !strings.Contains(err.Error(), "pthread_create of GLIBC_2.34") {
			t.Error(err)
		}
		if called, err := soname(content); called != "lib"+name || err != nil {
			t.Errorf("%q, %v", called, err)
		}
		if err := checkSymbols(content[:100]); err == nil {
			t.Error("half a library passes")
		}
	}
	if err := checkSymbols([]byte("[model]")); err != nil {
		t.Error(err)
	}
}

// The citation has the version of the product and the fields that its format requires.
func TestTheCitationHasTheVersion(t *testing.T) {
	text, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"cff-version: 1.2.0", "version: " + harness.Version, "type: software", "authors:"} {
		if !strings.Contains("\n"+string(text), "\n"+line+"\n") {
			t.Errorf("CITATION.cff has no line %q", line)
		}
	}
	for _, key := range []string{"message: ", "title: "} {
		if !strings.Contains("\n"+string(text), "\n"+key) {
			t.Errorf("CITATION.cff has no %s", key)
		}
	}
}

// Equal files give equal archives, with one date, one owner and the mark of programs.
func TestArchivesDependOnTheirFilesOnly(t *testing.T) {
	r := &release{date: time.Unix(1e9, 0).UTC()}
	files := map[string]file{"skidpad": {[]byte("program"), true}, "b/c": {[]byte("text"), false}, "a": {nil, false}}
	for name, pack := range map[string]func(io.Writer, string, map[string]file) error{"tar": r.tarball, "zip": r.zipped} {
		var one, other bytes.Buffer
		if err := errors.Join(pack(&one, "top", files), pack(&other, "top", files)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Bytes(), other.Bytes()) {
			t.Errorf("%s: two archives of the same files differ", name)
		}
		var listed []string
		if name == "tar" {
			z, err := gzip.NewReader(&one)
			if err != nil {
				t.Fatal(err)
			}
			for archive := tar.NewReader(z); ; {
				h, err := archive.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if !h.ModTime.Equal(r.date) || h.Uid != 0 || h.Gid != 0 || h.Uname != "" ||
					(h.Mode == 0o755) != (h.Name == "top/skidpad") {
					t.Errorf("%+v", h)
				}
				listed = append(listed, h.Name)
			}
		} else {
			z, err := zip.NewReader(bytes.NewReader(one.Bytes()), int64(one.Len()))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range z.File {
				if !f.Modified.Equal(r.date) {
					t.Errorf("%+v", f)
				}
				listed = append(listed, f.Name)
			}
		}
		if want := []string{"top/a", "top/b/c", "top/skidpad"}; !slices.Equal(listed, want) {
			t.Errorf("%s: %q", name, listed)
		}
	}
}
