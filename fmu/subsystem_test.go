package fmu

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// An FMU holds the subsystem files of its model, unchanged except for names of files, and reads as the same model;
// what was collected is collected as it is.
func TestResourcesHoldSubsystemFiles(t *testing.T) {
	const path = "../resources/models/passenger_car.toml"
	r, err := Collect(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"model.toml", "subsystems/corner_curves.toml", "subsystems/corner_curves_steered.toml",
		"tires/mf61_205_60R15.tir"}
	if got := slices.Sorted(maps.Keys(r.Files)); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	original, err := os.ReadFile("../resources/subsystems/corner_curves.toml")
	if err != nil || !bytes.Equal(r.Files["subsystems/corner_curves.toml"], original) {
		t.Errorf("a subsystem file whose names lead to the same places is changed: %v", err)
	}
	if !strings.Contains(string(r.Files["model.toml"]), `file = "subsystems/corner_curves.toml"`) {
		t.Error("the model does not name its subsystem file in the FMU")
	}
	folder := t.TempDir()
	for name, data := range r.Files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Collect(filepath.Join(folder, "model.toml"))
	if err != nil || !maps.EqualFunc(again.Files, r.Files, bytes.Equal) {
		t.Errorf("collected once more it differs: %v", err)
	}
	m, err := vehicle.Read(filepath.Join(folder, "model.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Origins["damper_RR"].Chain(), "corner_curves.toml (use R at R)"; got != want {
		t.Errorf("damper_RR comes from %s, want %s", got, want)
	}
	changed := *r
	changed.Files = maps.Clone(r.Files)
	changed.Files["subsystems/corner_curves.toml"] = append(slices.Clone(original), '#')
	if changed.Token() == r.Token() {
		t.Error("the token does not depend on subsystem files")
	}
}
