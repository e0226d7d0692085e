package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"skidpad/harness/tests/testrun"
)

// crewOf runs stages of a test and returns what they print and the results.
func crewOf(t *testing.T, workers int, list ...stage) (string, []*result) {
	t.Helper()
	if err := checkNames(list); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	c := &crew{ctx: t.Context(), size: standard, out: t.TempDir(), scratch: t.TempDir(), workers: workers, log: &log}
	chosen := make([]*stage, len(list))
	for i := range list {
		chosen[i] = &list[i]
	}
	results := c.run(chosen)
	report(&log, results, nil, time.Second)
	return log.String(), results
}

func pass(*job) error { return nil }
func fail(j *job) error {
	j.log.Write([]byte("FAILED  the third check: 2 instead of 1\n"))
	return errors.New("exit status 1")
}

// verdicts returns the verdict of each stage.
func verdicts(results []*result) map[string]verdict {
	of := map[string]verdict{}
	for _, r := range results {
		of[r.name] = r.verdict
	}
	return of
}

// A failed stage ends no other stage, except the stages that need it.
func TestAFailureEndsNoOtherStage(t *testing.T) {
	text, results := crewOf(t, 2,
		stage{name: "a", run: fail}, stage{name: "b", run: pass, after: []string{"a"}},
		stage{name: "c", run: pass, needs: []string{"a"}}, stage{name: "d", run: pass, needs: []string{"c"}},
		stage{name: "e", run: fail, seconds: 9})
	got := verdicts(results)
	for name, want := range map[string]verdict{"a": failed, "b": passed, "c": notRun, "d": notRun, "e": failed} {
		if got[name] != want {
			t.Errorf("stage %s: %s; want %s", name, got[name], want)
		}
	}
	if !strings.HasSuffix(text, "\nstages: 1 passed, 2 failed, 2 skipped\n") {
		t.Errorf("the last line is another one: %s", text)
	}
	if !strings.Contains(text, "not run: d: stage c has not passed") ||
		!strings.Contains(text, "FAILED: a: exit status 1\n  FAILED  the third check") {
		t.Errorf("the table does not tell why: %s", text)
	}
}

// A stage of third-party programs gets a second try, alone, and the run says so at its end. Others get none.
func TestOnlyForeignStagesAreRepeated(t *testing.T) {
	tries := map[string]int{}
	busy := 0
	var lock sync.Mutex
	failing := func(name string, times int) func(*job) error {
		return func(j *job) error {
			lock.Lock()
			tries[name]++
			try := tries[name]
			busy++
			if try == 2 && busy != 1 {
				t.Errorf("%s runs again beside another stage", name)
			}
			lock.Unlock()
			defer func() { lock.Lock(); busy--; lock.Unlock() }()
			if try <= times {
				return fail(j)
			}
			return nil
		}
	}
	text, results := crewOf(t, 2, stage{name: "once", run: failing("once", 1), foreign: "Wine"},
		stage{name: "always", run: failing("always", 9), foreign: "Chromium"},
		stage{name: "own", run: failing("own", 1)}, stage{name: "good", run: pass, foreign: "FMPy"})
	got := verdicts(results)
	for name, want := range map[string]verdict{"once": flaky, "always": failed, "own": failed, "good": passed} {
		if got[name] != want {
			t.Errorf("stage %s: %s; want %s", name, got[name], want)
		}
	}
	if tries["once"] != 2 || tries["always"] != 2 || tries["own"] != 1 {
		t.Errorf("tries: %v", tries)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if got := lines[len(lines)-3]; got != "FLAKY: once, FAILED  the third check: 2 instead of 1" {
		t.Errorf("the last lines do not name the flaky stage: %q", lines[len(lines)-4:])
	}
	if text, results := crewOf(t, 1, stage{name: "f", run: failing("f", 1), foreign: "Wine"}); !report(&bytes.Buffer{},
		results, nil, 0) {
		t.Errorf("a run whose only failure passed at the second try has failed: %s", text)
	}
}

// The longest stage runs first; each waits for those that it names.
func TestOrderOfStages(t *testing.T) {
	var started []string
	list := []stage{{name: "short", seconds: 1}, {name: "longest", seconds: 9}, {name: "build", seconds: 99},
		{name: "tests", seconds: 999, needs: []string{"build"}},
		{name: "last", seconds: 9999, after: []string{"tests", "short"}}}
	for i := range list {
		list[i].run = func(j *job) error {
			started = append(started, j.name)
			return nil
		}
	}
	crewOf(t, 1, list...)
	if got := strings.Join(started, " "); got != "build tests longest short last" {
		t.Errorf("order %s", got)
	}
}

// A failed stage is described by the failed checks of a script, the failed tests of Go, or its last lines.
func TestFailures(t *testing.T) {
	for log, want := range map[string]string{
		"passed  a\nFAILED  b: 2\nc: 1 failed\n": "FAILED  b: 2",
		"ok  \tp\n--- FAILED: p TestA\n=== RUN   TestA\n    a_test.go:3: broken\n    a_test.go:4: more\n" +
			"--- FAIL: TestA\nFAIL\n--- FAILED: q TestB\nFAIL\tq\n": "p TestA, a_test.go:3: broken|q TestB",
		"1\n2\n3\n4\n": "2|3|4",
	} {
		if got := strings.Join(failures(log), "|"); got != want {
			t.Errorf("%q: %q; want %q", log, got, want)
		}
	}
}

// As many stages run at a time as there are workers.
func TestStagesRunSideBySide(t *testing.T) {
	var busy, most atomic.Int32
	var both sync.WaitGroup
	both.Add(2)
	meet := func(*job) error { // ends only if the other one runs, too
		most.Store(max(most.Load(), busy.Add(1)))
		both.Done()
		both.Wait()
		busy.Add(-1)
		return nil
	}
	third := func(*job) error {
		most.Store(max(most.Load(), busy.Add(1)))
		busy.Add(-1)
		return nil
	}
	_, results := crewOf(t, 2, stage{name: "a", seconds: 2, run: meet}, stage{name: "b", seconds: 2, run: meet},
		stage{name: "c", run: third}, stage{name: "d", run: third})
	if most.Load() > 2 {
		t.Errorf("%d stages at a time; want 2", most.Load())
	}
	for _, r := range results {
		if r.verdict != passed {
			t.Errorf("stage %s: %s", r.name, r.verdict)
		}
	}
}

// A stage alone needs nothing that is not part of the run: it takes what is there.
func TestSingleStages(t *testing.T) {
	for _, c := range []struct {
		arguments string
		size      size
		names     string
	}{
		{"race fuzz", all, "race fuzz"}, {"tests", standard, "tests"}, {"all tests", all, "tests"},
		{"soak", long, "soak"}, {"long build soak", long, "build soak"},
	} {
		of, chosen, err := choose(strings.Fields(c.arguments))
		var names []string
		for _, s := range chosen {
			names = append(names, s.name)
		}
		if err != nil || of != c.size || strings.Join(names, " ") != c.names {
			t.Errorf("%s: size %s, stages %v, error %v; want size %s, %s", c.arguments, of, names, err, c.size, c.names)
		}
	}
	if _, _, err := choose([]string{"sok"}); err == nil || !strings.Contains(err.Error(), `no stage "sok"`) {
		t.Errorf("a stage that is not there: %v", err)
	}
	_, results := crewOf(t, 1, stage{name: "b", run: pass}, stage{name: "a", run: pass, needs: []string{"b"}})
	if got := verdicts(results); got["a"] != passed {
		t.Errorf("%v", got)
	}
}

// Full runs contain every stage of standard runs, or a longer stage that includes it.
func TestFullRunsIncludeStandardRuns(t *testing.T) {
	if err := checkNames(stages); err != nil {
		t.Fatal(err)
	}
	within := map[string]string{"fmpy": "conformance", "importer": "hosts", "package": "bindings"}
	for _, s := range stages {
		if len(s.sizes) == 0 || s.does == "" || s.run == nil {
			t.Errorf("stage %s lacks an entry", s.name)
		}
		if s.in(standard) && !s.in(all) && within[s.name] == "" {
			t.Errorf("stage %s is part of standard runs and not of full ones", s.name)
		}
	}
	for _, name := range []string{"tests", "race", "fuzz", "hosts", "importer"} {
		i := slices.IndexFunc(stages, func(s stage) bool { return s.name == name })
		if stages[i].foreign != "" {
			t.Errorf("stage %s is repeated; a second try would hide races", name)
		}
	}
	t.Chdir(filepath.Join("..", "..", ".."))
	list, err := racing()
	for _, name := range []string{"harness/library", "capi", "cosim", "tire", "fmu", "model/program"} {
		if err != nil || !slices.Contains(list, "./"+name) {
			t.Errorf("%s has goroutines, and is not among the packages of the race detector: %v, %v", name, list, err)
		}
	}
}

// Tests of all outcomes, a package that ends by itself and one that does not build.
func TestResultsOfGoTest(t *testing.T) {
	const text = `{"ImportPath":"skidpad/d","Action":"build-output","Output":"d.go:1: no such thing\n"}
{"ImportPath":"skidpad/d","Action":"build-fail"}
{"Action":"output","Package":"skidpad/d","Output":"FAIL\tskidpad/d [build failed]\n"}
{"Action":"fail","Package":"skidpad/d","Elapsed":0,"FailedBuild":"skidpad/d"}
{"Action":"output","Package":"skidpad/a","Test":"TestGood","Output":"chatter\n"}
{"Action":"pass","Package":"skidpad/a","Test":"TestGood/sub","Elapsed":1}
{"Action":"pass","Package":"skidpad/a","Test":"TestGood","Elapsed":1.5}
{"Action":"output","Package":"skidpad/a","Test":"TestLeft","Output":"    a_test.go:7: gfortran: not found\n"}
{"Action":"skip","Package":"skidpad/a","Test":"TestLeft","Elapsed":0}
{"Action":"output","Package":"skidpad/a","Output":"ok  \tskidpad/a\t1.5s\n"}
{"Action":"pass","Package":"skidpad/a","Elapsed":1.5}
{"Action":"output","Package":"skidpad/b","Test":"TestBad","Output":"    b_test.go:9: 2; want 1\n"}
{"Action":"fail","Package":"skidpad/b","Test":"TestBad","Elapsed":0.1}
{"Action":"output","Package":"skidpad/b","Output":"FAIL\n"}
{"Action":"fail","Package":"skidpad/b","Elapsed":0.1}
{"Action":"output","Package":"skidpad/c","Test":"TestEnds","Output":"panic: no\n"}
{"Action":"output","Package":"skidpad/c","Output":"exit status 2\n"}
{"Action":"fail","Package":"skidpad/c","Elapsed":0.1}
`
	var log bytes.Buffer
	r := readTests(strings.NewReader(text), &log)
	if r.counts != (counts{1, 1, 1}) {
		t.Errorf("%+v; want one of each", r.counts)
	}
	if len(r.skips) != 1 || r.skips[0] != (skip{"gfortran: not found", "a TestLeft"}) {
		t.Errorf("skipped: %+v", r.skips)
	}
	for _, want := range []string{"no such thing", "b_test.go:9: 2; want 1", "panic: no", "ok  \tskidpad/a\t1.5s",
		"1.50 s  a TestGood"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not shown: %s", want, log.String())
		}
	}
	if strings.Contains(log.String(), "chatter") {
		t.Errorf("the output of a test that passed is shown: %s", log.String())
	}
}

// A stage of go test counts its tests, and fails where none runs.
func TestStagesOfGoTest(t *testing.T) {
	var log record
	j := &job{ctx: t.Context(), size: standard, scratch: t.TempDir(), log: &log}
	if err := j.goTest(nil, "-run", "^TestSizesOfRuns$", "skidpad/harness/tests/testrun"); err != nil ||
		j.counts != (counts{passed: 1}) {
		t.Errorf("%+v, error %v: %s", j.counts, err, log.String())
	}
	if err := j.goTest(nil, "-run", "^TestNoSuchThing$", "skidpad/harness/tests/testrun"); err == nil ||
		err.Error() != "no test ran" {
		t.Errorf("without tests: error %v", err)
	}
}

// Programs of stages have the default actions of signals, even if the shell that started the run ignores interrupts, as
// a shell in the background does.
func TestSignalsHaveTheirDefaultActions(t *testing.T) {
	const asRun = "SKIDPAD_TEST_AS_RUN"
	if os.Getenv(asRun) != "" {
		ctx, end := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer end()
		j := &job{ctx: ctx, size: standard, scratch: t.TempDir(), log: os.Stdout}
		if err := j.command("sh", "-c", "kill -INT $$; echo interrupts are ignored"); err == nil {
			t.Error("the program has ended without an error")
		}
		return
	}
	testrun.Requires(t, "sh")
	const inBackground = `trap '' INT HUP; exec "$0" -test.run '^TestSignalsHaveTheirDefaultActions$'`
	c := exec.Command("sh", "-c", inBackground, os.Args[0])
	c.Env = append(os.Environ(), asRun+"=1")
	if text, err := c.CombinedOutput(); err != nil || bytes.Contains(text, []byte("ignored")) {
		t.Errorf("%v: %s", err, text)
	}
}

// A run that is interrupted ends all programs that it has started.
func TestInterruptedRunsEndTheirPrograms(t *testing.T) {
	testrun.Requires(t, "sh", "sleep")
	ctx, end := context.WithCancel(t.Context())
	started := filepath.Join(t.TempDir(), "started")
	c := &crew{ctx: ctx, size: standard, scratch: t.TempDir(), workers: 2, log: &bytes.Buffer{}}
	go func() {
		for {
			if _, err := os.Stat(started); err == nil {
				end()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	s := &stage{name: "sleeping", foreign: "sleep", run: func(j *job) error {
		return j.command("sh", "-c", "sleep 600 & touch "+started+"; wait")
	}}
	later := &stage{name: "later", run: pass, after: []string{"sleeping"}}
	results := c.run([]*stage{s, later})
	if results[0].verdict != failed || results[0].why != "interrupted" || results[1].verdict != notRun {
		t.Errorf("%+v %+v", results[0], results[1])
	}
}

// Tests that a stage has for itself are found, also where a function of the tests leaves them to it.
func TestTestsThatAreLeftToAStage(t *testing.T) {
	for folder, name := range map[string]string{"capi/standalone": "TestOtherMachinesAreBitIdenticalToLibrary",
		"tire/machinecode": "TestRandomProgramsInC"} {
		list, err := left(filepath.Join("..", "..", "..", folder), "compilers")
		if err != nil || !slices.Contains(list, name) {
			t.Errorf("%s: %v, %v", folder, list, err)
		}
	}
}

// Of the engine, tests of fleets run under the race detector, also where a function of the tests makes the fleet.
func TestConcurrentTestsOfTheEngine(t *testing.T) {
	list, err := concurrent(filepath.Join("..", "..", "..", engine), threads)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TestFleetsStepLikeSingleInstances", "TestMaskedVehiclesOnTerrainStayWhereTheyAre",
		"TestASystemOfCurvesIsMadeOnce", "TestInstancesOfOneSystemRunSideBySide"} {
		if !slices.Contains(list, name) {
			t.Errorf("%s starts goroutines and is not listed: %v", name, list)
		}
	}
	if name := "TestSelfStableBicycleKeepsItsEnergy"; slices.Contains(list, name) {
		t.Errorf("%s starts none", name)
	}
	if _, err := concurrent(t.TempDir(), threads); err == nil {
		t.Error("a folder without such tests passes")
	}
}
