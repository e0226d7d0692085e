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
	for _, want := range []string{"<svg ", `<g id="front">`, "#222222"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is missing", want)
		}
	}
	if status, _, stderr := try("draw", "unknown_car", "-o", out); status == good || stderr == "" {
		t.Errorf("status %d: %s", status, stderr)
	}
}
