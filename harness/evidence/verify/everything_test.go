package verify

import (
	"maps"
	"testing"

	"skidpad/harness/evidence/reference"
	"skidpad/harness/evidence/references"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// withoutReference are the component types that the reference solver does not know, with the reason and what checks
// them instead.
var withoutReference = map[string]string{
	"right-angle": "a constraint of point masses: model/formulate against published points, cosim against published " +
		"runs of partial vehicles",
	"parallelogram": "a constraint of point masses: as right-angle",
	"wheel-contact": "an event between steps: cosim/contact_test.go against closed solutions of bouncing and rolling",
	"rolling-wheel": "a nonholonomic constraint: harness/evidence/tangent, eigenvalues published for the bicycle, and " +
		"model/formulate against wheels with three moments of inertia",
	"relaxed-wheel": "a constraint with a weight: model/formulate/relaxed_test.go against closed forms on the plane " +
		"and in space",
	"linear-equations":  "moves no frame: model/formulate/linear_equations_test.go against its matrices",
	"equations":         "moves no frame: model/formulate/equations_test.go against its formulas",
	"sampled-equations": "moves no frame: cosim/samples_test.go against sums by hand",
	"controller":        "moves no frame: cosim/controllers_test.go against sampled-equations",
	"tire-forces":       "moves no frame: model/formulate/equations_test.go against the function",
}

// componentTypes returns the types of the components of a model file.
func componentTypes(t *testing.T, path string) map[string]bool {
	t.Helper()
	m, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]bool{}
	for _, c := range m.Components {
		types[c.Head().Type] = true
	}
	return types
}

// TestEveryComponentAgreesWithTheReference compares machines with the reference solver. Together they have every
// component with most of its options:
//
//   - bodies of all kinds and sequences, arms and welds with rotations, all joints and drivers, springs on lines and on
//     joints, rods, sensors, tires with all radii and slips on an inclined road;
//   - a long machine, whose equations are solved by recursion;
//   - a car on moving roads;
//   - a car with steering, brakes, engine and differentials in a gust, also with a steering wheel that is held and
//     released;
//   - racks with and without columns and free steering wheels;
//   - a machine that shifts gears;
//   - all components of networks, and the shipped models with networks: two of them without their controllers, whose
//     inputs are given.
//
// The engine uses RK4 at a tenth of a millisecond, because it follows driven motions to second order only. A component
// type that no machine contains must state a reason.
func TestEveryComponentAgreesWithTheReference(t *testing.T) {
	testrun.Slow(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"everything": built.Path("harness", "testdata", "everything.toml"),
		"chain":      built.Path("harness", "testdata", "chain.toml"), "fourpost": built.Model("generic4w_fourpost"),
		"manual": built.Model("passenger_car_manual"), "driveline": built.WithTestdata(t, "driveline.toml", ""),
		"hand_wheel": built.WithTestdata(t, "driveline.toml", freeHandWheel),
		"gearbox":    built.WithTestdata(t, "gearbox.toml", ""),
		"racks":      built.Path("harness", "testdata", "racks.toml"),
		"networks":   built.Path("harness", "testdata", "networks.toml"),
		"fuse_box":   built.Model("fuse_box"), "hydropneumatic": built.Model("hydropneumatic_quarter_car"),
		"hydraulic_brakes": built.Model("passenger_car_hydraulic_brakes"),
		"electric_car":     built.Path("harness", "testdata", "electric_car_by_ratios.toml"),
		"active_roll":      built.Path("harness", "testdata", "active_roll_by_valves.toml"),
	}
	compared := map[string]bool{}
	for _, path := range files {
		maps.Copy(compared, componentTypes(t, path))
	}
	for _, c := range component.Types {
		reason := withoutReference[c.Word]
		if compared[c.Word] == (reason != "") {
			t.Errorf("%s: in the files that are compared: %v; reason for not being compared: %q", c.Word,
				compared[c.Word], reason)
		}
	}
	for name, path := range files {
		t.Run(name, func(t *testing.T) {
			switch name {
			case "manual", "networks", "hydropneumatic", "hydraulic_brakes", "electric_car", "active_roll", "fourpost",
				"driveline": // minutes in all
				testrun.OnlyAll(t)
			}
			agreesWithTheReference(t, library, path, name)
		})
	}
}

func agreesWithTheReference(t *testing.T, library *library.Library, path, name string) {
	step, tolerance := 1e-4, 1e-10 // s, 1
	switch name {
	case "manual": // its tires take hold from rest
		step = 5e-5
	case "networks": // lines and converters are fast
		step = 2e-5
	case "fuse_box":
		step, tolerance = 2e-5, 1e-11
	case "hydropneumatic": // the oil between cylinder and throttle moves within 45 us
		step = 5e-6
	}
	loaded, err := library.Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer loaded.Close()
	m, err := manoeuvre.Read(built.Path("harness", "testdata", name+"_manoeuvre.toml"))
	if err != nil {
		t.Fatal(err)
	}
	run, err := drive.Simulate(loaded, drive.Plan{Manoeuvre: m, Method: "rk4", Step: step, Substep: step})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	parsed.Solver.Step = step // brakes and carcasses depend on the step
	system, err := reference.New(parsed)
	if err != nil {
		t.Fatal(err)
	}
	e := references.Experiment(m)
	e.Tolerance = tolerance
	result, err := system.Simulate(e)
	if err != nil {
		t.Fatal(err)
	}
	kept := trace.New(trace.Named(result.Names...), len(result.Time))
	kept.Time, kept.Values = result.Time, result.Values
	if missing := unmatchedOutputs(run.Trace, kept); len(missing) > 0 {
		t.Errorf("not compared: %q", missing)
	}
	list := Compare(run.Trace, kept, trajectoryBound)
	for i := range list {
		if !list[i].Pass() {
			t.Errorf("%v, range %g", &list[i], list[i].Range)
		}
	}
	t.Logf("%d quantities, worst: %v", len(list), worst(list))
}

// freeHandWheel makes the steering wheel of a steering free.
const freeHandWheel = `hand_wheel = { inertia = 0.06, damping = 0.2, friction = 0.8, sliding_speed = 0.5, hold_stiffness = 400, hold_damping = 8, angle = 0.1, rate = 0.5 }
`
