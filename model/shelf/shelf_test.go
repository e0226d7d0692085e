package shelf

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Every shipped file is found by its name, and has the bytes of the file on disk.
func TestShippedFilesAreFoundByName(t *testing.T) {
	count := 0
	for _, folder := range []string{Models, Subsystems, Tires, Roads} {
		entries, err := os.ReadDir(filepath.Join("..", "..", "resources", folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			count++
			file, err := Find(e.Name(), Models, Subsystems, Tires, Roads)
			if err != nil || file != "skidpad:/"+folder+"/"+e.Name() {
				t.Errorf("%s: %q, %v", e.Name(), file, err)
				continue
			}
			want, err := os.ReadFile(filepath.Join("..", "..", "resources", folder, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			f, err := Open(file)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(f); err != nil || string(got) != string(want) {
				t.Errorf("%s has %d bytes, not %d: %v", file, len(got), len(want), err)
			}
			short := strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
			if got, err := Find(short, folder); err == nil && got != file || err != nil && !strings.Contains(err.Error(),
				e.Name()) {
				t.Errorf("%s: %q, %v", short, got, err)
			}
		}
	}
	if count < 80 {
		t.Errorf("%d files", count)
	}
}

// Two files of a name are an error that lists both; a file with its ending is found.
func TestNamesOfTwoFilesAreRefused(t *testing.T) {
	if _, err := Find("pacejka2002", Tires); err == nil ||
		!strings.Contains(err.Error(), "pacejka2002.tir, pacejka2002.toml; write the ending") {
		t.Error(err)
	}
	if file, err := Find("pacejka2002.tir", Tires); err != nil || file != "skidpad:/tires/pacejka2002.tir" {
		t.Error(file, err)
	}
}

// Paths, names of other folders and unknown names are not found. Nothing outside of the shelf can be opened.
func TestOnlyTheShelfIsFound(t *testing.T) {
	for _, name := range []string{"", "no_such_file", "generic4w", "../models/generic4w.toml", `..\models\generic4w.toml`,
		"/etc/passwd", "."} {
		if file, err := Find(name, Tires, Subsystems); file != "" || err != nil {
			t.Errorf("%q: %q, %v", name, file, err)
		}
	}
	for _, file := range []string{"skidpad:/../go.mod", "skidpad://etc/passwd", "skidpad:/models", "skidpad:/",
		"skidpad:/embed.go", "skidpad:/models/../models/generic4w.toml"} {
		if f, err := Open(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, %v", file, f, err)
		}
	}
}
