package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/fmu/archive"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/model/bounded"
)

// asCommand is the environment variable that makes this program the command.
const asCommand = "SKIDPAD_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	library.RunAsChild()
	built.Main(m)
}

// markedLibrary returns a tire library that leaves a mark when it is loaded, of one of the examples.
func markedLibrary(t testing.TB, name, example string) string {
	t.Helper()
	const capi = "../../../capi/"
	return built.Compiled(t, name, "cc", "-fPIC", "-shared", "-I"+capi, capi+"testdata/marker.c", capi+example, "-lm")
}

// workshop is a folder with a model of one tire, files that name a library for it, and the library.
type workshop struct {
	*testing.T
	folder string
}

const oneTire = `name = "OneTire"
title = "One tire that rolls"

[solver]
step = 0.001 # s

[component.road]
type = "road"

[component.along]
type = "motion-driver"
from = "ground"
to = "ahead"
axis = "x"
kind = "translation"

[component.height]
type = "motion-driver"
from = "ahead"
to = "carrier"
axis = "z"
kind = "translation"

[component.axle]
type = "motion-driver"
from = "carrier"
to = "tire"
axis = "y"

[component.tire]
type = "tire"
road = "road"
mass = 20
inertia = { axial = 1, transverse = 0.5 }
unloaded_radius = 0.32
vertical_stiffness = 2e5
rolling_radius = { method = "loaded" }
slip = { method = "kinematic" }
force = { function = "inputs" }
`

const oneTireManoeuvre = `name = "roll"
title = "It rolls"
models = ["OneTire"]
duration = 0.01
step = 0.01
`

// newWorkshop makes the folder, with libraries that nobody has loaded yet.
func newWorkshop(t *testing.T) *workshop {
	t.Helper()
	w := &workshop{t, t.TempDir()}
	for name, example := range map[string]string{"marked.so": "examples/fiala/fiala.c",
		"marked_sti.so": "examples/sti/fiala.c"} {
		library, err := os.ReadFile(markedLibrary(t, name, example))
		if err != nil {
			t.Fatal(err)
		}
		w.file(name, string(library))
	}
	w.file("car.toml", oneTire)
	return w
}

func (w *workshop) path(name string) string { return filepath.Join(w.folder, name) }

func (w *workshop) file(name, text string) string {
	w.Helper()
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
	return path
}

// filef writes a file from a format.
func (w *workshop) filef(name, format string, args ...any) string {
	w.Helper()
	return w.file(name, fmt.Sprintf(format, args...))
}

// manoeuvre writes a manoeuvre that names a library in line 7.
func (w *workshop) manoeuvre(library string) string {
	return w.filef("roll.toml", `%s[parameters]
"tire.model" = %q
%s`, oneTireManoeuvre, library,
		w.parametersOf(library))
}

// parametersOf is the line of a manoeuvre that gives the library tire function its parameters.
func (w *workshop) parametersOf(library string) string {
	file, err := filepath.Abs("../../../resources/tires/fiala_generic4w.toml")
	if strings.Contains(library, "sti") {
		file, err = filepath.Abs("../../../capi/examples/sti/fiala.txt")
	}
	if err != nil {
		w.Fatal(err)
	}
	return fmt.Sprintf("\"tire.file\" = %q\n", file)
}

// loaded names the libraries whose code has run, wherever below the folder they are.
func (w *workshop) loaded() (names []string) {
	w.Helper()
	err := filepath.WalkDir(w.folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".loaded") {
			names = append(names, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return names
}

// refused runs a command line that must fail with all these texts and load nothing.
func (w *workshop) refused(args []string, says ...string) {
	w.Helper()
	status, _, stderr := try(args...)
	for _, text := range says {
		if !strings.Contains(stderr, text) {
			w.Errorf("skidpad %q: stderr %q lacks %q", args, stderr, text)
		}
	}
	if status != 1 {
		w.Errorf("skidpad %q: status %d, want 1; %s", args, status, stderr)
	}
	if names := w.loaded(); names != nil {
		w.Errorf("skidpad %q has loaded %q", args, names)
	}
}

// allowed runs a command line that must do its work by this library.
func (w *workshop) allowed(args []string, library string) {
	w.Helper()
	if status, _, stderr := try(args...); status != 0 {
		w.Errorf("skidpad %q: status %d, %s", args, status, stderr)
	}
	if names := w.loaded(); len(names) != 1 || names[0] != library+".loaded" {
		w.Errorf("skidpad %q has loaded %q, want %s", args, names, library)
	}
}

func (w *workshop) simulate(more ...string) []string {
	args := []string{"simulate", w.path("car.toml"), "--manoeuvre", w.path("roll.toml"), "--out", w.path("run.csv")}
	return append(append(args, core(w)...), more...)
}

// core names the library that runs model files.
func core(t testing.TB) []string {
	t.Helper()
	return []string{"--library", built.Library(t)}
}

// pack writes car.fmu.
func (w *workshop) pack(version int) {
	w.Helper()
	if err := os.Rename(built.FMU(w, w.path("car.toml"), version), w.path("car.fmu")); err != nil {
		w.Fatal(err)
	}
}

// unpacked returns the files of an archive.
func (w *workshop) unpacked(name string) map[string][]byte {
	w.Helper()
	opened, err := archive.Open(w.path(name))
	if err != nil {
		w.Fatal(err)
	}
	defer opened.Close()
	files := map[string][]byte{}
	for _, name := range opened.Names() {
		if files[name], err = opened.Read(name, bounded.FMU); err != nil {
			w.Fatal(err)
		}
	}
	return files
}
