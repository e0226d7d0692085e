package harness_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/fmu/check"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/vehicle"
)

// A variant of the generic vehicle moves bit-identically as model file, as FMU of both versions, and as the model that
// is merged by hand. Its motion differs from the base's motion.
func TestVariantsRunAsModelFilesAndFMUs(t *testing.T) {
	testrun.Slow(t)
	loaded, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	manoeuvre, err := manoeuvre.Read(built.Manoeuvre("generic4w_sine"))
	if err != nil {
		t.Fatal(err)
	}
	simulated := func(s drive.Subject) *trace.Trace {
		t.Helper()
		run, err := drive.Simulate(s, drive.Plan{Manoeuvre: manoeuvre, Duration: 1, Held: true})
		if err != nil {
			t.Fatal(err)
		}
		return run.Trace
	}
	same := func(got, want *trace.Trace) bool { // FMUs record no truths
		for i, name := range got.Names() {
			if !want.Has(name) || !slices.Equal(got.Values[i], want.Column(name)) {
				return false
			}
		}
		return len(got.Channels) > 100 && slices.Equal(got.Time, want.Time)
	}
	load := func(file string) *trace.Trace {
		t.Helper()
		vehicle, err := loaded.Load(file, "")
		if err != nil {
			t.Fatal(err)
		}
		defer vehicle.Close()
		return simulated(vehicle)
	}
	base := built.WithMore(t, "")
	write := func(name, text string) string {
		file := filepath.Join(filepath.Dir(base), name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	variant := write("variant.toml",
		fmt.Sprintf(`base = %q
name = "GenericVehicle"
title = "Lighter"
[component.body]
mass = 1900
`,
			filepath.ToSlash(base)))
	whole, err := os.ReadFile(base)
	if err != nil {
		t.Fatal(err)
	}
	want := load(write("merged.toml", strings.Replace(string(whole), "mass = 2077", "mass = 1900", 1)))
	if !same(load(variant), want) {
		t.Error("the variant does not move like the model that is merged by hand")
	}
	if same(load(base), want) {
		t.Error("the variant moves like its base")
	}
	for _, version := range []int{2, 3} {
		file := built.FMU(t, variant, version)
		if findings, err := check.FMU(file); err != nil || len(findings) > 0 {
			t.Errorf("FMI %d: %v %v", version, findings, err)
		}
		f, err := library.OpenFMU(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := f.Instantiate(f.ModelName, f.Token)
		if err != nil {
			t.Fatal(err)
		}
		if !same(simulated(c), want) {
			t.Errorf("the variant does not move in the same way as FMU for FMI %d", version)
		}
		c.Close()
		f.Close()
	}
}

// What reads model files beside the engine takes variants: their names, their files, the terrain they stand on.
func TestVariantsAreKnownByTheirFiles(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("roads/hill.csv", "-100, 5\n100, 5\n")
	base := write("models/car.toml",
		`name = "Field"
[component.field]
type = "terrain"
kind = "table"
file = "../roads/hill.csv"
[component.stone]
type = "point-mass"
mass = 1
`)
	variant := write("own/car.toml", "base = \"../models/car.toml\"\nname = \"Stone\"\n")
	absolute := write("own/absolute.toml", fmt.Sprintf("base = %q\nname = \"Stone\"\n", filepath.ToSlash(base)))
	nameless := write("own/nameless.toml", "base = \"../models/car.toml\"\n")

	if name, err := modelfile.Name(variant); name != "Stone" || err != nil {
		t.Errorf("the variant is called %q, error %v", name, err)
	}
	if _, err := modelfile.Name(nameless); err == nil ||
		!strings.HasPrefix(err.Error(), nameless+":1:8: the variant has no name of its own; ") {
		t.Errorf("without a name: %v", err)
	}
	if files, err := modelfile.Sources(variant); !slices.Equal(files, []string{variant, base}) || err != nil {
		t.Errorf("files %q, error %v", files, err)
	}
	e := evaluate.Result{Manoeuvre: &manoeuvre.Manoeuvre{KeyFigures: &manoeuvre.KeyFigures{
		Options: figures.Find("standing").New()}},
		Runs: []evaluate.Run{{Result: &drive.Result{}, Record: &figures.Record{}}}}
	var text bytes.Buffer
	if err := e.WriteJSON(&text, variant, base); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"car.toml", filepath.ToSlash(base)} {
		if !strings.Contains(text.String(), `"`+name+`": "`) {
			t.Errorf("no hash of %s in %s", name, text.String())
		}
	}
	for _, file := range []string{base, variant, absolute} {
		m, err := vehicle.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		trace := trace.New(trace.Named("stone.x", "stone.y", "stone.z"), 2)
		trace.Append(0, []float64{0, 0, 6})
		trace.Append(1, []float64{1, 0, 6})
		scene, err := animation.New(m, trace)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if len(scene.Ground) != 1 || scene.Ground[0].Z[0] != 5 {
			t.Errorf("%s: the ground is %+v", file, scene.Ground)
		}
	}
}
