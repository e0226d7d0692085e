package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// Models and flags without sources are refused: the message has fault and remedy, and no file is written.
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
	exposed := filepath.Join(t.TempDir(), "exposed.toml")
	if err := os.WriteFile(exposed, []byte("name = \"E\"\ntitle = \"e\"\nbase = \""+car+"\"\n"+
		"[component.tire_FL]\nexpose = [\"utilisation\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arguments []string
		status    int
		want      string
	}{
		{[]string{exposed, "--sources=only"}, 1, "expose makes tire_FL.utilisation a variable of the FMU: coefficients " +
			"and peaks of tires are not variables of C sources; remove expose from the model file, or pack without --sources"},
		{[]string{car, "--sources=both"}, 2,
			`--sources is "both"; give --sources for sources beside the libraries, or --sources=only`},
		{[]string{car, "--sources", "only"}, 2, "write --sources=only"},
		{[]string{car, "--method", "rk4"}, 2, "--method: it is for the sources of an FMU; add --sources"},
		{[]string{car, "--sources=only", "--method", "rk4,dlmm"}, 2,
			`--method: "dlmm" cannot be in C sources, which have euler, heun, rk4 and linearly-implicit`},
		{[]string{car, "--sources=only", "--method", "Euler"}, 2, `--method: "Euler" cannot be in C sources`},
		{[]string{car, "--sources=only", "--tire-parameters"}, 2,
			"--tire-parameters: coefficients of tires are fixed numbers"},
		{[]string{model("motorcycle2d"), "--sources=only"}, 1, `motorcycle2d.toml: solver.method is "dlmm": C sources ` +
			"have euler, heun, rk4 and linearly-implicit; name one of them in the model file"},
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

// Sources have the method of the model first, then those that are asked for, each once.
func TestSourcesHaveTheRequestedMethods(t *testing.T) {
	testrun.Slow(t)
	car, err := filepath.Abs("../../../resources/models/generic4w.toml") // its method is rk4
	if err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{"": `"rk4", "euler", "heun", };`,
		"--method=euler,euler":           `"rk4", "euler", };`,
		"--method=linearly-implicit,rk4": `"rk4", "linearly-implicit", };`} {
		w := &workshop{T: t, folder: t.TempDir()}
		arguments := []string{"pack", car, "-o", w.path("x.fmu"), "--sources=only"}
		if flag != "" {
			arguments = append(arguments, flag)
		}
		if status, _, stderr := try(arguments...); status != 0 {
			t.Fatal(stderr)
		}
		_, table, _ := strings.Cut(string(w.unpacked("x.fmu")["sources/GenericVehicle.c"]), "_method_table[")
		_, table, _ = strings.Cut(table, "{")
		if got := strings.Join(strings.Fields(table[:min(len(table), 100)]), " "); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", flag, got, want)
		}
	}
}

// An FMU with sources only is packed without libraries. The check has no findings; commands that run FMUs say how the
// sources are compiled.
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

// Packed sources compile with the headers of the standard and without flags. The FMU with that library passes the
// check: token, run, saved state, and a second run with equal results.
func TestPackedSourcesRunWhenTheyAreCompiled(t *testing.T) {
	testrun.Slow(t)
	testrun.Requires(t, "gcc")
	if runtime.GOOS+runtime.GOARCH != "linuxamd64" {
		t.Skip("the name of the folder is that of Linux on x86-64")
	}
	for _, version := range testrun.Either([]string{"2"}, []string{"2", "3"}) {
		w := &workshop{T: t, folder: t.TempDir()}
		model, err := filepath.Abs("../../../resources/models/pendulum.toml")
		if err != nil {
			t.Fatal(err)
		}
		status, _, stderr := try("pack", model, "-o", w.path("packed.fmu"), "--fmi", version, "--sources=only")
		if status != 0 {
			t.Fatal(stderr)
		}
		files, sources := map[string]string{}, []string{}
		for name, content := range w.unpacked("packed.fmu") {
			files[name] = string(content)
			if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(w.path(name), content, 0o600); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(name, "sources/") && strings.HasSuffix(name, ".c") {
				sources = append(sources, w.path(name))
			}
		}
		headers, err := filepath.Abs("../../../fmu/check/headers")
		if err != nil {
			t.Fatal(err)
		}
		arguments := append([]string{"-shared", "-fPIC", "-I" + headers, "-o", w.path("library.so")}, sources...)
		if said, err := exec.Command("gcc", arguments...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		library, err := os.ReadFile(w.path("library.so"))
		if err != nil {
			t.Fatal(err)
		}
		folder := map[string]string{"2": "linux64", "3": "x86_64-linux"}[version]
		files["binaries/"+folder+"/Pendulum.so"] = string(library)
		compiled := writeArchive(t, w.path("compiled.fmu"), files)
		if status, stdout, stderr := try("check", compiled); status != 0 || stdout != compiled+": 0 findings\n" {
			t.Errorf("FMI %s: status %d: %s%s", version, status, stdout, stderr)
		}
	}
}
