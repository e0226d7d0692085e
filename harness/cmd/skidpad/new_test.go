package main

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/template"
)

// Each template stands on its wheels and drives straight until its manoeuvre acts: loads stay within 15 % of the loads
// at the start, where the engine brakes. Their sum is the same at the end. The lateral acceleration decays, the speed
// stays, and nothing warns.
func TestTemplatesStandOnTheirWheels(t *testing.T) {
	testrun.OnlyAll(t)
	library, err := filepath.Abs(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, of := range template.All {
		if status, stdout, stderr := try("new", of.Name, "--from", of.Name); status != 0 {
			t.Fatalf("status %d, %s%s", status, stdout, stderr)
		}
		vehicle, run := filepath.Join(of.Name, "vehicle.toml"), of.Name+".csv"
		status, _, stderr := try("simulate", vehicle, "--manoeuvre", filepath.Join(of.Name, "first_run.toml"),
			"--every", "100ms", "--record", "tire_*.Fz,body.ay,body.vx", "--out", run, "--library", library)
		if status != 0 || strings.Contains(stderr, "warning") {
			t.Fatalf("%s: status %d, %s", of.Name, status, stderr)
		}
		file, err := os.Open(run)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		file.Close()
		if err != nil || len(rows) < 60 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		value := func(row, column int) float64 {
			x, err := strconv.ParseFloat(rows[row][column], 64)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		last := len(rows) - 1
		var loads, loadsAtTheEnd, lateral float64
		for c, name := range rows[0] {
			switch {
			case strings.HasSuffix(name, ".Fz"):
				loads += value(1, c)
				loadsAtTheEnd += value(last, c)
				for r := 1; r < 10; r++ { // before the manoeuvre acts
					if x := value(r, c); math.Abs(x-value(1, c)) > 0.15*value(1, c) {
						t.Errorf("%s: %s goes from %g to %g N", of.Name, name, value(1, c), x)
					}
				}
				for r := range last {
					if value(r+1, c) <= 0 {
						t.Fatalf("%s: %s is %g N at %g s", of.Name, name, value(r+1, c), value(r+1, 0))
					}
				}
			case name == "body.ay":
				for r := range last {
					lateral = max(lateral, math.Abs(value(r+1, c)))
				}
				for r := 1; r < 10; r++ { // before the manoeuvre acts; tires that are not mirrored pull to one side
					if ay := value(r, c); math.Abs(ay) > 0.05 {
						t.Errorf("%s: the lateral acceleration is %g m/s2 on the straight", of.Name, ay)
					}
				}
				if math.Abs(value(last, c)) > 0.6*lateral {
					t.Errorf("%s: the lateral acceleration ends at %g m/s2", of.Name, value(last, c))
				}
			case name == "body.vx":
				if v := value(last, c); math.Abs(v-value(1, c)) > 0.06*v {
					t.Errorf("%s: the speed goes from %g to %g m/s", of.Name, value(1, c), v)
				}
			}
		}
		if lateral < 0.5 || math.Abs(loads-loadsAtTheEnd) > 0.02*loads {
			t.Errorf("%s: lateral acceleration %g m/s2, loads %g and %g N", of.Name, lateral, loads, loadsAtTheEnd)
		}
	}
}

// The command refuses a folder with files, and names the templates where none is given.
func TestNewRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if status, _, stderr := try("new", "car"); status != 2 || !strings.Contains(stderr, "formula-student, passenger") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if status, _, stderr := try("new", ".", "--from", "passenger"); status != 0 {
		t.Errorf("status %d, %s", status, stderr)
	}
	if status, _, stderr := try("new", ".", "--from", "passenger"); status != 1 || !strings.Contains(stderr, "not empty") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// The van leans like a van, by 5 to 7 deg for 1 g, and its tires stay within the ranges of their file on a circle.
func TestVanLeansLikeAVan(t *testing.T) {
	testrun.OnlyAll(t)
	library, err := filepath.Abs(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if status, _, stderr := try("new", "van", "--from", "van"); status != 0 {
		t.Fatal(stderr)
	}
	status, stdout, stderr := try("manoeuvre", "van/vehicle.toml", "--manoeuvre", "circle_radius", "--out", "circle",
		"--library", library)
	lean := regexp.MustCompile(`(?m)^roll_gradient +deg/\(m/s2\) +(\S+) +(\S+)$`).FindStringSubmatch(stdout)
	if status != 0 || !strings.Contains(stdout, "no warnings") || lean == nil {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	for _, text := range lean[1:] {
		if gradient, err := strconv.ParseFloat(text, 64); err != nil || gradient*9.81 < 5 || gradient*9.81 > 7 {
			t.Errorf("roll gradient %s deg/(m/s2)", text)
		}
	}
}
