package vehicle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// written writes files into a new folder and returns the path of the first.
func written(t *testing.T, files ...[2]string) string {
	t.Helper()
	folder := t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f[0]), []byte(f[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, files[0][0])
}

// A model in any folder uses shipped models, subsystems, tires and roads by name: it is the same model as one that has
// their paths.
func TestModelsUseShippedFilesByName(t *testing.T) {
	resources, err := filepath.Abs(filepath.Join("..", "..", "resources"))
	if err != nil {
		t.Fatal(err)
	}
	const text = `name = "Own"
title = "Own car"
base = "MODEL"
[component.tire_FL.force]
function = "MF62"
file = "TIRE"
[component.road]
kind = "crg"
file = "ROAD"
[use.spare]
file = "SUBSYSTEM"
at = ["L"]
frames = { chassis = "keel", road = "road" }
parameters = { x = 0.5, half_track = 0.1 }
`
	var read [2]*vehicle.Model
	for i, names := range [][]string{{"passenger_car", "mf62_205_60R15", "winding", "corner_strut"},
		{resources + "/models/passenger_car.toml", resources + "/tires/mf62_205_60R15.tir", resources + "/roads/winding.crg",
			resources + "/subsystems/corner_strut.toml"}} {
		own := strings.NewReplacer("MODEL", names[0], "TIRE", names[1], "ROAD", names[2], "SUBSYSTEM", names[3]).Replace(text)
		if read[i], err = vehicle.Read(written(t, [2]string{"own.toml", filepath.ToSlash(own)})); err != nil {
			t.Fatalf("%s\n%v", own, err)
		}
	}
	if a, b := len(read[0].Components), len(read[1].Components); a != b || a < 40 {
		t.Errorf("%d components by name, %d by path", a, b)
	}
	for i, c := range read[0].Components {
		if c.Head().Name != read[1].Components[i].Head().Name {
			t.Errorf("component %d is %s, by path %s", i, c.Head().Name, read[1].Components[i].Head().Name)
		}
	}
}

const shelfCar = `name = "Own"
[parameters]
half = { value = 0.7, unit = "m", text = "half track" }
[component.road]
type = "terrain"
[component.body]
type = "rigid-body"
mass = 1000
inertia = { xx = 300, yy = 1000, zz = 1000 }
start = { position = [0, 0, 0.3] }
[use.F]
file = "corner_strut"
at = ["L", "R"]
frames = { chassis = "body", road = "road" }
parameters = { x = 1, half_track = "half" }
`

// A file of the name beside the model takes the place of the shipped one, and a warning says so. With its ending in the
// model it does so without a warning.
func TestFilesBesideTheModelTakeThePlaceOfShippedOnes(t *testing.T) {
	strut, err := os.ReadFile("../../resources/subsystems/corner_strut.toml")
	if err != nil {
		t.Fatal(err)
	}
	own := strings.ReplaceAll(string(strut), "../tires/", "")
	own = strings.ReplaceAll(strings.ReplaceAll(own, "brake", "own"), `type = "own"`, `type = "brake"`)
	for _, c := range []struct {
		named  string
		files  [][2]string
		own    bool
		warned bool
	}{
		{"corner_strut", nil, false, false}, {"corner_strut.toml", nil, false, false},
		{"corner_strut", [][2]string{{"corner_strut.toml", own}}, true, true},
		{"corner_strut.toml", [][2]string{{"corner_strut.toml", own}}, true, false},
	} {
		text := strings.Replace(shelfCar, `"corner_strut"`, `"`+c.named+`"`, 1)
		m, err := vehicle.Read(written(t, append([][2]string{{"own.toml", text}}, c.files...)...))
		if err != nil {
			t.Errorf("%s with %d files: %v", c.named, len(c.files), err)
			continue
		}
		has := false
		for _, k := range m.Components {
			has = has || k.Head().Name == "own_FL"
		}
		warned := strings.Contains(strings.Join(m.Warnings, "\n"), "own.toml:12:8: corner_strut.toml beside the file takes")
		if has != c.own || warned != c.warned {
			t.Errorf("%s with %d files: own %v, warned %v\n%s", c.named, len(c.files), has, warned, m.Warnings)
		}
	}
}

// A name close to the name of a shipped subsystem, and a name of two files, are errors with a suggestion.
func TestUnknownShippedNames(t *testing.T) {
	for _, c := range [][3]string{
		{`"corner_strut"`, `"corner_strot"`, `own.toml:12:8: file: open `},
		{`"corner_strut"`, `"corner_strot"`, `Skidpad has a subsystem "corner_strut"`},
		{"parameters = { x", `component = { tire = { force = { function = "Pacejka02", file = "pacejka2002" } } }
parameters = { x`,
			`"pacejka2002" is the name of 2 shipped files`},
	} {
		_, err := vehicle.Read(written(t, [2]string{"own.toml", strings.Replace(shelfCar, c[0], c[1], 1)}))
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v, want %s", c[1], err, c[2])
		}
	}
}
