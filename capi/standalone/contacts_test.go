package standalone

import (
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/model/contact"
)

// withContacts lists the shipped models with wheel contacts. C does not have their methods.
var withContacts = []string{"fourwheel_pointmass", "motorcycle2d", "motorcycle3d", "partial_vehicle2d",
	"partial_vehicle3d"}

// explicit writes a variant of a shipped model with the method rk4 and lines of its solver.
func explicit(t *testing.T, model string, settings ...string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), model+"_rk4.toml")
	text := "name = \"Explicit\"\ntitle = \"With an explicit method\"\nbase = \"" + model +
		"\"\n[solver]\nmethod = \"rk4\"\n" + strings.Join(settings, "\n")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Wheel contacts on terrain are bit-identical to the library, in all methods, with their impulses. Terrains: a table, a
// grid, waves, a mesh with an end, moving ground, and a road along a line. Positions along the line are part of saved
// states.
func TestWheelContactsAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	for _, c := range []struct {
		model, method string
		texts         []string
		values        map[string]float64
	}{
		{"motorcycle3d", "rk4", []string{"terrain.kind", "crg", "terrain.file", "road.crg"},
			map[string]float64{"mass_#.vx": 5}},
		{"motorcycle2d", "linearly-implicit", []string{"terrain.kind", "formula", "terrain.formula",
			"0.05*sin(3*x) + 0.03*sin(9*t)"}, map[string]float64{"mass_#.vx": 5, "terrain.height": -0.1}},
		{"fourwheel_pointmass", "heun", []string{"terrain.kind", "rdf", "terrain.file", "mesh.rdf"},
			map[string]float64{"mass_#.vx": 6}},
		{"partial_vehicle3d", "euler", []string{"terrain.kind", "grid", "terrain.file", "heights.asc"},
			map[string]float64{"mass_#.vx": 3, "mass_#.vy": 1, "terrain.height": -0.2}},
		{"partial_vehicle2d", "rk4", []string{"terrain.kind", "table", "terrain.file", "heights.csv"},
			map[string]float64{"mass_#.vx": 8}},
		{"fourwheel_pointmass", "euler", []string{"terrain.kind", "iso8608", "terrain.class", "C"},
			map[string]float64{"mass_#.vx": 9}},
		{"motorcycle3d", "linearly-implicit", []string{"terrain.kind", "rdf", "terrain.file", "profile.rdf"},
			map[string]float64{"mass_#.vx": 7, "terrain.friction_left": 0.5}},
		{"partial_vehicle2d", "heun", []string{"terrain.kind", "plane", "contact.rolling_velocity", "terrain"},
			map[string]float64{"terrain.slope_x": 0.2, "terrain.slope_y": 0.1, "terrain.height": -0.2}},
	}[:testrun.Either(1, 8)] {
		t.Run(c.model+strings.Join(c.texts, "_"), func(t *testing.T) {
			file := withImpulses(t, built.Terrain(t, c.model))
			make := func() *cosim.Instance { return contactsOn(t, file, c.method, c.texts, c.values) }
			seen := modesOf(t, make())
			if steps := testModel(t, make(), "gcc -O1 -march=native"); steps < driven {
				t.Errorf("only %d steps were compared", steps)
			}
			if seen[contact.Rolling] == 0 || seen[contact.Air]+seen[contact.Impact] == 0 {
				t.Errorf("modes were seen as often as %v", seen)
			}
		})
	}
}

// withImpulses writes a variant whose contacts have impulses as outputs.
func withImpulses(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, []byte("reactions = [\"contact_*\"]\n"+string(text)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// contactsOn returns an instance of a model of built.Terrain. In names of values, "#" stands for any component.
func contactsOn(t *testing.T, file, method string, texts []string, values map[string]float64) *cosim.Instance {
	t.Helper()
	in := vehicleOf(t, file, "solver.method", method)
	for i := 0; i < len(texts); i += 2 {
		if err := in.SetText(texts[i], texts[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		before, after, _ := strings.Cut(name, "#")
		found := false
		for i, v := range in.System().Variables() {
			if v.Name == name || strings.HasPrefix(v.Name, before) && after != "" && strings.HasSuffix(v.Name, after) {
				found = true
				if err := in.Set(i, values[name]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !found {
			t.Fatalf("there is no %s", name)
		}
	}
	return in
}

// modesOf counts the modes of a second.
func modesOf(t *testing.T, in *cosim.Instance) map[float64]int {
	t.Helper()
	seen := map[float64]int{}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	at, ok := in.System().Find("contact_R.mode")
	if !ok {
		at, ok = in.System().Find("contact_RL.mode")
	}
	for range 1000 {
		if err := in.Step(0.001); err != nil || !ok {
			t.Fatal(ok, err)
		}
		mode, _ := in.Get(at)
		seen[mode]++
	}
	return seen
}

// Modes and normals at the start equal the library: outputs show modes, and friction forces on rolling rims depend on
// normals.
func TestWheelContactsStartAsInTheLibrary(t *testing.T) {
	testrun.Slow(t)
	file := built.Terrain(t, "motorcycle3d")
	in := contactsOn(t, file, "euler", []string{"terrain.kind", "plane"}, map[string]float64{"mass_#.vx": 3,
		"mass_#.vy": 1, "terrain.slope_x": 0.2, "terrain.slope_y": 0.1, "contact.friction": 2})
	for _, name := range []string{"contact_R.initial_mode", "contact_F.initial_mode"} {
		at, ok := in.System().Find(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		if err := in.Set(at, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	d := &twin{t: t, in: in, c: &vehicleInC{order: binary.NativeEndian}}
	level := contactsOn(t, file, "euler", []string{"terrain.kind", "plane"}, nil) // the instance of the C file
	if err := level.Initialise(); err != nil {
		t.Fatal(err)
	}
	program := compiled(t, generated(t, level), "gcc -O0")
	d.plan, _ = in.Plan()
	var parameters []float64
	for _, q := range in.System().Program().Parameters {
		x := q.Start
		if at, ok := in.System().Find(q.Name); ok {
			if set, err := in.Get(at); err == nil { // else a text chooses it
				x = set
			}
		}
		parameters = append(parameters, x)
	}
	d.c.say('r')
	d.c.say('p', parameters)
	d.c.say('i')
	d.c.say('y')
	d.c.say('s', []float64{0.001})
	d.c.say('x')
	d.c.run(t, program)
	if d.c.status(t) != 0 {
		t.Fatal("no start")
	}
	d.outputs(0)
	at, _ := in.System().Find("contact_R.mode")
	if mode, err := in.Get(at); err != nil || mode != contact.Rolling {
		t.Error("the contact does not roll at the start", mode, err)
	}
	if err := in.Step(0.001); err != nil || d.c.status(t) == 3 {
		t.Fatal("no step", err)
	}
	d.states(0)
}

// Steps that are not a multiple of the solver step, and invalid modes at the start, are rejected.
func TestInvalidContactStepsAndModesAreRejected(t *testing.T) {
	testrun.Slow(t)
	in := initialised(t, "partial_vehicle2d", "solver.method", "euler")
	v := &vehicleInC{order: binary.NativeEndian}
	p := in.System().Program()
	with := func(mode float64) (parameters []float64) {
		for _, q := range p.Parameters {
			x := q.Start
			if q.Name == "contact_R.initial_mode" || q.Name == "contact.initial_mode" {
				x = mode
			}
			parameters = append(parameters, x)
		}
		return parameters
	}
	modes := map[float64]int{-1: 0, 0: 0, 1: 0, 2: 3, 0.5: 3}
	list := slices.Sorted(maps.Keys(modes))
	steps := []float64{0.0007, 0.0034, 0.001 * (1 + 1e-5), 0.001, 0.001 * (1 + 1e-7), 0.005}
	v.say('i')
	for _, h := range steps {
		v.say('s', []float64{h})
	}
	for _, mode := range list {
		v.say('r')
		v.say('p', with(mode))
		v.say('i')
	}
	v.run(t, compiled(t, generated(t, in), "gcc -O0"))
	if v.status(t) != 0 {
		t.Fatal("no start")
	}
	for _, h := range steps {
		if status, err := v.status(t), in.Step(h); (status == 3) != (err != nil) {
			t.Errorf("a step of %g s: status %d, in the library %v", h, status, err)
		}
	}
	for _, mode := range list {
		if status := v.status(t); status != modes[mode] {
			t.Errorf("mode %g at the start: status %d", mode, status)
		}
	}
}

// Functions for CasADi and acados have no contacts between steps. In C, linearly-implicit has no exchange of rows.
func TestUnsupportedWheelContactsAreRejected(t *testing.T) {
	for _, c := range []struct {
		model, method string
		o             Options
		want          string
	}{
		{"partial_vehicle2d", "euler", Options{Name: "v", CasADi: true}, "the wheel contact contact_R acts between solver " +
			"steps; functions for CasADi and acados have no such steps; use --target c"},
		{"partial_vehicle2d", "euler", Options{Name: "v", Acados: true}, "functions for CasADi and acados have no such"},
		{"bicycle_rolling", "linearly-implicit", Options{Name: "v"}, "at the start, the method linearly-implicit " +
			"exchanges rows of its system, which is done in Go; see docs/generate.md"},
	} {
		in := initialised(t, c.model, "solver.method", c.method)
		if _, err := Files([]*cosim.Instance{in}, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.model, err, c.want)
		}
	}
}
