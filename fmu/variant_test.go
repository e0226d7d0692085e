package fmu_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/fmu/fmutest"
)

// vehicleFolder holds the generic vehicle as models/model.toml, a variant of model.toml as middle/car.toml, and a
// variant of middle/car.toml as own/car.toml, with equally named tires of three folders. byHand.toml equals
// own/car.toml, written without a base.
func vehicleFolder(t *testing.T) (folder string, write func(name, text string) string) {
	t.Helper()
	folder = t.TempDir()
	write = func(name, text string) string {
		file := filepath.Join(folder, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	read := func(name string) string {
		text, err := os.ReadFile("../resources/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	vehicle, tire := read("models/generic4w.toml"), read("tires/pacejka2002.toml")
	if strings.Count(tire, "PDy1 = ") != 1 {
		t.Fatal("the tire has no PDy1")
	}
	write("models/model.toml", vehicle)
	write("tires/stretched_string.toml", read("tires/stretched_string.toml"))
	write("tires/pacejka2002.toml", tire)
	write("middle/pacejka2002.toml", strings.Replace(tire, "PDy1 = ", "PDy1 = 0.9 #", 1))
	write("own/Pacejka2002.toml", strings.Replace(tire, "PDy1 = ", "PDy1 = 0.8 #", 1))
	write("middle/car.toml", `base = '../models/model.toml'
[component]
tire_FL = { text = "glatt, für Regen", force = { file = "pacejka2002.toml" } }
tire_FR.force.file = "missing.toml"
`)
	const own = `name = "Variant"
title = "A variant"
[parameters]
front_x.value = 1.4
[component.body]
mass = 2000
[component.tire_FR.force]
file = "Pacejka2002.toml"
`
	write("own/car.toml", "base = \"../middle/car.toml\"\n"+own)
	replace := func(old, by string, n int) {
		if !strings.Contains(vehicle, old) {
			t.Fatalf("the vehicle does not hold %q", old)
		}
		vehicle = strings.Replace(vehicle, old, by, n)
	}
	replace(`"GenericVehicle"`, `"Variant"`, 1)
	replace(`"Generic four-wheeled vehicle"`, `"A variant"`, 1)
	replace("front_x = { value = 1.353", "front_x = { value = 1.4", 1)
	replace("mass = 2077", "mass = 2000", 1)
	replace("\"../tires/pacejka2002.toml\"", "\"../middle/pacejka2002.toml\"", 1)
	replace("\"../tires/pacejka2002.toml\"", "\"Pacejka2002.toml\"", 1)
	replace("[component.tire_FL]", "[component.tire_FL]\ntext = \"glatt, für Regen\"", 1)
	write("own/byHand.toml", vehicle)
	return folder, write
}

func drive(t *testing.T, system *cosim.System, table *fmu.Table) []float64 {
	t.Helper()
	window := make([]float64, system.First(cosim.Text))
	c, err := fmu.NewComponent(system, table, cs3, window)
	if err != nil {
		t.Fatal(err)
	}
	m := &importer{TB: t, Component: c, loaded: loaded{system: system, table: table}, window: window}
	m.initialise(0)
	return m.step(0, 200)
}

// A variant, the model that is merged by hand and the packed variant are one: the same variables, the same bits.
func TestPackedVariantEqualsTheMergedModel(t *testing.T) {
	folder, _ := vehicleFolder(t)
	read := func(name string) (*cosim.System, *fmu.Table) {
		s, err := cosim.Load(filepath.Join(folder, "own", name), cosim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s, fmu.Describe(s)
	}
	byHand, want := read("byHand.toml")
	variant, got := read("car.toml")
	if !reflect.DeepEqual(got, want) {
		t.Error("the variant has other variables than the model that is merged by hand")
	}
	trajectory := drive(t, byHand, want)
	if !slices.Equal(drive(t, variant, got), trajectory) {
		t.Error("the variant does not move like the model that is merged by hand")
	}
	p, err := fmu.NewPackage(filepath.Join(folder, "own", "car.toml"), fmu.Choice{}, &fmu.Libraries{}, 3, fmu.About{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	for name, content := range fmutest.Unpack(t, packed.Bytes()) {
		file := filepath.Join(elsewhere, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	system, table, err := fmu.Open(filepath.Join(elsewhere, "resources"), p.Table.Token)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(drive(t, system, table), trajectory) {
		t.Error("the packed variant does not move like the model file")
	}
	for name, file := range map[string]string{
		"tire_FL.file": "tires/pacejka2002_2.toml", "tire_FR.file": "tires/Pacejka2002.toml",
		"tire_RL.file": "tires/pacejka2002_3.toml",
	} {
		for _, v := range []fmu.Variable{table.Variables[reference(t, table, name)],
			p.Table.Variables[reference(t, p.Table, name)]} {
			if v.StartText != file {
				t.Errorf("%s is %s, want %s", name, v.StartText, file)
			}
		}
	}
}

// As collected, variant and bases lie beside each other with the effective content of their files, and nothing else.
func TestBasesAreCollectedWithTheirVariant(t *testing.T) {
	folder, write := vehicleFolder(t)
	collect := func(file string) *fmu.Resources {
		t.Helper()
		r, err := fmu.Collect(file)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	variant := filepath.Join(folder, "own", "car.toml")
	first := collect(variant)
	want := []string{"bases/car.toml", "bases/model.toml", "model.toml", "tires/Pacejka2002.toml",
		"tires/pacejka2002_2.toml", "tires/pacejka2002_3.toml", "tires/stretched_string.toml"}
	if names := slices.Sorted(maps.Keys(first.Files)); !slices.Equal(names, want) {
		t.Errorf("collected are %q, want %q", names, want)
	}
	for name, line := range map[string]string{
		"model.toml":       `base = "bases/car.toml"`,
		"bases/car.toml":   `base = "../bases/model.toml"`,
		"bases/model.toml": `file = "../tires/pacejka2002_3.toml"`,
	} {
		if !strings.Contains(string(first.Files[name]), line+"\n") {
			t.Errorf("%s does not hold %s:\n%s", name, line, first.Files[name])
		}
	}
	if text := string(first.Files["bases/car.toml"]); !strings.Contains(text,
		`{ text = "glatt, für Regen", force = { file = "../tires/pacejka2002_2.toml" } }`) {
		t.Errorf("bases/car.toml:\n%s", text)
	}
	elsewhere := t.TempDir()
	for name, content := range first.Files {
		file := filepath.Join(elsewhere, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if second := collect(filepath.Join(elsewhere, fmu.ModelFile)); !maps.EqualFunc(first.Files, second.Files,
		bytes.Equal) || first.Token() != second.Token() {
		t.Errorf("collected once more are %q", slices.Sorted(maps.Keys(second.Files)))
	}
	tokens := map[string]string{first.Token(): "nothing"}
	for _, changed := range []string{"own/car.toml", "middle/car.toml", "models/model.toml", "own/Pacejka2002.toml",
		"middle/pacejka2002.toml", "tires/pacejka2002.toml"} {
		text, err := os.ReadFile(filepath.Join(folder, changed))
		if err != nil {
			t.Fatal(err)
		}
		write(changed, string(text)+"# changed\n")
		token := collect(variant).Token()
		if other := tokens[token]; other != "" {
			t.Errorf("a change of %s gives the token of one of %s", changed, other)
		}
		tokens[token] = changed
	}
}

func TestUncollectableBasesAreReported(t *testing.T) {
	folder, write := vehicleFolder(t)
	variant := filepath.Join(folder, "own", "car.toml")
	write("middle/räder.toml", "base = \"../models/model.toml\"\n")
	for name, c := range map[string]struct{ file, text, position, says string }{
		"a base that is not there": {"own/car.toml", "base = \"none.toml\"\n", "own/car.toml:1:8: ", "no such file"},
		"a tire of a base": {"middle/car.toml",
			"base = \"../models/model.toml\"\ncomponent.tire_FL.force.file = \"none.toml\"\n",
			"middle/car.toml:2:32: ", "no such file"},
		"a tire that has no line": {"middle/car.toml",
			"base = \"../models/model.toml\"\ncomponent.tire_FL.force.file = \"\"\"pacejka2002.toml\"\"\"\n",
			"middle/car.toml:2:32: ", "write it as one basic string"},
		"a tire with a sign": {"middle/car.toml",
			"base = \"../models/model.toml\"\ncomponent.tire_FL.force.file = \"pacejka\\u0032002.toml\"\n",
			"middle/car.toml:2:32: ", "write it as one basic string"},
		"a base in a text of lines": {"middle/car.toml", "base = \"\"\"../models/model.toml\"\"\"\n",
			"middle/car.toml:1:8: ", "write it as one basic string"},
		"a name for some systems": {"own/car.toml", "base = \"../middle/räder.toml\"\n", "own/car.toml:1:8: ",
			"cannot be used in an FMU"},
	} {
		before, err := os.ReadFile(filepath.Join(folder, c.file))
		if err != nil {
			t.Fatal(err)
		}
		write(c.file, c.text)
		if c.file == "middle/car.toml" {
			write("own/car.toml", "base = \"../middle/car.toml\"\nname = \"Variant\"\n")
		}
		if _, err := fmu.Collect(variant); err == nil ||
			!strings.HasPrefix(err.Error(), filepath.Join(folder, filepath.FromSlash(c.position))) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s%s", name, err, c.position, c.says)
		}
		write(c.file, string(before))
	}
}
