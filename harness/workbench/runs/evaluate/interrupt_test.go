package evaluate

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// interrupting is a progress that interrupts the work when it is told of a first step.
type interrupting struct {
	once sync.Once
	done chan struct{}
}

func (i *interrupting) At(string, float64, float64) { i.once.Do(func() { close(i.done) }) }

// interrupted makes the runs of a toy manoeuvre, changed by replacements, until their first step.
func interrupted(t *testing.T, name string, replacements ...string) (*Result, error) {
	t.Helper()
	path := filepath.Join(filepath.Dir(toyFiles(t, "")), name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.NewReplacer(replacements...).Replace(string(text))), 0o644); err != nil {
		t.Fatal(err)
	}
	e, progress := toyEvaluator(), &interrupting{done: make(chan struct{})}
	e.Progress, e.Interrupt = progress, progress.done
	return e.Evaluate(path)
}

// An interrupt ends the runs in progress and keeps the figures that they still give; runs that have not begun are left
// out, and the result reports it.
func TestInterruptKeepsBegunRuns(t *testing.T) {
	var sides []string
	for i := range 100 {
		sides = append(sides, strconv.Itoa(i+1))
	}
	result, err := interrupted(t, "first.toml", "side = [1, -1]", "side = ["+strings.Join(sides, ", ")+"]")
	if err != nil {
		t.Fatal(err)
	}
	failures := result.Failures()
	if len(result.Runs) == 0 || len(result.Runs) == 100 || !errors.Is(failures, output.ErrInterrupted) ||
		!strings.Contains(failures.Error(), strconv.Itoa(100-len(result.Runs))+" runs were not begun") {
		t.Errorf("%d runs, %v", len(result.Runs), failures)
	}
	for _, run := range result.Runs {
		if run.Result == nil || !strings.Contains(run.Result.Verdict, "interrupted") {
			t.Errorf("a run that did not end: %+v", run.Result)
		}
	}
	closed := make(chan struct{})
	close(closed)
	e := toyEvaluator()
	e.Interrupt = closed
	if _, err := e.Evaluate(filepath.Join(filepath.Dir(toyFiles(t, "")), "first.toml")); err != output.ErrInterrupted {
		t.Errorf("interrupted before the first run: %v", err)
	}
}

// A run before that was interrupted gives no constants.
func TestAnInterruptedRunBeforeGivesNothing(t *testing.T) {
	if result, err := interrupted(t, "second.toml"); !errors.Is(err, output.ErrInterrupted) ||
		!strings.Contains(err.Error(), "prerun") {
		t.Errorf("%v, %v", result, err)
	}
}

// A search that was interrupted has the run of that moment and finds nothing.
func TestAnInterruptedSearchFindsNothing(t *testing.T) {
	result, err := interrupted(t, "first.toml", "[sweep]\nside = [1, -1]", `[search]
constant = "speed"
from = 1
to = 5
tolerance = 1
figure = "A_run"
unit = "m/s"
`)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Runs) != 1 || !errors.Is(result.Failures(), output.ErrInterrupted) ||
		slices.ContainsFunc(result.Figures, func(f figures.Figure) bool { return f.ID == "highest_speed" }) {
		t.Errorf("%d runs, %v, %v", len(result.Runs), result.Failures(), result.Figures)
	}
}

// A design fails, with the reason, if no vehicle can be evaluated; a design with at least one good vehicle does not
// fail.
func TestADesignWithoutAGoodVehicleHasFailed(t *testing.T) {
	path := filepath.Join(filepath.Dir(toyFiles(t, "")), "first.toml")
	bad := []manoeuvre.Setting{{Name: "nix", Value: "1"}}
	for _, rows := range [][][]manoeuvre.Setting{{bad, bad}, {bad, nil}} {
		err := toyEvaluator().WriteDesign(io.Discard, path, &Design{Rows: rows}, "")
		if failed := rows[1] != nil; failed != (err != nil) || failed && !strings.Contains(err.Error(),
			"all 2 vehicles have failed, the first for: ") {
			t.Errorf("%v: %v", rows, err)
		}
	}
}

// A folder has only the runs of its last design, also if the last design has fewer rows; other files stay.
func TestRunsOfAnEarlierDesignAreRemoved(t *testing.T) {
	testrun.Slow(t)
	path := filepath.Join(filepath.Dir(toyFiles(t, "")), "first.toml")
	folder := t.TempDir()
	write := func(rows int) {
		t.Helper()
		design := &Design{Rows: make([][]manoeuvre.Setting, rows)}
		if err := toyEvaluator().WriteDesign(io.Discard, path, design, folder); err != nil {
			t.Fatal(err)
		}
	}
	write(3)
	// what only looks like runs, and a run of a row with more of them
	run, err := os.ReadFile(filepath.Join(folder, "2", "run_2.parquet"))
	for name, text := range map[string][]byte{"0/run_5.parquet": run, "0/run_9.csv": nil, "1/notes.txt": nil,
		"2024/run_1.csv": nil, "2024/run_3.parquet": {}, "old/run_2.parquet": run} {
		file := filepath.Join(folder, filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	write(1)
	found, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	for i := range found {
		found[i], _ = filepath.Rel(folder, found[i])
		found[i] = filepath.ToSlash(found[i])
	}
	const want = "0/run_1.parquet 0/run_2.parquet 0/run_5.parquet 0/run_9.csv 1/notes.txt 2024/run_1.csv " +
		"2024/run_3.parquet old/run_2.parquet"
	if got := strings.Join(found, " "); err != nil || got != want {
		t.Errorf("the folder has %s, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "2")); err == nil {
		t.Error("an empty folder is left")
	}
}

// fullDisk takes no byte.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }

// A design that is interrupted, or that cannot write a line, ends after the vehicles in progress. No vehicle runs on
// after the return, and no further vehicle begins.
func TestDesignsLeaveNothingRunning(t *testing.T) {
	path := filepath.Join(filepath.Dir(toyFiles(t, "")), "first.toml")
	design := &Design{Names: []string{"body.vx"}}
	for i := range 200 + 20*runtime.GOMAXPROCS(0) { // many times those in hand
		design.Rows = append(design.Rows, []manoeuvre.Setting{{Name: "body.vx", Value: strconv.Itoa(i)}})
	}
	for name, to := range map[string]io.Writer{"full disk": fullDisk{}, "interrupt": io.Discard} {
		var begun, ended atomic.Int32
		e := &Evaluator{Open: func() (drive.Subject, func(), error) {
			begun.Add(1)
			return newToyCar(), func() { ended.Add(1) }, nil
		}}
		if to == io.Discard {
			progress := &interrupting{done: make(chan struct{})}
			e.Progress, e.Interrupt = progress, progress.done
		}
		err := e.WriteDesign(to, path, design, "")
		if n := begun.Load(); err == nil || n == 0 || int(n) >= len(design.Rows) || n != ended.Load() {
			t.Errorf("%s: %v; %d vehicles have begun, %d have ended", name, err, n, ended.Load())
		}
	}
}
