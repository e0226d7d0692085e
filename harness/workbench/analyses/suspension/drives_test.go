package suspension

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/reduction"
	"skidpad/model/vehicle"
)

// Tests that load a library start this program once more.
func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}

// Times differ in ms, overshoots in points, and others in percent of the size of the value. Angles are in degrees. What
// only one vehicle has stays in the table, what none has does not.
func TestDifferencesOfDrives(t *testing.T) {
	result := func(values ...figures.Figure) *evaluate.Result {
		return &evaluate.Result{Runs: []evaluate.Run{{Figures: values[:2]}}, Figures: values[2:]}
	}
	lacking := figures.Figure{ID: "TB", Value: math.NaN(), Missing: "not steady"}
	never := figures.Figure{ID: "never", Value: math.NaN(), Missing: "not steady"}
	d := Drive{Manoeuvre: "step_steer", Constants: []manoeuvre.ConstantValue{{Name: "lateral", Value: 7}},
		Full: result(figures.Figure{ID: "peak_time", Unit: "s", Value: 0.3}, figures.Figure{ID: "yaw_rate_overshoot",
			Unit: "1", Value: 0.3}, figures.Figure{ID: "slip", Unit: "rad", Value: -math.Pi / 180}, lacking, never),
		Tables: result(figures.Figure{ID: "peak_time", Unit: "s", Value: 0.3025}, figures.Figure{ID: "yaw_rate_overshoot",
			Unit: "1", Value: 0.298}, figures.Figure{ID: "slip", Unit: "rad", Value: -1.02 * math.Pi / 180},
			figures.Figure{ID: "TB", Unit: "s", Value: 2}, never)}
	var out bytes.Buffer
	if err := PrintDrives([]Drive{d}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	want := []string{
		"step_steer, lateral = 7 full reduced difference unit",
		"peak_time 0.3 0.3025 +2.5 ms s",
		"yaw_rate_overshoot 0.3 0.298 -0.20 points 1",
		"slip -1 -1.02 -2.00 % deg",
		"TB - 2 -",
	}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("printed\n%s", strings.Join(lines, "\n"))
	}
}

// The variant has tables in place of the corners of the axle.
func TestTheVariantHasTables(t *testing.T) {
	testrun.Slow(t)
	folder := t.TempDir()
	path := writeCar(t, folder)
	var text bytes.Buffer
	if err := Variant(&reduction.Axle{File: path, Use: "R"}, &text); err != nil {
		t.Fatal(err)
	}
	variant := filepath.Join(t.TempDir(), "tables.toml")
	if err := os.WriteFile(variant, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(variant)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := vehicle.Read(path); err != nil || m.Tabulated {
		t.Errorf("the model itself: tables %v, %v", m.Tabulated, err)
	}
	if !m.Tabulated {
		t.Error("no use of the variant has tables")
	}
}

// writeCar writes a car of shipped corners by points with bushings. Its springs are stiff, so that the wheels stay in
// the range of the tables at 7 m/s2.
func writeCar(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(folder, "car.toml")
	if err := os.WriteFile(path, []byte(`name = "Car"
gravity = 9.81
solver = { method = "linearly-implicit", step = 0.001 }
[roles]
chassis = "body"
axles = [["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]
spin = [["wheel_FL.omega", "wheel_FR.omega"], ["wheel_RL.omega", "wheel_RR.omega"]]
steering = { input = "steering_S.angle", ratio = 17 }
throttle = { input = "engine_D.throttle" }
gear = { normal = 1.0, lowest = 3.7, backwards = -3.5 } # ratios
brake = { input = "brakes.torque", per = "deceleration", factor = "440 N.m.s2/m" }
road = "road"
start = { gear_D = "gear" }
outline = { width = 1.8, front = 1.95, rear = 2.4 } # m
wheelbase = 2.65 # m
understeer = 0.003 # rad/(m/s2)
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 1200, inertia = { xx = 450, yy = 1800, zz = 1950 }, start = { position = [0, 0, 0.56], velocity = [20, 0, 0] } }
front = { type = "rigid-arm", from = "body", to = "front", translation = [1.06, 0, -0.565] }
rear = { type = "rigid-arm", from = "body", to = "rear", translation = [-1.59, 0, -0.565] }
brakes = { type = "brake-distribution", axles = [{ brakes = ["brake_FL", "brake_FR"], share = 0.7 }, { brakes = ["brake_RL", "brake_RR"], share = 0.3 }] }
[use.S]
file = "rack"
frames = { chassis = "front" }
[use.F]
file = "corner_macpherson"
at = ["L", "R"]
frames = { chassis = "front", road = "road", rack = "bar_S" }
joints = "bushings"
parameters = { toe = "0.1 deg", camber = "-0.5 deg", load = 3900, stiffness = 42000 }
component = { wheel.start.omega = 66, tire.contact.method = "conservative" }
[use.R]
file = "corner_five_link"
at = ["L", "R"]
frames = { chassis = "rear", road = "road" }
joints = "bushings"
parameters = { toe = "0.15 deg", camber = "-1 deg", load = 2600, stiffness = 38000 }
component = { wheel.start.omega = 66, tire.contact.method = "conservative" }
[use.D]
file = "driveline_front"
frames = { chassis = "body", left = "wheel_FL", right = "wheel_FR" }
parameters = { ratio = 4.1 }
`), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A car with tables in place of both axles drives as the car by points.
func TestTablesDriveAlike(t *testing.T) {
	testrun.OnlyAll(t)
	opened, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	full := writeCar(t, folder)
	tables := filepath.Join(folder, "tables.toml")
	if err := os.WriteFile(tables, []byte(`base = "car.toml"
name = "Tables"
title = "With tables"
[use.F]
suspension = "tabulated"
[use.R]
suspension = "tabulated"
`), 0o600); err != nil {
		t.Fatal(err)
	}
	evaluator := func(file string) evaluate.Evaluator {
		target, err := modelfile.Target(file, "")
		if err != nil {
			t.Fatal(err)
		}
		return evaluate.Evaluator{Target: target, Open: func() (drive.Subject, func(), error) {
			v, err := opened.Load(file, "")
			if err != nil {
				return nil, nil, err
			}
			return v, func() { v.Close() }, nil
		}}
	}
	set := func(name string, value float64) manoeuvre.ConstantValue {
		return manoeuvre.ConstantValue{Name: name, Value: value}
	}
	drives := append(Drives(),
		Drive{Manoeuvre: "sine_with_dwell", Constants: []manoeuvre.ConstantValue{set("side", 1), set("amplitude", 4)}},
		Drive{Manoeuvre: "double_lane_change", Constants: []manoeuvre.ConstantValue{set("speed", 60/3.6)}})
	for i := range drives {
		d := &drives[i]
		if err := d.Make(built.Manoeuvre(d.Manoeuvre), evaluator(full), evaluator(tables)); err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, p := range d.Pairs() {
			allowed := 0.01 * math.Abs(p.Full.Value)
			switch {
			case strings.HasSuffix(p.Full.ID, "peak_time"), strings.HasSuffix(p.Full.ID, "response_time"):
				allowed = 0.005
			case strings.HasSuffix(p.Full.ID, "overshoot"):
				allowed = 0.01
			case strings.HasPrefix(p.Full.ID, "yaw_acceleration"): // a slope of differences
				allowed = 0.05 * math.Abs(p.Full.Value)
			case p.Full.Unit == "rad":
				allowed = 0.02*math.Abs(p.Full.Value) + 2e-5
			case strings.HasPrefix(p.Full.ID, "yaw_ratio"): // at rest again
				allowed = max(allowed, 1e-2)
			}
			compared++
			if !(math.Abs(p.Tables.Value-p.Full.Value) <= allowed) {
				t.Errorf("%s: %s is %.6g %s, with tables %.6g", d.Manoeuvre, p.Full.ID, p.Full.Value, p.Full.Unit, p.Tables.Value)
			}
		}
		if compared < 8 {
			t.Errorf("%s: only %d characteristic values", d.Manoeuvre, compared)
		}
	}
}
