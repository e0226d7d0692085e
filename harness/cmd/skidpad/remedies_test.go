package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A flat model is printed with its error, a wrong setting names its flag once, and an empty list is an error.
func TestRemediesOfCommands(t *testing.T) {
	folder := t.TempDir()
	model := filepath.Join(folder, "broken.toml")
	text := "base = \"pendulum.toml\"\nname = \"Broken\"\ntitle = \"Broken\"\n[component.weight]\n" +
		"type = \"sensor\"\nto = \"nothing\"\n"
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
	if status, stdout, stderr := try("list", "subsystems"); status == 0 || stdout != "" ||
		!strings.Contains(stderr, "there are no subsystems: looked for files .toml in ") {
		t.Error(status, stdout, stderr)
	}
}
