package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Every shipped manoeuvre for any vehicle has a heading, every heading has manoeuvres, and the list names each once.
func TestManoeuvresAreListedByGroups(t *testing.T) {
	status, stdout, stderr := try("list", "manoeuvres")
	if status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	list, err := listedManoeuvres()
	if err != nil || len(list) < 100 {
		t.Fatalf("%d manoeuvres, %v", len(list), err)
	}
	used, forAny := map[string]bool{}, 0
	for _, m := range list {
		if used[m.Group] = true; m.Models == nil {
			forAny++
		}
		if m.Models == nil && m.Group == "" {
			t.Errorf("%s has no group", m.Path)
		}
		words := strings.FieldsFunc(stdout, func(r rune) bool { return r == ' ' || r == '\n' || r == ',' })
		if !slices.Contains(words, m.Name) {
			t.Errorf("%s is not listed", m.Name)
		}
	}
	for _, group := range manoeuvre.Groups {
		if !used[group] || !strings.Contains(stdout, "\n"+group) {
			t.Errorf("%s: no heading", group)
		}
	}
	// manoeuvres for any vehicle have a line each; those for single models share lines
	if lines := strings.Count(stdout, "\n"); lines-forAny > 50 {
		t.Errorf("%d lines for %d manoeuvres for any vehicle", lines, forAny)
	}
}

// The check of a vehicle lists the manoeuvres that it can make. For the others it prints the missing roles with lines
// to write, or the error.
func TestManoeuvresOfAVehicle(t *testing.T) {
	testrun.OnlyAll(t)
	library := built.Library(t)
	file := filepath.Join(t.TempDir(), "bare.toml")
	const text = `base = "generic4w"
name = "Bare"
title = "Bare"
[roles]
brake = false
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := try("car", file, "--check", "--library", library)
	for _, want := range []string{"Bare can make ", "\nhandling\n  circle_angle ", "\nroles are missing\n",
		"\n  brake                   brake\n", "\n  crosswind               wind\n", "lines for [roles] of " + file,
		"  brake = { inputs = [\"brake_FL.torque\"", "  # wind = { input = ",
		"plank, pothole, ramp, roof, rough_road\n  road is a road, which is a plane"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing:\n%s%s", want, stdout, stderr)
		}
	}
	if status != 0 || strings.Contains(stdout, "generic4w_sine") {
		t.Errorf("status %d, %s", status, stdout)
	}
	if status, _, stderr := try("car", file, "--check", "--draft"); status != 2 {
		t.Errorf("status %d, %s", status, stderr)
	}

	// without roles there is the draft, and the manoeuvres of the model remain
	status, stdout, stderr = try("car", "bicycle", "--check", "--library", library)
	for _, want := range []string{"Bicycle can make 8 of ", "\nfor Bicycle alone\n  bicycle_capsize ", "--draft > "} {
		if status != 0 || !strings.Contains(stdout, want) {
			t.Errorf("status %d, %q is missing:\n%s%s", status, want, stdout, stderr)
		}
	}
}

// A manoeuvre that fits, by the check, runs; one that does not is refused.
func TestCheckedManoeuvresRun(t *testing.T) {
	testrun.OnlyAll(t)
	library, model := built.Library(t), shippedFile("models", "generic4w.toml")
	fits, _, err := fitsOf(&cobra.Command{}, model, "", library)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fits {
		switch f.Name {
		case "step_steer", "generic4w_sine", "plank", "split_friction", "crosswind":
		default:
			continue
		}
		status, _, stderr := try("simulate", model, "--manoeuvre", f.Path, "--duration", "0.01", "--out", "-",
			"--library", library)
		if (status == 0) != f.Fits {
			t.Errorf("%s: fits is %v, status %d, %s", f.Name, f.Fits, status, stderr)
		}
		if f.Fits == (f.Why != "") || f.Lacks != nil && f.Fits {
			t.Errorf("%+v", f)
		}
	}
}
