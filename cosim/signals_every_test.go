package cosim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// Signals can read every published quantity of every shipped model and drive every input. A model whose inputs are
// driven by their start values moves like the model without signals.
func TestSignalsReadEveryQuantityAndDriveEveryInput(t *testing.T) {
	testrun.Slow(t)
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".toml"); i%testrun.Either(8, 1) == 0 {
			t.Run(name, func(t *testing.T) { readAndDriveAll(t, name) })
		}
	}
}

func readAndDriveAll(t *testing.T, name string) {
	plain := load(t, name, "")
	var reads, drives []string
	for _, v := range plain.Variables() {
		switch {
		case v.Kind == cosim.Output && strings.Count(v.Name, ".") == 1 && v.Driver == "":
			reads = append(reads, fmt.Sprintf(`{ name = "s%d", unit = "%s", rate = "10*(%s - s%[1]d)" }`, len(reads), v.Unit,
				v.Name))
		case v.Kind == cosim.Input && !strings.HasSuffix(v.Name, ".terrain_z"):
			drives = append(drives, fmt.Sprintf(`{ name = "o%d", unit = "%s", value = "%v", to = ["%s"] }`, len(drives), v.Unit,
				v.Start, v.Name))
		}
	}
	if len(reads) == 0 {
		return
	}
	const folder = "../resources/models/"
	text := fmt.Sprintf("base = %q\nname = \"Spied\"\ntitle = \"Spied\"\n"+
		"[component.spy]\ntype = \"equations\"\nstates = [\n%s\n]\noutputs = [\n%s\n]\n", name+".toml",
		strings.Join(reads, ",\n"), strings.Join(drives, ",\n"))
	m, err := vehicle.Parse([]byte(text), "spied.toml", func(_ bounded.Kind, file string) ([]byte, error) {
		return os.ReadFile(folder + file)
	})
	if err != nil {
		t.Fatal(err)
	}
	spied, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	method := "euler"
	if plain.Model().Solver.Method == "linearly-implicit" { // too stiff for the other one
		method = plain.Model().Solver.Method
	}
	a, b := instance(t, plain, method, 0.0005), instance(t, spied, method, 0.0005)
	for _, r := range []*run{a, b} {
		r.start(noInput)
		r.drive(noInput, 0.001, 0.005)
	}
	for _, v := range plain.Variables() {
		if v.Kind != cosim.Output && v.Kind != cosim.Input {
			continue
		}
		if x, y := a.get(v.Name), b.get(v.Name); !near(x, y) {
			t.Errorf("%s is %v, with signals %v", v.Name, x, y)
		}
	}
}

// near reports whether two values are equal except for rounding.
func near(x, y float64) bool { return x == y || x != x && y != y || abs(x-y) < 1e-7*(1+abs(x)) }

func abs(x float64) float64 { return max(x, -x) }
