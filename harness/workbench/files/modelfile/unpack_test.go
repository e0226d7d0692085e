package modelfile

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packed writes an archive with files.
func packed(t *testing.T, files map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "car.fmu")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	for name, text := range files {
		entry, err := z.Create(name)
		if err == nil {
			_, err = entry.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// The model file of a Skidpad FMU comes with its tires and its tree, and without libraries. Other FMUs, and archives
// with names that lead elsewhere, are refused.
func TestModelFilesOfFMUs(t *testing.T) {
	folder := t.TempDir()
	model, tree, err := Unpack(packed(t, map[string]string{"modelDescription.xml": "<x/>", "resources/model.toml": "name",
		"resources/tires/a.toml": "tire", "resources/tree.txt": "second", "binaries/x86_64-linux/car.so": "code"}), folder)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{model: "name", filepath.Join(filepath.Dir(model), "tires/a.toml"): "tire"} {
		if text, err := os.ReadFile(path); string(text) != want {
			t.Errorf("%s has %q, %v", path, text, err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "binaries")); err == nil || tree != "second" ||
		!strings.HasPrefix(model, folder) {
		t.Errorf("libraries are unpacked, or the tree is %q of %s", tree, model)
	}
	_, tree, err = Unpack(packed(t, map[string]string{"modelDescription.xml": "<x/>", "resources/model.toml": ""}),
		t.TempDir())
	if err != nil || tree != "" {
		t.Errorf("without a tree: %q, %v", tree, err)
	}
	for want, files := range map[string]map[string]string{
		"has no model file of Skidpad": {"modelDescription.xml": "<x/>", "resources/car.toml": ""},
		"..":                           {"modelDescription.xml": "<x/>", "resources/model.toml": "", "resources/../../a": ""},
	} {
		if _, _, err := Unpack(packed(t, files), t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Other FMUs are told apart from faulty ones. What cannot be read or written is an error with its file, and no file
// stays open.
func TestFMUsThatCannotBeUnpacked(t *testing.T) {
	with := func(name, text string) map[string]string {
		return map[string]string{"modelDescription.xml": "<x/>", "resources/model.toml": "", name: text}
	}
	other := packed(t, map[string]string{"modelDescription.xml": "<x/>"})
	if _, _, err := Unpack(other, t.TempDir()); !errors.Is(err, ErrNoModel) {
		t.Errorf("an FMU of another tool: %v", err)
	}
	long := packed(t, with("resources/tree.txt", strings.Repeat("x", 5<<20)))
	if _, _, err := Unpack(long, t.TempDir()); err == nil || errors.Is(err, ErrNoModel) ||
		!strings.Contains(err.Error(), "tree.txt") || !strings.Contains(err.Error(), long) {
		t.Errorf("a tree of 5 MiB: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	good := packed(t, with("resources/tree.txt", "second"))
	if model, _, err := Unpack(good, file); err == nil || model != "" || !strings.Contains(err.Error(), good) {
		t.Errorf("a file in place of a folder: %q, %v", model, err)
	}
	open, _ := filepath.Glob("/proc/self/fd/*") // none on other systems than Linux
	for _, name := range open {
		if to, err := os.Readlink(name); err == nil && (to == other || to == long || to == good) {
			t.Errorf("%s is still open", to)
		}
	}
}
