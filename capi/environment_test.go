package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// Results are bit-identical in every floating-point environment of the host during load and steps, in threads of the
// host and of the library. Tire functions may change the environment. Each call restores the environment of the host.
func TestResultsIgnoreTheRoundingOfTheHost(t *testing.T) {
	testrun.Slow(t)
	if runtime.GOOS != "linux" {
		t.Skip("the program is for Linux")
	}
	host := built.Compiled(t, "rounding", "gcc", "-std=gnu11", "-O1", "-frounding-math", "-Wall", "-Wextra", "-Werror",
		"-I.", "testdata/rounding.c", "-ldl", "-lm")
	library, model := built.Library(t), built.Model("generic4w")
	said := func(when string, environment int, tires string) string {
		t.Helper()
		text, err := exec.Command(host, library, model, when, strconv.Itoa(environment), tires).CombinedOutput()
		if err != nil {
			t.Fatalf("%s, environment %d, tires %s: %v\n%s", when, environment, tires, err, text)
		}
		return string(text)
	}
	nearest, polite := said("load", 0, "none"), said("load", 0, "polite")
	if nearest == polite {
		t.Error("the tires of the host are not used")
	}
	for i, when := range []string{"load", "step"} {
		for k, environment := range []int{1, 2, 3, 5} {
			if !testrun.All() && k%2 != i {
				continue
			}
			if got := said(when, environment, "none"); got != nearest {
				t.Errorf("environment %d before each %s: results %s, to nearest %s", environment, when, got, nearest)
			}
		}
	}
	if got := said("step", 0, "rude"); got != polite {
		t.Errorf("results with tires that leave another environment behind: %s, with others %s", got, polite)
	}
}

// A thread that is cancelled within a call, also within a callback, ends when the call has returned: the next call
// finds nothing locked. FMUs return equal results in any rounding mode of the importer.
func TestACancelledThreadLeavesNothingLocked(t *testing.T) {
	testrun.Slow(t)
	program := importer(t, "guests", "-I.", "-frounding-math")
	imports(t, exec.Command(program, built.Library(t), built.Model("generic4w"), unpacked(t, 2),
		unpacked(t, 3)))
}

// A host that releases its vehicles and instances has no leaks at its end. Leak checkers, which do not search the
// memory of Go, find all permanent memory, such as tables of handles and names of tire libraries.
func TestPermanentMemoryIsNoLeak(t *testing.T) {
	testrun.Slow(t)
	probe := filepath.Join(t.TempDir(), "probe")
	if err := os.WriteFile(probe+".c", []byte("int main(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.Command("gcc", "-fsanitize=leak", probe+".c", "-o", probe).CombinedOutput(); err != nil {
		t.Skip("the compiler has no leak checker")
	}
	if said, err := exec.Command(probe).CombinedOutput(); err != nil {
		t.Skipf("the leak checker does not run here: %s", said)
	}
	file, err := filepath.Abs("../resources/tires/fiala_generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	program := importer(t, "leaks", "-I.", "-g", "-fsanitize=leak")
	imports(t, exec.Command(program, built.Library(t), built.Model("generic4w"),
		"plugin:"+filepath.Join(tires(t), "fiala.so")+"#skidpad_fiala", file, unpacked(t, 2),
		unpacked(t, 3)))
}
