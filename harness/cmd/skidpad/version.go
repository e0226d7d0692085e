package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/cpu"

	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/workbench/analyses/selftest"
)

// version is the version of the product, its commit where that is known, of Go, and the platform.
func version() string {
	commit := ""
	if name, changed := strings.CutSuffix(harness.Commit, "-changed"); name != "" {
		commit = ", commit " + name
		if changed {
			commit += " with changes"
		}
	}
	return fmt.Sprintf("skidpad %s%s, %s, %s/%s", harness.Version, commit, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}

// helper is a program that the command can make use of, by the first of its names that is found.
type helper struct{ title, names, use string }

var helpers = []helper{
	{"C compiler", "cc gcc clang", "check reads the C sources of FMUs"},
	{"C++ compiler", "c++ g++ clang++", "check reads the C++ sources of FMUs"},
	{"clang", "clang", "generate --target wasm compiles the module"},
}

// processor tells which features the engine uses, and which of them are missing.
func processor() string {
	if runtime.GOARCH != "amd64" {
		return runtime.GOARCH + ": the engine uses no optional features"
	}
	var missing []string
	for name, has := range map[string]bool{"AVX2": cpu.X86.HasAVX2, "FMA": cpu.X86.HasFMA} {
		if !has {
			missing = append(missing, name)
		}
	}
	if missing == nil {
		return "x86-64 with AVX2 and FMA: the engine runs as machine code"
	}
	slices.Sort(missing)
	return "x86-64 without " + strings.Join(missing, " and ") +
		": the engine runs as portable code, slower, with bit-identical results"
}

// writeInstallation lists versions, features of the processor and optional tools, and runs the self-test.
func writeInstallation(to io.Writer) error {
	fmt.Fprintf(to, "%s\n\nprocessor     %s\n", version(), processor())
	for _, h := range helpers {
		found := "not found; " + h.use + " if it is there"
		for name := range strings.FieldsSeq(h.names) {
			if path, err := exec.LookPath(name); err == nil {
				found = path + "; " + h.use
				break
			}
		}
		fmt.Fprintf(to, "%-12s  %s\n", h.title, found)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	begin := time.Now()
	checks := selftest.Do(func() (*library.Library, error) { return openLibrary("") },
		filepath.Join(filepath.Dir(self), "fmi"))
	fmt.Fprintln(to)
	if !writeChecks(to, checks) {
		fmt.Fprintln(to, "self-test FAILED: this installation is not complete, or does not suit this machine")
		return errFailed
	}
	_, err = fmt.Fprintf(to, "self-test passed, %.1f s\n", time.Since(begin).Seconds())
	return err
}

// writeChecks writes what each check found, and reports whether none failed. What is not installed is no failure.
func writeChecks(to io.Writer, checks []selftest.Check) (passed bool) {
	passed = true
	for _, c := range checks {
		switch {
		case c.Fault != nil:
			passed = false
			fmt.Fprintf(to, "FAILED  %s: %v\n", c.Name, c.Fault)
		case c.Needs != nil:
			fmt.Fprintf(to, "not installed  %s: %v\n", c.Name, c.Needs)
		default:
			fmt.Fprintf(to, "passed  %s: %s\n", c.Name, c.Found)
		}
	}
	return passed
}
