package testrun

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// recorder is a test that records its end only.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper() {}
func (r *recorder) Skip(arguments ...any) {
	r.skipped = fmt.Sprint(arguments...)
	runtime.Goexit()
}
func (r *recorder) Fatal(arguments ...any) {
	r.failed = fmt.Sprint(arguments...)
	runtime.Goexit()
}

// record runs f as a test; f may end its goroutine.
func record(f func(testing.TB)) *recorder {
	r, done := &recorder{}, make(chan bool)
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r
}

// A missing tool skips a test on a developer's machine, and fails it by name where tools have been installed.
func TestMissingToolsSkipOrFail(t *testing.T) {
	requires := func(r testing.TB) { Requires(r, "go", "no-such-tool") }
	for _, c := range []struct{ ci, tests, want string }{
		{"", "", "skip"}, {"true", "", "fail"}, {"", Thinned, "fail"}, {"", Full, "fail"},
	} {
		t.Setenv("CI", c.ci)
		t.Setenv(Variable, c.tests)
		r := record(requires)
		said, other := r.skipped, r.failed
		if c.want == "fail" {
			said, other = other, said
		}
		if !strings.HasPrefix(said, "no-such-tool: not found") || other != "" {
			t.Errorf("CI=%q %s=%q: skipped %q, failed %q; want a %s", c.ci, Variable, c.tests, r.skipped, r.failed, c.want)
		}
	}
	if r := record(func(r testing.TB) { Requires(r, "go") }); r.skipped+r.failed != "" {
		t.Errorf("a tool that is there: skipped %q, failed %q", r.skipped, r.failed)
	}
}

// One of several tools is enough.
func TestOneOfSeveralTools(t *testing.T) {
	t.Setenv("CI", "")
	t.Setenv(Variable, "")
	if r := record(func(r testing.TB) { RequiresOne(r, "no-such-tool", "go") }); r.skipped+r.failed != "" {
		t.Errorf("one is there: skipped %q, failed %q", r.skipped, r.failed)
	}
	r := record(func(r testing.TB) { RequiresOne(r, "no-such-tool", "nor-this") })
	if !strings.HasPrefix(r.skipped, "no-such-tool or nor-this: not found") || r.failed != "" {
		t.Errorf("none is there: skipped %q, failed %q", r.skipped, r.failed)
	}
}

// Full runs have the second value and no skips; all others have the first one.
func TestSizesOfRuns(t *testing.T) {
	for size, full := range map[string]bool{"": false, Thinned: false, Full: true} {
		t.Setenv(Variable, size)
		if got := Either(3, 50); (got == 50) != full || !full && got != 3 {
			t.Errorf("%s=%q: %d", Variable, size, got)
		}
		if skipped := record(OnlyAll).skipped != ""; skipped == full {
			t.Errorf("%s=%q: skipped %v", Variable, size, skipped)
		}
	}
}

// A test with a stage of its own runs there and for a developer.
func TestTestsWithAStageOfTheirOwn(t *testing.T) {
	for stage, skips := range map[string]bool{"": false, "browser": false, "tests": true} {
		t.Setenv(StageVariable, stage)
		if r := record(func(r testing.TB) { InStage(r, "browser") }); (r.skipped != "") != skips {
			t.Errorf("in stage %q: skipped %q", stage, r.skipped)
		}
	}
}
