// Package testrun tells a test how much time this run has, and which tools must be there.
//
// There are three sizes of run. `go test -short` leaves out the slow tests, so that the race detector gets through.
// Plain `go test` and `./build.sh test` run every test, with the slow ones thinned. `./build.sh test all` runs every
// test in full. Importing the package costs nothing: it knows the standard library only.
package testrun

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Thinned and Full are the values of the environment variable that ./build.sh sets for its stages. A developer's own go
// test has none of them: it is thinned, and a missing tool skips its test.
const (
	Variable = "SKIDPAD_TESTS"
	Thinned  = "thinned"
	Full     = "all"

	StageVariable = "SKIDPAD_STAGE" // the name of the stage that runs
)

func init() {
	switch size := os.Getenv(Variable); size {
	case "", Thinned, Full:
	default:
		panic(fmt.Sprintf("%s is %q; it must be %q, %q or unset", Variable, size, Thinned, Full))
	}
}

// All reports whether every test runs in full: `./build.sh test all`, or SKIDPAD_TESTS=all in front of go test.
func All() bool { return os.Getenv(Variable) == Full }

// Either returns the first value in a thinned run and the second one in a full run, such as the number of seeds.
func Either[T any](few, full T) T {
	if All() {
		return full
	}
	return few
}

// OnlyAll skips a test that belongs to the full run.
func OnlyAll(t testing.TB) {
	t.Helper()
	if !All() {
		t.Skip("part of ./build.sh test all; " + Variable + "=all go test runs it, too")
	}
}

// InStage skips a test in all other stages of ./build.sh test. The test depends on a program that can fail by itself,
// and its stage runs again, alone, after a failure. A developer's go test runs the test.
func InStage(t testing.TB, name string) {
	t.Helper()
	if stage := os.Getenv(StageVariable); stage != "" && stage != name {
		t.Skip("part of the stage " + name)
	}
}

// Slow skips a test in runs with -short: one that takes more than a second, or more than three under the race detector.
func Slow(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("slow; runs without -short")
	}
}

// Requires skips a test whose tools are missing on a developer's machine. Where ./build.sh or a server of continuous
// integration runs the tests, it fails: there the tools have been installed, and a skip would pass for a success.
func Requires(t testing.TB, tools ...string) {
	t.Helper()
	var missing []string
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			missing = append(missing, tool)
		}
	}
	Missing(t, missing...)
}

// RequiresOne does what Requires does where none of some tools is there.
func RequiresOne(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			return
		}
	}
	Missing(t, strings.Join(tools, " or "))
}

// Missing skips a test, or fails it as Requires does, for tools that a test has looked for by itself.
func Missing(t testing.TB, tools ...string) {
	t.Helper()
	if len(tools) == 0 {
		return
	}
	text := fmt.Sprintf("%s: not found; install it, or run ./build.sh test, which does", strings.Join(tools, ", "))
	if os.Getenv("CI") != "" || os.Getenv(Variable) != "" {
		t.Fatal(text)
	}
	t.Skip(text)
}
