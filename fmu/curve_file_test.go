package fmu_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

// curved is a mass on a spring by a curve, whose table follows.
const curved = `name = "Curved"
[component.slide]
type = "prismatic"
from = "ground"
to = "mass"
axis = "x"
start = { s = 0.07 }
[component.mass]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring]
type = "spring-damper"
joint = "slide"
spring_force = `

// A model with curves of a CSV makes an FMU that needs nothing beside it, and moves as with the points in the model.
func TestCurvesOfAFileTravelWithTheFMU(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("measured/rig.csv", "x [m], f [N]\n-0.1,-30\n0,0\n0.05,40\n0.1,100\n")
	model := write("models/curved.toml", curved+`{ file = "../measured/rig.csv", column = "f", over = "x" }`+"\n")
	inline := write("models/inline.toml", curved+"[[-0.1, -30], [0, 0], [0.05, 40], [0.1, 100]]\n")
	r, err := fmu.Collect(model)
	if err != nil {
		t.Fatal(err)
	}
	packed, token := writeResources(t, r, "", "")
	for _, name := range []string{"models", "measured"} {
		if err := os.Rename(filepath.Join(folder, name), filepath.Join(folder, name+"-moved")); err != nil {
			t.Fatal(err)
		}
	}
	inline = filepath.Join(folder, "models-moved", filepath.Base(inline))
	whole, _, err := fmu.Load(inline, "default", nil)
	if err != nil {
		t.Fatal(err)
	}
	var ends [2][]float64
	for i, system := range []*cosim.System{open(t, packed, token), whole} {
		in, err := system.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if err := in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for range 200 {
			if err := in.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
		for k := range system.Variables() {
			if x, err := in.Get(k); err == nil {
				ends[i] = append(ends[i], x)
			}
		}
	}
	if len(ends[0]) < 10 || len(ends[0]) != len(ends[1]) {
		t.Fatalf("%d and %d variables", len(ends[0]), len(ends[1]))
	}
	for i, x := range ends[0] {
		if x != ends[1][i] {
			t.Errorf("variable %d is %.17g from the FMU, %.17g with points in the model", i, x, ends[1][i])
		}
	}
}

// A model with a table of points makes an FMU that needs nothing beside it, also if the table lies beside a base.
func TestPointsOfAFileTravelWithTheFMU(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"cars/base.toml": `name = "Hung"
gravity = 9.81
[component.body]
type = "rigid-body"
mass = 900
inertia = { xx = 200, yy = 900, zz = 900 }
[use.F]
file = "parts/arm.toml"
at = ["L", "R"]
frames = { chassis = "body" }
points = { file = "points/front.csv" }
[roles]
chassis = "body"
`,
		"car.toml": "base = \"cars/base.toml\"\nname = \"HungCar\"\n",
		"cars/parts/arm.toml": `kind = "subsystem"
frames = ["chassis"]
sides = "left"
[parameters]
pivot = { value = [0, 400, 200], unit = "mm" }
tip = { value = [0, 700, 200], unit = "mm" }
[component.hinge]
type = "revolute"
from = "chassis@pivot"
to = "arm@pivot"
axis = "x"
[component.arm]
type = "rigid-body"
design = "tip"
mass = 5
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
`,
		"cars/points/front.csv": "name, x [m], y [m], z [m]\npivot, 0, 0.41, 0.21\ntip, 0.01, 0.72, 0.22\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := fmu.Collect(filepath.Join(folder, "car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	packed, token := writeResources(t, r, "", "")
	if err := os.RemoveAll(filepath.Join(folder, "cars")); err != nil {
		t.Fatal(err)
	}
	in, err := open(t, packed, token).Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"tip_FL_x": 0.01, "tip_FL_y": 0.72, "pivot_FR_y": -0.41}
	for k, v := range in.System().Variables() {
		x, given := want[v.Name]
		if !given {
			continue
		}
		delete(want, v.Name)
		if got, err := in.Get(k); err != nil || math.Abs(got-x) > 1e-15 {
			t.Errorf("%s is %v, want %v: %v", v.Name, got, x, err)
		}
	}
	if len(want) > 0 {
		t.Errorf("variables are missing: %v", want)
	}
}
