package vehicle_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

func TestBrokenFilesAreExplainedByPlaceAndRemedy(t *testing.T) {
	files, err := filepath.Glob("testdata/broken/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 40 {
		t.Fatalf("only %d broken files", len(files))
	}
	messages := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(data), "\n")
		want, ok := strings.CutPrefix(first, "# want: ")
		if !ok {
			t.Errorf("%s does not say what is wanted", file)
			continue
		}
		_, err = vehicle.Read(file)
		if err == nil {
			t.Errorf("%s was accepted; want %s", file, want)
			continue
		}
		// a fault that follows from another one would send the user astray
		got, faults := strings.Split(err.Error(), "\n"), strings.Split(want, " | ")
		if len(got) != len(faults) {
			t.Errorf("%s: want %d faults, %s, got\n%v", file, len(faults), want, err)
			continue
		}
		for i, fault := range faults {
			place, fragment, _ := strings.Cut(fault, " ")
			if fragment == "" || !strings.HasPrefix(got[i], file+":"+place+": ") || !strings.Contains(got[i], fragment) {
				t.Errorf("%s: want %s, got\n%s", file, fault, got[i])
			}
		}
		message := got[0]
		if other := messages[strings.TrimPrefix(message, file)]; other != "" {
			t.Errorf("%s and %s give the same message", file, other)
		}
		messages[strings.TrimPrefix(message, file)] = file
	}
}

func TestSeveralFaultsAreReportedTogetherInOrder(t *testing.T) {
	_, err := vehicle.Parse([]byte(`name = "Many"
gravity = 9.81
colour = "red"

[component.body]
type = "rigid-body"
mass = -1
inertia = { xx = 1, yy = 1, zz = 1 }

[component.arm]
type = "rigid-arm"
from = "body"
translation = [1, 2]
`), "many.toml", nothing)
	if err == nil {
		t.Fatal("accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	for i, want := range []string{"many.toml:3:", "many.toml:7:", "many.toml:10:", "many.toml:13:"} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
			t.Fatalf("line %d does not begin with %s:\n%v", i+1, want, err)
		}
	}
}

var errNothing = errors.New("there are no files here")

func nothing(bounded.Kind, string) ([]byte, error) { return nil, errNothing }

func TestShippedModelsAreValid(t *testing.T) {
	files, err := filepath.Glob("../../resources/models/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal("no models", err)
	}
	for _, file := range files {
		m, err := vehicle.Read(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if m.File != file || len(m.Fingerprint) != 64 || len(m.Trees) == 0 || !(m.Solver.Step > 0 && m.StopTime > 0) {
			t.Errorf("%s: %+v", file, m)
		}
	}
}

// Morency's Ixz = 110 is a product of inertia and enters the matrix with a minus sign.
func TestProductsOfInertiaEnterTheMatrixNegated(t *testing.T) {
	m, err := vehicle.Read("../../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Components {
		if b, ok := c.(*component.RigidBody); ok && b.Name == "body" {
			if b.Inertia.XZ.Value != -110 || b.Inertia.XZ.Text != "-110" || b.Inertia.XY.Value != 0 {
				t.Errorf("inertia %+v", b.Inertia)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/broken/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for i, file := range append(files, "../../resources/models/pendulum.toml", "../../resources/models/skidder.toml",
		"../../resources/models/halfcar.toml", "../../resources/models/fuse_box.toml",
		"../../resources/models/hydropneumatic_quarter_car.toml") {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if i%4 == 0 || i >= len(files) { // the broken files are many, and alike
			fuzzinputs.Add(f, data)
		} else {
			f.Add(data)
		}
	}
	fuzzinputs.Add(f, []byte(heavyCart))
	fuzzinputs.Add(f, []byte(`base = "middle.toml"
name = "A"
title = "A"
parameters.mass = 3
[component]
load = 4
cart.start = { type = 1 }
`))
	fuzzinputs.Add(f, []byte("base = \"circle.toml\"\n"))
	open := inMemory(map[string]string{
		"cart.toml": cart, "middle.toml": "base = \"cart.toml\"\ncomponent.load.mass = 2\n",
		"circle.toml": "base = \"fuzz.toml\"\n",
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		if m, err := vehicle.Parse(data, "fuzz.toml", open); (m == nil) == (err == nil) {
			t.Fatalf("%v, %v", m, err)
		}
	})
}

// Files may be named by absolute paths.
func TestFilesByAbsolutePath(t *testing.T) {
	text, err := os.ReadFile("../../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	tires, err := filepath.Abs("../../resources/tires")
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(text), "../tires", filepath.ToSlash(tires))
	path := filepath.Join(t.TempDir(), "car.toml")
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	if changed == string(text) {
		t.Fatal("the model names no tires")
	}
	if _, err := vehicle.Read(path); err != nil {
		t.Error(err)
	}
}
