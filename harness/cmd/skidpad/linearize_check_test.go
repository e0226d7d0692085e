package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// The steady forces of the benchmark bicycle (linearised-eom specification, 6.2) are printed and
// written where they are asked for, and both ways to its linear equations are compared.
func TestLinearizeChecksAndTellsForces(t *testing.T) {
	testrun.Slow(t)
	resource := filepath.Join("..", "..", "..", "resources", "models", "bicycle_rolling.toml")
	status, stdout, stderr := try("linearize", resource, "--at", "speed=5", "--check", "--bode",
		"steer.torque:rear_frame.wz", "--eigen", "--frequencies", "0.1:10:3", "--forces")
	if status != 0 || !strings.Contains(stdout, "by tangent stiffness eigenvalues differ by at most") ||
		!strings.Contains(stdout, ", responses by") {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	for _, want := range []string{"contact_R rear_wheel from road ", "612.836471", "309.303529", "-240.633529",
		"44.945998", "-279.873529", "-593.216471"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	folder := t.TempDir()
	if status, stdout, stderr = try("linearize", resource, "--at", "speed=4:6:1", "--check", "--forces",
		"--out", folder); status != 0 || !strings.Contains(stdout, "forces.csv") {
		t.Fatalf("status %d, %s%s", status, stdout, stderr)
	}
	text, err := os.ReadFile(filepath.Join(folder, "forces.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%v\n%s", err, text)
	}
	for name, want := range map[string]float64{"contact_R.Fz": 612.836471, "contact_R.Fy": 0,
		"contact_F.Fz": 309.303529, "steer.My": 44.945998} {
		for _, row := range rows[1:] {
			if x, err := strconv.ParseFloat(row[slices.Index(rows[0], name)], 64); err != nil ||
				math.Abs(x-want) > 1e-6 {
				t.Errorf("%s is %v, want %v", name, x, want)
			}
		}
	}
}

// --forces works for every vehicle. --check names the component if tangent stiffness does not know the vehicle.
func TestLinearizeWithAndWithoutForces(t *testing.T) {
	testrun.Slow(t)
	resource := filepath.Join("..", "..", "..", "resources", "models", "bicycle.toml")
	status, stdout, stderr := try("linearize", resource, "--at", "speed=5")
	if status != 0 || !strings.Contains(stdout, "damping") || strings.Contains(stdout+stderr, "reactions") {
		t.Errorf("nobody asked for forces: status %d, %s%s", status, stdout, stderr)
	}
	if status, stdout, stderr = try("linearize", resource, "--at", "speed=5", "--forces"); status != 0 ||
		!strings.Contains(stdout, "reactions, force and moment") || strings.Contains(stdout, "damping") {
		t.Errorf("forces alone: status %d, %s%s", status, stdout, stderr)
	}
	rolling := filepath.Join(filepath.Dir(resource), "bicycle_rolling.toml")
	if status, _, stderr = try("linearize", rolling, "--at", "speed=5:6:1", "--forces"); status != 2 ||
		!strings.Contains(stderr, "--forces of several values needs --json, or --out") {
		t.Errorf("status %d, %s", status, stderr)
	}
	status, stdout, stderr = try("linearize", rolling, "--at", "speed=5:6:1", "--forces", "--json")
	var found struct {
		Systems []struct{ Reactions map[string]float64 }
	}
	if err := json.Unmarshal([]byte(stdout), &found); status != 0 || err != nil || len(found.Systems) != 2 ||
		math.Abs(found.Systems[1].Reactions["contact_R.Fz"]-612.836471) > 1e-6 {
		t.Errorf("status %d, %v, %s: %v", status, err, stderr, found)
	}
	if status, _, stderr = try("linearize", resource, "--at", "speed=5", "--check"); status != 1 ||
		!strings.Contains(stderr, "--check: model Bicycle: tire_R:") {
		t.Errorf("status %d, %s", status, stderr)
	}
	truck := filepath.Join(filepath.Dir(resource), "truck_trailer.toml")
	if status, _, stderr = try("linearize", truck, "--at", "speed=5", "--set", "steer.angle=0.1",
		"--check"); status != 1 {
		t.Errorf("status %d, %s", status, stderr)
	}
	if status, stdout, stderr = try("linearize", truck, "--at", "speed=5:30:5", "--bode", "steer.angle:truck.wz",
		"--eigen", "--check", "--out", t.TempDir()); status != 0 ||
		!strings.Contains(stdout,
			"speed = 18.36712: unstable modes change from 0 oscillatory, 0 real to 0 oscillatory, 1 real") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

// Modes, a transfer function and handling are printed, or written with the matrices as JSON.
func TestLinearizeTellsModesTransferAndHandling(t *testing.T) {
	folder := t.TempDir()
	car := `models = ["SingleTrack"]
[roles]
chassis = "body"
wheelbase = 2.8
steering = { drivers = ["steer"], ratio = 16.0 }
`
	if err := os.WriteFile(filepath.Join(folder, "single_track.toml"), []byte(car), 0o644); err != nil {
		t.Fatal(err)
	}
	track := filepath.Join("..", "..", "testdata", "single_track.toml")
	arguments := []string{"linearize", track, "--at", "speed=10:20:10", "--modes", "--transfer", "steer:body.wz",
		"--handling", "--car", filepath.Join(folder, "single_track.toml")}
	status, stdout, stderr := try(arguments...)
	if status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for _, want := range []string{"participation", "yaw/slip 1.00", "steady-state gain 4.4606281",
		"zero    -6.22222222     0.00000000",
		"understeer gradient 0.00420918 rad/(m/s2), 2.3651 deg/g; characteristic speed 25.792 m/s; static margin " +
			"0.1048"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	out := filepath.Join(folder, "out")
	if status, _, stderr := try(append(arguments, "--out", out, "--plot")...); status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for name, begins := range map[string]string{
		"modes.csv":  "speed,mode,name,real,imaginary,frequency_Hz,damping,time_constant,moved_by_steer,seen_by_body.wz,",
		"shapes.csv": "speed,mode,name,", "transfer.csv": "speed,what,real,imaginary\n10,gain,",
		"handling.csv": "speed,speed,yaw_gain,",
		"linear.json": `{"title":"Single-track ` +
			`vehicle","parameter":"speed","states":[{"name":"advance.s_dot","unit":"m/s","group":"longitudinal"}`,
		"eigenvalues.png": "\x89PNG", "eigenvalues.svg": "<?xml", "linear.mat": "MATLAB",
	} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !strings.HasPrefix(string(text), begins) {
			t.Errorf("%s begins with %.120q, %v", name, text, err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "eigenvalues.csv")); err == nil {
		t.Error("eigenvalues.csv was not asked for")
	}
	if status, _, stderr := try("linearize", track, "--at", "speed=10", "--handling"); status != 1 ||
		!strings.Contains(stderr, "SingleTrack lacks roles that a handling diagram needs: chassis, steering, wheelbase") {
		t.Errorf("a model without a car: status %d, %s", status, stderr)
	}
	if status, stdout, stderr := try("linearize",
		filepath.Join("..", "..", "..", "resources", "models", "truck_trailer.toml"), "--at", "speed=9", "--check",
		"--bode", "steer:truck.wz", "--frequencies", "0.1:10:3"); status != 0 ||
		!strings.Contains(stdout, ", responses by") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

// Without --at a vehicle is linearised about its speed at the start, and without --free with its throttle, where
// nothing else holds the speed.
func TestLinearizeWithoutFlags(t *testing.T) {
	testrun.OnlyAll(t)
	same := func(short, long string) {
		t.Helper()
		status, stdout, stderr := try(strings.Fields("linearize " + short)...)
		_, want, _ := try(strings.Fields("linearize " + long)...)
		if status != good || stdout != want || want == "" {
			t.Errorf("%s: status %d, %s%s, want %s", short, status, stderr, stdout, want)
		}
	}
	same("bicycle_rolling", "bicycle_rolling --at speed=4.6")
	same("passenger_car --set body.vx=25", "passenger_car --at body.vx=25 --free engine.throttle")
	if testrun.All() {
		same("passenger_car --handling", "passenger_car --at body.vx=20 --free engine.throttle --handling")
	}
	same("skidder --set front.vx=2 --free articulation.angle,drive_RL.torque,drive_RR.torque",
		"skidder --at front.vx=2 --free articulation.angle,drive_RL.torque,drive_RR.torque")
	for args, want := range map[string]string{
		"pendulum": `--at is missing, and Pendulum has neither a parameter "speed" nor a body with a start ` +
			"value vx",
		"passenger_car --set engine.throttle=0.1": "free an input that can (engine.throttle) (--free INPUTS, --hold STATES)",
	} {
		if status, _, stderr := try(strings.Fields("linearize " + args)...); status == good ||
			!strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", args, status, stderr)
		}
	}
	// where stability changes is printed without --out, too
	_, stdout, _ := try(strings.Fields("linearize bicycle_rolling --at speed=4:5:1")...)
	if !strings.Contains(stdout, "speed = 4.292383: unstable modes change from 1 oscillatory, 0 real to 0 oscillatory") {
		t.Error(stdout)
	}
}
