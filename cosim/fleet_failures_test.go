package cosim_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"testing"

	"skidpad/cosim"
)

// The first active vehicle of a lane group lends its states to the idle ones. If its step fails, the idle vehicles do
// not fail: neither a vehicle left out by a mask, nor a vehicle whose input was rejected.
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
			t.Fatal("the neighbour of a failing vehicle differs from the same vehicle alone")
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

// Vehicles whose times have different rounding errors divide a step differently. They give the same values as alone,
// also values that depend on an input set since the step.
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

// clock is a component whose output machine code does not compute where the phase is very large, while it does the
// rates.
const clock = `
[component.clock]
type = "equations"
inputs = [{ name = "phase", unit = "1" }]
outputs = [{ name = "wave", unit = "1", value = "sin(phase)" }]
`

// If machine code of one vehicle gives up, in any part of an evaluation, all vehicles of its lane group step and give
// the same values as alone.
func TestLanesThatGiveUpGoOnAsVehiclesDoAlone(t *testing.T) {
	text, err := os.ReadFile("../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	s := fromText(t, string(text)+clock, "").sys
	var outputs []int
	for _, name := range []string{"clock.wave", "tire_FL.Fy", "body.ax", "energy.kinetic", "der(body.vz)"} {
		outputs = append(outputs, variable(t, s, name))
	}
	for _, method := range []string{"heun", "linearly-implicit"} {
		for name, size := range map[string]float64{"body.yaw": 1e9, "body.roll": 0.1 + 1e9*math.Pi, "clock.phase": 1e12} {
			var alone, together []*run
			for i := range 4 {
				for _, list := range []*[]*run{&alone, &together} {
					r := instance(t, s, method, 0.001)
					if r.set("body.vx", 20-float64(i)); i == 2 {
						r.set(name, size)
					}
					r.start(noInput)
					*list = append(*list, r)
				}
			}
			f, err := cosim.NewFleet(instancesOf(together))
			if err != nil {
				t.Fatal(err)
			}
			var rows [4][5]float64
			for k := range 10 {
				steer(alone, 0.01*float64(k))
				steer(together, 0.01*float64(k))
				failed := f.StepSome(&cosim.FleetStep{H: 0.002, Threads: 1,
					Outputs: cosim.Rows{Variables: outputs, Row: func(i int) []float64 { return rows[i][:] }}})
				for i, r := range alone {
					if err := r.in.Step(0.002); fmt.Sprint(err) != fmt.Sprint(failed[i]) {
						t.Fatalf("%s, %s, vehicle %d: %v, alone %v", method, name, i, failed[i], err)
					} else if err != nil {
						continue
					}
					for j, v := range outputs {
						want, err := r.in.Get(v)
						if err != nil || math.Float64bits(want) != math.Float64bits(rows[i][j]) {
							t.Fatalf("%s, %s, step %d: %s of vehicle %d is %g, alone %g (%v)", method, name, k,
								s.Variables()[v].Name, i, rows[i][j], want, err)
						}
					}
				}
			}
		}
	}
}

// A condition that becomes true by a road that moves, becomes true in lanes at the end of the same solver step.
func TestLanesEndByMovingRoadsAsVehiclesDoAlone(t *testing.T) {
	s := load(t, "generic4w", "")
	alone, together := fleetOf(t, s, "euler", 4), fleetOf(t, s, "euler", 4)
	for i := range alone {
		alone[i].set("road.z_dot", 5+0.1*float64(i))
		together[i].set("road.z_dot", 5+0.1*float64(i))
	}
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		f.Step(0.01, 1)
		for _, r := range alone {
			r.in.Step(0.01) // fails long after the end, if at all
		}
	}
	for i := range alone {
		n, at := alone[i].ended()
		if number, when := together[i].ended(); n == 0 || number != n || when != at {
			t.Errorf("vehicle %d: condition %g at %g s in lanes, %g at %g s alone", i, number, when, n, at)
		}
	}
}

// Linearly implicit steps with row exchanges, because a pivot vanishes, give the same values in lanes as alone. So do
// the steps of the neighbouring lanes.
func TestLanesExchangeRowsAsVehiclesDoAlone(t *testing.T) {
	s := fromText(t, `
name = "Growth"
[parameters]
growth = { value = 1, unit = "1/s" }
[component.trio]
type = "equations"
inputs = [{ name = "push", unit = "1/s" }]
states = [
  { name = "a", unit = "1", value = 1, rate = "1000*b - 2*a + push" },
  { name = "b", unit = "1", value = 0.5, rate = "1000*a + growth*b + 1000*c" },
  { name = "c", unit = "1", value = 0.2, rate = "1000*b - c*c" },
]
`, "").sys
	const h = 0.001
	g := (1 - 1/math.Sqrt2) * h                  // factor of the Jacobian in the method
	vanishing := (1 - g*1000*g*1000/(1+2*g)) / g // makes the pivot of b 0 when a is eliminated
	var alone, together []*run
	for i := range 4 {
		for _, list := range []*[]*run{&alone, &together} {
			r := instance(t, s, "linearly-implicit", h)
			if r.set("growth", 1+float64(i)); i == 2 {
				r.set("growth", vanishing)
			}
			r.start(noInput)
			*list = append(*list, r)
		}
	}
	f, err := cosim.NewFleet(instancesOf(together))
	if err != nil {
		t.Fatal(err)
	}
	for k := range 3 {
		for i, r := range alone {
			r.set("trio.push", float64(k*i))
			together[i].set("trio.push", float64(k*i))
		}
		failed := f.Step(h, 1)
		for i, r := range alone {
			if err := r.in.Step(h); err != nil || failed[i] != nil {
				t.Fatal(err, failed[i])
			}
			if want, got := fmt.Sprint(r.values()), fmt.Sprint(together[i].values()); got != want {
				t.Fatalf("step %d, vehicle %d: %s in lanes, %s alone", k, i, got, want)
			}
		}
	}
}
