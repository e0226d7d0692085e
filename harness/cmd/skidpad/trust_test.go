package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"skidpad/fmu"
	"skidpad/harness"
)

// builtFolder holds what build.sh makes for these tests, and the tire libraries that leave a mark when they are loaded.
var builtFolder string

func TestMain(m *testing.M) {
	var err error
	if builtFolder, err = os.MkdirTemp("", "skidpad"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(builtFolder)
	os.Exit(code)
}

var built = sync.OnceValue(func() error {
	in := func(name ...string) string { return filepath.Join(append([]string{builtFolder}, name...)...) }
	architecture := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + "-" + runtime.GOOS
	var all error
	for _, command := range [][]string{
		{"../../../build.sh", "library", in("libskidpad.so")},
		{"../../../build.sh", "fmi", in("fmi", architecture)},
		{"cc", "-fPIC", "-shared", "-I../../../capi", "../../../capi/examples/fiala/fiala.c", "../../../capi/testdata/marker.c", "-o", in("marked.so"), "-lm"},
		{"cc", "-fPIC", "-shared", "../../../capi/examples/sti/fiala.c", "../../../capi/testdata/marker.c", "-o", in("marked_sti.so"), "-lm"},
	} {
		if text, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			all = errors.Join(all, fmt.Errorf("%s: %w: %s", command, err, text))
		}
	}
	return all
})

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
	if runtime.GOOS == "windows" {
		t.Skip("build.sh needs a POSIX shell")
	}
	if err := built(); err != nil {
		t.Fatal(err)
	}
	w := &workshop{t, t.TempDir()}
	for _, name := range []string{"marked.so", "marked_sti.so"} {
		library, err := os.ReadFile(filepath.Join(builtFolder, name))
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

// manoeuvre writes a manoeuvre that names a library in line 7.
func (w *workshop) manoeuvre(library string) string {
	return w.file("roll.toml", oneTireManoeuvre+fmt.Sprintf("[parameters]\n\"tire.model\" = %q\n", library)+w.parametersOf(library))
}

// parametersOf is the line of a manoeuvre that gives the function of a library its parameters.
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
	return append([]string{"simulate", w.path("car.toml"), "--manoeuvre", w.path("roll.toml"), "--out", w.path("run.csv"), "--library", filepath.Join(builtFolder, "libskidpad.so")}, more...)
}

// TestAManoeuvreNamesALibraryOnlyByPermission: in every form in which a text can name a library, and in those that the engine
// does not take for one.
func TestAManoeuvreNamesALibraryOnlyByPermission(t *testing.T) {
	for _, form := range []struct {
		name   string // with %s for the folder
		loads  string // by permission; "" where there is no such function
		places string
	}{
		{"plugin:%s/marked.so#skidpad_fiala", "marked.so", "roll.toml:7:16"},
		{"plugin:marked.so#skidpad_fiala", "marked.so", "roll.toml:7:16"},
		{"plugin:./marked.so#skidpad_fiala", "marked.so", "roll.toml:7:16"},
		{"plugin:other/../marked.so#skidpad_fiala", "marked.so", "roll.toml:7:16"},
		{"sti:%s/marked_sti.so#fiala_", "marked_sti.so", "roll.toml:7:16"},
		{"sti:marked_sti.so#fiala_?library=shared", "marked_sti.so", "roll.toml:7:16"},
		{" plugin:%s/marked.so#skidpad_fiala", "", "roll.toml:7:16"},
		{"\tsti:%s/marked_sti.so#fiala_ ", "", "roll.toml:7:16"},
		{"Plugin:%s/marked.so#skidpad_fiala", "", "roll.toml:7:16"},
		{"STI:%s/marked_sti.so#fiala_", "", "roll.toml:7:16"},
	} {
		t.Run(form.name, func(t *testing.T) {
			w := newWorkshop(t)
			library := strings.ReplaceAll(form.name, "%s", w.folder)
			w.manoeuvre(library)
			w.refused(w.simulate(), form.places, fmt.Sprintf("%q", library), "tire.model", "--allow-plugins")
			if form.loads == "" {
				w.refused(w.simulate("--allow-plugins"), "there is no tire function")
				return
			}
			w.allowed(w.simulate("--allow-plugins"), form.loads)
		})
	}
}

// TestTheUserNamesALibraryFreely: by --set, also over the tire that a manoeuvre gives.
func TestTheUserNamesALibraryFreely(t *testing.T) {
	for _, library := range []string{"plugin:%s/marked.so#skidpad_fiala", "sti:%s/marked_sti.so#fiala_"} {
		w := newWorkshop(t)
		library = strings.ReplaceAll(library, "%s", w.folder)
		w.file("roll.toml", oneTireManoeuvre+"[parameters]\n\"tire.model\" = \"inputs\"\n"+w.parametersOf(library))
		name, _, _ := strings.Cut(filepath.Base(library), "#")
		w.allowed(w.simulate("--set", "tire.model="+library), name)
	}
	w := newWorkshop(t)
	w.allowed([]string{"tire", "rig", "plugin:" + w.path("marked.so") + "#skidpad_fiala", "--file", "../../../resources/tires/fiala_generic4w.toml",
		"--loads", "2000,4000", "--library", filepath.Join(builtFolder, "libskidpad.so")}, "marked.so")
}

// TestEveryVerbThatRunsManoeuvresAsksForPermission: also for a manoeuvre that another file names.
func TestEveryVerbThatRunsManoeuvresAsksForPermission(t *testing.T) {
	const library = "plugin:marked.so#skidpad_fiala"
	core := []string{"--library", filepath.Join(builtFolder, "libskidpad.so")}
	for name, test := range map[string]struct {
		args   func(w *workshop) []string
		places string
	}{
		"sweep": {func(w *workshop) []string {
			w.manoeuvre(library)
			return []string{"sweep", w.path("car.toml"), "--manoeuvre", w.path("roll.toml"), "--param", "tire.mass=20,21", "--out", w.path("sweep.csv")}
		}, "roll.toml:7:16"},
		"study": {func(w *workshop) []string {
			w.manoeuvre(library)
			return []string{"sweep", "--out", w.path("sweep.csv"), "--study", w.file("study.toml", "name = \"s\"\ntitle = \"s\"\nmodel = \"car.toml\"\nmanoeuvre = \"roll.toml\"\nrecord = [\"tire.Fx\"]\nstep = 0.01\n"+
				"[[vary]]\nvariables = [\"tire.mass\"]\nvalues = [20, 21]\n")}
		}, "roll.toml:7:16"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkshop(t)
			args := append(test.args(w), core...)
			w.refused(args, test.places, library, "--allow-plugins")
			w.allowed(append(args, "--allow-plugins"), "marked.so")
		})
	}
}

// TestAManoeuvreThatRunsBeforeAnotherAsksForPermission: its file is named by the first one.
func TestAManoeuvreThatRunsBeforeAnotherAsksForPermission(t *testing.T) {
	w := newWorkshop(t)
	resources := filepath.Join("..", "..", "..", "resources")
	if err := os.CopyFS(w.path("cars"), os.DirFS(filepath.Join(resources, "cars"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sine_with_dwell.toml", "slowly_increasing_steer.toml"} {
		text, err := os.ReadFile(filepath.Join(resources, "manoeuvres", name))
		if err != nil {
			t.Fatal(err)
		}
		w.file("manoeuvres/"+name, string(text))
	}
	before := w.path("manoeuvres/slowly_increasing_steer.toml")
	text, err := os.ReadFile(before)
	if err != nil {
		t.Fatal(err)
	}
	w.file("manoeuvres/slowly_increasing_steer.toml", fmt.Sprintf("parameters = { \"tire_FL.model\" = \"plugin:%s#skidpad_fiala\" }\n%s", w.path("marked.so"), text))
	w.refused([]string{"manoeuvre", filepath.Join(resources, "models", "generic4w.toml"), "--manoeuvre", w.path("manoeuvres/sine_with_dwell.toml"),
		"--library", filepath.Join(builtFolder, "libskidpad.so")}, "slowly_increasing_steer.toml:1:34", "marked.so", "--allow-plugins")
	w.refused([]string{"manoeuvre", filepath.Join(resources, "models", "generic4w.toml"), "--manoeuvre", before,
		"--library", filepath.Join(builtFolder, "libskidpad.so")}, "slowly_increasing_steer.toml:1:34", "marked.so", "--allow-plugins")
	// by permission the library gets as far as its parameters, which the car's file does not give it
	status, _, stderr := try("manoeuvre", filepath.Join(resources, "models", "generic4w.toml"), "--manoeuvre", w.path("manoeuvres/sine_with_dwell.toml"),
		"--library", filepath.Join(builtFolder, "libskidpad.so"), "--allow-plugins")
	if names := w.loaded(); len(names) != 1 {
		t.Errorf("status %d, loaded %q: %s", status, names, stderr)
	}
}

// TestOtherFilesCannotNameALibrary: there is no permission for what need not be.
func TestOtherFilesCannotNameALibrary(t *testing.T) {
	force := "force = { function = \"inputs\" }"
	for _, form := range []string{"plugin:%s/marked.so#skidpad_fiala", "plugin:marked.so#skidpad_fiala", "sti:%s/marked_sti.so#fiala_", " PLUGIN:marked.so#skidpad_fiala"} {
		for name, test := range map[string]struct {
			args   func(w *workshop, library string) []string
			places []string
		}{
			"model": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				w.file("car.toml", strings.Replace(oneTire, force, fmt.Sprintf("force = { function = %q }", library), 1))
				return w.simulate("--allow-plugins")
			}, []string{"car.toml:39:22", "--set"}},
			"base of a model": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				w.file("base.toml", strings.Replace(oneTire, force, fmt.Sprintf("force = { function = %q }", library), 1))
				w.file("car.toml", "name = \"OneTire\"\ntitle = \"a variant\"\nbase = \"base.toml\"\n")
				return w.simulate("--allow-plugins")
			}, []string{"base.toml:39:22", "--set"}},
			"relaxation of a model": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				w.file("car.toml", strings.Replace(oneTire, `slip = { method = "kinematic" }`, fmt.Sprintf("slip = { method = \"delayed\", relaxation = { function = %q } }", library), 1))
				return w.simulate("--allow-plugins")
			}, []string{"car.toml:38:", "--set"}},
			"tire file of a model": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				w.file("tire.toml", fmt.Sprintf("function = %q\n[parameters]\n", library))
				w.file("car.toml", strings.Replace(oneTire, force, "force = { function = \"Fiala\", file = \"tire.toml\" }", 1))
				return w.simulate("--allow-plugins")
			}, []string{"car.toml:39:", "tire.toml:1:12", "--set"}},
			"tire file of a manoeuvre": {func(w *workshop, library string) []string {
				w.file("tire.toml", fmt.Sprintf("function = %q\n[parameters]\n", library))
				w.file("roll.toml", oneTireManoeuvre+"[parameters]\n\"tire.model\" = \"Fiala\"\n\"tire.file\" = \"tire.toml\"\n")
				return w.simulate("--allow-plugins")
			}, []string{"tire.toml:1:12"}},
			"tire file of the rig": {func(w *workshop, library string) []string {
				return []string{"tire", "rig", w.file("tire.toml", fmt.Sprintf("function = %q\n[parameters]\n", library))}
			}, []string{"tire.toml:1:12"}},
			"tire file": {func(w *workshop, library string) []string {
				return []string{"tire", w.file("tire.toml", fmt.Sprintf("function = %q\n[parameters]\n", library)), "--in", w.path("none.csv")}
			}, []string{"tire.toml:1:12"}},
			"tire property file": {func(w *workshop, library string) []string {
				return []string{"tire", w.file("tire.tir", fmt.Sprintf("[MDI_HEADER]\nFILE_TYPE = 'tir'\n[MODEL]\nPROPERTY_FILE_FORMAT = '%s'\nFITTYP = '%s'\n", library, library)), "--in", w.path("none.csv")}
			}, []string{"tire.tir:5"}},
			"start of a manoeuvre": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre+fmt.Sprintf("[start]\n\"tire.model\" = %q\n", library))
				return w.simulate("--allow-plugins")
			}, []string{"roll.toml:7:16"}},
			"constants of a manoeuvre": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre+fmt.Sprintf("[constants]\n\"tire.model\" = %q\n", library))
				return w.simulate("--allow-plugins")
			}, []string{"roll.toml:7:"}},
			"car file": {func(w *workshop, library string) []string {
				w.file("roll.toml", strings.Replace(oneTireManoeuvre, `models = ["OneTire"]`, `cars = "cars"`, 1))
				w.file("cars/one.toml", fmt.Sprintf("models = [\"OneTire\"]\nbody = \"tire\"\nfront = [\"tire\"]\nrear = [\"tire\"]\n[parameters]\n\"tire.model\" = %q\n", library))
				return w.simulate("--allow-plugins")
			}, []string{"one.toml:5:", `unknown key "parameters"`}},
			"study": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				return []string{"sweep", "--allow-plugins", "--study", w.file("study.toml", "name = \"s\"\ntitle = \"s\"\nmodel = \"car.toml\"\nmanoeuvre = \"roll.toml\"\nrecord = [\"tire.Fx\"]\nstep = 0.01\n"+
					fmt.Sprintf("[[vary]]\nvariables = [\"tire.model\"]\nvalues = [%q]\n", library))}
			}, []string{"study.toml:9:"}},
			"comparison": {func(w *workshop, library string) []string {
				w.file("a.csv", "time,x\n0,1\n1,2\n")
				return []string{"compare", w.path("a.csv"), w.path("a.csv"), "--by", w.file("by.toml", fmt.Sprintf("title = \"t\"\n[parameters]\n\"tire.model\" = %q\n", library))}
			}, []string{"by.toml:2:"}},
		} {
			t.Run(name+" "+form, func(t *testing.T) {
				w := newWorkshop(t)
				args := test.args(w, strings.ReplaceAll(form, "%s", w.folder))
				w.refused(args, test.places...)
			})
		}
	}
}

// TestASystemNamesALibraryOnlyByPermission: packing runs nothing, but the package would make the library's code run.
func TestASystemNamesALibraryOnlyByPermission(t *testing.T) {
	for _, library := range []string{"plugin:/nowhere/marked.so#skidpad_fiala", "sti:marked_sti.so#fiala_", " Plugin:a.so#b"} {
		w := newWorkshop(t)
		system := w.file("system.toml", fmt.Sprintf("name = \"S\"\ntitle = \"s\"\n[component.car]\nmodel = \"car.toml\"\n[component.car.parameters]\n\"tire.model\" = %q\n", library))
		out := w.path("system.ssp")
		args := []string{"pack", system, "-o", out, "--fmi", "3", "--binaries", filepath.Join(builtFolder, "fmi")}
		w.refused(args, "system.toml:6:16", "car.parameters: tire.model", fmt.Sprintf("%q", library), "--allow-plugins")
		if _, err := os.Stat(out); err == nil {
			t.Error("the refused package was written")
		}
		if status, _, stderr := try(append(args, "--allow-plugins")...); status != 0 {
			t.Errorf("status %d: %s", status, stderr)
		}
		if names := w.loaded(); names != nil {
			t.Errorf("packing has loaded %q", names)
		}
	}
}

// TestAnFMUNamesALibraryOnlyByTheManoeuvreThatMay: the model in its resources cannot name one, not even where the model
// description goes with it; a manoeuvre asks for permission as for a model file, and --set is free.
func TestAnFMUNamesALibraryOnlyByTheManoeuvreThatMay(t *testing.T) {
	for _, version := range []int{2, 3} {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			w := newWorkshop(t)
			if status, _, stderr := try("pack", w.path("car.toml"), "-o", w.path("car.fmu"), "--fmi", fmt.Sprint(version), "--binaries", filepath.Join(builtFolder, "fmi")); status != 0 {
				t.Fatal(stderr)
			}
			simulate := func(name string, more ...string) []string {
				return append([]string{"simulate", w.path(name), "--manoeuvre", w.path("roll.toml"), "--out", w.path("run.csv")}, more...)
			}
			library := "plugin:" + w.path("marked.so") + "#skidpad_fiala"
			w.manoeuvre(library)
			w.refused(simulate("car.fmu"), "roll.toml:7:16", library, "--allow-plugins")
			w.file("roll.toml", oneTireManoeuvre)
			w.edited("car.fmu", "evil.fmu", func(model string) string {
				return strings.Replace(model, `function = "inputs"`, fmt.Sprintf("function = %q", library), 1)
			})
			w.refused(simulate("evil.fmu"), "model.toml:39:22", library)
			w.file("roll.toml", oneTireManoeuvre+"[parameters]\n"+w.parametersOf(library))
			w.allowed(simulate("car.fmu", "--set", "tire.model="+library), "marked.so")
		})
	}
}

// edited copies an FMU with another model, and with the GUID or token that this model has.
func (w *workshop) edited(from, to string, edit func(model string) string) {
	w.Helper()
	data, err := os.ReadFile(w.path(from))
	if err != nil {
		w.Fatal(err)
	}
	files, err := fmu.ReadArchive(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		w.Fatal(err)
	}
	token := func() string {
		r, err := fmu.Collect(w.file("unpacked/model.toml", string(files["resources/model.toml"])))
		if err != nil {
			w.Fatal(err)
		}
		return r.Token()
	}
	before := token()
	files["resources/model.toml"] = []byte(edit(string(files["resources/model.toml"])))
	description := strings.ReplaceAll(string(files["modelDescription.xml"]), before, token())
	if before == token() || description == string(files["modelDescription.xml"]) {
		w.Fatal("the FMU is as it was")
	}
	files["modelDescription.xml"] = []byte(description)
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, content := range files {
		entry, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Unix(1e9, 0)})
		if err == nil {
			_, err = entry.Write(content)
		}
		if err != nil {
			w.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		w.Fatal(err)
	}
	w.file(to, archive.String())
}

// TestNothingThatIsReadInPassingLoadsALibrary: pages and key figures take a manoeuvre without running its vehicle.
func TestNothingThatIsReadInPassingLoadsALibrary(t *testing.T) {
	w := newWorkshop(t)
	w.manoeuvre("plugin:" + w.path("marked.so") + "#skidpad_fiala")
	w.file("run.csv", "time,tire.x\n0,1\n1,2\n")
	if status, _, stderr := try("animate", w.path("run.csv"), "--model", w.path("car.toml"), "--manoeuvre", w.path("roll.toml"), "-o", w.path("page.html")); status != 0 {
		t.Log(stderr)
	}
	if _, err := harness.ReadManoeuvre(w.path("roll.toml")); err != nil {
		t.Error(err)
	}
	if names := w.loaded(); names != nil {
		t.Errorf("loaded %q", names)
	}
}

// TestASavedStateCannotNameALibrary: neither of the library nor of an FMU, until the host has named it itself.
func TestASavedStateCannotNameALibrary(t *testing.T) {
	type subject interface {
		SetText(name, value string) error
		Save() ([]byte, error)
		Initialise() error
	}
	file, err := filepath.Abs("../../../resources/tires/fiala_generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"model", "FMI 2", "FMI 3"} {
		w := newWorkshop(t)
		library := "plugin:" + w.path("marked.so") + "#skidpad_fiala"
		var fresh func() (s subject, restore func([]byte) error)
		if kind == "model" {
			core, err := openLibrary(filepath.Join(builtFolder, "libskidpad.so"))
			if err != nil {
				t.Fatal(err)
			}
			fresh = func() (subject, func([]byte) error) {
				v, err := core.Load(w.path("car.toml"), "")
				if err != nil {
					t.Fatal(err)
				}
				return v, v.Restore
			}
		} else {
			if status, _, stderr := try("pack", w.path("car.toml"), "-o", w.path("car.fmu"), "--fmi", kind[4:], "--binaries", filepath.Join(builtFolder, "fmi")); status != 0 {
				t.Fatal(stderr)
			}
			f, err := harness.OpenFMU(w.path("car.fmu"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			fresh = func() (subject, func([]byte) error) {
				c, err := f.Instantiate("car", f.Token)
				if err != nil {
					t.Fatal(err)
				}
				return c, func(state []byte) error { return c.Restore(state, 0) }
			}
		}
		state := func() []byte { // before initialisation, of a vehicle with the tire of this workshop
			s, _ := fresh()
			if err := s.SetText("tire.model", "inputs"); err != nil {
				t.Fatal(err)
			}
			state, err := s.Save()
			if err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			return forged(state, "inputs", library)
		}()
		_, restore := fresh()
		if err := restore(state); err == nil || !strings.Contains(err.Error(), w.path("marked.so")) || !strings.Contains(err.Error(), "set tire.model") {
			t.Errorf("%s: error %v", kind, err)
		}
		named, restore := fresh()
		if err := named.SetText("tire.model", library); err != nil {
			t.Fatal(err)
		}
		if err := restore(state); err != nil {
			t.Errorf("%s, named by the host: %v", kind, err)
		}
		if names := w.loaded(); names != nil {
			t.Errorf("%s: states have loaded %q", kind, names)
		}
		if err := errors.Join(named.SetText("tire.file", file), named.Initialise()); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if names := w.loaded(); len(names) != 1 {
			t.Errorf("%s: the host's library is not loaded", kind)
		}
	}
}

// forged is a saved state with another text, and with the checksums that belong to it: of the engine, and of the FMU around it.
func forged(state []byte, from, to string) []byte {
	counted := func(text string) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
	}
	signed := func(body []byte) []byte {
		sum := sha256.Sum256(body)
		return append(bytes.Clone(body), sum[:]...)
	}
	inner := bytes.Index(state, []byte("SKIDPAD\x00"))
	end := len(state)
	if inner > 0 {
		end -= sha256.Size
	}
	forged := append(bytes.Clone(state[:inner]), signed(bytes.Replace(state[inner:end-sha256.Size], counted(from), counted(to), 1))...)
	if inner > 0 {
		forged = signed(forged)
	}
	return forged
}
