package evaluate

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/harness/workbench/runs/sweep"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// value returns a figure, which must be there.
func value(t *testing.T, list []figures.Figure, id string) float64 {
	t.Helper()
	for _, f := range list {
		if f.ID == id {
			if f.Missing != "" {
				t.Fatalf("%s is missing: %s", id, f.Missing)
			}
			return f.Value
		}
	}
	t.Fatalf("there is no figure %s", id)
	return 0
}

// constantOf returns a constant of a manoeuvre.
func constantOf(t *testing.T, e *Result, name string) float64 {
	t.Helper()
	for _, c := range e.Manoeuvre.Constants {
		if c.Name == name {
			return c.Value
		}
	}
	t.Fatalf("there is no constant %s", name)
	return 0
}

// evaluator makes runs of a model file.
func evaluator(library *library.Library, file string, settings ...manoeuvre.Setting) *Evaluator {
	target, err := modelfile.Target(file, "")
	if err != nil {
		panic(err)
	}
	return &Evaluator{Target: target, Settings: settings,
		Open: func() (drive.Subject, func(), error) {
			v, err := library.Load(file, "")
			if err != nil {
				return nil, nil, err
			}
			return v, func() { v.Close() }, nil
		}}
}

var genericModel = built.Model("generic4w")

func TestKeyFiguresAgreeWithLinearTheory(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Run("understeer gradient of a single-track vehicle", func(t *testing.T) { singleTrack(t, library) })
	t.Run("understeer gradient of the generic vehicle", func(t *testing.T) { understeer(t, library) })
	t.Run("step response", func(t *testing.T) { stepResponse(t, library) })
	t.Run("sweep", func(t *testing.T) { sweepOfPhases(t, library) })
	t.Run("frequency response", func(t *testing.T) { frequencyResponse(t, library) })
	t.Run("steering release", func(t *testing.T) {
		testrun.OnlyAll(t)
		steeringReleased(t, library)
	})
	t.Run("snaking", func(t *testing.T) {
		testrun.OnlyAll(t)
		snakesLinearly(t, library)
	})
}

// K_u = (m/l)(l_r/C_f - l_f/C_r) (manoeuvres specification, 2.1), for an understeering, an oversteering and a neutral
// vehicle.
func singleTrack(t *testing.T, library *library.Library) {
	const mass, front, rear, frontStiffness = 1500, 1.2, 1.6, 70000.0
	for _, test := range []struct{ rearStiffness, rate float64 }{{80000, 2e-5}, {45000, 1e-5}, {52500, 2e-5}} {
		e := evaluator(library, built.Path("harness", "testdata", "single_track.toml"),
			manoeuvre.Setting{Name: "rear_stiffness", Value: fmt.Sprint(test.rearStiffness)})
		e.Replaced = []manoeuvre.ConstantValue{{Name: "rate", Value: test.rate}}
		result, err := e.Evaluate(built.Path("harness", "testdata", "single_track_circle.toml"))
		if err != nil {
			t.Fatal(err)
		}
		// figures.json has the value of the file beside that of the run
		var text strings.Builder
		if err := result.WriteJSON(&text); err != nil || !strings.Contains(text.String(), `"rear_stiffness": 80000`) ||
			!strings.Contains(text.String(), fmt.Sprintf(`"rear_stiffness": "%g"`, test.rearStiffness)) {
			t.Errorf("error %v, or figures.json lacks the parameter:\n%s", err, text.String())
		}
		frontTerm := mass / (front + rear) * rear / frontStiffness
		want := frontTerm - mass/(front+rear)*front/test.rearStiffness
		size := math.Abs(want)
		if test.rearStiffness == 52500 {
			size = frontTerm // 0 is the difference of two terms
		}
		for _, run := range result.Runs {
			if got := value(t, run.Figures, "K_u"); !(math.Abs(got-want) <= 1e-6*size) {
				t.Errorf("rear stiffness %g: K_u %.9g, want %.9g", test.rearStiffness, got, want)
			}
		}
		t.Logf("rear stiffness %g: K_u within %.3g", test.rearStiffness,
			math.Abs(value(t, result.Figures, "K_u_mean")-want)/size)
		if test.rearStiffness == 52500 {
			continue
		}
		id := map[bool]string{true: "characteristic_speed", false: "critical_speed"}[want > 0]
		if got, speed := value(t, result.Figures, id), math.Sqrt((front+rear)/size); math.Abs(got-speed) > 1e-6*speed {
			t.Errorf("rear stiffness %g: %s %.9g, want %.9g", test.rearStiffness, id, got, speed)
		}
	}
}

// straight returns the generic vehicle rolling straight ahead at a speed [m/s] under its driving torques, and its
// linear equations.
func straight(t *testing.T, speed float64) (*linear.Model, *linear.System) {
	t.Helper()
	m, err := vehicle.Read(genericModel)
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := vehicle.Set("body.vx", speed); err != nil {
		t.Fatal(err)
	}
	for _, torque := range []string{"drive_RL.torque", "drive_RR.torque"} {
		if err := vehicle.Free(torque); err != nil {
			t.Fatal(err)
		}
	}
	system, err := vehicle.At()
	if err != nil {
		t.Fatal(err)
	}
	return vehicle, system
}

// steered is the response of an output to the angle of both front wheels with its rate and acceleration.
func steered(t *testing.T, s *linear.System, output string, hertz []float64) []complex128 {
	t.Helper()
	var omega []float64
	for _, f := range hertz {
		omega = append(omega, 2*math.Pi*f)
	}
	h, err := s.Response("steer_FL+steer_FR", output, omega)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// optionsOf are the options of a kind with these values.
func optionsOf(t *testing.T, kind *figures.Kind, values map[string]float64) figures.Options {
	t.Helper()
	o, set := kind.New(), 0
	for _, n := range o.Numbers() {
		if x, given := values[n.Name]; given {
			*n.Value, set = x, set+1
		}
	}
	if set != len(values) {
		t.Fatalf("%s does not have all of %v", kind.Name, values)
	}
	return o
}

// K_u of the slow ramp at a small lateral acceleration equals K_u of the linear equations (manoeuvres specification,
// 8). K_u grows with the square of the acceleration, so the test extrapolates it to zero acceleration.
func understeer(t *testing.T, library *library.Library) {
	e := evaluator(library, genericModel)
	e.Replaced = []manoeuvre.ConstantValue{{Name: "end", Value: 1.2}}
	result, err := e.Evaluate(built.Manoeuvre("circle_speed"))
	if err != nil {
		t.Fatal(err)
	}
	const half = 0.1 // m/s2
	var squares, gradients []float64
	for a := 0.4; a < 1.05; a += 0.1 {
		both := 0.0
		for _, run := range result.Runs {
			kind := figures.Find("steady-circle-speed")
			o := optionsOf(t, kind, map[string]float64{"wheelbase": wheelbase, "regression_from": a - half,
				"regression_to": a + half, "local": 1, "read_at": 1})
			both += value(t, kind.Run(run.Record, o), "K_u") / 2
		}
		squares, gradients = append(squares, a*a), append(gradients, both)
	}
	_, got := figures.Regression(squares, gradients)
	speed := constantOf(t, result, "speed")
	vehicle, system := straight(t, speed)
	car, err := linearise.HandlingCar(evaluator(nil, genericModel).Target)
	if err != nil {
		t.Fatal(err)
	}
	handling, err := vehicle.Handling(system, car.Car)
	if err != nil {
		t.Fatal(err)
	}
	want := handling.UndersteerGradient
	t.Logf("K_u %.6g, linear %.6g", got, want)
	if math.Abs(got-want) > 0.01*want {
		t.Errorf("K_u %.6g, linear %.6g", got, want)
	}
}

const wheelbase = 2.84 // of the generic vehicle, m

// The step of 0.1 deg of the road wheels gives what the linear equations give, within 0.5 % of the steady value
// (manoeuvres specification, 8).
func stepResponse(t *testing.T, library *library.Library) {
	e := evaluator(library, genericModel)
	const angle = 0.1 * degree
	e.Replaced = []manoeuvre.ConstantValue{{Name: "delta", Value: 16 * angle}, {Name: "side", Value: 1}}
	result, err := e.Evaluate(built.Manoeuvre("step_steer"))
	if err != nil {
		t.Fatal(err)
	}
	r := result.Runs[0].Record
	_, s := straight(t, constantOf(t, result, "speed"))
	begin, end := r.Phases[1].Begin, r.Phases[1].End
	signal := signal.PiecewiseLinear{Time: []float64{0.5, 0.5 + 16*angle/constantOf(t, result, "steering_rate")},
		Value: []float64{0, angle}}
	inputs := func(t float64) map[string]float64 {
		value, rate, acceleration := signal.At(t)
		return map[string]float64{
			"steer_FL.angle": value, "steer_FL.rate": rate, "steer_FL.acceleration": acceleration,
			"steer_FR.angle": value, "steer_FR.rate": rate, "steer_FR.acceleration": acceleration,
		}
	}
	yaw, lateral := linearRun(s, inputs, int(math.Round((end-begin)*1000)), "body.wz", "body.ay")
	first := int(math.Round(begin * 1000))
	for _, c := range []struct {
		name             string
		linear, measured []float64
	}{{"yaw rate", yaw, r.YawRate[first:]}, {"lateral acceleration", lateral, r.Lateral[first:]}} {
		worst, last := 0.0, c.linear[len(c.linear)-1]
		for i, want := range c.linear {
			worst = max(worst, math.Abs(c.measured[i]-c.measured[0]-want)/last)
		}
		t.Logf("%s: within %.3g", c.name, worst)
		if !(worst < 0.005) {
			t.Errorf("%s: %.3g of the steady value away from the linear one", c.name, worst)
		}
	}
}

// linearRun integrates linear equations from rest over steps of 1 ms (Runge-Kutta of fourth order), and returns two
// outputs.
func linearRun(
	s *linear.System, inputs func(t float64) map[string]float64, steps int, one, two string,
) (a, b []float64) {
	const h, side = 1e-3, 1e-8 // side is more than a signal rounds times by
	n := len(s.States)
	input := func(t float64) *mat.VecDense {
		u := mat.NewVecDense(len(s.Inputs), nil)
		for name, value := range inputs(t) {
			u.SetVec(slices.Index(s.Inputs, name), value)
		}
		return u
	}
	rates := func(x, u *mat.VecDense) *mat.VecDense {
		var ax, bu mat.VecDense
		ax.MulVec(s.A, x)
		bu.MulVec(s.B, u)
		ax.AddVec(&ax, &bu)
		return &ax
	}
	x := mat.NewVecDense(n, nil)
	moved := func(d *mat.VecDense, by float64) *mat.VecDense {
		var y mat.VecDense
		y.AddScaledVec(x, by, d)
		return &y
	}
	for i := range steps + 1 {
		t := float64(i) * h
		u0, u1 := input(t+side), input(t+h-side) // at a corner of the input, the value on the side of the step
		var um mat.VecDense
		um.AddVec(u0, u1)
		um.ScaleVec(0.5, &um)
		var y, du mat.VecDense
		y.MulVec(s.C, x)
		du.MulVec(s.D, input(t-side)) // a row is read before the inputs of its time are set
		y.AddVec(&y, &du)
		a, b = append(a, y.AtVec(slices.Index(s.Outputs, one))), append(b, y.AtVec(slices.Index(s.Outputs, two)))
		k1 := rates(x, u0)
		k2 := rates(moved(k1, h/2), &um)
		k3 := rates(moved(k2, h/2), &um)
		k4 := rates(moved(k3, h), u1)
		next := moved(k1, h/6)
		next.AddScaledVec(next, h/3, k2)
		next.AddScaledVec(next, h/3, k3)
		next.AddScaledVec(next, h/6, k4)
		x = next
	}
	return a, b
}

// A released steering wheel without friction follows the linear equations of the car: the input is a step of the
// driver's torque from M_H to 0.
func steeringReleased(t *testing.T, library *library.Library) {
	file := built.Model("passenger_car_free")
	e := evaluator(library, file, manoeuvre.Setting{Name: "steering.friction", Value: "0"})
	e.Model, e.Replaced = "PassengerCarFreeSteering", []manoeuvre.ConstantValue{{Name: "lateral", Value: 0.1}}
	result, err := e.Evaluate(built.Manoeuvre("steering_release"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]float64{"body.vx": constantOf(t, result, "speed"), "steering.friction": 0,
		"steering.hold": 0} {
		if err := vehicle.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := vehicle.Free("engine.throttle"); err != nil {
		t.Fatal(err)
	}
	system, err := vehicle.At()
	if err != nil {
		t.Fatal(err)
	}
	r, torque := result.Runs[0].Record, value(t, result.Runs[0].Figures, "M_H")
	yaw, steer := linearRun(system, func(t float64) map[string]float64 {
		if t < 0 {
			return nil
		}
		return map[string]float64{"steering.torque": -torque}
	}, 3000, "body.wz", "steering.wheel_angle")
	first := int(math.Round(r.Phases[1].Begin * 1000))
	for _, c := range []struct {
		name             string
		linear, measured []float64
	}{{"yaw rate", yaw, r.YawRate[first:]}, {"steering wheel", steer, r.Steer[first:]}} {
		worst := 0.0
		for i, want := range c.linear {
			worst = max(worst, math.Abs((c.measured[i]-c.measured[0]-want)/c.measured[0]))
		}
		t.Logf("%s: within %.3g", c.name, worst)
		if !(worst < 0.01) {
			t.Errorf("%s: %.3g of the value before the release away from the linear one", c.name, worst)
		}
	}
}

// After a second and a half the faster modes have decayed. The remaining oscillation has the frequency and the damping
// of the linear equations.
func snakesLinearly(t *testing.T, library *library.Library) {
	file := built.Model("car_trailer")
	e := evaluator(library, file)
	e.Model = "CarTrailer"
	result, err := e.Evaluate(built.Manoeuvre("car_trailer_snaking"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, torque := range []string{"drive_RL.torque", "drive_RR.torque"} {
		if err := vehicle.Free(torque); err != nil {
			t.Fatal(err)
		}
	}
	for _, run := range result.Runs {
		r := *run.Record
		r.Phases = slices.Clone(r.Phases)
		r.Phases[len(r.Phases)-1].Begin += 1.5
		kind := figures.Find("snaking")
		list := kind.Run(&r, optionsOf(t, kind, map[string]float64{"share": 0.05, "read_at": 1}))
		if err := vehicle.Set("body.vx", value(t, list, "speed")); err != nil {
			t.Fatal(err)
		}
		system, err := vehicle.At()
		if err != nil {
			t.Fatal(err)
		}
		modes, err := system.Modes()
		if err != nil {
			t.Fatal(err)
		}
		slowest := math.Inf(-1) // of what swings between 0.8 and 1.3 Hz
		var want complex128
		for _, m := range modes {
			if hertz := imag(m.Value) / (2 * math.Pi); hertz > 0.8 && hertz < 1.3 && real(m.Value) > slowest {
				slowest, want = real(m.Value), m.Value
			}
		}
		d := -real(want) / cmplx.Abs(want)
		frequency, damping := value(t, list, "frequency"), value(t, list, "damping")
		t.Logf("%.4g m/s: %.4g Hz, linear %.4g; damping %.4g, linear %.4g", value(t, list, "speed"), frequency,
			imag(want)/(2*math.Pi), damping, d)
		if math.Abs(frequency*2*math.Pi/imag(want)-1) > 0.004 || math.Abs(damping/d-1) > 0.015 {
			t.Errorf("%.4g m/s: %.4g Hz with damping %.4g; the linear equations have %.4g Hz with %.4g",
				value(t, list, "speed"), frequency, damping, imag(want)/(2*math.Pi), d)
		}
	}
}

// A sweep ends each of its runs with the last phase, when the single run ends.
func sweepOfPhases(t *testing.T, library *library.Library) {
	m, err := manoeuvre.ReadFor(evaluator(nil, genericModel).Target, built.Manoeuvre("brake"))
	if err != nil {
		t.Fatal(err)
	}
	record := []string{"body.x", "body.vx"}
	table, err := (&sweep.Sweep{Library: library, Model: genericModel, Run: drive.Plan{Manoeuvre: m, Record: record},
		Variations: []manoeuvre.Variation{{Name: "body.mass", Values: []float64{1800, 2400}}}}).Do()
	if err != nil {
		t.Fatal(err)
	}
	for i, mass := range []string{"1800", "2400"} {
		v, err := library.Load(genericModel, "")
		if err != nil {
			t.Fatal(err)
		}
		result, err := drive.Simulate(v,
			drive.Plan{Manoeuvre: m, Record: record, Settings: []manoeuvre.Setting{{Name: "body.mass", Value: mass}}})
		v.Close()
		if err != nil {
			t.Fatal(err)
		}
		last := len(result.Trace.Time) - 1
		if row := table.Rows[i]; row[1] != result.Trace.Time[last] || row[2] != result.Trace.Column("body.x")[last] {
			t.Errorf("mass %s: the sweep ends at %g s, %g m, the run at %g s, %g m", mass, row[1], row[2],
				result.Trace.Time[last], result.Trace.Column("body.x")[last])
		}
	}
}

// The time simulation and the linear equations agree within 1 % and 1 deg up to 2 Hz (manoeuvres specification, 3.3).
func frequencyResponse(t *testing.T, library *library.Library) {
	result, err := evaluator(library, genericModel).Evaluate(built.Manoeuvre("frequency_response"))
	if err != nil {
		t.Fatal(err)
	}
	r := result.Runs[0].Record
	options := result.Manoeuvre.KeyFigures.Options.(*figures.FrequencyOptions)
	_, system := straight(t, constantOf(t, result, "speed"))
	for _, signal := range []struct {
		output string
		values []float64
		scale  float64
	}{{"body.wz", r.YawRate, 1}, {"body.ay", r.Lateral, 1}, {"body.vy", r.SideSlip, constantOf(t, result, "speed")},
		{"body.roll", r.Roll, 1}} {
		got := figures.Spectrum(r, signal.values, options).Within(0.2, 2)
		want := steered(t, system, signal.output, got.Frequency)
		worst, turned, at := 0.0, 0.0, 0.0
		for k, h := range got.H {
			ratio := h * complex(r.Ratio*signal.scale, 0) / want[k]
			if off := math.Abs(cmplx.Abs(ratio) - 1); off > worst {
				worst, at = off, got.Frequency[k]
			}
			turned = max(turned, math.Abs(cmplx.Phase(ratio)))
		}
		t.Logf("%s: gain within %.3g at %g Hz, phase within %.3g deg", signal.output, worst, at, turned/degree)
		if worst > 0.01 || turned > degree {
			t.Errorf("%s: gain differs by %.3g at %g Hz, phase by %.3g deg; 0.01 and 1 deg are allowed", signal.output,
				worst, at, turned/degree)
		}
	}
}

// The same manoeuvre through the library and through FMUs of both versions gives the same figures: all step the same
// equations at the same communication points. FMI 2.0 carries inputs through a step as the library does; FMI 3.0 can't,
// and is compared with inputs that both hold.
func TestKeyFiguresEqualTheFMUs(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	loaded, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	type vehicle struct {
		model, name string
		fmus        map[string]string // by version
	}
	delivered := built.FMUs(t, "generic4w")
	generic := vehicle{"generic4w", "GenericVehicle", map[string]string{
		"fmi2": filepath.Join(delivered, "fmi2", "GenericVehicle.fmu"),
		"fmi3": filepath.Join(delivered, "fmi3", "GenericVehicle.fmu")}}
	type driven struct {
		car      vehicle
		name     string
		replaced []manoeuvre.ConstantValue
	}
	manoeuvres := []driven{
		{generic, "step_steer", []manoeuvre.ConstantValue{{Name: "delta", Value: 0.5}, {Name: "side", Value: -1}}},
		{generic, "brake", nil},
	}
	if testrun.All() {
		manual := vehicle{"passenger_car_manual", "PassengerCarManual", map[string]string{
			"fmi2": built.FMU(t, built.Model("passenger_car_manual"), 2),
			"fmi3": built.FMU(t, built.Model("passenger_car_manual"), 3)}}
		manoeuvres = append(manoeuvres,
			driven{generic, "sine_with_dwell", []manoeuvre.ConstantValue{{Name: "A", Value: 0.4}, {Name: "amplitude", Value: 5},
				{Name: "side", Value: 1}}},
			driven{generic, "double_lane_change", []manoeuvre.ConstantValue{{Name: "speed", Value: 20}}},
			driven{manual, "acceleration_from_rest", nil}, driven{manual, "speed_profile", nil})
	}
	for _, m := range manoeuvres {
		e := evaluator(loaded, built.Model(m.car.model))
		e.Model, e.Replaced = m.car.name, m.replaced
		fromLibrary := e.Open
		for _, version := range []string{"fmi2", "fmi3"} {
			e.Open, e.Held = fromLibrary, version == "fmi3"
			want, err := e.Evaluate(built.Manoeuvre(m.name))
			if err != nil {
				t.Fatal(err)
			}
			e.Open = func() (drive.Subject, func(), error) {
				f, err := library.OpenFMU(m.car.fmus[version])
				if err != nil {
					return nil, nil, err
				}
				c, err := f.Instantiate(f.ModelName, f.Token)
				if err != nil {
					f.Close()
					return nil, nil, err
				}
				return c, func() { c.Close(); f.Close() }, nil
			}
			got, err := e.Evaluate(built.Manoeuvre(m.name))
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want.Runs[0].Figures {
				g := got.Runs[0].Figures[i]
				if g.ID != w.ID || g.Missing != w.Missing || math.Abs(g.Value-w.Value) > 1e-12*math.Abs(w.Value) {
					t.Errorf("%s, %s: %s is %.15g %s, by the library %s %.15g %s", m.name, version, g.ID, g.Value,
						g.Missing, w.ID, w.Value, w.Missing)
				}
			}
		}
	}
}

// inEveryRun are tables of docs/manoeuvres.md that a thinned run compares, too: of manoeuvres that take half a second.
// The others, three quarters of all, are compared in ./build.sh test all.
var inEveryRun = []string{"generic4w_slowly_increasing_steer", "generic4w_brake", "generic4w_weave",
	"generic4w_obstacle_avoidance", "passenger_car_brake", "passenger_car_split_friction", "passenger_car_crosswind",
	"passenger_car_plank", "passenger_car_pothole", "passenger_car_ramp", "passenger_car_roof",
	"passenger_car_acceleration", "passenger_car_free_weave", "car_trailer_car_trailer_snaking"}

// The tables of docs/manoeuvres.md are what the manoeuvres give.
func TestDocumentedFigures(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	path := built.Path("docs", "manoeuvres.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	left := []manoeuvre.ConstantValue{{Name: "side", Value: 1}}
	type documented struct {
		name     string
		replaced []manoeuvre.ConstantValue
	}
	for _, car := range []struct {
		file, model string
		manoeuvres  []documented
	}{
		{"generic4w", "GenericVehicle", []documented{
			{"slowly_increasing_steer", nil}, {"circle_speed", nil}, {"circle_radius", nil}, {"step_steer", nil},
			{"sine_steer", nil}, {"frequency_response", nil},
			{"sine_with_dwell", left}, {"fishhook", nil}, {"j_turn", nil}, {"double_lane_change", nil},
			{"obstacle_avoidance", nil}, {"power_off_in_turn", nil},
			{"brake_in_turn", nil}, {"brake", nil}, {"brake_distance", nil},
			{"weave", []manoeuvre.ConstantValue{{Name: "delta", Value: 9.54 * degree}}}, {"straight_running", nil},
		}},
		{"passenger_car", "PassengerCar", []documented{
			{"slowly_increasing_steer", nil}, {"circle_speed", nil}, {"circle_radius", nil}, {"circle_angle", left},
			{"step_steer", left}, {"sine_steer", left}, {"frequency_response", nil},
			{"sine_with_dwell", left}, {"fishhook", left}, {"j_turn", left}, {"double_lane_change", nil},
			{"obstacle_avoidance", nil}, {"power_off_in_turn", left},
			{"brake_in_turn", []manoeuvre.ConstantValue{{Name: "deceleration", Value: 4}}}, {"brake", nil},
			{"brake_distance", nil}, {"split_friction", nil},
			{"weave", []manoeuvre.ConstantValue{{Name: "delta", Value: 13.746 * degree}}},
			{"straight_running", nil}, {"crosswind", nil},
			{"rough_road", []manoeuvre.ConstantValue{{Name: "duration", Value: 20}}}, {"plank", nil}, {"pothole", nil},
			{"ramp", nil}, {"roof", nil}, {"acceleration", nil}, {"speed_profile", nil}, {"maximum_speed", nil},
			{"coast_down", nil}, {"slope", nil}, {"reversing", nil}, {"standing", nil},
		}},
		{"passenger_car_free", "PassengerCarFreeSteering",
			[]documented{{"steering_release", nil},
				{"weave", []manoeuvre.ConstantValue{{Name: "delta", Value: 13.746 * degree}}}}},
		{"car_trailer", "CarTrailer", []documented{{"car_trailer_snaking", nil}}},
		{"passenger_car_manual", "PassengerCarManual", []documented{{"acceleration_from_rest", nil}}},
	} {
		known := map[string][]figures.Figure{}
		for _, m := range car.manoeuvres {
			name := car.file + "_" + m.name
			if !testrun.All() && !*built.Update && !slices.Contains(inEveryRun, name) {
				continue
			}
			e := evaluator(library, built.Model(car.file))
			e.Model, e.Replaced = car.model, m.replaced
			switch m.name { // runs before a manoeuvre are made once
			case "step_steer", "sine_steer":
				e.Replaced = append(slices.Clip(e.Replaced),
					manoeuvre.ConstantValue{Name: "delta", Value: value(t, known["circle_speed"], "delta_H_mean")})
			case "sine_with_dwell", "fishhook", "j_turn":
				e.Replaced = append(slices.Clip(e.Replaced),
					manoeuvre.ConstantValue{Name: "A", Value: value(t, known["slowly_increasing_steer"], "A")})
			}
			result, err := e.Evaluate(built.Manoeuvre(m.name))
			if err != nil {
				t.Fatal(err)
			}
			known[m.name] = result.Figures
			var table strings.Builder
			if err := result.WriteMarkdown(&table); err != nil {
				t.Fatal(err)
			}
			before, rest, found := strings.Cut(text, "<!-- begin "+name+" -->\n")
			documented, after, ended := strings.Cut(rest, "<!-- end "+name+" -->")
			if !found || !ended {
				t.Fatalf("%s has no place for %s", path, name)
			}
			if documented != table.String() && !*built.Update {
				t.Errorf("%s: %s gives\n%s\nnot\n%s\n-update writes it", path, name, table.String(), documented)
			}
			text = before + "<!-- begin " + name + " -->\n" + table.String() + "<!-- end " + name + " -->" + after
		}
	}
	if *built.Update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A manoeuvre file is read once, however many runs are made of it and before it: what becomes of the file meanwhile
// changes nothing.
func TestAManoeuvreFileIsReadOnce(t *testing.T) {
	file := toyFiles(t, "") // which another one runs before
	e := toyEvaluator()
	e.Open = func() (drive.Subject, func(), error) {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		return newToyCar(), func() {}, nil
	}
	result, err := e.Evaluate(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Runs) != 1 || result.Prerun == nil || len(result.Prerun.Runs) != 2 {
		t.Errorf("runs %d, before them %+v", len(result.Runs), result.Prerun)
	}
}
