package verify

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"skidpad/harness/evidence/reference"
	"skidpad/harness/evidence/references"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/trace"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// constant is an input that stays as it is.
type constant [3]float64

func (h constant) At(float64) (value, rate, acceleration float64) { return h[0], h[1], h[2] }

// TestTheReferenceAgreesWithAThirdPartyEngine compares derivatives of speeds and slips, and
// tire forces, at random states of both vehicles with those that MuJoCo and tires written in
// another language give (harness/evidence/witness).
func TestTheReferenceAgreesWithAThirdPartyEngine(t *testing.T) {
	testrun.Slow(t)
	for _, name := range []string{"generic4w", "skidder"} {
		var data struct {
			Cases []struct {
				Inputs, States, Derivatives map[string]float64
				Tires                       map[string]map[string]float64
			}
		}
		text, err := os.ReadFile(filepath.Join(resources, "references", "witness", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &data); err != nil {
			t.Fatal(err)
		}
		if len(data.Cases) != 50 {
			t.Errorf("%s: %d states", name, len(data.Cases))
		}
		m, err := vehicle.Read(filepath.Join(resources, "models", name+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		system, err := reference.New(m)
		if err != nil {
			t.Fatal(err)
		}
		worst, where, compared := 0.0, "", 0
		see := func(n int, quantity string, got, want float64) {
			compared++
			if e := math.Abs(got-want) / math.Max(1, math.Abs(want)); !(e <= worst) {
				worst, where = e, quantity
				if !(e <= 1e-9) {
					t.Errorf("%s, state %d: %s = %.15g, MuJoCo has %.15g", name, n, quantity, got, want)
				}
			}
		}
		for n, c := range data.Cases {
			inputs := reference.Inputs{Variables: map[string]reference.Signal{}, Drivers: map[string]reference.Signal{}}
			for _, driver := range m.Components {
				switch d := driver.Head().Name; driver.(type) {
				case *component.MotionDriver:
					inputs.Drivers[d] = constant{c.Inputs[d+".angle"], c.Inputs[d+".rate"], c.Inputs[d+".acceleration"]}
				case *component.TorqueDriver:
					inputs.Variables[d+".torque"] = constant{c.Inputs[d+".torque"]}
				}
			}
			values, derivatives, err := system.Evaluate(c.States, inputs)
			if err != nil {
				t.Fatal(err)
			}
			for state, want := range c.States {
				see(n, state, values[state], want)
			}
			for state, want := range c.Derivatives {
				see(n, "rate of "+state, derivatives[state], want)
			}
			for tire, forces := range c.Tires {
				for force, want := range forces {
					see(n, tire+"."+force, values[tire+"."+force], want)
				}
			}
		}
		t.Logf("%s: %d numbers, largest relative difference %.1e (%s)", name, compared, worst, where)
	}
}

// TestReferencesAgreeWithThirdPartyTrajectories compares the kept references with runs of
// MuJoCo, RK4 at 2 ms.
func TestReferencesAgreeWithThirdPartyTrajectories(t *testing.T) {
	bound := func(quantity, unit string, signal float64) float64 {
		if quantity[len(quantity)-2:] == "q1" || quantity[len(quantity)-2:] == "q2" {
			return 1e-6
		}
		return trajectoryBound(quantity, unit, signal)
	}
	for _, c := range references.Cases {
		if c.Model != "generic4w" && c.Model != "skidder" || c.Function != "" {
			continue
		}
		file, err := os.Open(filepath.Join(resources, "references", "witness", c.Name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		witness, err := trace.ReadCSV(file)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := references.Read(c, resources)
		if err != nil {
			t.Fatal(err)
		}
		for i := range witness.Channels {
			witness.Channels[i].Unit = unitOf(witness.Channels[i].Name)
		}
		list := Compare(witness, kept.Trace, bound)
		if len(list) != len(witness.Channels) || len(witness.Time) != 201 {
			t.Errorf("%s: %d of %d quantities compared at %d samples", c.Name, len(list), len(witness.Channels),
				len(witness.Time))
		}
		for i := range list {
			if !list[i].Pass() {
				t.Errorf("%s: %v", c.Name, &list[i])
			}
		}
		t.Logf("%s: %v", c.Name, worst(list))
	}
}

// unitOf is the unit of a state by its name.
func unitOf(name string) string {
	switch filepath.Ext(name) {
	case ".x", ".y", ".z", ".s":
		return "m"
	case ".vx", ".vy", ".vz", ".s_dot":
		return "m/s"
	case ".yaw", ".pitch", ".roll", ".phi":
		return "rad"
	case ".wx", ".wy", ".wz", ".omega":
		return "rad/s"
	}
	return "1"
}
