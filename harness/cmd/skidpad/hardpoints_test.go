package main

import (
	"os"
	"path/filepath"
	"regexp"
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
	if status, _, stderr = try("hardpoints", file, "-o", filepath.Join(folder, "out.csv")); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for side, y := range map[string]string{"L": "508", "R": "533.4"} {
		text, err := os.ReadFile(filepath.Join(folder, "out_"+side+".csv"))
		want := "name, x [mm], y [mm], z [mm]\nlower_front, 254, " + y + ", 127\n"
		if err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%v, %s; want %s", err, text, want)
		}
	}
	status, _, stderr = try("hardpoints", file, "--axes", "adams")
	if status != 1 || !strings.Contains(stderr, "front.csv: in the axes adams") {
		t.Errorf("wrong axes: status %d, %s", status, stderr)
	}
}

// An axle of a listing is ready for the rig; its figures stand beside those of the listing.
func TestAxleOfAListing(t *testing.T) {
	folder := t.TempDir()
	axle := filepath.Join(folder, "4 by 4.toml")
	listing := filepath.Join("..", "..", "workbench", "analyses", "suspension", "testdata", "listing_v4.txt")
	status, _, stderr := try("hardpoints", listing, "-o", axle)
	if status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for _, want := range []string{`the points are those of corner_double_wishbone`,
		`roll centre by the path of one wheel\s+293.67\s+293.64\s+mm`, `castor\s+16.22\d\s+16.22\s+deg`,
		`castor trail at the hub\s+-5\s+-5\s+mm`, `scrub radius\s+50.13\s+50.13\s+mm`} {
		if !regexp.MustCompile(want).MatchString(stderr) {
			t.Errorf("standard error has no %s:\n%s", want, stderr)
		}
	}
	status, stdout, stderr := try("kc", axle)
	if status != 0 || !regexp.MustCompile(`castor\s+16.225\s+16.225\s+deg`).MatchString(stdout) ||
		!strings.Contains(stdout, "axle4_by_4, axle 1") {
		t.Errorf("kc: status %d, %s%s", status, stdout, stderr)
	}
	file := filepath.Join(folder, "front.csv")
	if err := os.WriteFile(file, []byte("name, x [in], y [in], z [in]\nhpl_lca_front, 10, 20, 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, stderr = try("hardpoints", file, "-o", filepath.Join(folder, "front.toml"))
	if status != 1 || !strings.Contains(stderr, "no shipped corner has these points; the points alone "+
		"can go into a .csv") {
		t.Errorf("one point: status %d, %s", status, stderr)
	}
}
