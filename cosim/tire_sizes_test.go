package cosim_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// largerTire writes the tire file of the passenger car with another radius, stiffness, damping and nominal load.
func largerTire(t *testing.T) string {
	return changedTire(t, [2]string{"UNLOADED_RADIUS = 0.3135", "UNLOADED_RADIUS = 0.41"},
		[2]string{"VERTICAL_STIFFNESS = 208000", "VERTICAL_STIFFNESS = 310000"},
		[2]string{"VERTICAL_DAMPING   = 50", "VERTICAL_DAMPING = 80"},
		[2]string{"BREFF              = 8.4", "BREFF = 9"}, [2]string{"FNOMIN             = 4000", "FNOMIN = 5000"})
}

// changedTire writes the tire file of the passenger car with changed lines.
func changedTire(t *testing.T, changes ...[2]string) string {
	t.Helper()
	data, err := os.ReadFile("../resources/tires/mf61_205_60R15.tir")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, change := range changes {
		if !strings.Contains(text, change[0]) {
			t.Fatalf("%q is not in the file", change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	path, err := filepath.Abs(filepath.Join(t.TempDir(), "changed.tir"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Numbers of a tire that come from its file follow a new file, unless the user has set them, before or after. A car
// with the new file is bit-identical to a car with its numbers.
func TestNewTireFileSetsTheSizes(t *testing.T) {
	file, sys := largerTire(t), load(t, "passenger_car", "")
	sizes := map[string][2]float64{"unloaded_radius": {0.3135, 0.41}, "vertical_stiffness": {208000, 310000},
		"vertical_damping": {50, 80}, "rolling_radius_B": {8.4, 9}, "rolling_radius_D": {0.27, 0.27},
		"rolling_radius_Fz0": {4000, 5000}}
	r := instance(t, sys, "rk4", 0.001)
	for name, x := range sizes {
		if got := r.get("tire_FL." + name); got != x[0] {
			t.Errorf("tire_FL.%s is %v, the file has %v", name, got, x[0])
		}
	}
	r.set("tire_FL.vertical_damping", 70)
	r.text("tire_FL.file", file)
	r.set("tire_FL.rolling_radius_B", 7)
	for name, x := range sizes {
		want := map[string]float64{"vertical_damping": 70, "rolling_radius_B": 7}[name]
		if want == 0 {
			want = x[1]
		}
		if got := r.get("tire_FL." + name); got != want {
			t.Errorf("with the new file tire_FL.%s is %v, want %v", name, got, want)
		}
		if got := r.get("tire_FR." + name); got != x[0] {
			t.Errorf("with another tire's file tire_FR.%s is %v, want %v", name, got, x[0])
		}
	}
	r.text("tire_FL.file", "../tires/mf61_205_60R15.tir")
	if got := r.get("tire_FL.unloaded_radius"); got != 0.3135 {
		t.Errorf("with the file of the model again the radius is %v", got)
	}

	with, by := instance(t, sys, "rk4", 0.001), instance(t, sys, "rk4", 0.001)
	again := instance(t, sys, "rk4", 0.001)
	for _, c := range corners {
		with.text("tire_"+c+".file", file)
		by.text("tire_"+c+".file", file)
		for name, x := range sizes {
			by.set("tire_"+c+"."+name, x[1])
		}
	}
	again.restore(with.save()) // before initialisation
	for _, r := range []*run{with, by, again} {
		r.start(noInput)
		r.set("engine.throttle", 0.5)
		r.step(0.2)
		if !slices.Equal(r.states(), with.states()) {
			t.Error("the numbers of the file, set by the file, by hand and by a saved state, give different results")
		}
		for _, w := range r.in.Warnings() {
			if strings.Contains(w, "the sizes do not") {
				t.Errorf("warning %q", w)
			}
		}
	}
}

// If the model file contains the numbers, a warning names these and the different numbers of a property file. A
// relaxation with another file also gives a warning.
func TestTireFileOfAnotherSizeGivesWarning(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	file := largerTire(t)
	r.text("tire_FL.model", "MF61")
	r.text("tire_FL.file", file)
	r.start(noInput)
	var found string
	for _, w := range r.in.Warnings() {
		if strings.Contains(w, "the forces come from") {
			found += w
		}
	}
	for _, want := range []string{"tire_FL: the forces come from " + file + ", the sizes do not",
		"unloaded_radius is 0.355, UNLOADED_RADIUS of the file 0.41",
		"the relaxation comes from ../tires/stretched_string.toml"} {
		if !strings.Contains(found, want) {
			t.Errorf("no warning of %q: %s", want, found)
		}
	}
	if strings.Contains(found, "VERTICAL_STIFFNESS") && math.Abs(r.get("tire_FL.vertical_stiffness")/310000-1) < 0.02 {
		t.Errorf("a stiffness within 2 %% gives a warning: %s", found)
	}
	for name := range shippedModels(t) {
		r := instance(t, load(t, name, ""), "rk4", 0.001)
		if r.in.Initialise() != nil {
			continue
		}
		for _, w := range r.in.Warnings() {
			if strings.Contains(w, "the forces come from") {
				t.Errorf("%s as shipped: %s", name, w)
			}
		}
	}
}

// A file without the sizes of the wheel serves a component that gives the sizes: the formulas use the radius of the
// component. A component that takes the sizes from files keeps the earlier sizes, with a warning, and refuses a file
// without a radius.
func TestATireFileWithoutSizes(t *testing.T) {
	none := changedTire(t, [2]string{"UNLOADED_RADIUS = 0.3135", ""}, [2]string{"VERTICAL_STIFFNESS = 208000", ""})
	all := changedTire(t, [2]string{"UNLOADED_RADIUS = 0.3135", "UNLOADED_RADIUS = 0.355"})
	sys := load(t, "generic4w", "")
	without, with := instance(t, sys, "rk4", 0.001), instance(t, sys, "rk4", 0.001)
	for r, file := range map[*run]string{without: none, with: all} {
		for _, c := range corners {
			r.text("tire_"+c+".model", "MF61")
			r.text("tire_"+c+".file", file)
		}
		r.start(noInput)
		r.step(0.1)
	}
	if !slices.Equal(without.states(), with.states()) {
		t.Error("a file without UNLOADED_RADIUS gives other results than one with that of the component")
	}

	r := instance(t, load(t, "passenger_car", ""), "rk4", 0.001)
	soft := changedTire(t, [2]string{"VERTICAL_STIFFNESS = 208000", ""})
	r.text("tire_FL.file", soft)
	r.start(noInput)
	want := "tire_FL: " + soft + " has no VERTICAL_STIFFNESS, and vertical_stiffness stays 2.08e+05"
	if found := strings.Join(r.in.Warnings(), "\n"); !strings.Contains(found, want) {
		t.Errorf("the warnings are %q, want %q", found, want)
	}
	r = instance(t, load(t, "passenger_car", ""), "rk4", 0.001)
	r.text("tire_FL.file", none)
	if err := r.in.Initialise(); err == nil || !strings.Contains(err.Error(), "UNLOADED_RADIUS is missing") {
		t.Errorf("no radius at all: %v", err)
	}
}
