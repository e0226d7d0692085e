package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// What cannot be packed as sources is refused with what is wrong and what to do, and nothing is written.
func TestSourcesThatCannotBePacked(t *testing.T) {
	models, err := filepath.Abs("../../../resources/models")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	out := filepath.Join(folder, "x.fmu")
	model := func(name string) string { return filepath.Join(models, name+".toml") }
	car := model("generic4w")
	projected := filepath.Join(t.TempDir(), "projected.toml")
	if err := os.WriteFile(projected, []byte("name = \"P\"\ntitle = \"p\"\nbase = \""+car+"\"\n"+
		"[solver]\nmethod = \"adams-bashforth\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments []string
		status    int
		want      string
	}{
		{[]string{car, "--sources=both"}, 2,
			`--sources is "both"; give --sources for sources beside the libraries, or --sources=only`},
		{[]string{car, "--sources", "only"}, 2, "write --sources=only"},
		{[]string{car, "--method", "rk4"}, 2, "--method: it is for the sources of an FMU; add --sources"},
		{[]string{car, "--sources=only", "--method", "rk4,dlmm"}, 2,
			`--method: "dlmm" cannot be in C sources, which have euler, heun, rk4 and linearly-implicit`},
		{[]string{car, "--sources=only", "--method", "Euler"}, 2, `--method: "Euler" cannot be in C sources`},
		{[]string{car, "--sources=only", "--tire-parameters"}, 2,
			"--tire-parameters: coefficients of tires are fixed numbers"},
		{[]string{model("motorcycle2d"), "--sources=only"}, 1, "motorcycle2d.toml: " +
			"wheel contacts of contact_R act between steps and are computed in Go; see docs/generate.md"},
		{[]string{model("generic4w_outside"), "--sources=only"}, 1, "forces of tires from outside are no part"},
		{[]string{projected, "--sources=only"}, 1, `solver.method is "adams-bashforth": C sources have euler, heun, ` +
			`rk4 and linearly-implicit; name one of them in the model file`},
	} {
		status, _, stderr := try(append([]string{"pack", "-o", out}, c.arguments...)...)
		if status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: status %d, want %d: %s, want %q", c.arguments, status, c.status, stderr, c.want)
		}
	}
	if status, _, stderr := try("pack", car, "-o", filepath.Join(folder, "x.ssp"), "--sources"); status != 2 ||
		!strings.Contains(stderr, "--sources: it is for FMUs of models") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// An FMU of sources alone needs no libraries to be made. The check finds nothing in it, and other commands say what to
// do with it.
func TestAnFMUOfSourcesAlone(t *testing.T) {
	testrun.Slow(t)
	testrun.RequiresOne(t, "cc", "gcc", "clang")
	root, err := filepath.Abs("../../../resources")
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"2", "3"} {
		out := filepath.Join(t.TempDir(), "car.fmu")
		status, _, stderr := try("pack", filepath.Join(root, "models", "skidder.toml"), "-o", out, "--fmi", version,
			"--sources=only", "--binaries", filepath.Join(t.TempDir(), "none"))
		if status != 0 || !strings.HasSuffix(stderr, " variables, sources\n") {
			t.Fatalf("FMI %s: status %d: %s", version, status, stderr)
		}
		if status, stdout, _ := try("check", out); status != 0 || stdout != out+": 0 findings\n" {
			t.Errorf("FMI %s: status %d: %s", version, status, stdout)
		}
		status, _, stderr = try("simulate", out, "--manoeuvre", filepath.Join(root, "manoeuvres", "skidder_sine.toml"),
			"--out", filepath.Join(t.TempDir(), "x.csv"))
		if status != 1 ||
			!strings.Contains(stderr, `it has sources: compile the sources, for instance by "fmpy compile `+out) {
			t.Errorf("FMI %s: status %d: %s", version, status, stderr)
		}
	}
}
