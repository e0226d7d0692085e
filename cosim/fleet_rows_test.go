package cosim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// numbered lists the variables that have a number.
func numbered(s *cosim.System) (list []int) {
	for i, v := range s.Variables() {
		if v.Kind != cosim.Text {
			list = append(list, i)
		}
	}
	return list
}

// A fleet writes the values of each instance alone, bit for bit, after a step, or before it with the inputs of the
// step: for any choice of variables and stepping vehicles, in lanes or not.
func TestFleetsGiveWhatInstancesSay(t *testing.T) {
	testrun.Slow(t)
	for _, model := range []string{"generic4w", "passenger_car"} {
		s := load(t, model, "")
		const n = 6
		var alone, together []*run
		for i := range n {
			for _, list := range []*[]*run{&alone, &together} {
				r := instance(t, s, "heun", 0.001)
				r.set("body.vx", 20-0.5*float64(i))
				if model == "generic4w" && i == 2 {
					r.set("body.yaw", 1e9) // beyond what machine code does: its lane group goes on in portable code
				}
				r.start(noInput)
				*list = append(*list, r)
			}
		}
		f, err := cosim.NewFleet(instancesOf(together))
		if err != nil {
			t.Fatal(err)
		}
		var steering []int // inputs, as there are
		for i, v := range s.Variables() {
			if v.Kind == cosim.Input && len(steering) < 2 {
				steering = append(steering, i)
			}
		}
		all, random := numbered(s), rand.New(rand.NewPCG(3, 7))
		for k := range 40 {
			asked := all
			if k != 1 { // after few, which need less room
				asked = nil
				for range 1 + random.IntN(12) {
					asked = append(asked, all[random.IntN(len(all))])
				}
			}
			only, rows, given := make([]bool, n), make([][]float64, n), make([][]float64, n)
			for i := range n {
				only[i] = k%4 == 0 || random.IntN(4) > 0
				rows[i] = slices.Repeat([]float64{math.Inf(-1)}, len(asked))
				given[i] = []float64{0.1 * random.Float64(), 0.1 * random.Float64()}
			}
			first := random.IntN(2) == 0
			failed := f.StepSome(&cosim.FleetStep{
				H: 0.002, Threads: 1, Only: only, ReadFirst: first,
				Inputs:  cosim.Rows{Variables: steering, Row: func(i int) []float64 { return given[i] }},
				Outputs: cosim.Rows{Variables: asked, Row: func(i int) []float64 { return rows[i] }},
			})
			for i, r := range alone {
				if failed[i] != nil {
					t.Fatal(failed[i])
				}
				if !only[i] {
					if slices.ContainsFunc(rows[i], func(x float64) bool { return !math.IsInf(x, -1) }) {
						t.Fatalf("%s, step %d: vehicle %d does not step, and is written", model, k, i)
					}
					continue
				}
				for j, v := range steering {
					if err := r.in.Set(v, given[i][j]); err != nil {
						t.Fatal(err)
					}
				}
				if !first {
					if err := r.in.Step(0.002); err != nil {
						t.Fatal(err)
					}
				}
				for j, v := range asked {
					want, err := r.in.Get(v)
					if err != nil {
						t.Fatal(err)
					}
					if math.Float64bits(want) != math.Float64bits(rows[i][j]) {
						t.Fatalf("%s, step %d: %s of vehicle %d is %g in the fleet, alone %g", model, k, s.Variables()[v].Name, i,
							rows[i][j], want)
					}
				}
				if first {
					if err := r.in.Step(0.002); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		for i := range alone {
			a, b := alone[i].values(), together[i].values()
			for k := range a {
				if math.Float64bits(a[k]) != math.Float64bits(b[k]) && !(math.IsNaN(a[k]) && math.IsNaN(b[k])) {
					t.Fatalf("%s: %s of vehicle %d is %g, alone %g", model, s.Variables()[k].Name, i, b[k], a[k])
				}
			}
		}
	}
}

// A value that needs no evaluation of the outputs, such as a state, equals its entry among all values.
func TestAValueAloneIsTheOneAmongAll(t *testing.T) {
	for _, model := range []string{"generic4w", "passenger_car"} {
		s := load(t, model, "")
		r := instance(t, s, "euler", 0.001)
		r.start(noInput)
		for _, v := range numbered(s) {
			if s.Variables()[v].Kind == cosim.Energy {
				continue // which stand apart
			}
			if err := r.in.Step(0.001); err != nil {
				t.Fatal(err)
			}
			got, err := r.in.Get(v)
			if err != nil {
				t.Fatal(err)
			}
			if want := r.values()[v]; math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("%s: %s is %g, among all %g", model, s.Variables()[v].Name, got, want)
			}
		}
	}
}

func variable(t *testing.T, s *cosim.System, name string) int {
	t.Helper()
	i, ok := s.Find(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	return i
}

// An invalid input and a failing step affect one vehicle. The others of its lane group step, and their values are
// correct.
func TestAWrongInputConcernsOneVehicleOfAFleet(t *testing.T) {
	s := load(t, "generic4w", "")
	speed, torque := variable(t, s, "body.vx"), variable(t, s, "drive_FL.torque")
	load, name := variable(t, s, "tire_FL.Fz"), "drive_FL.torque"
	for what, value := range map[string]float64{"not a number": math.NaN(), "a step that fails": 1e306} {
		alone, together := fleetOf(t, s, "euler", 4), fleetOf(t, s, "euler", 4)
		f, err := cosim.NewFleet(instancesOf(together))
		if err != nil {
			t.Fatal(err)
		}
		given := [4][]float64{{1}, {2}, {value}, {4}}
		rows := [4][]float64{{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}}
		before := together[2].save()
		var failed []error
		for k := range 20 {
			failed = f.StepSome(&cosim.FleetStep{
				H: 0.05, Threads: 1,
				Inputs:  cosim.Rows{Variables: []int{torque}, Row: func(i int) []float64 { return given[i] }},
				Outputs: cosim.Rows{Variables: []int{speed, load}, Row: func(i int) []float64 { return rows[i] }},
			})
			for i, r := range alone {
				if i == 2 {
					continue
				}
				r.set(name, given[i][0])
				if err := r.in.Step(0.05); err != nil || failed[i] != nil {
					t.Fatal(err, failed[i])
				}
				for j, v := range []int{speed, load} {
					if want, _ := r.in.Get(v); math.Float64bits(want) != math.Float64bits(rows[i][j]) {
						t.Fatalf("%s, step %d: value %d of vehicle %d is %g, alone %g", what, k, j, i, rows[i][j], want)
					}
				}
			}
			if failed[2] != nil {
				break
			}
			before = together[2].save()
			rows[2] = []float64{-1, -1}
		}
		if value == value {
			if !errors.Is(failed[2], cosim.ErrNotFinite) {
				t.Errorf("%s: the error is %v", what, failed[2])
			}
			given[2][0] = together[2].get(name) // the input of the failed step stays
			if given[2][0] != value {
				t.Errorf("%s: %s is %g", what, name, given[2][0])
			}
			continue
		}
		if failed[2] == nil || !strings.Contains(failed[2].Error(), name+" = NaN: the value must be a finite number") {
			t.Errorf("%s: the error is %v", what, failed[2])
		}
		if string(together[2].save()) != string(before) || rows[2][0] != -1 {
			t.Errorf("%s: the vehicle moved", what)
		}
	}
}

// A vehicle whose step fails has written its values if these are read before the step, in lanes and alone; a vehicle
// with an invalid input has not.
func TestValuesReadBeforeAFailingStepAreWritten(t *testing.T) {
	s := load(t, "generic4w", "")
	torque, load := variable(t, s, "drive_FL.torque"), variable(t, s, "tire_FL.Fz")
	for _, n := range []int{1, 4} {
		list := fleetOf(t, s, "euler", n)
		f, err := cosim.NewFleet(instancesOf(list))
		if err != nil {
			t.Fatal(err)
		}
		given, rows := slices.Repeat([]float64{1}, n), slices.Repeat([]float64{-1, -1}, n)
		step := func(value float64) error {
			given[0], rows[0], rows[1] = value, -1, -1
			return f.StepSome(&cosim.FleetStep{
				H: 0.05, Threads: 1, ReadFirst: true,
				Inputs:  cosim.Rows{Variables: []int{torque}, Row: func(i int) []float64 { return given[i : i+1] }},
				Outputs: cosim.Rows{Variables: []int{torque, load}, Row: func(i int) []float64 { return rows[2*i : 2*i+2] }},
			})[0]
		}
		for range 20 {
			if err = step(1e306); err != nil {
				break
			}
		}
		if want := list[0].get("tire_FL.Fz"); err == nil || rows[0] != 1e306 || rows[1] != want {
			t.Errorf("%d vehicles: error %v, values %g before the step, want 1e306 and %g", n, err, rows[:2], want)
		}
		if err := step(math.NaN()); err == nil || rows[0] != -1 {
			t.Errorf("%d vehicles: an input that is NaN: error %v, values %g", n, err, rows[:2])
		}
	}
}
