package selftest

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/trace"
)

func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}

// The numbers of the self-test equal the results of the independent solver.
func TestReferenceEqualsTheIndependentSolver(t *testing.T) {
	file, err := os.Open(built.Path("resources", "references", "trajectories", "generic4w_sine.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	solved, err := trace.ReadCSV(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range reference {
		if is := solved.At(v.variable, v.time); is != v.is {
			t.Errorf("%s at %g s: %.12g; the independent solver has %.12g", v.variable, v.time, v.is, is)
		}
	}
}

// The self-test passes with the delivered library and FMUs. Its faults are found: a library of another version or none,
// no libraries of FMUs.
func TestSelfTestFindsFaults(t *testing.T) {
	testrun.Slow(t)
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	opened := func() (*library.Library, error) { return lib, nil }
	older := *lib
	older.Version = "0.0.9"
	for name, c := range map[string]struct {
		open     func() (*library.Library, error)
		binaries string
		want     []string // what each check says
	}{
		"complete": {opened, built.Binaries(t), []string{"version " + harness.Version, "6 values", "the bits"}},
		"not installed": {opened, filepath.Join(t.TempDir(), "none"),
			[]string{"version", "6 values", "? folder of the FMI"}},
		"no FMU library": {opened, t.TempDir(), []string{"version", "6 values", "! no FMI libraries in "}},
		"another version": {func() (*library.Library, error) { return &older, nil }, "", []string{"! the library has " +
			"version 0.0.9, the command " + harness.Version}},
		"no library": {func() (*library.Library, error) { return nil, errors.New("no library") }, "",
			[]string{"! no library"}},
	} {
		checks := Do(c.open, c.binaries)
		if len(checks) != len(c.want) {
			t.Errorf("%s: %d checks: %+v", name, len(checks), checks)
			continue
		}
		for i, check := range checks {
			said := check.Found
			switch {
			case check.Fault != nil:
				said = "! " + check.Fault.Error()
			case check.Needs != nil:
				said = "? " + check.Needs.Error()
			}
			want, marked := c.want[i], check.Fault != nil || check.Needs != nil
			if !strings.Contains(said, want) || marked != strings.ContainsAny(want[:1], "!?") {
				t.Errorf("%s, %s: %q; want %q", name, check.Name, said, c.want[i])
			}
		}
	}
	run, err := loaded(lib, built.Model(Model), true)
	if err != nil {
		t.Fatal(err)
	}
	run.Column("body.wz")[5000] = math.Nextafter(run.Column("body.wz")[5000], 1)
	_, err = packed(built.Model(Model), filepath.Join(t.TempDir(), "x.fmu"), built.Binaries(t), run)
	if err == nil || !strings.Contains(err.Error(), "body.wz is ") {
		t.Errorf("a run with another last bit: %v", err)
	}
}

// A run that differs from the independent solver is refused, and so is a run with NaN.
func TestDifferencesAreRefused(t *testing.T) {
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	run, err := loaded(lib, built.Model(Model), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compare(run, reference); err != nil {
		t.Error(err)
	}
	for i := range reference {
		for _, change := range []float64{1 + 1e-6, -1} {
			other := append([]value{}, reference...)
			other[i].is = other[i].is*change + 2*tolerance
			if _, err := compare(run, other); err == nil || !strings.Contains(err.Error(), other[i].variable+" is ") {
				t.Errorf("%+v in place of %+v: %v", other[i], reference[i], err)
			}
		}
	}
	column := run.Column("body.yaw")
	column[len(column)-1] = math.NaN()
	if _, err := compare(run, reference); err == nil {
		t.Error("a yaw angle that is not a number passes")
	}
}
