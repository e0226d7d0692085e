package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
)

// A car is drawn with its wheels, from its name to the file.
func TestDraw(t *testing.T) {
	out := filepath.Join(t.TempDir(), "car.svg")
	if status, _, stderr := try("draw", "passenger_car", "--library", built.Library(t), "-o", out); status != good ||
		!strings.Contains(stderr, "car.svg: ") {
		t.Fatal(stderr)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<svg ", `<g id="front" `, "#222222"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing", want)
		}
	}
	moved := filepath.Join(t.TempDir(), "moved.svg")
	if status, _, stderr := try("draw", "passenger_car", "--library", built.Library(t), "-o", moved, "--set",
		"front_half_track=1 m"); status != good {
		t.Fatal(stderr)
	}
	if wide, err := os.ReadFile(moved); err != nil || string(wide) == string(text) {
		t.Errorf("a set parameter does not change the drawing: %v", err)
	}
	for setting, says := range map[string]string{"front_half_track=1 kg": "kg", "front_half_trac=1": "front_half_track",
		"front_half_track=wide": "a number"} {
		status, _, stderr := try("draw", "passenger_car", "--library", built.Library(t), "-o", moved, "--set", setting)
		if status == good || !strings.Contains(stderr, says) {
			t.Errorf("%s: status %d, %s", setting, status, stderr)
		}
	}
	if status, _, stderr := try("draw", "unknown_car", "-o", out); status == good || stderr == "" {
		t.Errorf("status %d: %s", status, stderr)
	}
}
