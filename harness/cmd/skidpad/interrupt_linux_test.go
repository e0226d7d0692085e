package main

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/recording"
)

// interruptWhen runs this program as the command, sends it an interrupt when ready says so, and returns how it ended.
func interruptWhen(
	t *testing.T, ready func(process int) bool, args ...string,
) (status int, stdout, stderr string) {
	t.Helper()
	return signalWhen(t, os.Interrupt, ready, args...)
}

// signalWhen is interruptWhen with another signal; a process that is killed has the status -1.
func signalWhen(
	t *testing.T, signal os.Signal, ready func(process int) bool, args ...string,
) (status int, stdout, stderr string) {
	t.Helper()
	command := exec.Command(os.Args[0], args...)
	command.Env = append(os.Environ(), asCommand+"=1")
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for !ready(command.Process.Pid) {
		select {
		case err := <-ended:
			t.Fatalf("skidpad %q ended before it was interrupted: %v, %s", args, err, errs.String())
		default:
			time.Sleep(time.Millisecond)
		}
	}
	if err := command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	err := <-ended
	if exit, is := errors.AsType[*exec.ExitError](err); is {
		if exit.Sys().(syscall.WaitStatus).Signaled() && signal != os.Kill {
			t.Errorf("skidpad %q: %v", args, err)
		}
		return exit.ExitCode(), out.String(), errs.String()
	}
	return 0, out.String(), errs.String()
}

// hasLoaded reports whether a process has the shared library.
func hasLoaded(process int) bool {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", process))
	return err == nil && bytes.Contains(maps, []byte("libskidpad.so"))
}

// hasComputed reports whether a process has used 0.3 s of a processor, so that it is behind its preparations.
func hasComputed(process int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	_, behindName, found := bytes.Cut(stat, []byte(") "))
	fields := bytes.Fields(behindName)
	if err != nil || !found || len(fields) < 12 {
		return false
	}
	ticks, err := strconv.Atoi(string(fields[11])) // in user mode, of 10 ms each
	return err == nil && ticks >= 30
}

// TestKilledRunLeavesItsRows: a CSV file of outputs or inputs, and an MDF file, are at their paths during a run. They
// hold the rows up to some tenths of a second before the run is killed. No Parquet file appears, and an earlier file at
// its path stays.
func TestKilledRunLeavesItsRows(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	whole, inputs := w.path("whole.csv"), w.path("inputs.csv")
	args := append([]string{"simulate", "generic4w", "--manoeuvre", "generic4w_sine"}, core(t)...)
	if status, _, stderr := try(append(args, "--out", whole)...); status != good {
		t.Fatal(stderr)
	}
	all := rows(t, whole)
	for _, ending := range []string{".csv", ".mf4", ".parquet"} {
		out := w.path("killed" + ending)
		w.file("killed.parquet", "old")
		grown := func(int) bool {
			info, err := os.Stat(inputs)
			return err == nil && info.Size() > 5000
		}
		os.Remove(inputs)
		status, _, stderr := signalWhen(t, os.Kill, grown, append(args, "--paced", "--out", out, "--inputs", inputs)...)
		if status != -1 {
			t.Errorf("status %d, %s", status, stderr)
		}
		if some := wholeRows(t, inputs); len(some) < 20 || len(some) >= len(all) {
			t.Errorf("%d rows of inputs", len(some))
		}
		switch ending {
		case ".csv":
			if some := wholeRows(t, out); len(some) < 20 || !slices.EqualFunc(all[:len(some)], some, slices.Equal[[]string]) {
				t.Errorf("%d rows of %d", len(some), len(all))
			}
		case ".mf4": // the block of data is the last one, and as long as it says
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			at := bytes.LastIndex(data, []byte("##DT"))
			if at < 0 || binary.LittleEndian.Uint64(data[at+8:]) < 20*8 ||
				uint64(len(data)) < uint64(at)+binary.LittleEndian.Uint64(data[at+8:]) {
				t.Errorf("%d bytes, data from %d on", len(data), at)
			}
		default:
			if text, err := os.ReadFile(out); err != nil || string(text) != "old" {
				t.Errorf("%q, %v", text, err)
			}
		}
	}
}

// wholeRows reads the complete lines of a CSV file: a process killed within a write leaves a partial line, up to the
// end of a memory page.
func wholeRows(t *testing.T, file string) [][]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(bytes.NewReader(text[:bytes.LastIndexByte(text, '\n')+1])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestATerminatedRunCompletesItsFile: after SIGTERM a Parquet file has its footer, and the rows so far.
func TestATerminatedRunCompletesItsFile(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		out := w.path("part.parquet")
		status, _, stderr := signalWhen(t, signal, hasLoaded, append([]string{"simulate", "generic4w", "--manoeuvre",
			"generic4w_sine", "--paced", "--out", out}, core(t)...)...)
		if status != interrupted || !strings.Contains(stderr, "interrupted; "+out+" has what was recorded") {
			t.Errorf("%v: status %d, %s", signal, status, stderr)
		}
		if got, err := recording.Read(out); err != nil || len(got.Time) < 1 || got.Time[len(got.Time)-1] > 9 {
			t.Errorf("%v: %v", signal, err)
		}
		if left, err := filepath.Glob(w.path("*.part")); err != nil || len(left) > 0 {
			t.Errorf("%v: %q are left, %v", signal, left, err)
		}
	}
}

// TestInterruptKeepsFinishedWork: after an interrupt the rows so far are written, equal to the rows of an uninterrupted
// run, and the status is 130.
func TestInterruptKeepsFinishedWork(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	t.Run("simulate", func(t *testing.T) {
		whole, part := w.path("whole.csv"), w.path("part.csv")
		args := append([]string{"simulate", "generic4w", "--manoeuvre", "generic4w_sine"}, core(t)...)
		if status, _, stderr := try(append(args, "--out", whole)...); status != good {
			t.Fatal(stderr)
		}
		status, _, stderr := interruptWhen(t, hasLoaded, append(args, "--paced", "--out", part)...)
		if status != interrupted || !strings.Contains(stderr, "interrupted; "+part+" has what was recorded") {
			t.Errorf("status %d, %s", status, stderr)
		}
		all, some := rows(t, whole), rows(t, part)
		if len(some) < 2 || len(some) >= len(all) || !slices.EqualFunc(all[:len(some)], some, slices.Equal[[]string]) {
			t.Errorf("%d rows of %d", len(some), len(all))
		}
	})
	t.Run("sweep", func(t *testing.T) {
		out := w.path("sweep.csv")
		status, _, stderr := interruptWhen(t, hasLoaded, append([]string{"sweep", "generic4w", "--manoeuvre",
			"generic4w_sine", "--param", "body.mass=1900:2100:1000", "--record", "body.wz", "--step", "0.001",
			"--out", out}, core(t)...)...)
		if status != interrupted || !strings.Contains(stderr, "interrupted; "+out+" has the ") {
			t.Errorf("status %d, %s", status, stderr)
		}
		table := rows(t, out)
		end, err := strconv.ParseFloat(table[len(table)-1][slices.Index(table[0], "end")], 64)
		if len(table) < 2 || err != nil || end >= 10 {
			t.Errorf("%d rows, the last ends at %g s: %v", len(table), end, err)
		}
	})
	t.Run("linearize", func(t *testing.T) {
		folder := w.path("linear")
		ready := func(int) bool { _, err := os.Stat(folder); return err == nil }
		status, _, stderr := interruptWhen(t, ready, "linearize", "bicycle_rolling", "--at", "speed=1:10:0.0001",
			"--out", folder)
		if status != interrupted || !strings.Contains(stderr, "interrupted") {
			t.Errorf("status %d, %s", status, stderr)
		}
		if steady := rows(t, filepath.Join(folder, "steady.csv")); len(steady) < 2 || len(steady) > 90_000 ||
			steady[1][0] != "1" {
			t.Errorf("%d values", len(steady)-1)
		}
	})
	t.Run("optimise", func(t *testing.T) {
		folder := w.path("search")
		ready := func(int) bool { _, err := os.Stat(folder); return err == nil }
		status, _, stderr := interruptWhen(t, ready, "optimise", truckSearch(t), "--out", folder)
		if status != interrupted || !strings.Contains(stderr, "interrupted") {
			t.Errorf("status %d, %s", status, stderr)
		}
	})
	t.Run("manoeuvre", func(t *testing.T) {
		folder := w.path("figures")
		status, stdout, stderr := interruptWhen(t, hasLoaded, append([]string{"manoeuvre", "generic4w", "--manoeuvre",
			"circle_speed", "--set", "solver.step=0.0001", "--json", "--full", "--out", folder}, core(t)...)...)
		if status != interrupted || !strings.Contains(stderr, "interrupted") {
			t.Errorf("status %d, %s", status, stderr)
		}
		var figures struct {
			Runs []struct{ Verdict string }
		}
		if err := json.Unmarshal([]byte(stdout), &figures); err != nil || len(figures.Runs) == 0 ||
			len(figures.Runs) > runtime.GOMAXPROCS(0) || !strings.Contains(figures.Runs[0].Verdict, "interrupted") {
			t.Errorf("%v: %s", err, stdout)
		}
		if len(rows(t, filepath.Join(folder, "run_1.csv"))) < 2 {
			t.Error("no row of the first run")
		}
	})
	t.Run("others", func(t *testing.T) { // end at once
		status, _, _ := interruptWhen(t, hasComputed, "reference", "generic4w_sine", "--out", w.path("reference"),
			"--resources", shippedFile())
		if status != interrupted {
			t.Errorf("status %d", status)
		}
		if files, _ := os.ReadDir(w.path("reference")); len(files) > 0 {
			t.Errorf("%v are left", files)
		}
	})
}
