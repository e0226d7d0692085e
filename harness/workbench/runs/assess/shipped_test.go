package assess

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
)

// shipped is the shipped assessment of brake and stability control.
func shipped(t *testing.T) *Assessment {
	t.Helper()
	return shippedAs(t, "brake_and_stability_control")
}

// shippedAs is the shipped assessment of a name.
func shippedAs(t *testing.T, name string) *Assessment {
	t.Helper()
	a, err := Read(built.Path("resources", "assessments", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// run runs an assessment whose models and manoeuvres are shipped.
func run(t *testing.T, a *Assessment) *Result {
	t.Helper()
	return runWith(t, a, built.Model, load(t))
}

// load opens models with the library.
func load(t *testing.T) func(file string) (drive.Subject, func(), error) {
	t.Helper()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	return func(file string) (drive.Subject, func(), error) {
		v, err := lib.Load(file, "")
		if err != nil {
			return nil, nil, err
		}
		return v, func() { v.Close() }, nil
	}
}

// held is a vehicle whose inputs keep their values for a step, as those of FMI 3.0, which has no derivatives of inputs.
type held struct{ *library.Vehicle }

// TakesRates reports that inputs do not change within a step.
func (held) TakesRates() bool { return false }

// loadHeld opens models with the library, whose inputs keep their values for a step.
func loadHeld(t *testing.T) func(file string) (drive.Subject, func(), error) {
	t.Helper()
	open := load(t)
	return func(file string) (drive.Subject, func(), error) {
		v, end, err := open(file)
		if err != nil {
			return nil, nil, err
		}
		return held{v.(*library.Vehicle)}, end, nil
	}
}

// runWith runs an assessment with the files of its models, which are opened when they run.
func runWith(t *testing.T, a *Assessment, fileOf func(model string) string,
	open func(file string) (drive.Subject, func(), error)) *Result {
	t.Helper()
	r, err := a.Run(Options{
		Vehicle: func(model string) (s Subject, err error) {
			file := fileOf(model)
			s.Target, err = modelfile.Target(file, "")
			s.Open = func() (drive.Subject, func(), error) { return open(file) }
			return s, err
		},
		Manoeuvre: func(name string) (string, error) { return built.Manoeuvre(name), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The car with control brakes with its 92 % of the bound, without a locked wheel; without control its wheels lock.
func TestFullPedalOnDryGround(t *testing.T) {
	testrun.Slow(t)
	a := shipped(t)
	if err := a.Only([]string{"full pedal, dry"}); err != nil {
		t.Fatal(err)
	}
	r := run(t, a)
	if !r.Pass() {
		t.Errorf("%q fail: %+v", r.Failed(), r.Rows)
	}
	braking := r.Rows[0].Checks[0]
	if locked := braking.Cells[0].Values[0]; !(locked < 0.75*braking.Check.AtLeast.Value/0.92) {
		t.Errorf("without control the deceleration is %g m/s2", locked)
	}
	if without := r.Rows[0].Checks[2].Cells[0].Values[0]; !(without > 1) {
		t.Errorf("without control wheels lock for %g s only", without)
	}
}

// On dry ground the bound has a margin of 3 % in the model and in both versions of FMI, with other samples, with
// sensors with teeth, and with radii of wheels that are wrong by 3 %.
func TestMarginOnDryGround(t *testing.T) {
	testrun.OnlyAll(t)
	for version, open := range map[int]func(file string) (drive.Subject, func(), error){2: load(t), 3: loadHeld(t)} {
		a := shippedAs(t, "brake_and_stability_control_robustness")
		if err := a.Only([]string{"full pedal, dry"}); err != nil {
			t.Fatal(err)
		}
		braking := runWith(t, a, built.Model, open).Rows[0].Checks[0]
		least := 1.03 * braking.Check.AtLeast.Value
		for i, vehicle := range a.Vehicles {
			got := braking.Cells[i].Values[0]
			if vehicle.Name != "heavy" && !(got >= least) {
				t.Errorf("FMI %d, %s: %g m/s2, below %g", version, vehicle.Name, got, least)
			}
		}
	}
}

// All rows pass, and the page has their table.
func TestPageHasTheTableOfTheShippedAssessment(t *testing.T) {
	testrun.OnlyAll(t)
	pageHasTable(t, run(t, shipped(t)), "results")
}

// The same for other samples, sensors, wheels and loads, whose values are no bounds of the car.
func TestPageHasTheTableOfRobustness(t *testing.T) {
	testrun.OnlyAll(t)
	pageHasTable(t, run(t, shippedAs(t, "brake_and_stability_control_robustness")), "robustness")
}

// pageHasTable checks that all rows pass, and that a part of the page is their table.
func pageHasTable(t *testing.T, r *Result, part string) {
	t.Helper()
	if !r.Pass() {
		t.Errorf("these checks fail: %q", r.Failed())
	}
	var table bytes.Buffer
	if err := r.WriteMarkdown(&table); err != nil {
		t.Fatal(err)
	}
	page := built.Path("docs", "brake-and-stability-control.md")
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- begin "+part+" -->\n", "<!-- end "+part+" -->"
	before, rest, begins := strings.Cut(string(data), begin)
	old, after, ends := strings.Cut(rest, end)
	if !begins || !ends {
		t.Fatalf("%s has no part %q", page, part)
	}
	if *built.Update {
		if err := os.WriteFile(page, []byte(before+begin+table.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if old != table.String() {
		t.Errorf("the page has\n%s\nand the runs give\n%s\ngo test ./harness/workbench/runs/assess -update writes the "+
			"page", old, table.String())
	}
}

// A car whose controllers are switched off is the car without them, up to rounding.
func TestSwitchedOffCarIsTheCarWithoutControl(t *testing.T) {
	testrun.Slow(t)
	a, err := Parse("pair.toml", []byte(`name = "pair"
title = "Pair"
model = "passenger_car_hydraulic_brakes"
[vehicle.base]
[vehicle.off]
model = "passenger_car_controlled"
set = { active_A = 0, active_T = 0, active_S = 0 }
[[row]]
name = "braking"
manoeuvre = "brake"
let = { deceleration = 9, speed = "50 km/h" }
check = [{ figure = "mean_deceleration", change = 1e-7 }, { figure = "distance", change = 1e-7 },
  { figure = "speed", change = 1e-7 }]
`))
	if err != nil {
		t.Fatal(err)
	}
	if r := run(t, a); !r.Pass() {
		t.Errorf("%q change: %+v", r.Failed(), r.Rows)
	}
}

// The bounds of the shipped assessment are those of a quasi-static calculation: every wheel at the peak of its tire, by
// the coefficients of the property file, at its own load.
func TestBoundsFollowFromTheTires(t *testing.T) {
	data, err := os.ReadFile(built.Path("resources", "tires", "mf61_205_60R15.tir"))
	if err != nil {
		t.Fatal(err)
	}
	coefficient := func(name string) float64 {
		m := regexp.MustCompile(`(?m)^` + name + `\s*=\s*(\S+)`).FindSubmatch(data)
		x, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			t.Fatal(name, err)
		}
		return x
	}
	const g, mass, wheelbase = 9.81, 965.7 + 4*31.9, 1.1562 + 1.4227
	const behind = 1.1562 + 2*31.9*(1.4227-1.1562)/mass            // of the centre of mass behind the front axle
	const height = (965.7*0.61511 + 2*31.9*(0.3008+0.3032)) / mass // with wheel centres below the body by the model file
	peak := func(load float64) float64 {                           // force of an axle with two tires
		nominal, pressure := coefficient("FNOMIN"), coefficient("INFLPRES")/coefficient("NOMPRES")-1
		df := (load/2 - nominal) / nominal
		return load * (coefficient("PDX1") + coefficient("PDX2")*df) *
			(1 + coefficient("PPX3")*pressure + coefficient("PPX4")*pressure*pressure)
	}
	braking := func(friction float64) (a float64) {
		for range 50 {
			transfer := mass * a * height / wheelbase
			front := mass*g*(wheelbase-behind)/wheelbase + transfer
			a = friction * (peak(front) + peak(mass*g-front)) / mass
		}
		return a
	}
	starting := func(friction float64) (a float64) {
		for range 50 {
			a = friction * peak(mass*g*behind/wheelbase+mass*a*height/wheelbase) / mass
		}
		return a
	}
	share := map[string][2]float64{"full pedal, dry": {0.92, braking(1)}, "full pedal, friction 0.8": {0.9, braking(0.8)},
		"full pedal, friction 0.5": {0.9, braking(0.5)}, "full pedal, friction 0.3": {0.85, braking(0.3)},
		"start, friction 0.3": {0.85, starting(0.3)}}
	found := 0
	for _, row := range shipped(t).Rows {
		want, is := share[row.Name]
		if !is {
			continue
		}
		found++
		c := row.Checks[0]
		if row.Name == "start, friction 0.3" {
			c = row.Checks[1]
		}
		if got := c.AtLeast.Value; !(math.Abs(got-want[0]*want[1]) < 0.003*got) {
			t.Errorf("%s: the least value is %g, and %g of the bound %g is %g", row.Name, got, want[0], want[1], want[0]*want[1])
		}
	}
	if found != len(share) {
		t.Errorf("%d rows of %d", found, len(share))
	}
}

// FMUs of both versions keep the bounds, and give the figures of the model, to the last bit. Inputs of FMI 3.0 keep
// their values for a step, and the model must get its inputs in the same way.
func TestFMUsGiveTheFiguresOfTheModel(t *testing.T) {
	testrun.OnlyAll(t)
	rows := func() *Assessment {
		a := shipped(t)
		if err := a.Only([]string{"full pedal, dry", "full pedal, left 1, right 0.3", "start*"}); err != nil {
			t.Fatal(err)
		}
		return a
	}
	for version, open := range map[int]func(file string) (drive.Subject, func(), error){2: load(t), 3: loadHeld(t)} {
		want := runWith(t, rows(), built.Model, open)
		if len(want.Rows) != 3 {
			t.Fatalf("%d rows", len(want.Rows))
		}
		file := built.FMU(t, built.Model("passenger_car_controlled"), version)
		got := runWith(t, rows(), func(string) string { return file }, func(file string) (drive.Subject, func(), error) {
			f, err := library.OpenFMU(file)
			if err != nil {
				return nil, nil, err
			}
			c, err := f.Instantiate("car", f.Token)
			if err != nil {
				f.Close()
				return nil, nil, err
			}
			return c, func() { c.Close(); f.Close() }, nil
		})
		if !got.Pass() {
			t.Errorf("FMI %d: %q fail: %+v", version, got.Failed(), got.Rows)
		}
		for i, row := range want.Rows {
			for k, check := range row.Checks {
				for vehicle, cell := range check.Cells {
					was, is := fmt.Sprintf("%x", cell.Values), fmt.Sprintf("%x", got.Rows[i].Checks[k].Cells[vehicle].Values)
					if was != is {
						t.Errorf("FMI %d, %s, %s of %s: %s, in the model %s", version, row.Row.Name, check.Check.Name,
							want.Assessment.Vehicles[vehicle].Name, is, was)
					}
				}
			}
		}
	}
}

// Cars in a fleet brake on roads of different friction, with different thresholds, and have the bits of cars alone.
func TestFleetsBrakeLikeSingleCars(t *testing.T) {
	testrun.OnlyAll(t)
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	car, err := lib.Load(built.Model("passenger_car_controlled"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer car.Close()
	fleet, err := car.Fleet(6, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer fleet.Close()
	friction := []float64{1, 0.8, 0.5, 0.3, 1, 0.3} // four share lanes, two more
	outputs, err := car.References("body.x", "body.wz", "caliper_FL_H.pressure", "control_AFL.command", "control_ARR.mode",
		"reference_A.speed")
	if err == nil {
		err = fleet.Bind(outputs)
	}
	if err != nil {
		t.Fatal(err)
	}
	all, alone := make([]byte, len(friction)), make([]*library.Vehicle, len(friction))
	for k, mu := range friction {
		all[k] = 1
		alone[k], err = lib.Load(built.Model("passenger_car_controlled"), "")
		if err != nil {
			t.Fatal(err)
		}
		defer alone[k].Close()
		for _, v := range []*library.Vehicle{alone[k], fleet.Vehicles[k]} {
			for name, x := range map[string]float64{"road.friction_left": 1, "road.friction_right": mu,
				"slip_A": 0.02 + 0.002*float64(k), "throttle.driver": 0} {
				set(t, v, name, x)
			}
			if err := v.Initialise(); err != nil {
				t.Fatal(err)
			}
		}
	}
	row, released := make([]float64, len(outputs)), 0
	for step := range 200 {
		pedal := min(float64(step)/15, 1) * 108e5
		for k := range friction {
			set(t, fleet.Vehicles[k], "pedal_M.driver", pedal)
			set(t, alone[k], "pedal_M.driver", pedal)
		}
		failed, err := fleet.Step(all, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range alone {
			if err := errors.Join(failed[k], v.Step(0.01), v.Get(outputs, row)); err != nil {
				t.Fatal(err)
			}
			if was, is := fmt.Sprintf("%x", row), fmt.Sprintf("%x", fleet.Row(k)); was != is {
				t.Fatalf("%g s, car %d: %s, in the fleet %s", float64(step+1)/100, k, was, is)
			}
			if row[3] < 0 {
				released++
			}
		}
	}
	if released < 50 {
		t.Errorf("pressure was released at %d times of %d only", released, 200*len(friction))
	}
}
