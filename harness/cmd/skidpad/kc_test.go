package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

func TestKCMeasuresAShippedCarFromAnyFolder(t *testing.T) {
	testrun.Slow(t)
	t.Chdir(t.TempDir())
	status, stdout, stderr := try("kc", "passenger_car", "--hold-at-zero", "toe_FL,toe_FR,camber_FL,camber_FR", "--test",
		"bounce,steer", "--out", "front")
	if status != 0 || !strings.Contains(strings.Join(strings.Fields(stdout), " "), "-4.0107 -4.0107 deg/m") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	for _, name := range []string{"figures.json", "kc.csv", "points.csv", "report.html"} {
		if text, err := os.ReadFile(filepath.Join("front", name)); err != nil || len(text) < 150 {
			t.Errorf("%s: %v, %d bytes", name, err, len(text))
		}
	}
	status, stdout, stderr = try("kc", "passenger_car", "--axle", "2", "--sensitivities", "--out", "rear")
	if status != 0 || !strings.Contains(stdout, "wheel rate, N/mm\n  rear_spring +0.19") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	if text, err := os.ReadFile(filepath.Join("rear", "sensitivities.csv")); err != nil || len(text) < 1000 {
		t.Errorf("%v, %d bytes", err, len(text))
	}
	status, stdout, stderr = try("report", "rear", "front", "--names", "reference,other", "--out", "both.html")
	if text, err := os.ReadFile("both.html"); status != 0 || err != nil ||
		!strings.Contains(string(text), "Set-ups compared with reference") || !strings.Contains(string(text), "other, left") {
		t.Errorf("status %d, %s\n%s, %v", status, stderr, stdout, err)
	}
	status, stdout, stderr = try("kc", "passenger_car", "--axle", "2", "--test", "steer", "--out", "rear", "--json")
	if status != 0 || !strings.Contains(stdout, `"missing": "steering does not turn the left wheel"`) ||
		!strings.Contains(stderr, "note: steer has no curve") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
}

func TestKCPrintsForcesOfLoadCases(t *testing.T) {
	testrun.Slow(t)
	t.Chdir(t.TempDir())
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile("cases.toml", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("[[case]]\nname = \"kerb\"\nleft = { pad = \"9 kN\" }\nright = { pad = 9000 }\n")
	status, stdout, stderr := try("kc", "passenger_car", "--axle", "2", "--forces", "cases.toml", "--out", "rear")
	if status != 0 || !strings.Contains(stdout, "kerb: pads 9000 and 9000 N") || !strings.Contains(stdout, "-8687.1") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	text, err := os.ReadFile(filepath.Join("rear", "forces.csv"))
	if err != nil || !strings.Contains(string(text), "susp_RL") {
		t.Errorf("%v, %s", err, text)
	}
	write("[[case]]\nname = \"kerb\"\nleft = { travel = \"3 m\" }\n")
	status, _, stderr = try("kc", "passenger_car", "--axle", "2", "--forces", "cases.toml")
	if status != 1 || !strings.Contains(stderr, `case "kerb"`) {
		t.Errorf("status %d, %s", status, stderr)
	}
}

func TestKCComparesTargets(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "[[target]]\nfigure = \"wheel_rate\"\nvalue = \"30 N/mm\"\ntolerance = \"20 N/mm\"\n"
	if err := os.WriteFile("targets.toml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := try("kc", "passenger_car", "--axle", "2", "--target", "targets.toml")
	if status != 0 || !strings.Contains(strings.Join(strings.Fields(stdout), " "), "30 +- 20 pass N/mm") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	status, _, stderr = try("kc", "passenger_car", "--target", "no.toml")
	if status != 1 || !strings.Contains(stderr, "no.toml") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

func TestKCPrintsShares(t *testing.T) {
	testrun.Slow(t)
	t.Chdir(t.TempDir())
	status, stdout, stderr := try("kc", "passenger_car", "--shares", "--test", "bounce", "--out", "front")
	if status != 0 || !strings.Contains(stdout, "toe_bushing_FL +0.111") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	if text, err := os.ReadFile(filepath.Join("front", "shares.csv")); err != nil || len(text) < 1000 {
		t.Errorf("%v, %d bytes", err, len(text))
	}
}

// A spring of the unit that the flag names replaces the spring of the file.
func TestKCSetsParameters(t *testing.T) {
	status, stdout, stderr := try("kc", "passenger_car", "--axle", "2", "--set", "rear_spring=39.258 N/mm", "--json")
	at := strings.Index(stdout, `"wheel_rate"`)
	if status != 0 || at < 0 || !strings.Contains(stdout[at:at+200], `"left": 38`) {
		t.Errorf("status %d, %s, %s", status, stderr, stdout[max(at, 0):])
	}
}

func TestKCRefuses(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"passenger_car", "--axle", "3"}, 1, "axles 1 to 2"},
		{[]string{"passenger_car", "--rack", "loose"}, 2, "held, free or a stiffness"},
		{[]string{"passenger_car", "--rack", "-5"}, 2, "stiffness above 0"},
		{[]string{"passenger_car", "--hold", "both"}, 2, "height or load"},
		{[]string{"passenger_car", "--test", "bump"}, 2, "bounce"},
		{[]string{"passenger_car", "--hold-at-zero", "toe_LF"}, 1, "toe_FL"},
		{[]string{"passenger_car", "--radius", "-0.3"}, 2, "above 0"},
		{[]string{"passenger_car", "--set", "front_sprin=1"}, 1, `did you mean "front_spring"`},
		{[]string{"passenger_car", "--set", "front_spring=2 kg"}, 1, "kg"},
		{[]string{"passenger_car", "--set", "front_spring=stiff"}, 2, "a number"},
		{[]string{"double_pendulum"}, 1, "axles"},
	} {
		status, _, stderr := try(append([]string{"kc"}, c.args...)...)
		if status != c.status || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: status %d, %s", c.args, status, stderr)
		}
	}
}

func TestKCTuneMovesParameters(t *testing.T) {
	testrun.Slow(t)
	held := "toe_FL,toe_FR,camber_FL,camber_FR"
	status, stdout, stderr := try("kc", "tune", "passenger_car", "--hold-at-zero", held, "--target",
		"roll_centre=70 mm", "--move", "front_half_track=0.2 m")
	if status != 0 || !strings.Contains(stdout, "front_half_track  0.6934") ||
		!strings.Contains(strings.Join(strings.Fields(stdout), " "), "roll centre, kinematic 60.244 70 mm") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	for says, args := range map[string][]string{
		"--move":       {"--target", "roll_centre=0.07"},
		"above 0":      {"--target", "roll_centre=0.07", "--move", "front_half_track=0"},
		"a number":     {"--target", "roll_centre=high", "--move", "front_half_track=0.1"},
		"kg":           {"--target", "roll_centre=5 kg", "--move", "front_half_track=0.1"},
		"cannot reach": {"--target", "roll_centre=0.07", "--move", "front_half_track=0.01"},
	} {
		if status, _, stderr := try(append([]string{"kc", "tune", "passenger_car"}, args...)...); status == 0 ||
			!strings.Contains(stderr, says) {
			t.Errorf("%v: status %d, %s", args, status, stderr)
		}
	}
}
