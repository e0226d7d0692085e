package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// startOf is the start value of a parameter of generated C.
func startOf(t *testing.T, folder, parameter string) float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "car.c"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`\{"` + regexp.QuoteMeta(parameter) + `", "[^"]*", "[^"]*", ([^,]*),`).FindSubmatch(text)
	if line == nil {
		t.Fatalf("there is no parameter %s", parameter)
	}
	x, err := strconv.ParseFloat(string(line[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestGeneratedVehiclesStartSteadily: with --trim, the start values belong to a steady motion.
func TestGeneratedVehiclesStartSteadily(t *testing.T) {
	testrun.Slow(t)
	const wheel = "wheel_FL.omega"
	system, err := cosim.Load(shippedFile("models", "generic4w.toml"), cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := system.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.Trim(); err != nil {
		t.Fatal(err)
	}
	at, _ := system.Find(wheel)
	want, err := in.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, trim := range []bool{false, true} {
		folder := t.TempDir()
		if status, _, stderr := try("generate", "generic4w", "--target", "c", "--name", "car", "--out", folder,
			"--method", "rk4,euler", "--trim="+strconv.FormatBool(trim)); status != 0 {
			t.Fatal(stderr)
		}
		if got := startOf(t, folder, wheel); (got == want) != trim {
			t.Errorf("--trim=%v: the wheel starts with %v rad/s; steady are %v", trim, got, want)
		}
	}
	status, _, stderr := try("generate", "generic4w", "--target", "c", "--trim", "--set", "body.vx=-1e6")
	if status == 0 || !strings.Contains(stderr, "--trim: no steady state found") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
