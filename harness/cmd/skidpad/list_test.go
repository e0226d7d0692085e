package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/fmu/system"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/vehicle"
)

// Every shipped subsystem prints all its parameters, each with its unit and its default or "required".
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
		if options := root.Field("options"); options != nil {
			lines = lines[len(options.Keys):]
		}
		for i, name := range root.Field("parameters").Keys {
			n := root.Field("parameters").Field(name)
			want := []string{name, "required"}
			if value := n.Field("value"); value != nil {
				want[1] = value.Text
				if value.Kind == document.List {
					var coordinates []string
					for _, item := range value.Items {
						coordinates = append(coordinates, item.Text)
					}
					want[1] = "[" + strings.Join(coordinates, ", ") + "]"
				}
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
		!strings.Contains(stderr, "takes no name without --copy") {
		t.Errorf("status %d, %s", status, stderr)
	}
	model := shippedFile("models", "passenger_car.toml")
	if status, _, stderr = try("list", "subsystems", model); status != 1 ||
		!strings.Contains(stderr, "not a subsystem") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// A copy of a shipped file is complete in any folder, because it names tires and subsystems by name. A file that
// is there is not replaced.
func TestShippedFilesAreCopied(t *testing.T) {
	folder := t.TempDir()
	shipped, err := filepath.Abs(shippedFile("."))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shipped, filepath.Join(folder, "resources")); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(folder, "own")
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(own)
	for _, c := range [][2]string{{"subsystems", "corner_strut"}, {"models", "passenger_car"},
		{"tires", "mf61_205_60R15"}, {"roads", "winding"}, {"tracks", "club"}, {"manoeuvres", "step_steer"},
		{"systems", "anti_lock"}, {"systems", "lane_change"}} {
		if status, stdout, stderr := try("list", c[0], c[1], "--copy"); status != 0 {
			t.Fatalf("%s: status %d, %s%s", c[1], status, stdout, stderr)
		}
		if status, _, stderr := try("list", c[0], c[1], "--copy"); status != 1 ||
			!strings.Contains(stderr, "in this folder already") {
			t.Errorf("%s again: status %d, %s", c[1], status, stderr)
		}
	}
	for _, name := range []string{"corner_strut.toml", "passenger_car.toml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "../") {
			t.Errorf("%s leads elsewhere:\n%s", name, text)
		}
	}
	if err := os.Remove(filepath.Join(folder, "resources")); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read("passenger_car.toml")
	if err != nil || m.Name != "PassengerCar" {
		t.Error(err)
	}
	for _, file := range []string{"anti_lock.toml", "lane_change.toml", "skidpad:/systems/anti_lock.toml"} {
		if s, err := system.Read(file, false); err != nil || len(s.Components) < 2 {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, args := range [][]string{{"list", "tires", "--copy"}, {"list", "cars", "passenger_car", "--copy"}} {
		if status, _, stderr := try(args...); status != 2 || !strings.Contains(stderr, "--copy needs a kind and a name") {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	if status, _, stderr := try("list", "tires", "no_such_tire", "--copy"); status == 0 {
		t.Errorf("status 0, %s", stderr)
	}
}
