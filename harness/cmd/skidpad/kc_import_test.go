package main

import (
	"os"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// The tables of a rear axle become a corner that kc measures, and the output has what the tables lack.
func TestKCImportWritesACorner(t *testing.T) {
	testrun.Slow(t)
	t.Chdir(t.TempDir())
	if status, _, stderr := try("kc", "passenger_car", "--axle", "2", "--test", "bounce,roll", "--out",
		"rear"); status != 0 {
		t.Fatal(stderr)
	}
	status, stdout, stderr := try("kc", "import", "rear", "-o", "corner.toml", "--unsprung", "31.9", "--wheel", "17")
	if status != 0 || !strings.Contains(strings.Join(strings.Fields(stdout), " "), "bounce toe-in 1.4596 1.4596 deg/m") ||
		!strings.Contains(stdout, `bar_R = { type = "anti-roll-bar"`) || !strings.Contains(stdout, `file = "corner.toml"`) {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
	for _, want := range []string{`note: not used: "camber_front_view_left [rad]"`,
		"note: no test aligning_parallel or aligning_opposed, and so no compliance of toe"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%q lacks %q", stderr, want)
		}
	}
	if err := os.WriteFile("axle.toml", []byte(`name = "Axle"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 700, inertia = { xx = 300, yy = 900, zz = 900 }, start = { position = [0, 0,
	0.6] } }
[use.R]
file = "corner.toml"
at = ["L", "R"]
frames = { chassis = "body", road = "road" }
parameters = { centre = "-312 mm" }
[roles]
chassis = "body"
axles = [["tire_RL", "tire_RR"]]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, stdout, stderr = try("kc", "axle.toml"); status != 0 ||
		!strings.Contains(strings.Join(strings.Fields(stdout), " "), "(bump steer) 1.4596 1.4596 deg/m") {
		t.Errorf("status %d, %s\n%s", status, stderr, stdout)
	}
}

func TestKCImportRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for arguments, want := range map[string]string{
		"":                         "the tables have no masses: give --unsprung and --wheel",
		"--unsprung 20 --wheel 30": "the tables have no masses: give --unsprung and --wheel",
		"--unsprung NaN --wheel 3": "the tables have no masses: give --unsprung and --wheel",
		"--unsprung 30 --wheel 20": "none",
		"--damping -1":             "--damping must be from 0 to 1e6 N.s/m",
		"--radius 300":             "--radius must be from 0.1 to 2 m",
		"--side both":              `--side "both": write mean, left, right`,
		"--out corner.csv":         "--out corner.csv",
		"--names missing.toml":     "missing.toml",
	} {
		list := []string{"kc", "import", "none"}
		if !strings.Contains(arguments, "--unsprung") && arguments != "" {
			list = append(list, "--unsprung", "30", "--wheel", "20")
		}
		status, _, stderr := try(append(list, strings.Fields(arguments)...)...)
		if status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, %s; want %q", arguments, status, stderr, want)
		}
	}
}
