package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// A driver by a file drives as one who has just adapted with the same settings, to the last bit, in the car and in its
// FMU; skidpad manoeuvre takes the file, too.
func TestADriverByAFileDrivesAsOneWhoAdapts(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "driver.toml")
	library := []string{"--library", built.Library(t)}
	run := func(args ...string) string {
		t.Helper()
		status, stdout, stderr := try(append(args, library...)...)
		if status != 0 {
			t.Fatalf("%v: status %d, %s%s", args, status, stdout, stderr)
		}
		return stdout
	}
	const set, name = "--set=sprung=1000", "obstacle_avoidance_limit"
	text := run("driver", "adapt", "passenger_car", "--manoeuvre", name, set, "--out", file)
	if lines := strings.Split(text, "\n"); !strings.HasPrefix(lines[0], "PassengerCar, for 1 rad") ||
		strings.Fields(lines[3])[0] != "40.0" || strings.Fields(lines[10])[0] != "120.0" {
		t.Errorf("the table is\n%s", text)
	}
	if run("simulate", "passenger_car", "--manoeuvre", name, set) !=
		run("simulate", "passenger_car", "--manoeuvre", name, set, "--driver", file) {
		t.Error("a driver by a file drives in another way")
	}
	table := run("manoeuvre", "passenger_car", "--manoeuvre", name, set, "--let", "speed=15", "--let", "preview_factor=1",
		"--driver", file)
	if !strings.Contains(table, "deviation_max") {
		t.Errorf("the manoeuvre gives\n%s", table)
	}
	library = nil
	fmu := built.FMU(t, built.Model("passenger_car"), 3)
	if run("simulate", fmu, "--manoeuvre", name) == run("simulate", fmu, "--manoeuvre", name, "--driver", file) {
		t.Error("the FMU is driven by who has adapted to it, in place of the driver of the file")
	}
}

// A file for another vehicle or another mass, and one for a manoeuvre without such a driver, is refused before a run.
func TestADriverOfAnotherVehicleIsRefused(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "driver.toml")
	text := "vehicle = \"PassengerCar\"\nmass = 1000\n[[speed]]\nspeed = 20\nlateral = [-5, -18, 2]\nyaw = [1, -7, 3]\n" +
		"[curve]\nlateral = [0, 8]\nmore = [0, 1]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	library := built.Library(t)
	for _, c := range []struct{ model, manoeuvre, want string }{
		{"generic4w", "double_lane_change_limit", "knows the vehicle PassengerCar, and not GenericVehicle"},
		{"passenger_car", "double_lane_change_limit", "knows PassengerCar with 1000 kg, and not with 1093.3 kg"},
		{"passenger_car", "step_steer", "manoeuvre step_steer has no table [driver]"},
	} {
		for _, verb := range []string{"manoeuvre", "simulate"} {
			args := []string{verb, c.model, "--manoeuvre", c.manoeuvre, "--driver", file, "--library", library}
			if verb == "simulate" {
				args = append(args, "--no-prerun", "--out", filepath.Join(t.TempDir(), "x.csv"))
			}
			if status, stdout, stderr := try(args...); status != failed || !strings.Contains(stderr, c.want) || stdout != "" {
				t.Errorf("%v: status %d, %s%s; want %q", args, status, stdout, stderr, c.want)
			}
		}
	}
	status, _, stderr := try("driver", "adapt", "passenger_car", "--manoeuvre", "step_steer", "--library", library)
	if status != failed || !strings.Contains(stderr, "the manoeuvre has no table [driver]") {
		t.Errorf("adapting for step_steer: status %d, %s", status, stderr)
	}
	for _, line := range []string{"driver", "driver adopt"} {
		if status, _, stderr := try(strings.Fields(line)...); status != wrongUsage || !strings.Contains(stderr, "adapt") {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.toml")
	if err := os.WriteFile(bad, []byte(fmt.Sprint(text, "[[speed]]\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := try("manoeuvre", "passenger_car", "--manoeuvre", "double_lane_change_limit", "--driver", bad,
		"--library", library); status != failed || !strings.Contains(stderr, "bad.toml:") {
		t.Errorf("a faulty file: status %d, %s", status, stderr)
	}
}
