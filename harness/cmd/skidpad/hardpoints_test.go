package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A table in inches becomes a table in millimetres and parameters; sides that differ become two files.
func TestHardPointsAreWritten(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "front.csv")
	const rows = "name, x [in], y [in], z [in]\nhpl_lca_front, 10, 20, 5\nhpl_lca_rear, -10, 20, 5\n"
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(rows + "bolt, 1, 2, 3\n")
	status, stdout, stderr := try("hardpoints", file)
	if status != 0 || stdout != "name, x [mm], y [mm], z [mm]\nlower_front, 254, 508, 127\nlower_rear, -254, 508, 127\n" {
		t.Errorf("status %d, %s", status, stdout)
	}
	for _, want := range []string{"lca_front is lower_front", "ignored: bolt", "axes iso, unit in, 2 points"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("standard error has no %q: %s", want, stderr)
		}
	}
	write(rows + "hpr_lca_front, 10, -21, 5\n")
	if status, _, stderr = try("hardpoints", file); status != 2 || !strings.Contains(stderr, "--symmetric") {
		t.Errorf("two sides to standard output: status %d, %s", status, stderr)
	}
	if status, _, stderr = try("hardpoints", file, "-o", filepath.Join(folder, "out.toml")); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for side, y := range map[string]string{"L": "508", "R": "533.4"} {
		text, err := os.ReadFile(filepath.Join(folder, "out_"+side+".toml"))
		want := "[parameters]\nlower_front = { value = [254, " + y + ", 127], unit = \"mm\", text = \"lca_front\" }\n"
		if err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%v, %s; want %s", err, text, want)
		}
	}
	status, _, stderr = try("hardpoints", file, "--axes", "adams")
	if status != 1 || !strings.Contains(stderr, "front.csv: in the axes adams") {
		t.Errorf("wrong axes: status %d, %s", status, stderr)
	}
}
