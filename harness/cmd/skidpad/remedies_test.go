package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// A flat model is printed with its error, a wrong setting names its flag once, and an empty list is an error.
func TestRemediesOfCommands(t *testing.T) {
	folder := t.TempDir()
	model := filepath.Join(folder, "broken.toml")
	text := `base = "pendulum.toml"
name = "Broken"
title = "Broken"
[component.weight]
type = "sensor"
to = "nothing"
`
	base, err := os.ReadFile("../../../resources/models/pendulum.toml")
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{"broken.toml": text, "pendulum.toml": string(base) + "\n"} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	status, flat, stderr := try("expand", model)
	if status == 0 || !strings.Contains(flat, "[component.weight]") || !strings.Contains(stderr, `"nothing"`) {
		t.Error(status, flat, stderr)
	}
	out := filepath.Join(folder, "flat.toml")
	if status, _, stderr = try("expand", model, "--out", out); status == 0 {
		t.Error(stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a flat file of a wrong model is written")
	}
	for _, flag := range []string{"--set", "--let"} {
		_, _, stderr = try("simulate", model, flag, "mass=3 xx")
		if !strings.Contains(stderr, "\""+flag+"\" flag: \"mass\"") {
			t.Error(stderr)
		}
	}
	t.Chdir(folder)
	if status, stdout, stderr := try("list", "subsystems"); status != 0 ||
		!strings.Contains(stdout, "skidpad:/subsystems/corner_strut.toml") {
		t.Error(status, stdout, stderr)
	}
}

// An error about a number that cannot be set names the parameters that can, and constants of the file are offered only
// where the run before fails.
func TestRemediesOfSettings(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	args := append([]string{"simulate", "passenger_car", "--manoeuvre", "step_steer", "--out", w.path("a.csv")},
		core(t)...)
	const formula = `the model file has the formula "sprung" there; set sprung`
	for _, c := range []struct{ set, want string }{
		{"body.mass=3", `--set body.mass=3: the model has no variable "body.mass": ` + formula},
		{"body.mas=3", `the model has no variable "body.mas"; did you mean "body.mass"? It cannot be set: ` + formula},
		{"body.inertia_zx=3", `did you mean "body.inertia_xx"?`},
	} {
		status, _, stderr := try(append(args, "--set", c.set)...)
		if status != failed || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "prerun") {
			t.Errorf("%s: status %d, %s", c.set, status, stderr)
		}
	}
	status, _, stderr := try("linearize", "passenger_car", "--at", "body.mass=3")
	if status != failed || !strings.Contains(stderr, `"body.mass": `+formula) {
		t.Errorf("status %d, %s", status, stderr)
	}
	for model, want := range map[string]string{
		"passenger_car":   "PassengerCar has no parameter \"speed\"; its speed is body.vx: write --at body.vx=12",
		"double_pendulum": `there is no parameter, start value, input or coefficient of a tire "speed"`,
	} {
		if status, _, stderr := try("linearize", model, "--at", "speed=12"); status == 0 ||
			!strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", model, status, stderr)
		}
	}
	// the run before ends without the characteristic value
	status, _, stderr = try(append(args, "--set", "tire_*.LMUY*=0.01")...)
	if status != failed || !strings.Contains(stderr, "prerun: figure") || !strings.Contains(stderr, "(--no-prerun takes") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// A folder of results that has the name of a model does not hide it.
func TestAFolderHidesNoResource(t *testing.T) {
	pendulum, err := os.ReadFile("../../../resources/models/pendulum.toml")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorkshop(t)
	t.Chdir(w.path(""))
	for _, folder := range []string{"resources/models", "pendulum"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.file("resources/models/pendulum.toml", string(pendulum))
	status, _, stderr := try("equations", "pendulum")
	if status != good || stderr != "note: pendulum is a folder here; the model is "+
		filepath.Join("resources", "models", "pendulum.toml")+"\n" {
		t.Errorf("status %d, %s", status, stderr)
	}
}
