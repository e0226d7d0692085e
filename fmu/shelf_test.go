package fmu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

// An FMU stores the shipped files that its model names. It is the same FMU as with paths in place of names. In a run,
// the file of a tire can be set to the name of a shipped tire.
func TestShippedFilesAreStoredInFMUs(t *testing.T) {
	resources, err := filepath.Abs(filepath.Join("..", "resources"))
	if err != nil {
		t.Fatal(err)
	}
	var tokens [2]string
	var paths [2]string
	for i, base := range []string{"generic4w", filepath.ToSlash(resources) + "/models/generic4w.toml"} {
		paths[i] = filepath.Join(t.TempDir(), "own.toml")
		text := "name = \"Own\"\ntitle = \"Own\"\nbase = \"" + base + "\"\n"
		if err := os.WriteFile(paths[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := fmu.Collect(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		tokens[i] = r.Token()
		for name, content := range r.Files {
			if strings.Contains(string(content), "skidpad:") {
				t.Errorf("%s names a file of the shelf:\n%s", name, content)
			}
		}
		if r.Files["tires/pacejka2002.toml"] == nil || r.Files["bases/generic4w.toml"] == nil {
			t.Errorf("%d files", len(r.Files))
		}
	}
	if tokens[0] != tokens[1] {
		t.Errorf("by name %s, by path %s", tokens[0], tokens[1])
	}
	var ways [2]float64
	for i, file := range []string{"fiala_generic4w", filepath.ToSlash(resources) + "/tires/fiala_generic4w.toml"} {
		s, err := cosim.Load(paths[i], cosim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][2]string{{"tire_FL.model", "Fiala"}, {"tire_FL.file", file}} {
			if err := in.SetText(text[0], text[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if err := in.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
		reference, found := fmu.Describe(s).Find("body.y")
		if !found {
			t.Fatal("no body.y")
		}
		if ways[i], err = in.Get(int(reference)); err != nil {
			t.Fatal(err)
		}
	}
	if ways[0] != ways[1] || ways[0] == 0 {
		t.Errorf("body.y is %g m by name, %g m by path", ways[0], ways[1])
	}
}
