package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// marked returns a tire library that leaves a file behind when it is loaded; loaded reports whether it was.
func marked(t *testing.T) (library string, loaded func() bool) {
	t.Helper()
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(built.Compiled(t, "marked.so", "cc", "-fPIC", "-shared", "-I.", "examples/fiala/fiala.c",
		"testdata/marker.c", "-lm"))
	library = filepath.Join(t.TempDir(), "marked.so") // not loaded by any other test
	if err := errors.Join(err, os.WriteFile(library, content, 0o755)); err != nil {
		t.Fatal(err)
	}
	return library, func() bool {
		_, err := os.Stat(library + ".loaded")
		return err == nil
	}
}

// state returns the saved state of an instance.
func (d *driven) state() []byte {
	d.Helper()
	state := make([]byte, d.StateSize())
	if err := d.Save(state); err != nil {
		d.Fatal(err)
	}
	return state
}

// forged returns a saved state with another text and a matching checksum.
func forged(t *testing.T, state []byte, from, to string) []byte {
	t.Helper()
	counted := func(text string) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
	}
	body := state[:len(state)-4]
	if !bytes.Contains(body, counted(from)) {
		t.Fatalf("the state does not hold %q", from)
	}
	body = bytes.Replace(body, counted(from), counted(to), 1)
	return binary.LittleEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

// TestSavedStateCannotLoadALibrary unless the host has named the library: states are kept in files, and their checksum
// is not a signature.
func TestSavedStateCannotLoadALibrary(t *testing.T) {
	library, loaded := marked(t)
	function := "plugin:" + library + "#skidpad_fiala"
	from := drive(t, "generic4w", "rk4")
	before := from.state()
	if err := from.Initialise(); err != nil {
		t.Fatal(err)
	}
	for _, honest := range [][]byte{before, from.state()} {
		for _, name := range []string{function, "sti:" + library + "#fiala_"} {
			d := drive(t, "generic4w", "rk4")
			err := d.Restore(forged(t, honest, "Pacejka02", name))
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "set tire_FL.model") {
				t.Errorf("error %v", err)
			}
			if text, _ := d.Text("tire_FL.model"); text != "Pacejka02" {
				t.Errorf("the refused state has set the tire to %q", text)
			}
			if err := d.Initialise(); err != nil {
				t.Errorf("after the refused state: %v", err)
			}
			if loaded() {
				t.Fatalf("the state has loaded %s", name)
			}
		}
	}
	// a text that is not a library to the engine is not checked here
	spaced := forged(t, before, "Pacejka02", " Plugin:"+library+"#skidpad_fiala")
	if err := drive(t, "generic4w", "rk4").Restore(spaced); err != nil {
		t.Error(err)
	}
	d := drive(t, "generic4w", "rk4")
	d.text("tire_FL.model", function)
	// the host has named it: its states may, for every vehicle of the process, before and after initialisation
	if err := drive(t, "generic4w", "rk4").Restore(d.state()); err != nil {
		t.Error(err)
	}
	if loaded() {
		t.Error("a state before initialisation needs no library")
	}
	d.text("tire_FL.file", fialaFile)
	if err := d.Initialise(); err != nil || !loaded() {
		t.Errorf("loaded %v, error %v", loaded(), err)
	}
	other := drive(t, "generic4w", "rk4")
	if err := other.Restore(d.state()); err != nil {
		t.Error(err)
	}
	if err := other.Step(0.01); err != nil {
		t.Error(err)
	}
	// a relative path is another library where the model lies elsewhere
	folder, err := filepath.Abs("../resources/models")
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(folder, library)
	if err != nil {
		t.Fatal(err)
	}
	near := drive(t, "generic4w", "rk4")
	near.text("tire_FL.model", "plugin:"+relative+"#near")
	elsewhere, err := near.System().At("/elsewhere/car.toml").Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer elsewhere.Close()
	if err := drive(t, "generic4w", "rk4").Restore(near.state()); err != nil {
		t.Error(err)
	}
	if err := elsewhere.Restore(near.state()); err == nil || !strings.Contains(err.Error(), "#near") {
		t.Errorf("error %v", err)
	}
	// naming a function permits this function alone
	for _, name := range []string{"plugin:" + library + "#other", "sti:" + library + "#skidpad_fiala"} {
		if err := drive(t, "generic4w", "rk4").Restore(forged(t, before, "Pacejka02", name)); err == nil ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("error %v", err)
		}
	}
}

// TestModelCannotLoadALibrary: skidpad_load reports the position in the file and the remedy, and runs no code of the
// library.
func TestModelCannotLoadALibrary(t *testing.T) {
	library, loaded := marked(t)
	text, err := os.ReadFile("../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "car.toml")
	named := strings.ReplaceAll(string(text), `"Pacejka02"`, `"plugin:`+library+`#skidpad_fiala"`)
	if named == string(text) {
		t.Fatal("the model is as it was")
	}
	if err := os.WriteFile(path, []byte(named), 0o644); err != nil {
		t.Fatal(err)
	}
	var handle uintptr
	reason := make([]byte, 1<<16)
	status := load(terminated(path), nil, nil, &handle, &reason[0], int64(len(reason)))
	reason, _, _ = bytes.Cut(reason, []byte{0})
	line := 1 + strings.Count(named[:strings.Index(named, "plugin:")], "\n")
	if status != statusModel || handle != 0 || !strings.Contains(string(reason), path+":"+strconv.Itoa(line)+":") ||
		!strings.Contains(string(reason), "skidpad_set_text") {
		t.Errorf("status %d, handle %d: %s", status, handle, reason)
	}
	if loaded() {
		t.Error("the library was loaded")
	}
}

func terminated(text string) *byte { return unsafe.StringData(text + "\x00") }

// TestTheCoreHasNoNetworkAndStartsNoPrograms: code that is not linked cannot be called from any file.
func TestTheCoreHasNoNetworkAndStartsNoPrograms(t *testing.T) {
	list, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(list))
	for _, name := range []string{"net", "net/http", "os/exec", "os/user", "os/signal", "plugin", "log/syslog"} {
		if slices.Contains(packages, name) {
			t.Errorf("the core contains package %s", name)
		}
	}
}

// writing are the functions of package os that change files.
var writing = regexp.MustCompile(
	`\bos\.(Create|CreateTemp|OpenFile|WriteFile|Mkdir|MkdirAll|MkdirTemp|Remove|RemoveAll|` +
		`Rename|Symlink|Link|Truncate|Chmod|Chown|Chtimes|CopyFS|StartProcess)\b`)

// TestTheCoreWritesNoFiles except private copies of tire libraries of the Standard Tyre Interface.
func TestTheCoreWritesNoFiles(t *testing.T) {
	allowed := map[string]string{
		"sti.go":     "private copies of libraries",
		"bounded.go": "opens for reading",
		"archive.go": "unpacks for the command, and nothing of the core calls it",
	}
	for _, file := range coreSources(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if calls := writing.FindAllString(string(text), -1); calls != nil && allowed[filepath.Base(file)] == "" {
			t.Errorf("%s calls %q", file, calls)
		}
	}
}

// coreSources returns the source files of the core in this repository.
func coreSources(t *testing.T) []string {
	t.Helper()
	const sources = `{{if and .Module (eq .Module.Path "skidpad")}}{{$d := .Dir}}` +
		`{{range .GoFiles}}{{$d}}/{{.}} {{end}}{{range .CgoFiles}}{{$d}}/{{.}} {{end}}` +
		`{{range .CFiles}}{{$d}}/{{.}} {{end}}{{end}}`
	list, err := exec.Command("go", "list", "-deps", "-f", sources, ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Fields(string(list))
	if len(files) < 100 {
		t.Fatalf("only %d files are found", len(files))
	}
	return files
}

// clocks matches calls that read a clock or wait, in Go and C.
var clocks = regexp.MustCompile(`\btime\.(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)\b|` +
	`\b(clock_gettime|gettimeofday|clock|time|nanosleep|usleep)\((NULL|&|CLOCK|0|\))`)

// timed lists the files that read the monotonic clock if a host has set a time limit. Their measurements affect only
// warnings (TestAStepOverTheLimitNamesTheTire, TestAStopwatchCountsCallsOnce).
var timed = []string{"/tire/stopwatch.go", "/cosim/time_limit.go"}

// TestTheCoreReadsNoClock: a clock that jumps cannot change results.
func TestTheCoreReadsNoClock(t *testing.T) {
	testrun.Slow(t)
	if !clocks.MatchString("time.Now()") || !clocks.MatchString("clock_gettime(CLOCK_MONOTONIC, &t)") {
		t.Fatal("the expression finds no clock")
	}
	for _, file := range append(coreSources(t), "shim/fmi2.c", "shim/fmi3.c", "shim/shim.c", "shim/load.c",
		"shim/handles.c", "shim/uri.c") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(timed, func(name string) bool { return strings.HasSuffix(file, name) }) {
			continue
		}
		if calls := clocks.FindAllString(string(text), -1); calls != nil {
			t.Errorf("%s calls %q", file, calls)
		}
	}
}
