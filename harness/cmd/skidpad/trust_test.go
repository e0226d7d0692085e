package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// TestAManoeuvreNamesALibraryOnlyByPermission: in every form of text that names a library, and in similar forms that
// the engine does not take for a library.
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
		w.file("roll.toml", oneTireManoeuvre+`[parameters]
"tire.model" = "inputs"
`+w.parametersOf(library))
		name, _, _ := strings.Cut(filepath.Base(library), "#")
		w.allowed(w.simulate("--set", "tire.model="+library), name)
	}
	w := newWorkshop(t)
	rig := []string{"tire", "rig", "plugin:" + w.path("marked.so") + "#skidpad_fiala", "--loads", "2000,4000",
		"--file", "../../../resources/tires/fiala_generic4w.toml"}
	w.allowed(append(rig, core(t)...), "marked.so")
}

const studyOfOneTire = `name = "s"
title = "s"
model = "car.toml"
manoeuvre = "roll.toml"
record = ["tire.Fx"]
step = 0.01
`

// TestEveryVerbThatRunsManoeuvresAsksForPermission: also for a manoeuvre that another file names.
func TestEveryVerbThatRunsManoeuvresAsksForPermission(t *testing.T) {
	const library = "plugin:marked.so#skidpad_fiala"
	for name, test := range map[string]struct {
		args   func(w *workshop) []string
		places string
	}{
		"sweep": {func(w *workshop) []string {
			w.manoeuvre(library)
			return []string{"sweep", w.path("car.toml"), "--manoeuvre", w.path("roll.toml"), "--param",
				"tire.mass=20,21",
				"--out", w.path("sweep.csv")}
		}, "roll.toml:7:16"},
		"study": {func(w *workshop) []string {
			w.manoeuvre(library)
			study := w.file("study.toml", studyOfOneTire+`[[vary]]
variables = ["tire.mass"]
values = [20, 21]
`)
			return []string{"sweep", "--out", w.path("sweep.csv"), "--study", study}
		}, "roll.toml:7:16"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkshop(t)
			args := append(test.args(w), core(t)...)
			w.refused(args, test.places, library, "--allow-plugins")
			w.allowed(append(args, "--allow-plugins"), "marked.so")
		})
	}
}

// TestAManoeuvreThatRunsBeforeAnotherAsksForPermission: its file is named by the first one.
func TestAManoeuvreThatRunsBeforeAnotherAsksForPermission(t *testing.T) {
	w := newWorkshop(t)
	resources := filepath.Join("..", "..", "..", "resources")
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
	w.filef("manoeuvres/slowly_increasing_steer.toml",
		"parameters = { \"tire_FL.model\" = \"plugin:%s#skidpad_fiala\" }\n%s",
		w.path("marked.so"), text)
	manoeuvre := func(path string) []string {
		return append([]string{"manoeuvre", filepath.Join(resources, "models", "generic4w.toml"), "--manoeuvre", path},
			core(t)...)
	}
	main := w.path("manoeuvres/sine_with_dwell.toml")
	for _, path := range []string{main, before} {
		w.refused(manoeuvre(path), "slowly_increasing_steer.toml:1:34", "marked.so", "--allow-plugins")
	}
	// by permission the library gets as far as its parameters, which the car's file does not give it
	status, _, stderr := try(append(manoeuvre(main), "--allow-plugins")...)
	if names := w.loaded(); len(names) != 1 {
		t.Errorf("status %d, loaded %q: %s", status, names, stderr)
	}
}

// TestOtherFilesCannotNameALibrary: there is no permission for what need not be.
func TestOtherFilesCannotNameALibrary(t *testing.T) {
	testrun.Slow(t)
	force := `force = { function = "inputs" }`
	for _, form := range []string{"plugin:%s/marked.so#skidpad_fiala", "plugin:marked.so#skidpad_fiala",
		"sti:%s/marked_sti.so#fiala_", " PLUGIN:marked.so#skidpad_fiala"} {
		for name, test := range map[string]struct {
			args   func(w *workshop, library string) []string
			places []string
		}{
			"model": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				w.file("car.toml", strings.Replace(oneTire, force, fmt.Sprintf("force = { function = %q }", library),
					1))
				return w.simulate("--allow-plugins")
			}, []string{"car.toml:39:22", "--set"}},
			"base of a model": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				w.file("base.toml", strings.Replace(oneTire, force, fmt.Sprintf("force = { function = %q }", library),
					1))
				w.file("car.toml", `name = "OneTire"
title = "a variant"
base = "base.toml"
`)
				return w.simulate("--allow-plugins")
			}, []string{"base.toml:39:22", "--set"}},
			"relaxation of a model": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				w.file("car.toml", strings.Replace(oneTire, `slip = { method = "kinematic" }`,
					fmt.Sprintf(`slip = { method = "delayed", relaxation = { function = %q } }`, library), 1))
				return w.simulate("--allow-plugins")
			}, []string{"car.toml:38:", "--set"}},
			"tire file of a model": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				w.filef("tire.toml", "function = %q\n[parameters]\n", library)
				w.file("car.toml", strings.Replace(oneTire, force,
					`force = { function = "Fiala", file = "tire.toml" }`, 1))
				return w.simulate("--allow-plugins")
			}, []string{"car.toml:39:", "tire.toml:1:12", "--set"}},
			"tire file of a manoeuvre": {func(w *workshop, library string) []string {
				w.filef("tire.toml", "function = %q\n[parameters]\n", library)
				w.file("roll.toml", oneTireManoeuvre+
					`[parameters]
"tire.model" = "Fiala"
"tire.file" = "tire.toml"
`)
				return w.simulate("--allow-plugins")
			}, []string{"tire.toml:1:12"}},
			"tire file of the rig": {func(w *workshop, library string) []string {
				return []string{"tire", "rig", w.filef("tire.toml", "function = %q\n[parameters]\n", library)}
			}, []string{"tire.toml:1:12"}},
			"tire file": {func(w *workshop, library string) []string {
				return []string{"tire", w.filef("tire.toml", "function = %q\n[parameters]\n", library), "--in",
					"none.csv"}
			}, []string{"tire.toml:1:12"}},
			"tire property file": {func(w *workshop, library string) []string {
				file := w.filef("tire.tir",
					`[MDI_HEADER]
FILE_TYPE = 'tir'
[MODEL]
PROPERTY_FILE_FORMAT = '%s'
FITTYP = '%s'
`,
					library, library)
				return []string{"tire", file, "--in", "none.csv"}
			}, []string{"tire.tir:4"}},
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
				w.filef("cars/one.toml",
					`models = ["OneTire"]
[roles]
chassis = "tire"
[parameters]
"tire.model" = %q
`, library)
				return w.simulate("--allow-plugins")
			}, []string{"one.toml:4:", `unknown key "parameters"`}},
			"study": {func(w *workshop, library string) []string {
				w.file("roll.toml", oneTireManoeuvre)
				study := w.filef("study.toml", `%s[[vary]]
variables = ["tire.model"]
values = [%q]
`,
					studyOfOneTire, library)
				return []string{"sweep", "--allow-plugins", "--study", study}
			}, []string{"study.toml:9:"}},
			"comparison": {func(w *workshop, library string) []string {
				w.file("a.csv", "time,x\n0,1\n1,2\n")
				by := w.filef("by.toml", `title = "t"
[parameters]
"tire.model" = %q
`, library)
				return []string{"compare", w.path("a.csv"), w.path("a.csv"), "--by", by}
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
