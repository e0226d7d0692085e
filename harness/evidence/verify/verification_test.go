package verify

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/evidence/references"
	"skidpad/harness/library"
	"skidpad/harness/site/browser"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/trace"
)

var resources = built.Path("resources")

// TestRunsOfTheLibraryAgreeWithTheirReferences verifies the delivered library in one manoeuvre of each of the two
// vehicles of Morency (2007), with all solvers and trees.
func TestRunsOfTheLibraryAgreeWithTheirReferences(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	for model, driven := range testrun.Either(map[string]string{"skidder": "skidder_braking"},
		map[string]string{"generic4w": "generic4w_sine", "skidder": "skidder_braking"}) {
		var report bytes.Buffer
		v := Verification{Library: library, Resources: resources, Model: model, Manoeuvre: driven, Report: &report}
		result, err := v.Do()
		if err != nil {
			t.Fatal(err)
		}
		if !result.OK() {
			t.Error(report.String())
		}
		seen := map[string]bool{}
		for _, r := range result.Runs {
			seen[r.Reference.Name+" "+r.Tree+" "+r.Method] = true
		}
		for _, run := range []string{" default rk4", " tire rk4", " default linearly-implicit"} {
			if !seen[driven+run] {
				t.Errorf("%s%s is not verified", driven, run)
			}
		}
		if len(result.Statements) == 0 {
			t.Errorf("%s: no statement is checked", driven)
		}
		if n := bytes.Count(reportPage(t, result, library), []byte("<figure>")); n < len(result.Runs) {
			t.Errorf("the report has %d figures of %d runs", n, len(result.Runs))
		}
	}
}

// TestTheLibraryAgreesWithTheReferences verifies the delivered library in all models,
// manoeuvres, tire models and trees.
func TestTheLibraryAgreesWithTheReferences(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	var report bytes.Buffer
	v := Verification{Library: library, Resources: resources, Report: &report}
	result, err := v.Do()
	if err != nil {
		t.Fatal(err)
	}
	if !result.OK() {
		t.Error(report.String())
	}
	seen := map[string]bool{}
	for _, r := range result.Runs {
		seen[r.Reference.Name+" "+r.Tree+" "+r.Method] = true
	}
	for _, name := range []string{"generic4w_sine", "generic4w_braking", "generic4w_sine_fiala",
		"generic4w_braking_fiala", "skidder_sine", "skidder_braking"} {
		for _, run := range []string{" default rk4", " tire rk4", " default linearly-implicit"} {
			if !seen[name+run] {
				t.Errorf("%s%s is not verified", name, run)
			}
		}
	}
	if n := bytes.Count(reportPage(t, result, library), []byte("<figure>")); n < len(result.Runs) {
		t.Errorf("the report has %d figures of %d runs", n, len(result.Runs))
	}
	stated := map[string]bool{}
	for _, s := range result.Statements {
		stated[s.Name] = true
	}
	source, err := ReadSource(resources)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range source.Statements {
		aboutTime := strings.HasPrefix(s.Name, "T") // judged by skidpad run and skidpad verify, not in tests
		if !stated[s.Name] && !aboutTime {
			t.Errorf("statement %s (%s) is not checked", s.Name, s.Text)
		}
	}
	if len(result.Times) != 6 {
		t.Errorf("%d runs are timed, want the six of the source's vehicles", len(result.Times))
	}
}

// Chromium draws all figures of the report on one vehicle; the code of the others is the same.
func TestTheVerificationIsDrawnInChromium(t *testing.T) {
	testrun.InStage(t, "browser")
	testrun.OnlyAll(t)
	testrun.RequiresOne(t, browser.Names...)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	v := Verification{Library: library, Resources: resources, Model: "generic4w", Manoeuvre: "generic4w_sine",
		Report: io.Discard}
	result, err := v.Do()
	if err != nil {
		t.Fatal(err)
	}
	page := reportPage(t, result, library)
	path := filepath.Join(t.TempDir(), "verification.html")
	if err := os.WriteFile(path, page, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := browser.CheckDrawn(path, bytes.Count(page, []byte("<figure>"))); err != nil {
		t.Error(err)
	}
}

// reportPage is the page that a result makes.
func reportPage(t *testing.T, result *Verified, library *library.Library) []byte {
	t.Helper()
	var page bytes.Buffer
	if err := result.WriteReport(&page, library, nil); err != nil {
		t.Fatal(err)
	}
	return page.Bytes()
}

// TestStoredReferencesMatchTheSolver solves every case again at 1e-9 and compares with what
// is kept.
func TestStoredReferencesMatchTheSolver(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	quick := []string{"pendulum_swing", "double_pendulum_swing", "skidder_braking", "skidder_sine",
		"skidder_carcass_braking", "generic4w_braking"}
	for _, c := range references.Cases {
		if !testrun.All() && !slices.Contains(quick, c.Name) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			kept, err := references.Read(c, resources)
			if err != nil {
				t.Fatal(err)
			}
			trace, _, err := c.Solve(resources, 1e-9, nil)
			if err != nil {
				t.Fatal(err)
			}
			if missing := unmatchedOutputs(kept.Trace, trace); len(missing) > 0 ||
				len(kept.Trace.Channels) != len(trace.Channels) {
				t.Fatalf("other quantities than those kept: %q", missing)
			}
			// the error is proportional to the tolerance, that of the kept run to 1e-10
			bound := func(quantity, _ string, _ float64) float64 { return 100*kept.Facts.Accuracy[quantity] + 1e-8 }
			list := Compare(trace, kept.Trace, bound)
			if w := worst(list); !w.Pass() {
				t.Error(w)
			}
		})
	}
}

// TestABrokenEngineIsFound flips a sign in a copy of the engine, in a kinematic, a force and a dynamic equation, and
// verifies the library built from each copy. A thinned run skips the test.
func TestABrokenEngineIsFound(t *testing.T) {
	testrun.OnlyAll(t) // it builds the library again for each fault
	t.Parallel()
	type fault struct{ name, file, sound, broken string }
	faults := []fault{
		{"kinematic", "model/formulate/kinematic.go", "p.Add(v.X[c], p.Scale(s, p.Mul(sin, rates[0])))",
			"p.Sub(v.X[c], p.Scale(s, p.Mul(sin, rates[0])))"},
		{"force", "model/component/contact_loaded.go", "p.Sub(p.Mul(v.kz, v.deflection), p.Mul(v.cz, v.approach))",
			"p.Add(p.Mul(v.kz, v.deflection), p.Mul(v.cz, v.approach))"},
		{"dynamic", "model/formulate/inertia_loads.go", "p.NegV(f.gyroscopicMoment(b))", "f.gyroscopicMoment(b)"},
	}
	module := copyModule(t)
	for _, c := range faults {
		path := filepath.Join(module, filepath.FromSlash(c.file))
		sound, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(sound, []byte(c.sound)) != 1 {
			t.Fatalf("%s does not hold %q once; find another sign of a %s equation", c.file, c.sound, c.name)
		}
		broken := bytes.Replace(sound, []byte(c.sound), []byte(c.broken), 1)
		if err := os.WriteFile(path, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		built := filepath.Join(t.TempDir(), c.name+".so")
		build := exec.Command("./build.sh", "library", built)
		build.Dir = module
		if text, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		library, err := library.Open(built)
		if err != nil {
			t.Fatal(err)
		}
		var report bytes.Buffer
		result, err := (&Verification{Library: library, Resources: resources, Model: "generic4w",
			Manoeuvre: "generic4w_sine", Report: &report}).Do()
		if err == nil && result.OK() { // that the sound program passes is tested above
			t.Errorf("%s: the broken engine is not found\n%s", c.name, report.String())
		}
		if err := os.WriteFile(path, sound, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// copyModule copies what the library is built of.
func copyModule(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	for _, name := range []string{"build.sh", "go.mod", "go.sum", "capi", "cosim", "fmu", "model", "tire", "harness",
		"resources"} {
		from := built.Path(name)
		if info, err := os.Stat(from); err != nil {
			t.Fatal(err)
		} else if info.IsDir() {
			err = os.CopyFS(filepath.Join(to, name), os.DirFS(from))
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// TestDifferencesAreFound: a comparison sees what differs, also in one sample only, not a
// number and a missing quantity; whole turns are no difference.
func TestDifferencesAreFound(t *testing.T) {
	make := func(change func(n int, row []float64)) *trace.Trace {
		recorded := trace.New([]trace.Channel{{Name: "body.x", Unit: "m"}, {Name: "body.yaw", Unit: "rad"}}, 21)
		for n := range 21 {
			row := []float64{float64(n), 0.1}
			change(n, row)
			recorded.Append(float64(n)*trace.Sampling, row)
		}
		return recorded
	}
	reference := make(func(int, []float64) {})
	for name, c := range map[string]struct {
		change func(n int, row []float64)
		pass   bool
	}{
		"nothing": {func(int, []float64) {}, true},
		"turns":   {func(_ int, row []float64) { row[1] += 4 * 3.14159265358979 }, true},
		"one":     {func(n int, row []float64) { row[0] += 2e-6 * float64(n/20) }, false},
		"angle":   {func(n int, row []float64) { row[1] += 2e-7 }, false},
		"nan":     {func(n int, row []float64) { row[0] *= nan(n == 7) }, false},
		"within":  {func(_ int, row []float64) { row[0] += 0.9e-6 }, true},
	} {
		run := VerifiedRun{Comparisons: Compare(make(c.change), reference, trajectoryBound)}
		if run.Pass() != c.pass {
			t.Errorf("%s: pass %v: %v", name, run.Pass(), worst(run.Comparisons))
		}
	}
	if names := unmatchedOutputs(reference, trace.New(trace.Named("body.x"), 0)); len(names) != 1 ||
		names[0] != "body.yaw" {
		t.Errorf("missing are %q", names)
	}
}

// nan is not a number when it is to be, and 1 else.
func nan(is bool) float64 {
	zero := 0.0
	if is {
		return zero / zero
	}
	return 1
}

// TestStaleReferencesAreRejected: a reference of another version of the model names the remedy.
func TestStaleReferencesAreRejected(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(resources)); err != nil {
		t.Fatal(err)
	}
	c := references.Cases[4]
	if _, err := references.Read(c, folder); err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(folder, "models", c.Model+".toml")
	text, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(model, append(text, "# changed\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := references.Read(c, folder); err == nil || !strings.Contains(err.Error(), "skidpad reference "+c.Name) {
		t.Errorf("error %v does not name the remedy", err)
	}
	if _, err := (&Verification{Resources: folder, Model: "none", Report: io.Discard}).Do(); err == nil ||
		!strings.Contains(err.Error(), `"none"`) {
		t.Errorf("error %v", err)
	}
}
