package fmu_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
	"skidpad/harness/tests/testrun"
)

// Networks have the bits of the engine in FMI 2.0 and 3.0: outputs and states by co-simulation, and rates and outputs
// at these states by model exchange.
func TestNetworksHaveTheSameBitsInEveryFMU(t *testing.T) {
	testrun.OnlyAll(t)
	files, err := filepath.Glob("../cosim/testdata/networks/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	names := []string{"fuse_box", "electric_car", "electric_axle_car", "hydropneumatic_quarter_car",
		"passenger_car_active_roll",
		"passenger_car_hydraulic_brakes"}
	for _, file := range files {
		names = append(names, "../"+strings.TrimSuffix(file, ".toml")) // from the folder of shipped models
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) { sameBitsInEveryFMU(t, name) })
	}
}

func sameBitsInEveryFMU(t *testing.T, name string) {
	s := load(t, name).system
	engine, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	of := map[string]*importer{}
	for kind, settings := range map[string]fmu.Settings{"cs2": cs2, "cs3": cs3, "me2": me2, "me3": me3} {
		of[kind] = instantiate(t, name, settings)
	}
	for i, v := range s.Variables() { // not all inputs are 0
		if v.Kind != cosim.Input || !strings.HasSuffix(v.Name, ".opening") && !strings.HasSuffix(v.Name, ".closed") &&
			!strings.HasSuffix(v.Name, ".throttle") && !strings.HasSuffix(v.Name, ".voltage") {
			continue
		}
		if err := engine.Set(i, 0.3); err != nil {
			continue // driven from inside
		}
		for _, m := range of {
			m.set(v.Name, 0.3)
		}
	}
	if err := engine.Initialise(); err != nil {
		t.Fatal(err)
	}
	for kind, m := range of {
		m.initialise(0)
		if kind[:2] == "me" {
			m.ok(m.EnterContinuousTimeMode())
		}
	}
	compared := 0
	for k := range 50 {
		time := float64(k) * 1e-3
		if err := engine.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		for kind, m := range of {
			var states []float64
			for _, r := range m.stateReferences() {
				states = append(states, valueIn(t, engine, m.table.Variables[r].Name))
			}
			if kind[:2] == "cs" {
				_, status := m.DoStep(time, 1e-3)
				m.ok(status)
			} else {
				m.ok(m.SetTime(engine.Time()))
				if len(states) > 0 {
					m.ok(m.SetContinuousStates(states))
				}
			}
			var references []uint32
			for _, o := range m.table.Outputs {
				references = append(references, o.Reference)
			}
			for _, d := range m.table.Derivatives {
				references = append(references, d.Reference)
			}
			for _, reference := range references {
				v := m.table.Variables[reference]
				if _, is := s.Find(v.Name); !is || v.Type != fmu.Real {
					continue
				}
				got, want := m.get(v.Name), valueIn(t, engine, v.Name)
				if math.Float64bits(got) != math.Float64bits(want) {
					t.Fatalf("%s at %g s: %s is %v, in the engine %v", kind, time, v.Name, got, want)
				}
				compared++
			}
		}
	}
	if compared < 200 {
		t.Errorf("%d values are compared", compared)
	}
}

func valueIn(t *testing.T, in *cosim.Instance, name string) float64 {
	t.Helper()
	i, is := in.System().Find(name)
	if !is {
		t.Fatalf("the engine has no %s", name)
	}
	v, err := in.Get(i)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
