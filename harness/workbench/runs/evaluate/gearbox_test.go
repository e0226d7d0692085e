package evaluate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/interp"

	"skidpad/harness/evidence/statements"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// The car with a gearbox stands still before it starts. It then accelerates like a mass point driven by its engine,
// clutch and gears against rolling resistance and air. The mass point has the slip of the tires and of an engaged
// clutch. The car is not faster than 95 kW allow.
func TestTheManualCarGetsAwayLikeAMassPoint(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	e := evaluator(library, built.Model("passenger_car_manual"))
	e.Model = "PassengerCarManual"
	result, err := e.Evaluate(built.Manoeuvre("acceleration_from_rest"))
	if err != nil {
		t.Fatal(err)
	}
	run := result.Runs[0]
	list := run.Figures
	if v := figures.At(run.Record.Time, run.Record.Speed, run.Result.Phases[0].End); !(math.Abs(v) <= 1e-8) {
		t.Errorf("the car moves with %g m/s before the start", v)
	}
	point := pointFromRest(t)
	near := func(name string, got float64) {
		if want := point[name]; !(math.Abs(got-want) <= 0.025*want) {
			t.Errorf("%s is %.5g, of the mass point %.5g", name, got, want)
		}
	}
	for _, name := range []string{"time", "distance", "time_400", "speed_400", "time_1000", "speed_1000"} {
		near(name, value(t, list, name))
	}
	begin := math.NaN()
	for _, p := range run.Result.Phases {
		switch p.Name {
		case "accelerate":
			begin = p.Begin
			fallthrough
		case "second", "third":
			near("end of "+p.Name, p.End-begin)
		}
	}
	if least := statements.CarMass * math.Pow(100/3.6, 2) / 2 / 95e3; !(value(t, list, "time") > least) {
		t.Errorf("100 km/h after %g s, with 95 kW it takes %g s without any resistance", value(t, list, "time"), least)
	}
}

// pointFromRest are the figures of a mass point, by steps of 1 ms.
func pointFromRest(t *testing.T) map[string]float64 {
	t.Helper()
	const (
		radius     = 0.305
		wheels     = 4 * 0.9 / (radius * radius) // kg
		flywheel   = 0.15                        // kg m2
		final      = 3.64
		shift      = 640.0                   // rad/s
		drag       = 1.225 / 2 * 1.87 * 0.37 // N s2/m2
		rolling    = 0.0135
		rear       = statements.CarMass * 9.81 * 1.1562 / statements.CarWheelbase // N
		stiffness  = 21.8                                                         // of the tires, N/N: PKX1
		slipping   = 0.6
		slow       = 1.3   // s
		quick      = 0.25  // s
		shiftPause = 0.3   // s
		launch     = 200.0 // rad/s
		full, none = 1.0, 0.0
	)
	curves := map[float64]*interp.PiecewiseLinear{full: {}, none: {}}
	for throttle, points := range map[float64][][]float64{
		full: {{0, 40, 105, 210, 314, 419, 524, 608, 660, 690}, {0, 60, 130, 150, 160, 170, 162, 156, 120, 0}},
		none: {{0, 30, 50, 84, 105, 300, 690}, {0, -5, 15, 0, -19, -25, -60}},
	} {
		if err := curves[throttle].Fit(points[0], points[1]); err != nil {
			t.Fatal(err)
		}
	}
	const h = 0.001
	x, v, w, now := 0.0, 0.0, launch, 0.0
	found := map[string]float64{}
	// step has a torque of the engine and, where they turn by themselves, of the clutch
	slip := 0.0
	step := func(torque, clutch, ratio float64, coupled bool) {
		gear := ratio * final / radius
		resistance := (drag*v*v + rolling*statements.CarMass*9.81) * min(1, v/0.1)
		rate := (gear*clutch - resistance) / (statements.CarMass + wheels)
		if coupled {
			rate = (gear*torque - resistance) / (statements.CarMass + wheels + flywheel*gear*gear)
		}
		v += h * rate
		force := statements.CarMass*rate + resistance
		slip = force / (stiffness * (rear + force*statements.CarHeight/statements.CarWheelbase))
		if coupled {
			w = gear*v*(1+slip) + 12*math.Atanh(force/gear/240)
		} else {
			w += h * (torque - clutch) / flywheel
		}
		x, now = x+h*v, now+h
		note := func(reached bool, names []string, values ...float64) {
			if _, known := found[names[0]]; reached && !known {
				for i, name := range names {
					found[name] = values[i]
				}
			}
		}
		note(v >= 100/3.6, []string{"time", "distance"}, now, x)
		note(x >= 400, []string{"time_400", "speed_400"}, now, v)
		note(x >= 1000, []string{"time_1000", "speed_1000"}, now, v)
	}
	for i, ratio := range []float64{3.72, 2.02, 1.32, 1} {
		phase := [...]string{"accelerate", "second", "third", "fourth"}[i]
		gear := ratio * final / radius
		since := now
		for coupled := false; w < shift && x < 1001 || !coupled; {
			engaged := min(1, (now-since)/quick)
			throttle, clutch := engaged, 240*engaged
			if i == 0 {
				throttle, clutch = full, 240*min(slipping*now/0.1, slipping+(1-slipping)*max(0, now-slow)/quick, 1)
			}
			coupled = coupled || w <= gear*v*(1+slip)
			step(curves[full].Predict(w)*throttle+curves[none].Predict(w)*(1-throttle), clutch, ratio, coupled)
		}
		found["end of "+phase] = now
		for range int(shiftPause / h) {
			step(curves[none].Predict(w), 0, 0, false)
		}
	}
	return found
}

// In fourth gear with an engaged clutch, the car with a gearbox equals the passenger car, whose engine turns with the
// wheels: the same total mass and inertia, and the same direction of the crankshaft. Only its clutch creeps.
func TestTheManualCarIsThePassengerCar(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	var lists [2][]figures.Figure
	for i, car := range [2]struct{ model, fmu string }{{model: "passenger_car", fmu: "PassengerCar"},
		{model: "passenger_car_manual", fmu: "PassengerCarManual"}} {
		e := evaluator(library, built.Model(car.model))
		e.Model, e.Replaced = car.fmu, []manoeuvre.ConstantValue{{Name: "delta", Value: 0.6}, {Name: "side", Value: 1}}
		result, err := e.Evaluate(built.Manoeuvre("step_steer"))
		if err != nil {
			t.Fatal(err)
		}
		lists[i] = result.Runs[0].Figures
	}
	for i, one := range lists[0] {
		other := lists[1][i]
		if one.Missing != other.Missing || math.Abs(other.Value-one.Value) > 3e-3*math.Abs(one.Value) {
			t.Errorf("%s is %.6g %s with a gearbox, %.6g %s without", one.ID, other.Value, other.Missing, one.Value,
				one.Missing)
		}
	}
}
