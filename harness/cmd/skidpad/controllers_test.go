package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// softBrakes limits the torque of the brakes, for any car whose role brake is a torque.
const softBrakes = `kind = "subsystem"
title = "Soft brakes"
[parameters]
limit = { value = 1000, unit = "N.m" }
[component.brakes]
type = "sampled-equations"
sample = "10 ms"
inputs = [{ name = "pedal", unit = "N.m", from = "@brake" }]
outputs = [{ name = "torque", unit = "N.m", value = "min(pedal, limit)", to = ["@brake"] }]
intervenes = "pedal > limit"
`

// found are the figures of the runs and what is said of controllers in a file figures.json.
type foundFigures struct {
	Controllers []string
	Files       map[string]string
	Runs        []struct {
		Figures []struct {
			Figure string
			Value  *float64
		}
	}
}

func figuresIn(t *testing.T, folder string) (f foundFigures, values map[string]float64) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, "figures.json"))
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	values = map[string]float64{}
	for _, figure := range f.Runs[0].Figures {
		if figure.Value != nil {
			values[figure.Figure] = *figure.Value
		}
	}
	return f, values
}

// A manoeuvre with --controller has the figures of a model file that uses the subsystem, and names the file with its
// hash. Errors of the controller stand at their place in its file.
func TestManoeuvresWithAController(t *testing.T) {
	testrun.Slow(t)
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	soft := write("soft.toml", softBrakes)
	used := write("used.toml", `base = "passenger_car"
name = "Used"
title = "Used"
[use.soft]
file = "soft.toml"
`)
	run := func(model, out string, more ...string) (status int, stdout, stderr string) {
		args := append([]string{"manoeuvre", model, "--manoeuvre", "brake", "--let", "speed=10", "--out",
			filepath.Join(folder, out)}, core(t)...)
		return try(append(args, more...)...)
	}
	status, stdout, stderr := run("passenger_car", "by_flag", "--controller", soft, "--set", "limit_soft=900")
	if status != good || !strings.Contains(stdout, "controllers: soft.toml, SHA-256 ") {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	if status, _, stderr := run(used, "by_use", "--set", "limit_soft=900"); status != good {
		t.Fatal(stderr)
	}
	said, by := figuresIn(t, filepath.Join(folder, "by_flag"))
	_, want := figuresIn(t, filepath.Join(folder, "by_use"))
	if len(said.Controllers) != 1 || said.Controllers[0] != "soft.toml" || len(said.Files["soft.toml"]) != 64 ||
		len(said.Files["passenger_car.toml"]) != 64 {
		t.Errorf("the files are %v, the controllers %v", said.Files, said.Controllers)
	}
	if len(by) < 10 || len(by) != len(want) || by["interventions_brakes_soft"] != 1 {
		t.Errorf("the figures are %v and %v", by, want)
	}
	for id, x := range want {
		if by[id] != x {
			t.Errorf("%s is %.17g with the flag, %.17g with the use", id, by[id], x)
		}
	}
	wrong := write("wrong.toml", strings.Replace(softBrakes, "min(pedal", "min(padel", 1))
	if status, _, stderr := run("passenger_car", "none", "--controller", wrong); status != failed ||
		!strings.Contains(stderr, wrong+":9:") || !strings.Contains(stderr, `unknown name "padel"`) ||
		!strings.Contains(stderr, "used by skidpad:/models/passenger_car.toml with --controller (use wrong") &&
			!strings.Contains(stderr, "passenger_car.toml with --controller (use wrong") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if status, _, stderr := try(append([]string{"simulate", "skidder", "--manoeuvre", "skidder_sine", "--controller",
		soft}, core(t)...)...); status != failed || !strings.Contains(stderr, `@brake needs the role "brake", which the`) {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// FMUs of both versions are run by the model file that they carry, and say so; the figures are those of the model.
func TestFMUsWithAController(t *testing.T) {
	testrun.OnlyAll(t)
	folder := t.TempDir()
	soft := filepath.Join(folder, "soft.toml")
	if err := os.WriteFile(soft, []byte(softBrakes), 0o600); err != nil {
		t.Fatal(err)
	}
	var first map[string]float64
	for _, vehicle := range []string{"passenger_car", built.FMU(t, built.Model("passenger_car"), 2),
		built.FMU(t, built.Model("passenger_car"), 3)} {
		out := filepath.Join(folder, filepath.Base(filepath.Dir(vehicle))+"out")
		args := append([]string{"manoeuvre", vehicle, "--manoeuvre", "brake", "--let", "speed=10", "--out", out,
			"--controller", soft}, core(t)...)
		status, _, stderr := try(args...)
		isFMU := strings.HasSuffix(vehicle, ".fmu")
		if status != good || isFMU != strings.Contains(stderr, "runs with --controller, in place of the FMU") {
			t.Fatalf("%s: status %d, %s", vehicle, status, stderr)
		}
		if _, values := figuresIn(t, out); first == nil {
			first = values
		} else {
			for id, x := range first {
				if values[id] != x {
					t.Errorf("%s: %s is %.17g, of the model %.17g", vehicle, id, values[id], x)
				}
			}
		}
	}
}
