package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/document"
)

// Every shipped subsystem prints each of its parameters, with its unit and its default or that it is required.
func TestParametersOfSubsystemsAreListed(t *testing.T) {
	files, err := filepath.Glob(shippedFile("subsystems", "*.toml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		data, err := bounded.Model.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		root, err := document.Parse(data, file)
		if err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := try("list", "subsystems", file)
		if status != 0 {
			t.Fatalf("status %d, %s", status, stderr)
		}
		lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
		for i, name := range root.Field("parameters").Keys {
			n := root.Field("parameters").Field(name)
			want := []string{name, "required"}
			if value := n.Field("value"); value != nil {
				want[1] = value.Text
			}
			if unit := n.Field("unit"); unit != nil {
				want = append(want, unit.Text)
			}
			start := strings.Fields(strings.Join(want, " "))
			if i >= len(lines) || !slices.Equal(start, strings.Fields(lines[i] + " . .")[:len(start)]) {
				t.Errorf("%s: %q; want %q", file, lines, want)
			}
		}
	}
	status, stdout, stderr := try("list", "subsystems", shippedFile("subsystems", "corner_curves.toml"))
	if want := "unsprung    31.9      kg   unsprung mass of the corner\n"; status != 0 ||
		!strings.Contains(stdout, want) ||
		!strings.Contains(stdout, "stiffness   required  N/m") {
		t.Errorf("status %d, %s%s; want %q", status, stdout, stderr, want)
	}
	if status, _, stderr = try("list", "tires", "corner_curves"); status != 2 ||
		!strings.Contains(stderr, "takes no name") {
		t.Errorf("status %d, %s", status, stderr)
	}
	model := shippedFile("models", "passenger_car.toml")
	if status, _, stderr = try("list", "subsystems", model); status != 1 ||
		!strings.Contains(stderr, "not a subsystem") {
		t.Errorf("status %d, %s", status, stderr)
	}
}
