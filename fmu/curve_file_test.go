package fmu_test

import (
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
