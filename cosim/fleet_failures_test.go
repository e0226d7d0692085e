package cosim_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"skidpad/cosim"
)

// The first vehicle of a lane group that steps lends its states to those that do not. If its step fails, theirs
// does not: neither that of one that a mask leaves out, nor that of one whose input was refused.
func TestAFailureIsNotOneOfVehiclesThatDoNotStep(t *testing.T) {
	s := load(t, "generic4w", "")
	torque := variable(t, s, "drive_FL.torque")
	list := fleetOf(t, s, "euler", 4)
	alone := fleetOf(t, s, "euler", 4)
	f, err := cosim.NewFleet(instancesOf(list))
	if err != nil {
		t.Fatal(err)
	}
	f.Step(0.05, 1) // after which no vehicle is where its latest step began
	for _, r := range alone {
		if err := r.in.Step(0.05); err != nil {
			t.Fatal(err)
		}
	}
	given := [4][]float64{{1e306}, {0}, {math.NaN()}, {0}}
	alone[0].set("drive_FL.torque", 1e306)
	alone[1].set("drive_FL.torque", 0)
	only := []bool{true, true, true, false}
	for range 20 {
		before := [4][]byte{}
		for i, r := range list {
			before[i] = r.save()
		}
		failed := f.StepSome(&cosim.FleetStep{H: 0.05, Threads: 1, Only: only,
			Inputs: cosim.Rows{Variables: []int{torque}, Row: func(i int) []float64 { return given[i] }}})
		want := alone[0].in.Step(0.05)
		if err := alone[1].in.Step(0.05); err != nil || failed[1] != nil {
			t.Fatal(err, failed[1])
		}
		if fmt.Sprint(list[1].values()) != fmt.Sprint(alone[1].values()) {
			t.Fatal("the vehicle that steps beside one that fails is not where it is alone")
		}
		if failed[2] == nil || errors.Is(failed[2], cosim.ErrNotFinite) || string(list[2].save()) != string(before[2]) {
			t.Fatalf("a vehicle whose input was refused moved, or failed otherwise: %v", failed[2])
		}
		if failed[3] != nil || string(list[3].save()) != string(before[3]) {
			t.Fatalf("a vehicle that does not step moved, or failed: %v", failed[3])
		}
		if want == nil && failed[0] == nil {
			continue
		}
		if want == nil || failed[0] == nil || failed[0].Error() != want.Error() {
			t.Fatalf("the failure is %v, alone %v", failed[0], want)
		}
		return
	}
	t.Fatal("the step did not fail")
}

// Vehicles that divide a step differently, because the rounding errors of their times differ, give what each says alone
// also where it depends on an input that was set since.
func TestVehiclesThatStepOneByOneGiveWhatFollowsFromTheirInputs(t *testing.T) {
	s := load(t, "generic4w", "")
	torque := variable(t, s, "drive_FL.torque")
	outputs := []int{variable(t, s, "der(wheel_FL.omega)"), variable(t, s, "tire_FL.Fx"), torque}
	alone, together := fleetOf(t, s, "heun", 4), fleetOf(t, s, "heun", 4)
	for i, at := range []float64{0, 0.125, 3, 1e6} {
		alone[i].in.CorrectTime(at)
		together[i].in.CorrectTime(at)
	}
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	var rows [4][3]float64
	for k, h := range []float64{0.004, 0.001 + 5e-10, 0.001 + 5e-10, 0.004, 0.001 + 5e-10} {
		for i := range alone {
			alone[i].set("drive_FL.torque", 100*float64(k+i))
		}
		for _, err := range f.StepSome(&cosim.FleetStep{H: h, Threads: 1,
			Inputs:  cosim.Rows{Variables: []int{torque}, Row: func(i int) []float64 { return []float64{100 * float64(k+i)} }},
			Outputs: cosim.Rows{Variables: outputs, Row: func(i int) []float64 { return rows[i][:] }}}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, r := range alone {
			if err := r.in.Step(h); err != nil {
				t.Fatal(err)
			}
			for j, v := range outputs {
				if want, _ := r.in.Get(v); math.Float64bits(want) != math.Float64bits(rows[i][j]) {
					t.Fatalf("step %d of %g s: value %d of vehicle %d is %g, alone %g", k, h, j, i, rows[i][j], want)
				}
			}
		}
	}
}
