package bench

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
)

// The message names a folder that lacks the sources of LFDM.
func TestMissingSourcesOfLFDMAreNamed(t *testing.T) {
	folder := t.TempDir()
	_, err := (&Suite{}).LFDM(folder)
	if err == nil || !strings.Contains(err.Error(), folder+" is not a checkout of LFDM") {
		t.Errorf("%v", err)
	}
}

// The sedan of LFDM starts in equilibrium on its springs and wheels. In a second straight ahead the height stays,
// rolling resistance alone brakes, and the tires carry the weight.
func TestSedanOfLFDMStartsInEquilibrium(t *testing.T) {
	system, err := cosim.Load(filepath.Join(resources, "benchmarks", "lfdm24.toml"), cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	car, err := system.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer car.Close()
	if err := car.Initialise(); err != nil {
		t.Fatal(err)
	}
	value := func(name string) float64 {
		t.Helper()
		i, _ := system.Find(name)
		v, err := car.Get(i)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	height := value("body.z")
	if err := car.Step(1); err != nil {
		t.Fatal(err)
	}
	load := 0.0
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		load += value("tire_" + corner + ".Fz")
	}
	const weight = (1671.26 + 4*54.543) * 9.81
	if math.Abs(value("body.z")-height) > 1e-4 || math.Abs(load/weight-1) > 1e-3 || math.Abs(value("body.y")) > 1e-9 {
		t.Errorf("height %g m after %g m, load %g of the weight, %g m to the side", value("body.z"), height, load/weight,
			value("body.y"))
	}
	if v := value("body.vx"); v > 20 || v < 19.5 {
		t.Errorf("%g m/s after a second from 20 m/s", v)
	}
}
