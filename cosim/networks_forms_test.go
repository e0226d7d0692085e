package cosim

import (
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/vehicle"
)

// Networks are bit-identical in machine code, portable code and lanes: those of the acceptance tests one by one, and
// those of shipped models.
func TestNetworksOneByOneAreBitIdenticalOnEveryPath(t *testing.T) {
	testrun.OnlyAll(t)
	files, err := filepath.Glob("testdata/networks/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range []string{"fuse_box", "electric_car", "electric_four_motor_car", "hydropneumatic_quarter_car",
		"passenger_car_active_roll",
		"passenger_car_hydraulic_brakes"} {
		files = append(files, "../resources/models/"+name+".toml")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".toml"), func(t *testing.T) {
			m, err := vehicle.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			m.Solver.Step = 1e-4
			var methods []string
			if m.Name == "FuseBox" { // its open switch is too fast for explicit methods
				methods = []string{"linearly-implicit"}
			}
			identicalOnEveryPath(t, m, methods...)
		})
	}
}

// Fleets of vehicles without states step, too, with all methods.
func TestNetworksWithoutStatesStepInLanes(t *testing.T) {
	m, err := vehicle.Read("testdata/networks/power_load.toml")
	if err != nil {
		t.Fatal(err)
	}
	identicalOnEveryPath(t, m)
}
