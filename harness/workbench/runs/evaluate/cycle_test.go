package evaluate

import (
	"math"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// The shipped cycle of an electric car has the length of its ramps, and its energy fits the state of charge. A full
// battery takes nothing back. A weak battery does not follow the cycle, and a small one stops the car. An empty battery
// is refused.
func TestDrivingCycleOfAnElectricCar(t *testing.T) {
	testrun.OnlyAll(t)
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	driven := func(settings ...manoeuvre.Setting) (map[string]float64, error) {
		result, err := evaluator(l, built.Model("electric_axle_car"), settings...).Evaluate(built.Manoeuvre("driving_cycle"))
		if err != nil {
			return nil, err
		}
		values := map[string]float64{}
		for _, f := range result.Runs[0].Figures {
			values[f.ID] = f.Value
		}
		return values, nil
	}
	values := func(settings ...manoeuvre.Setting) map[string]float64 {
		t.Helper()
		v, err := driven(settings...)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	way, time, speed := 0.0, []float64{0, 5, 12, 40, 52, 60, 72, 100, 125, 160, 178, 190, 206, 212, 222, 230},
		[]float64{36, 36, 50, 50, 15, 15, 60, 60, 100, 100, 50, 50, 0, 0, 36, 36}
	for i := 1; i < len(time); i++ {
		way += (time[i] - time[i-1]) * (speed[i] + speed[i-1]) / 7.2
	}
	usual := values()
	// at a state of charge of 0.795 the voltage without current is some 380 V, between 362 V at 0.6 and 390 V at 0.9
	if energy := -usual["soc_change"] * 360000 * 380; !(math.Abs(usual["distance"]/way-1) < 1e-3) ||
		!(math.Abs(usual["energy"]/energy-1) < 0.01) || usual["followed"] != 1 {
		t.Errorf("%g m of %g m, %g J of some %g J, followed %g", usual["distance"], way, usual["energy"], energy,
			usual["followed"])
	}
	lost := usual["energy"] - usual["energy_given"] + usual["energy_returned"] - usual["energy_lost"]
	if !(math.Abs(lost) < 1e-6*usual["energy"]) {
		t.Errorf("%g J are missing", lost)
	}
	// by a program of a point mass with the same losses and the work of the tires of this run
	if c := usual["consumption"]; !(math.Abs(c/104.1-1) < 0.005) {
		t.Errorf("%g W h/km", c)
	}
	if full := values(manoeuvre.Setting{Name: "soc_B", Value: "1"}); full["energy_returned"] != 0 ||
		!(full["consumption"] > 1.2*usual["consumption"]) || full["followed"] != 1 {
		t.Errorf("full: %v", full)
	}
	if weak := values(manoeuvre.Setting{Name: "discharge_current_B", Value: "55"}); weak["followed"] != 0 ||
		!(weak["deviation_max"] < -1) {
		t.Errorf("weak: %v", weak)
	}
	small := values(manoeuvre.Setting{Name: "charge_B", Value: "2520"}, manoeuvre.Setting{Name: "soc_B", Value: "0.9"})
	if small["followed"] != 0 || !(small["soc_end"] > -0.2 && small["soc_end"] < 0.05) ||
		!(small["deviation_max"] < -10) {
		t.Errorf("small: %v", small)
	}
	if _, err := driven(manoeuvre.Setting{Name: "soc_B", Value: "0.02"}); err == nil ||
		!strings.Contains(err.Error(), "does not hold this speed") {
		t.Errorf("empty: %v", err)
	}
}
