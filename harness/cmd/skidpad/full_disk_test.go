package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// TestAFullDiskIsAnErrorOfEveryVerb that writes a file: the status is 1, and the error names the file.
func TestAFullDiskIsAnErrorOfEveryVerb(t *testing.T) {
	testrun.Slow(t)
	if runtime.GOOS != "linux" {
		t.Skip("needs /dev/full")
	}
	w := newWorkshop(t)
	w.file("car.toml", oneTire)
	w.file("roll.toml", oneTireManoeuvre)
	w.file("in.csv", "S,Fz,Omega,alpha\n0.01,5000,50,0\n")
	if status, _, stderr := try(w.simulate()...); status != 0 {
		t.Fatal(stderr)
	}
	resource := func(names ...string) string {
		return filepath.Join(append([]string{"..", "..", "..", "resources"}, names...)...)
	}
	for _, test := range []struct {
		name string
		args []string
	}{
		{"full.csv", append(w.simulate(), "--out")},
		{"page.html", []string{"animate", w.path("run.csv"), "--model", w.path("car.toml"), "--manoeuvre",
			w.path("roll.toml"), "-o"}},
		{"car.fmu", []string{"pack", w.path("car.toml"), "--fmi", "3", "--binaries", built.Binaries(t),
			"-o"}},
		{"car.py", []string{"equations", w.path("car.toml"), "--export", "sympy", "--out"}},
		{"forces.csv", []string{"tire", resource("tires", "fiala_generic4w.toml"), "--in", w.path("in.csv"), "--out"}},
		{"tire.toml", []string{"tire", "convert", resource("tires", "pacejka2002.tir")}},
	} {
		link := w.path(test.name)
		if err := os.Symlink("/dev/full", link); err != nil {
			t.Fatal(err)
		}
		status, _, stderr := try(append(test.args, link)...)
		if status != 1 || !strings.Contains(stderr, test.name) || !strings.Contains(stderr, "no space left on device") {
			t.Errorf("skidpad %s: status %d, stderr %q", strings.Join(test.args, " "), status, stderr)
		}
	}
}

// TestAFullDiskBehindStandardOutputIsAnError: results that nobody gets are none.
func TestAFullDiskBehindStandardOutputIsAnError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("needs /dev/full: ", err)
	}
	defer full.Close()
	for _, args := range [][]string{{"--help"}, {"tire", "Fiala"},
		{"equations", filepath.Join("..", "..", "..", "resources", "models", "wheel.toml")}} {
		var stderr strings.Builder
		if status := command(context.Background(), args, strings.NewReader(""), full, &stderr); status != 1 ||
			!strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("skidpad %s: status %d, stderr %q", strings.Join(args, " "), status, stderr.String())
		}
	}
}
