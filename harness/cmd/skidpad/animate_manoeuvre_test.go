package main

import (
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// Runs that a manoeuvre has written can be played, and their signals plotted, without further ado.
func TestRunsOfManoeuvresArePlayed(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	out, model := w.path("brake"), shippedFile("models", "generic4w.toml")
	status, _, stderr := try(append([]string{"manoeuvre", model, "--manoeuvre", shippedFile("manoeuvres", "brake.toml"),
		"--out", out}, core(t)...)...)
	if status != 0 {
		t.Fatal(stderr)
	}
	status, _, stderr = try("animate", filepath.Join(out, "run_1.parquet"), "--model", model, "-o", w.path("a.html"))
	if status != 0 || strings.Contains(stderr, " 0 shapes") || !strings.Contains(stderr, " shapes, ") {
		t.Errorf("status %d, %s", status, stderr)
	}
	status, _, stderr = try("report", out, "--signals", "chassis.ax,@wheel[*].Fz,body.x:body.vx",
		"--out", w.path("s.html"))
	if status != 0 {
		t.Error(stderr)
	}
}
