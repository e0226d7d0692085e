package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// truckSearch is a study in a folder: which stiffness of the rear axle lets the truck's trailer swing least.
func truckSearch(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "search.toml")
	text := fmt.Sprintf(`name = "search"
title = "Rear axle"
model = %q
mask = ["hitch.phi"]
seed = 1
evaluations = 1000000
at = { variable = "speed", values = [15, 17] }
range = { from = 10, to = 40, step = 10 }
[[outputs]]
variable = "hitch.phi"
[[outputs]]
variable = "truck.wz"
[[vary]]
variables = ["rear_stiffness"]
from = 200000
to = 400000
`, shippedPath(t, "models", "truck_trailer.toml"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func shippedPath(t *testing.T, elements ...string) string {
	t.Helper()
	path, err := filepath.Abs(shippedFile(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOptimise: the best values go to stdout as text or JSON. With --out there are tables of all evaluations and of the
// eigenvalues. The results are the same with any number of threads.
func TestOptimise(t *testing.T) {
	study, folder := truckSearch(t), filepath.Join(t.TempDir(), "found")
	status, text, stderr := try("optimise", study, "--evaluations", "9", "--threads", "2", "--out", folder)
	if status != good || stderr != "" || !strings.Contains(text, "Rear axle: 9 evaluations") ||
		!strings.Contains(text, filepath.Join(folder, "history.csv")) {
		t.Errorf("status %d, %s, %s", status, text, stderr)
	}
	history := rows(t, filepath.Join(folder, "history.csv"))
	if want := []string{"evaluation", "rear_stiffness", "masked", "all", "best"}; !slices.Equal(history[0], want) ||
		len(history) != 10 || history[9][0] != "9" {
		t.Errorf("history %v", history)
	}
	if list := rows(t, filepath.Join(folder, "eigenvalues.csv")); len(list) != 9 || len(list[8]) != 5 {
		t.Errorf("eigenvalues %v", list)
	}
	status, text, stderr = try("optimise", study, "--evaluations", "9", "--threads", "1", "--json")
	file, err := os.ReadFile(filepath.Join(folder, "optimum.json"))
	if status != good || stderr != "" || err != nil || text != string(file) {
		t.Errorf("status %d, %s; the file has %s, %v", status, text, file, err)
	}
	var found struct {
		Study             string
		Evaluations, Best int
		Values            []struct {
			Name            string
			Value, From, To float64
		}
		Masked, All *float64
		Stable      []struct {
			From, To               float64
			LimitBelow, LimitAbove bool
		}
		Modes []struct {
			At, Real, Imaginary, Share float64
			Counts                     bool
		}
	}
	if err := json.Unmarshal([]byte(text), &found); err != nil || found.Evaluations != 9 || len(found.Values) != 1 ||
		found.Values[0].To != 400000 || found.Masked == nil || len(found.Modes) != 8 ||
		fmt.Sprint(found.Values[0].Value) != history[found.Best][1] {
		t.Errorf("%+v, %v", found, err)
	}
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"optimise"}, wrongUsage, "one STUDY"},
		{[]string{"optimise", "none.toml"}, failed, "none.toml"},
		{[]string{"optimise", study, "--threads", "-1"}, wrongUsage, "must not be negative"},
		{[]string{"optimise", shippedFile("sweeps", "comfort_damping.toml")}, failed, `unknown key "manoeuvre"`},
		{[]string{"linearize"}, wrongUsage, "the model is missing"},
		{[]string{"linearize", "--study", "none.toml", "--out", folder}, failed, "none.toml"},
		{[]string{"linearize", "--study", "none.toml"}, wrongUsage, "--study needs --out"},
		{[]string{"linearize", "bicycle_rolling", "--study", "none.toml"}, wrongUsage, "leave bicycle_rolling or"},
		{[]string{"linearize", "--study", "none.toml", "--at", "speed=1"}, wrongUsage, "--at does not go with --study"},
	} {
		if status, _, stderr := try(c.args...); status != c.status || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: status %d, %s", c.args, status, stderr)
		}
	}
}

// TestStudyOfLinearisations: each panel has a folder with the same tables as the command without a study, byte by byte.
func TestStudyOfLinearisations(t *testing.T) {
	folder := t.TempDir()
	study := filepath.Join(folder, "study.toml")
	text := fmt.Sprintf(`name = "study"
title = "Truck"
[[panel]]
name = "truck"
title = "Truck"
model = %q
at = { variable = "speed", from = 10, to = 20, step = 2 }
set = { rear_stiffness = 250000 }
bode = { input = "steer", output = "truck.wz", from = 0.1, to = 10, count = 5 }
map = true
`, shippedPath(t, "models", "truck_trailer.toml"))
	if err := os.WriteFile(study, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := try("linearize", "--study", study, "--out", folder, "--plot")
	if status != good || stderr != "" ||
		!strings.Contains(stdout, "truck: Truck\nlargest magnitude of steer to truck.wz") ||
		!strings.Contains(stdout, filepath.Join(folder, "figure.png")) {
		t.Errorf("status %d, %s, %s", status, stdout, stderr)
	}
	status, _, stderr = try("linearize", "truck_trailer", "--at", "speed=10:20:2", "--set", "rear_stiffness=250000",
		"--eigen", "--bode", "steer:truck.wz", "--frequencies", "0.1:10:5", "--out", filepath.Join(folder, "single"))
	if status != good || stderr != "" {
		t.Errorf("status %d, %s", status, stderr)
	}
	for _, name := range []string{"steady.csv", "eigenvalues.csv", "bode.csv"} {
		own, err := os.ReadFile(filepath.Join(folder, "truck", name))
		single, other := os.ReadFile(filepath.Join(folder, "single", name))
		if err != nil || other != nil || string(own) != string(single) {
			t.Errorf("%s: %v, %v; of the study\n%s of a single run\n%s", name, err, other, own, single)
		}
	}
}
