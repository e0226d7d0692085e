package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// Roles that most manoeuvres need are named with what to write before a manoeuvre asks for them; a vehicle that has
// them is not told.
func TestCarNamesTheMissingRoles(t *testing.T) {
	testrun.Slow(t)
	library := built.Library(t)
	base, err := filepath.Abs(shippedFile("models", "passenger_car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bare.toml")
	text := "base = '" + base + `'
name = "Bare"
title = "Bare"
[roles]
throttle = false
outline = false
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := try("car", file, "--library", library)
	want := file + `: no throttle, outline in [roles]; manoeuvres that need it refuse the vehicle. A draft:
  throttle = { input = "engine.throttle", closed = 0, open = 1 }
  outline = { width = 1.61, front = 2.01, rear = 2.27 } # m`
	if status != 0 || !strings.Contains(stdout, want) || strings.Contains(stdout, "steering = ") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	if status, stdout, stderr = try("car", base, "--library", library); status != 0 || strings.Contains(stdout, "no ") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}

// Handling figures find a wheelbase that the roles do not state, as skidpad car does.
func TestHandlingFindsTheWheelbase(t *testing.T) {
	testrun.Slow(t)
	vehicle := testrun.Either(
		struct{ model, free string }{"generic4w", "drive_RL.torque,drive_RR.torque"},
		struct{ model, free string }{"passenger_car", "engine.throttle"})
	base, err := filepath.Abs(shippedFile("models", vehicle.model+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bare.toml")
	text := "base = '" + base + `'
name = "Bare"
title = "Bare"
[roles]
wheelbase = false
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var margins [2]float64
	for i, model := range []string{base, file} {
		status, stdout, stderr := try("linearize", model, "--at", "body.vx=20", "--free", vehicle.free, "--handling",
			"--library", built.Library(t))
		_, rest, found := strings.Cut(stdout, "static margin ")
		if _, err := fmt.Sscan(rest, &margins[i]); status != 0 || !found || err != nil {
			t.Fatalf("status %d, %v, %s%s", status, err, stdout, stderr)
		}
	}
	if math.Abs(margins[1]-margins[0]) > 1e-3*margins[0] || margins[0] <= 0 {
		t.Errorf("static margins %g of a stated wheelbase and %g of one that is found", margins[0], margins[1])
	}
}

// A constant of --let that a shipped manoeuvre cannot have is named: the file at fault is not the user's.
func TestAManoeuvreNamesTheConstantAtFault(t *testing.T) {
	status, stdout, stderr := try("manoeuvre", shippedFile("models", "passenger_car.toml"), "--manoeuvre", "step_steer",
		"--let", "delta=0", "--library", built.Library(t))
	if want := "time 0.5 after 0.5; times must increase; change delta = 0 of --let, the prerun or the sweep; " +
		"constants: steering_rate = 6.98"; status != 1 || !strings.Contains(stderr, want) {
		t.Errorf("status %d, %s%s; want %s", status, stdout, stderr, want)
	}
}

// What trim writes into a file, it prints: the file, how many start values, and each of them.
func TestTrimPrintsTheWrittenTables(t *testing.T) {
	base, err := filepath.Abs(shippedFile("models", "skidder.toml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte("base = '"+base+`'
name = "Mine"
title = "Mine"
`), 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := try("trim", file, "--set", "front.vx=5", "--write", "--library",
		built.Library(t))
	text, err := os.ReadFile(file)
	if err != nil || status != 0 {
		t.Fatalf("status %d, %v, %s%s", status, err, stdout, stderr)
	}
	heading, rest, _ := strings.Cut(stdout, "\n")
	lines := strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
	if want := fmt.Sprintf("%s: %d start values changed", file, len(lines)); heading != want || len(lines) < 4 {
		t.Errorf("%q; want %q with these lines\n%s", heading, want, rest)
	}
	for _, line := range lines {
		_, value, _ := strings.Cut(line, " = ")
		if value == "" || !strings.Contains(string(text), value) {
			t.Errorf("the file has not the value of %q:\n%s", line, text)
		}
	}
}

// The table of a car names the file that has each number; a car file with unknown keys is refused, as by manoeuvres.
func TestCarNamesTheOriginOfItsNumbers(t *testing.T) {
	testrun.Slow(t)
	library := built.Library(t)
	car, model := filepath.Join(t.TempDir(), "car.toml"), shippedFile("models", "passenger_car.toml")
	stated := `[roles]
brake = { factor = 8000 }
rolling_radius = [0.31, 0.5]
`
	if err := os.WriteFile(car, []byte(stated), 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := try("car", model, "--car", car, "--library", library)
	for number, file := range map[string]string{"steering_ratio": model, "open": model, "body_rear": model,
		"brake_factor": car, "radius_1": car} {
		line := regexp.MustCompile("(?m)^" + number + " .* \\[roles\\] of (.*)$").FindStringSubmatch(stdout)
		if line == nil || line[1] != file {
			t.Errorf("%s: %q; want %s", number, line, file)
		}
	}
	for _, want := range []string{car + ":2:20: roles.brake.factor is 8000, and the vehicle needs 355", // its wheels lock
		car + ":3:25: roles.rolling_radius of axle 2 is 0.5 m, and its wheels have 0.3064 m"} {
		if status != 0 || strings.Count(stderr, want) != 1 || strings.Count(stderr, "\n") != 2 {
			t.Errorf("status %d, %s; want %s", status, stderr, want)
		}
	}
	for _, text := range []string{"[role]\n", "[constant]\n", "foo = 3\n"} {
		if err := os.WriteFile(car, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		status, stdout, stderr := try("car", model, "--car", car, "--library", library)
		if status != 1 || stdout != "" || !strings.Contains(stderr, car+":1:") || !strings.Contains(stderr, "unknown key") {
			t.Errorf("%q: status %d, %s%s", text, status, stdout, stderr)
		}
	}
}

// If start values are steady only with inputs and parameters of --set, trim writes a comment with these names, in place
// of an earlier comment; the speed of a vehicle at rest is written itself.
func TestTrimNamesUnwrittenSettings(t *testing.T) {
	testrun.Slow(t)
	base, err := filepath.Abs(shippedFile("models", "passenger_car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(file, []byte("base = '"+base+`'
name = "Mine"
title = "Mine"
`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set   []string
		names string
	}{
		{[]string{"--set", "body.vx=0", "--set", "sprung=1.2 t", "--set", "steering.angle=0.1"},
			"sprung = 1200 kg, steering.angle = 0.1"},
		{[]string{"--set", "sprung=1.1 t"}, "sprung = 1100 kg"},
		{nil, ""},
	} {
		status, stdout, stderr := try(append([]string{"trim", file, "--write", "--library",
			built.Library(t)}, c.set...)...)
		text, err := os.ReadFile(file)
		if err != nil || status != 0 {
			t.Fatalf("%v: status %d, %v, %s%s", c.set, status, err, stdout, stderr)
		}
		said := "mine.toml: the start values are steady with " + c.names + " of --set, which the file does not have\n"
		if (c.names != "") != strings.Contains(stderr, said) {
			t.Errorf("%v: %s; want %s", c.set, stderr, said)
		}
		_, comment, _ := strings.Cut(string(text), "# The start values are those of skidpad trim with ")
		if want := c.names + ", which this file does not have.\n"; c.names != "" && comment != want ||
			c.names == "" && comment != "" {
			t.Errorf("%v: the comment ends in %q; want %q", c.set, comment, want)
		}
		if !strings.Contains(string(text), "velocity = [0, 0, 0]") {
			t.Errorf("%v: the speed is not 0 in\n%s", c.set, text)
		}
	}
}

// If a role names a component that the vehicle lacks, every command reports the position of the role. If the component
// exists and the name behind it is wrong, the roles are not at fault.
func TestPlacesOfWrongRoles(t *testing.T) {
	testrun.Slow(t)
	model := shippedFile("models", "generic4w.toml")
	for _, c := range []struct{ command, roles, says string }{
		{"simulate", `chassis = "bodi"`, ":2:11: roles.chassis is \"bodi\": "},
		{"simulate", `chassis = "road"`, ":2:11: roles.chassis is \"road\": "},
		{"simulate --set body.mas=1", "wheelbase = 2.84", "simulate: the model has no variable \"body.mas\""},
		{"simulate --set tire_FL.nix=1", "wheelbase = 2.84", "simulate: the model has no variable \"tire_FL.nix\""},
		{"simulate --set road.nix=1", "wheelbase = 2.84", "simulate: the model has no variable \"road.nix\""},
		{"sweep --param body.mass=1,2", `axles = [["tire_FL", "tire_FR"], ["tire_LR", "tire_RR"]]`,
			":2:35: roles.axles is \"tire_LR\": run 1: "},
		{"sweep --param body.mas=1,2", "wheelbase = 2.84", "sweep: run 1: the model has no variable \"body.mas\""},
		{"linearize", `chassis = "bodi"`, ":2:11: roles.chassis is \"bodi\": model GenericVehicle has no rigid body"},
		{"linearize", `steering = { drivers = ["steer_LF"], ratio = 16 }`,
			":2:25: roles.steering is \"steer_LF\": there is"},
	} {
		car := filepath.Join(t.TempDir(), "car.toml")
		if err := os.WriteFile(car, []byte("[roles]\n"+c.roles+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		args := append(strings.Fields(c.command), model, "--car", car)
		if args[0] == "linearize" {
			args = append(args, "--at", "body.vx=20", "--free", "drive_RL.torque,drive_RR.torque", "--handling")
		} else {
			args = append(args, "--manoeuvre", shippedFile("manoeuvres", "step_steer.toml"), "--no-prerun", "--duration", "0.01")
		}
		if status, _, stderr := try(append(args, core(t)...)...); status != 1 || !strings.Contains(stderr, c.says) {
			t.Errorf("%s with %s: status %d, %s; want %s", c.command, c.roles, status, stderr, c.says)
		}
	}
}

// A statement of a car file that the vehicle contradicts is a warning of car, and of commands that run a manoeuvre with
// this statement; a statement of the model file causes one warning.
func TestContradictingCarFilesAreWarnedOf(t *testing.T) {
	testrun.Slow(t)
	library := built.Library(t)
	base, err := filepath.Abs(shippedFile("models", "passenger_car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	car, model := filepath.Join(folder, "car.toml"), filepath.Join(folder, "wide.toml")
	for file, text := range map[string]string{
		car: `[roles]
steering = { ratio = 60 }
wheelbase = 2579
`,
		model: "base = '" + base + `'
name = "Wide"
title = "Wide"
[roles.outline]
width = 1645
`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	straight := []string{"--manoeuvre", shippedFile("manoeuvres", "circle_angle.toml"), "--car", car}
	for name, arguments := range map[string][]string{
		"car":      {"car", base, "--car", car},
		"simulate": append([]string{"simulate", base, "--duration", "0.01"}, straight...),
		"sweep":    append([]string{"sweep", base, "--duration", "0.01", "--param", "front_bar=1000"}, straight...),
	} {
		status, _, stderr := try(append(arguments, "--library", library)...)
		for _, want := range []string{
			"warning: " + car + ":2:22: roles.steering.ratio is 60, and the vehicle turns as with 19",
			"warning: " + car + ":3:13: roles.wheelbase is 2579 m, and the axles are 2.579 m apart"} {
			if status != 0 || strings.Count(stderr, want) != 1 {
				t.Errorf("%s: status %d, %q is not once in: %s", name, status, want, stderr)
			}
		}
	}
	status, stdout, stderr := try("car", model, "--library", library)
	if status != 0 || strings.Count(stderr, "roles.outline.width is 1645 m") != 1 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
}
