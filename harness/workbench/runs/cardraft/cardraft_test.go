package cardraft

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// vehicle is a model file in the library.
func vehicle(t *testing.T, file, car string) (*Vehicle, manoeuvre.Target) {
	t.Helper()
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	target, err := modelfile.Target(file, car)
	if err != nil {
		t.Fatal(err)
	}
	v := &Vehicle{Open: func() (drive.Subject, func(), error) {
		vehicle, err := l.Load(file, "")
		if err != nil {
			return nil, nil, err
		}
		return vehicle, func() { vehicle.Close() }, nil
	}}
	v.Roles, err = target.Resolved()
	if err != nil && car != "" {
		t.Fatal(err)
	}
	return v, target
}

// The numbers found for the generic vehicle equal its file. These are corners at 1.353, -1.487, 0.76 and 0.795 m, the
// masses of body and wheels, and the brake torques by the radii of the wheels.
func TestNumbersOfTheGenericVehicle(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	car := filepath.Join(t.TempDir(), "car.toml")
	text := `[[roles.brake]]
inputs = ["brake_FL.torque", "brake_FR.torque", "brake_RL.torque", "brake_RR.torque"]
`
	if err := os.WriteFile(car, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	v, _ := vehicle(t, built.Model("generic4w"), car)
	found, err := v.Find()
	if err != nil {
		t.Fatal(err)
	}
	const mass = 2077 + 4*38.0
	for name, want := range map[string]struct{ value, within float64 }{
		"wheelbase": {2.84, 1e-6}, "track_1": {1.52, 1e-6}, "track_2": {1.59, 1e-6}, "mass": {mass, 1e-4},
		"radius_1": {0.3481, 3e-3}, "radius_2": {0.3482, 3e-3},
		"centre_of_mass":        {1.353 - 2*38*(1.353-1.487)/mass, 1e-6},
		"centre_of_mass_height": {0.8995 - 2*38*(0.5632+0.5617)/mass, 1e-6},
		"load_1":                {mass * 9.81 * 1.487 / 2.84, 2e-3}, "brake_factor": {mass * 0.3482 / 4, 0.05},
	} {
		if got := found[name]; math.Abs(got-want.value) > want.within*want.value {
			t.Errorf("%s is %.8g; want %.8g", name, got, want.value)
		}
	}
}

// A wing presses the tires down without adding mass. Mass and centre of mass equal the values without the wing, and the
// downforce is half density, area, coefficient and the square of the speed of the load reading.
func TestDownforceIsNotPartOfTheMass(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	base, err := filepath.Abs(built.Model("generic4w"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "winged.toml")
	text := "base = '" + base + `'
name = "Winged"
title = "Winged"
[component.wing]
type = "aerodynamics"
frame = "body"
area = 2
length = 2.84
density = 1.2
lift_front = -1
lift_rear = -2
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	v, _ := vehicle(t, file, "")
	list, err := v.Numbers()
	if err != nil {
		t.Fatal(err)
	}
	found, speed := map[string]float64{}, 0.0
	for _, n := range list {
		found[n.Name] = n.Value
		if n.Name == "downforce" {
			if _, err := fmt.Sscanf(n.Origin, "straight run, read at %f m/s", &speed); err != nil {
				t.Errorf("origin %q: %v", n.Origin, err)
			}
		}
	}
	const mass = 2077 + 4*38.0
	for name, want := range map[string]struct{ value, within float64 }{
		"mass":           {mass, 2e-4},
		"centre_of_mass": {1.353 - 2*38*(1.353-1.487)/mass, 1e-6},
		"downforce":      {0.5 * 1.2 * 2 * 3 * speed * speed, 2e-3},
		"load_1":         {mass*9.81*1.487/2.84 + 0.5*1.2*2*1*speed*speed, 3e-3},
	} {
		if got := found[name]; math.Abs(got-want.value) > want.within*want.value {
			t.Errorf("%s is %.8g; want %.8g", name, got, want.value)
		}
	}
}

// A car that starts pitched and slows down quickly has the centre of mass of its file in the axes of the road. Wheel
// loads while coasting miss it by the load transfer of the deceleration: 0.03 g by 0.86 m above the wheels.
func TestCentreOfMassOfASlowingCar(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	file := filepath.Join(t.TempDir(), "slow.toml")
	text := `base = "generic4w"
name = "Slow"
title = "Slow"
[component.body.start]
angles = [0, 0.005, 0]
[component.drag]
type = "aerodynamics"
frame = "body"
area = 2
density = 1.2
length = 2.84
drag = 3
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	v, _ := vehicle(t, file, "")
	found, err := v.Find()
	if err != nil {
		t.Fatal(err)
	}
	const mass, unsprung = 2077 + 4*38.0, 2 * 38.0
	x, z := -unsprung*(1.487-1.353)/mass, -unsprung*(0.5632+0.5617)/mass
	ahead, height := x*math.Cos(0.005)+z*math.Sin(0.005), 0.8995-x*math.Sin(0.005)+z*math.Cos(0.005)
	front := 1.353*math.Cos(0.005) - 0.5632*math.Sin(0.005) // of the wheel centre
	if got := found["centre_of_mass"]; math.Abs(got-(front-ahead)) > 1e-3 {
		t.Errorf("centre of mass %.6f m behind the front axle; want %.6f", got, front-ahead)
	}
	if got := found["centre_of_mass_height"]; math.Abs(got-height) > 1e-6 {
		t.Errorf("centre of mass at %.6f m; want %.6f", got, height)
	}
	var fallback string
	add := func(name, _, origin string, x float64) { fallback += fmt.Sprintf("%s %.3f %s\n", name, x, origin) }
	v.centreOfMass(add, 2*mass*9.81, 1.25, make([]axleAt, 2))
	want := "centre_of_mass 1.250 behind the front axle, by the same loads; coasting moves some to the front\n"
	if fallback != want {
		t.Errorf("without an energy that fits the loads: %q, want %q", fallback, want)
	}
}

// The understeer gradient at small angles equals linear theory, 0.00311 rad/(m/s2) with the ratio of the steering wheel
// (skidpad linearize passenger_car --handling). The effective ratio is larger because of the compliance of the
// suspension.
func TestSteeringOfThePassengerCar(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	v, _ := vehicle(t, built.Model("passenger_car"), "")
	found, err := v.Find()
	if err != nil {
		t.Fatal(err)
	}
	if k := found["understeer"]; math.Abs(k-0.00311352) > 0.1*0.00311352 {
		t.Errorf("understeer gradient %g", k)
	}
	without := *v.Roles
	steering := *without.Steering
	steering.Ratio, without.Steering = 0, &steering
	v.Roles = &without
	if found, err = v.Find(); err != nil || math.Abs(found["steering_ratio"]-19) > 0.04*19 {
		t.Errorf("steering ratio %g, %v", found["steering_ratio"], err)
	}
}

// For a car without roles, all missing roles are reported at once. With the draft of its roles the car runs, with the
// same yaw rate as with its own roles.
func TestADraftRunsAManoeuvre(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	text, err := os.ReadFile(built.Model("passenger_car"))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "[roles]\n")
	_, after, _ := strings.Cut(rest, "[component.road]\n")
	folder, err := filepath.Abs(filepath.Dir(filepath.Dir(built.Model("passenger_car"))))
	if err != nil {
		t.Fatal(err)
	}
	bare := strings.NewReplacer(`"../`, `"`+filepath.ToSlash(folder)+`/`, `"PassengerCar"`,
		`"MyCar"`).Replace(before + "[component.road]\n" + after)
	file := filepath.Join(t.TempDir(), "my_car.toml")
	if err := os.WriteFile(file, []byte(bare), 0o600); err != nil {
		t.Fatal(err)
	}
	v, target := vehicle(t, file, "")
	e := evaluate.Evaluator{Target: target, Open: v.Open,
		Replaced: []manoeuvre.ConstantValue{{Name: "delta", Value: 0.5}, {Name: "side", Value: 1}}}
	path := built.Manoeuvre("step_steer")
	if _, err := e.Evaluate(path); err == nil || err.Error() != "MyCar lacks roles that step_steer needs: chassis, "+
		"axles, steering, throttle. Write [roles] into "+file+" or give --car FILE; \"skidpad car "+file+
		" --draft > my_car_roles.toml\" writes a draft for --car my_car_roles.toml" {
		t.Errorf("a car without roles: %v", err)
	}
	spins, err := modelfile.Spins(file)
	if err != nil {
		t.Fatal(err)
	}
	draft, err := v.Draft(spins)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`chassis = "body"`, `axles = [["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]`,
		`steering = { input = "steering.angle" }`, `brake = { input = "brakes.torque" }`, `road = "road"`,
		`spin = [["wheel_FL.omega", "wheel_FR.omega"], ["wheel_RL.omega", "wheel_RR.omega"]]`} {
		if !strings.Contains(draft, line) {
			t.Errorf("no %s in\n%s", line, draft)
		}
	}
	car := filepath.Join(t.TempDir(), "draft.toml")
	if err := os.WriteFile(car, []byte(draft), 0o600); err != nil {
		t.Fatal(err)
	}
	yaw := func(target manoeuvre.Target, v *Vehicle) float64 {
		target.Find = func(r *roles.Roles) (map[string]float64, error) { return (&Vehicle{v.Open, r}).Find() }
		e := evaluate.Evaluator{Target: target, Open: v.Open, Replaced: e.Replaced}
		result, err := e.Evaluate(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range result.Runs[0].Figures {
			if f.ID == "yaw_rate_steady" {
				return f.Value
			}
		}
		t.Fatalf("no yaw rate among %+v", result.Runs[0].Figures)
		return 0
	}
	drafted, with := vehicle(t, file, car)
	own, shipped := vehicle(t, built.Model("passenger_car"), "")
	if a, b := yaw(with, drafted), yaw(shipped, own); math.Abs(a-b) > 2e-3*math.Abs(b) {
		t.Errorf("yaw rate %g with a draft, %g with the roles of the car", a, b)
	}
}

// If numbers of a car are formulas, its variables include neither a steering ratio nor radii of tires. They are then
// found as for the same car with plain numbers; a draft recognises the steering wheel. The rear wheels of a car with a
// motor for each wheel drive it.
func TestRolesOfFormulas(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	text, err := os.ReadFile(built.Model("passenger_car"))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs(filepath.Dir(filepath.Dir(built.Model("passenger_car"))))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "formulas.toml")
	changed := strings.NewReplacer(`"../`, `"`+filepath.ToSlash(folder)+`/`,
		"steering.ratio = 19", `steering.ratio = "turns"`,
		"[parameters]\n", `[parameters]
turns = { value = 19, unit = "1" }
rim = { value = 0.3135, unit = "m" }
`,
		"tire.slip = {", "tire.unloaded_radius = \"rim\"\ntire.slip = {", "rolling_radius = [0.3053, 0.3050] # m\n", "",
	).Replace(string(text))
	if strings.Count(changed, `"rim"`) != 2 || !strings.Contains(changed, `"turns"`) {
		t.Fatal("the passenger car has another form")
	}
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	v, target := vehicle(t, file, "")
	plain, _ := vehicle(t, built.Model("passenger_car"), "")
	found, err := v.Find()
	if err != nil {
		t.Fatal(err)
	}
	of, err := plain.Find()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"understeer", "wheelbase", "radius_1", "radius_2"} {
		if a, b := found[name], of[name]; b == 0 || math.Abs(a-b) > 1e-3*math.Abs(b) {
			t.Errorf("%s is %g, with plain numbers %g", name, a, b)
		}
	}
	draft, err := v.Draft(nil)
	if err != nil || !strings.Contains(draft, "\nsteering = { input = \"steering.angle\" }\n") {
		t.Errorf("%v in\n%s", err, draft)
	}
	e := evaluate.Evaluator{Target: target, Open: v.Open,
		Replaced: []manoeuvre.ConstantValue{{Name: "delta", Value: 0.5}, {Name: "side", Value: 1}}}
	if _, err := e.Evaluate(built.Manoeuvre("step_steer")); err != nil {
		t.Error(err)
	}
	generic, _ := vehicle(t, built.Model("generic4w"), "")
	if draft, err = generic.Draft(nil); err != nil ||
		!strings.Contains(draft, `throttle = { inputs = ["drive_RL.torque", "drive_RR.torque"], `) ||
		!strings.Contains(draft, "these drive others: drive_FL.torque, drive_FR.torque") {
		t.Errorf("%v in\n%s", err, draft)
	}
}
