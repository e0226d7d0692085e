package standalone

import (
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// Steps on terrain are bit-identical to the library: kinds of ground and of friction, tires on points and on
// footprints, moving ground.
func TestStepsOnTerrainAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct {
		model  string
		texts  []string
		values map[string]float64
	}{
		{"passenger_car", []string{"kind", "formula", "formula", "0.02*sin(x)*cos(0.5*y) + 0.003*sin(20*t)",
			"friction_kind", "table", "friction_file", "friction.csv"}, nil},
		{"generic4w", []string{"kind", "grid", "file", "heights.asc", "friction_kind", "formula", "friction_formula",
			"0.8 + 0.5*sin(3*x + y)"}, map[string]float64{"road.friction_left": 0.7}},
		{"generic4w", []string{"kind", "plane"}, map[string]float64{"road.slope_x": 0.03, "road.slope_y": -0.02,
			"road.height": 0.1, "body.z": 0.1}},
		{"generic4w", []string{"kind", "table", "file", "heights.csv"}, nil},
		{"passenger_car", nil, map[string]float64{"road.friction_left": 0.3, "road.friction_right": 0.9}},
		{"passenger_car", []string{"kind", "grid", "file", "heights.asc", "friction_kind", "grid", "friction_file",
			"friction.asc"}, nil},
		{"generic4w", []string{"kind", "rdf", "file", "mesh.rdf"}, nil},
		{"passenger_car", []string{"kind", "rdf", "file", "mesh.rdf"}, map[string]float64{"road.friction_left": 0.7}},
		{"generic4w", []string{"kind", "rdf", "file", "profile.rdf"}, map[string]float64{"road.friction_left": 0.7}},
		{"passenger_car", []string{"kind", "rdf", "file", "profile.rdf"}, nil},
		{"generic4w", []string{"kind", "iso8608", "class", "B"}, map[string]float64{"road.seed": 5}},
		{"passenger_car", []string{"kind", "iso8608", "class", "A"}, map[string]float64{"road.friction_right": 0.7}},
		{"generic4w", []string{"kind", "crg", "file", "road.crg"}, map[string]float64{"road.friction_left": 0.7}},
		{"passenger_car", []string{"kind", "crg", "file", "road.crg", "friction_kind", "crg", "friction_file", "road.crg"},
			nil},
	}[:testrun.Either(2, 14)] {
		t.Run(c.model+strings.Join(c.texts, "_"), func(t *testing.T) {
			in := onTerrain(t, c.model, c.texts...)
			for _, name := range slices.Sorted(maps.Keys(c.values)) {
				at, ok := in.System().Find(name)
				if !ok {
					t.Fatalf("there is no %s", name)
				}
				if err := in.Set(at, c.values[name]); err != nil {
					t.Fatal(err)
				}
			}
			testModel(t, in, testrun.Either("gcc -O0 -march=native", "gcc -O2 -march=native"))
		})
	}
}

// onTerrain returns an instance of a model of built.Terrain. The names in texts lack the prefix "road.".
func onTerrain(t *testing.T, model string, texts ...string) *cosim.Instance {
	t.Helper()
	return onTerrainOf(t, built.Terrain(t, model), texts...)
}

// onTerrainOf is onTerrain for a model file.
func onTerrainOf(t *testing.T, file string, texts ...string) *cosim.Instance {
	t.Helper()
	sys, err := cosim.Load(file, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := sys.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	for i := 0; i < len(texts); i += 2 {
		if err := in.SetText("road."+texts[i], texts[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.SetText("solver.method", testrun.Either("euler", "heun")); err != nil {
		t.Fatal(err)
	}
	return in
}

// A file has the waves of a single seed: a vehicle with another seed does not start.
func TestFileHasWavesOfASingleSeed(t *testing.T) {
	testrun.Slow(t)
	in := onTerrain(t, "generic4w", "kind", "iso8608", "class", "B")
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	v := &vehicleInC{order: binary.NativeEndian}
	v.say('i')
	var parameters []float64
	for _, p := range in.System().Program().Parameters {
		x := p.Start
		if p.Name == "road.seed" {
			x++
		}
		parameters = append(parameters, x)
	}
	v.say('p', parameters)
	v.say('i')
	v.run(t, compiled(t, generated(t, in), "gcc -O0"))
	if same, other := v.status(t), v.status(t); same != 0 || other != 3 {
		t.Errorf("status %d, with another seed %d", same, other)
	}
}

// Sines of road property files are computed in Go.
func TestUnsupportedRoadsAreRejected(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sine.rdf")
	if err := os.WriteFile(file, []byte("[UNITS]\nLENGTH = 'm'\n[MODEL]\nMETHOD = '2D'\nROAD_TYPE = 'SINE'\n"+
		"[PARAMETERS]\nAMPLITUDE = 0.01\nSTART = 5\nWAVE_LENGTH = 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := onTerrain(t, "generic4w", "kind", "rdf", "file", file)
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	_, err := Files([]*cosim.Instance{in}, Options{Name: "vehicle"})
	if err == nil || !strings.Contains(err.Error(), "the terrain road of the kind rdf is looked up in Go") {
		t.Error(err)
	}
}

// Terrain keeps the rules of generated C, also a grid with holes.
func TestTerrainKeepsRules(t *testing.T) {
	testrun.OnlyAll(t)
	in := onTerrain(t, "generic4w", "kind", "crg", "file", "road.crg")
	folder := filepath.Dir(in.System().Model().File)
	text, err := os.ReadFile(filepath.Join(folder, "road.crg"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	lines[len(lines)-40] = lines[len(lines)-40][:10] + "*missing**" + lines[len(lines)-40][20:]
	holed := strings.Replace(strings.Join(lines, "\n"), "$KD_DEF", "$ROAD_CRG_MODS\nGRID_NAN_MODE = 0\n$\n$KD_DEF", 1)
	if err := os.WriteFile(filepath.Join(folder, "holed.crg"), []byte(holed), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(in.SetText("road.file", "holed.crg"), in.Initialise()); err != nil {
		t.Fatal(err)
	}
	out := generated(t, in)
	source := read(t, out, "vehicle.c")
	rules(t, codeOf(read(t, out, "vehicle.h")+"\n"+source))
	if !strings.Contains(source, "NAN,") {
		t.Error("the grid has no hole")
	}
	calls := callsOf(codeOf(source))
	for function := range calls {
		deepest(t, calls, func(string) int { return 0 }, function, nil)
	}
	for _, compiler := range []string{"gcc -O1 -std=c99", "g++ -std=c++17 -x c++ -O0"} {
		compiled(t, out, compiler)
	}
}
