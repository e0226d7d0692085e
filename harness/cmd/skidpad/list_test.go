package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/fmu/system"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/runs/assess"
	"skidpad/harness/workbench/runs/manoeuvre"
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

// A copy of a shipped manoeuvre, model, system or assessment is read in an empty folder, and so are the manoeuvres of
// [prerun]. The test lists the copies that need a second file.
func TestCopiesAreCompleteInAnEmptyFolder(t *testing.T) {
	car, err := modelfile.Target("skidpad:/models/electric_axle_car.toml", "")
	if err != nil {
		t.Fatal(err)
	}
	var readManoeuvre func(file string) error
	readManoeuvre = func(file string) error {
		m, err := manoeuvre.ReadFor(car, file)
		if err == nil && m.Prerun != nil {
			err = readManoeuvre(bounded.Beside(file, m.Prerun.File))
		}
		return err
	}
	with := map[string]string{} // second files
	for _, c := range []struct {
		kind resources.Kind
		read func(file string) error
	}{
		{resources.Manoeuvres, readManoeuvre},
		{resources.Models, func(file string) error { _, err := vehicle.Read(file); return err }},
		{resources.Systems, func(file string) error { _, err := system.Read(file, false); return err }},
		{resources.Assessments, func(file string) error { _, err := assess.Read(file); return err }},
	} {
		names := c.kind.Names()
		if c.kind.Name == resources.Models.Name { // name only files of the shelf
			names = names[:testrun.Either(3, len(names))]
		}
		for _, name := range names {
			shipped := "skidpad:/" + c.kind.Name + "/" + name + ".toml"
			if c.read(shipped) != nil {
				continue // not for this car
			}
			t.Chdir(t.TempDir())
			if status, _, stderr := try("list", c.kind.Name, shipped, "--copy"); status != 0 {
				t.Fatalf("%s: status %d, %s", shipped, status, stderr)
			}
			if err := c.read(name + ".toml"); err != nil {
				t.Errorf("copy of %s: %v", shipped, err)
			}
			copied, err := os.ReadDir(".")
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range copied {
				if file.Name() != name+".toml" {
					with[name] += file.Name()
				}
			}
		}
	}
	if want := map[string]string{"driving_cycle": "driving_cycle.csv", "step_steer": "circle_speed.toml",
		"sine_steer": "circle_speed.toml", "weave": "circle_speed.toml", "fishhook": "slowly_increasing_steer.toml",
		"j_turn": "slowly_increasing_steer.toml", "sine_with_dwell": "slowly_increasing_steer.toml",
		"brake_and_stability_control_robustness": "brake_and_stability_control.toml"}; !maps.Equal(with, want) {
		t.Errorf("%v, want %v", with, want)
	}
}

// An own subsystem is copied with the files that it names, directly or through another file, in place of shipped files
// with the same name. An equal file in the folder stays. A different file of the same name is an error, and nothing is
// written.
func TestFilesThatACopyNamesAreCopied(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"resources/subsystems/own.toml":       `file = ["abs_wheel.toml", "shared.toml"]`,
		"resources/subsystems/abs_wheel.toml": "title = \"own wheel\"\n",
		"resources/subsystems/shared.toml":    `file = ["../tires/own_tire.toml", "own.toml", "lost.csv", "abs.toml"]`,
		"resources/subsystems/abs.toml":       "", // replaced by the shipped text below
		"resources/tires/own_tire.toml":       "file = \"own.csv\"\n",
		"resources/tires/own.csv":             "x, y\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if name == "resources/subsystems/abs.toml" {
			data, err := bounded.Model.Read("skidpad:/subsystems/abs.toml")
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	copyIn := func(name string) (int, string) {
		at := filepath.Join(folder, name)
		if err := os.MkdirAll(at, 0o700); err != nil {
			t.Fatal(err)
		}
		t.Chdir(at)
		status, _, stderr := try("list", "subsystems", "own", "--copy")
		return status, stderr
	}
	if status, stderr := copyIn("first"); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	files, err := filepath.Glob("*")
	want := []string{"abs_wheel.toml", "own.csv", "own.toml", "own_tire.toml", "shared.toml"}
	if err != nil || !slices.Equal(files, want) {
		t.Errorf("%q, want %q, %v", files, want, err)
	}
	text, err := os.ReadFile("shared.toml")
	if err != nil || !strings.Contains(string(text), `["own_tire.toml", "own.toml"`) {
		t.Errorf("%s, %v", text, err)
	}
	if err := os.Remove("own.toml"); err != nil {
		t.Fatal(err)
	}
	if status, stderr := copyIn("first"); status != 0 {
		t.Errorf("beside equal files: status %d, %s", status, stderr)
	}
	if err := os.Remove("own.toml"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("shared.toml", []byte("title = \"another\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, stderr := copyIn("first"); status != 1 ||
		!strings.Contains(stderr, "own.toml names shared.toml, and another file of this name is in this folder already") {
		t.Errorf("beside a different file: status %d, %s", status, stderr)
	}
	if _, err := os.Stat("own.toml"); err == nil {
		t.Error("own.toml was written beside another shared.toml")
	}
}
