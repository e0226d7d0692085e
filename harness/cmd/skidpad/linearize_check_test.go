package main

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The steady forces of the benchmark bicycle (linearised-eom specification, 6.2) are printed and
// written, and both ways to its linear equations are compared.
func TestLinearizeChecksAndTellsForces(t *testing.T) {
	resource := filepath.Join("..", "..", "..", "resources", "models", "bicycle_rolling.toml")
	status, stdout, stderr := try("linearize", resource, "--at", "speed=5", "--check", "--bode", "steer.torque:rear_frame.wz", "--eigen", "--frequencies", "0.1:10:3")
	if status != 0 || !strings.Contains(stdout, "by tangent stiffness eigenvalues differ by at most") || !strings.Contains(stdout, ", responses by") {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	for _, want := range []string{"contact_R rear_wheel from ground ", "612.836471", "309.303529", "-240.633529", "44.945998", "-279.873529", "-593.216471"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	folder := t.TempDir()
	if status, stdout, stderr = try("linearize", resource, "--at", "speed=4:6:1", "--check", "--out", folder); status != 0 || !strings.Contains(stdout, "forces.csv") {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	text, err := os.ReadFile(filepath.Join(folder, "forces.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%v\n%s", err, text)
	}
	for name, want := range map[string]float64{"contact_R.Fz": 612.836471, "contact_R.Fy": 0, "contact_F.Fz": 309.303529, "steer.My": 44.945998} {
		for _, row := range rows[1:] {
			if x, err := strconv.ParseFloat(row[slices.Index(rows[0], name)], 64); err != nil || math.Abs(x-want) > 1e-6 {
				t.Errorf("%s is %v, want %v", name, x, want)
			}
		}
	}
}

// A vehicle that tangent stiffness does not know has linear equations all the same, but cannot be
// checked; the component is named.
func TestLinearizeWithoutForces(t *testing.T) {
	resource := filepath.Join("..", "..", "..", "resources", "models", "bicycle.toml")
	status, stdout, stderr := try("linearize", resource, "--at", "speed=5")
	if status != 0 || !strings.Contains(stdout, "forces of connections are not found: model Bicycle: tire_R: components of type tire") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	if status, _, stderr = try("linearize", resource, "--at", "speed=5", "--check"); status != 1 || !strings.Contains(stderr, "--check: model Bicycle: tire_R:") {
		t.Errorf("status %d, %s", status, stderr)
	}
	truck := filepath.Join(filepath.Dir(resource), "truck_trailer.toml")
	if status, _, stderr = try("linearize", truck, "--at", "speed=5", "--set", "steer.angle=0.1", "--check"); status != 1 {
		t.Errorf("status %d, %s", status, stderr)
	}
	if status, stdout, stderr = try("linearize", truck, "--at", "speed=5:30:5", "--bode", "steer.angle:truck.wz", "--eigen", "--check", "--out", t.TempDir()); status != 0 || !strings.Contains(stdout, "speed = 18.36712: modes that grow change from 0 oscillating, 0 others to 0 and 1") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}
