package template

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// Every template has a vehicle of less than 90 lines, which is read without a warning, tires and a manoeuvre. Its page
// names all files.
func TestTemplatesAreWithoutWarnings(t *testing.T) {
	folders, err := os.ReadDir("../../../../resources/templates")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != len(All) {
		t.Errorf("%d folders, %d templates", len(folders), len(All))
	}
	for _, template := range All {
		folder := filepath.Join(t.TempDir(), template.Name)
		if err := template.Write(folder); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(folder, "vehicle.toml"))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n >= 90 {
			t.Errorf("%s: %d lines", template.Name, n)
		}
		m, err := vehicle.Read(filepath.Join(folder, "vehicle.toml"))
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Warnings) > 0 {
			t.Errorf("%s: %s", template.Name, strings.Join(m.Warnings, "\n"))
		}
		page, err := os.ReadFile(filepath.Join(folder, "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "README.md" && !strings.Contains(string(page), "| `"+e.Name()+"` |") {
				t.Errorf("%s: the page does not name %s", template.Name, e.Name())
			}
		}
		if strings.Contains(string(page), "<no value>") || strings.Contains(string(page), "{{") {
			t.Errorf("%s", page)
		}
	}
}

// A folder with a file in it is left alone, an empty folder is used, and an unknown name is an error with all names.
func TestOnlyEmptyFoldersAreWritten(t *testing.T) {
	passenger, err := Find("passenger")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := passenger.Write(folder); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(folder, "own.txt")
	if err := os.WriteFile(own, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := passenger.Write(folder); err == nil || !strings.Contains(err.Error(), "is not empty: it has README.md") {
		t.Error(err)
	}
	after, err := os.ReadDir(folder)
	if err != nil || len(after) != len(before) {
		t.Errorf("%d files, before %d, %v", len(after), len(before), err)
	}
	if err := passenger.Write(own); err == nil {
		t.Error("a file is no folder")
	}
	if _, err := Find("passanger"); err == nil || !strings.Contains(err.Error(), `did you mean "passenger"?`) ||
		!strings.Contains(err.Error(), strings.Join(Names(), ", ")) {
		t.Error(err)
	}
	if slices.Contains(Names(), "") {
		t.Error(Names())
	}
}
