package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Roles that most manoeuvres need are named with what to write before a manoeuvre asks for them; a vehicle that has
// them is not told.
func TestCarNamesTheRolesThatALackingFileNeeds(t *testing.T) {
	if err := built(); err != nil {
		t.Fatal(err)
	}
	library := filepath.Join(builtFolder, "libskidpad.so")
	base, err := filepath.Abs(shippedFile("models", "passenger_car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bare.toml")
	text := "base = '" + base + "'\nname = \"Bare\"\ntitle = \"Bare\"\n[roles]\nthrottle = false\noutline = false\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := try("car", file, "--library", library)
	want := file + ": no throttle, outline in [roles]; manoeuvres that need it refuse the vehicle. A draft:\n" +
		"  throttle = { input = \"engine.throttle\", closed = 0, open = 1 }\n  # outline = { width = 1.8"
	if status != 0 || !strings.Contains(stdout, want) || strings.Contains(stdout, "steering = ") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	if status, stdout, stderr = try("car", base, "--library", library); status != 0 || strings.Contains(stdout, "no ") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

// Handling figures find a wheelbase that the roles do not state, as skidpad car does.
func TestHandlingFindsTheWheelbase(t *testing.T) {
	if err := built(); err != nil {
		t.Fatal(err)
	}
	base, err := filepath.Abs(shippedFile("models", "passenger_car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bare.toml")
	text := "base = '" + base + "'\nname = \"Bare\"\ntitle = \"Bare\"\n[roles]\nwheelbase = false\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var margins [2]float64
	for i, model := range []string{base, file} {
		status, stdout, stderr := try("linearize", model, "--at", "body.vx=20", "--free", "engine.throttle", "--handling",
			"--library", filepath.Join(builtFolder, "libskidpad.so"))
		_, rest, found := strings.Cut(stdout, "static margin ")
		if _, err := fmt.Sscan(rest, &margins[i]); status != 0 || !found || err != nil {
			t.Fatalf("status %d, %v, %s%s", status, err, stdout, stderr)
		}
	}
	if math.Abs(margins[1]-margins[0]) > 1e-3*margins[0] || margins[0] <= 0 {
		t.Errorf("static margins %g of a stated wheelbase and %g of one that is found", margins[0], margins[1])
	}
}
