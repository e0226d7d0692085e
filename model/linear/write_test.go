package linear_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// written writes the linear equations of a system into a file and loads them like any model.
func written(t *testing.T, l *linear.Model, s *linear.System) (*cosim.System, []string) {
	t.Helper()
	var b bytes.Buffer
	left, err := l.WriteModel(&b, s, "something")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "linear.toml")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	system, err := cosim.Load(file, cosim.Options{})
	if err != nil {
		t.Fatalf("%v\nin\n%.3000s", err, b.String())
	}
	return system, left
}

// run is one instance for half a second with a torque on the handlebar that comes and goes; its outputs
// by name, at every hundredth.
func run(t *testing.T, system *cosim.System, start map[string]float64, names []string, size float64) [][]float64 {
	t.Helper()
	in, err := system.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	index := func(name string) int {
		k, ok := system.Find(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		return k
	}
	for name, v := range start {
		if err := in.Set(index(name), v); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for n := range 51 {
		var row []float64
		for _, name := range names {
			v, err := in.Get(index(name))
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, v)
		}
		rows = append(rows, row)
		if err := in.Set(index("steer.torque"), size*math.Pow(math.Sin(math.Pi*float64(n)/50), 2)); err != nil {
			t.Fatal(err)
		}
		if err := in.Step(0.01); err != nil {
			t.Fatal(err)
		}
	}
	return rows
}

// The linear equations of the bicycle run under the names of the bicycle and start in its steady state. They differ
// from the bicycle by the square of a disturbance of both.
func TestLinearModelReplacesVehicle(t *testing.T) {
	l := read(t, "bicycle_rolling")
	s := at(t, l, "speed", 4.6)
	equations, left := written(t, l, s)
	vehicle, err := cosim.Load("../../resources/models/bicycle_rolling.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range left { // angles that turn with a wheel
		wheel, quantity, _ := strings.Cut(name, ".")
		if !strings.HasSuffix(wheel, "_wheel") || slices.Contains([]string{"x", "y", "z", "vy", "wy"}, quantity) {
			t.Errorf("%s is left out", name)
		}
	}
	var names []string
	for i, name := range s.Outputs {
		k, ok := equations.Find(name)
		if slices.Contains(left, name) {
			if ok {
				t.Errorf("%s is left out, and there", name)
			}
			continue
		}
		if !ok {
			t.Errorf("%s is missing", name)
			continue
		}
		own, _ := vehicle.Find(name)
		if unit := equations.Variables()[k].Unit; unit != vehicle.Variables()[own].Unit || unit != s.OutputUnits[i] {
			t.Errorf("the unit of %s is %q, not %q", name, unit, vehicle.Variables()[own].Unit)
		}
		names = append(names, name)
	}
	for i, name := range s.Inputs {
		k, ok := equations.Find(name)
		own, _ := vehicle.Find(name)
		if !ok || equations.Variables()[k].Start != s.U[i] || equations.Variables()[k].Unit != vehicle.Variables()[own].Unit {
			t.Errorf("the input %s is %+v", name, equations.Variables()[max(k, 0)])
		}
	}
	steady := run(t, equations, nil, names, 0)
	for k, name := range names {
		if y := s.Y[slices.Index(s.Outputs, name)]; math.Abs(steady[0][k]-y) > 1e-12*max(1, math.Abs(y)) {
			t.Errorf("%s starts at %g, in the steady state it is %g", name, steady[0][k], y)
		}
	}
	start := map[string]float64{"speed": 4.6}
	differences := func(size float64) []float64 {
		one, other := run(t, equations, nil, names, size), run(t, vehicle, start, names, size)
		worst := make([]float64, len(names))
		for n := range one {
			for k := range names {
				worst[k] = max(worst[k], math.Abs(one[n][k]-other[n][k]))
			}
		}
		return worst
	}
	whole, half := differences(0.4), differences(0.2)
	compared := 0
	for k, name := range names {
		most := 0.0
		for n := range steady {
			most = max(most, math.Abs(steady[n][k]))
		}
		if whole[k] < 1e-6*max(1, most) {
			continue
		}
		compared++
		if half[k] > 0.26*whole[k] {
			t.Errorf("%s: half the torque leaves %.3f of the difference %.2g", name, half[k]/whole[k], whole[k])
		}
	}
	if compared < 30 {
		t.Errorf("only %d outputs differ", compared)
	}
}

// States of tires' carcasses, whose unit is a root, are read again as they are written, of a car with a driveline and
// of one without.
func TestLinearModelOfCarcassesIsReadAgain(t *testing.T) {
	for name, free := range map[string][]string{
		"passenger_car": {"engine.throttle"}, "generic4w_carcass": {"drive_RL.torque", "drive_RR.torque"},
	} {
		l := read(t, name)
		for _, input := range free {
			if err := l.Free(input); err != nil {
				t.Fatal(err)
			}
		}
		s := at(t, l, "body.vx", 20)
		equations, left := written(t, l, s)
		roots := 0
		for i, state := range s.States {
			k, ok := equations.Find(state)
			if !ok && !slices.Contains(left, state) {
				t.Errorf("%s: %s is missing", name, state)
			}
			if ok && s.StateUnits[i] == "J^0.5" {
				roots++
				if unit := equations.Variables()[k].Unit; unit != "J^0.5" {
					t.Errorf("%s: the unit of %s is %q", name, state, unit)
				}
			}
		}
		if roots != 8 {
			t.Errorf("%s: %d states in J^0.5, want 2 of each of 4 tires", name, roots)
		}
	}
}

// In a turn constant matrices can hold the heading, but not the position or vectors resolved in ground.
func TestPositionInTurnIsLeftOut(t *testing.T) {
	file := "../../resources/models/generic4w.toml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, `
[component.place]
type = "sensor"
to = "body"
`...)
	m, err := vehicle.Parse(text, file, func(_ bounded.Kind, name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(filepath.Dir(file), name))
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, input := range []string{"steer_FL.angle", "steer_FR.angle", "drive_RL.torque", "drive_RR.torque"} {
		if err := l.Free(input); err != nil {
			t.Fatal(err)
		}
	}
	for _, yaw := range []float64{0, 0.1} {
		if err := l.Set("body.wz", yaw); err != nil {
			t.Fatal(err)
		}
		s := at(t, l, "body.vx", 20)
		for i, name := range s.States {
			// the tires pull to one side
			goes := strings.HasSuffix(name, ".phi") || name == "body.x" || name == "body.y" || yaw != 0 && name == "body.yaw"
			if (s.Rates[i] != 0) != goes {
				t.Errorf("yaw rate %g: the rate of %s is %g", yaw, name, s.Rates[i])
			}
		}
		equations, left := written(t, l, s)
		for _, c := range equations.Model().Components {
			inputs := c.(*component.LinearEquations).Inputs
			for _, u := range inputs {
				wheel, quantity, _ := strings.Cut(u.Name, ".")
				of := map[string]string{"rate": ".angle", "acceleration": ".rate", "z_dot": ".z"}[quantity]
				if u.RateOf >= 0 && inputs[u.RateOf].Name != wheel+of || (u.RateOf >= 0) != (of != "") {
					t.Errorf("%s is the rate of input %d", u.Name, u.RateOf)
				}
			}
		}
		for _, name := range []string{"body.x", "body.y", "upright_FL.x", "upright_FL.y", "place.x", "place.y"} {
			if slices.Contains(left, name) != (yaw != 0) {
				t.Errorf("yaw rate %g: left out are %v", yaw, left)
				break
			}
		}
		for _, name := range left {
			if !strings.HasSuffix(name, ".x") && !strings.HasSuffix(name, ".y") && !strings.HasPrefix(name, "place.") {
				t.Errorf("yaw rate %g: %s is left out", yaw, name)
			}
		}
		if _, ok := equations.Find("body.yaw"); !ok {
			t.Errorf("yaw rate %g: the heading is missing", yaw)
		}
	}
}

// Coordinates are independent before speeds are, at standstill too: the steer and not the yaw rate.
func TestIndependentStatesOfBicycle(t *testing.T) {
	l := read(t, "bicycle_rolling")
	for _, speed := range []float64{0, 5} {
		states, err := linear.Independent(at(t, l, "speed", speed))
		if err != nil {
			t.Fatal(err)
		}
		want := "rear_frame.wx wheel_R.omega steer.omega rear_frame.x rear_frame.y rear_frame.angle1 rear_frame.angle2 " +
			"wheel_R.phi steer.phi wheel_F.phi"
		if got := strings.Join(states, " "); got != want {
			t.Errorf("%g m/s: %s", speed, got)
		}
	}
}
