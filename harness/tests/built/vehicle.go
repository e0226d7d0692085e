package built

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// WithTestdata writes a generic vehicle with the components of a file of testdata, and more in its steering.
func WithTestdata(t testing.TB, file, steering string) string {
	more, err := os.ReadFile(Path("harness", "testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return WithMore(t, strings.Replace(string(more), "type = \"steering\"\n", "type = \"steering\"\n"+steering, 1))
}

// WithMore writes a generic vehicle with more components, and its tires beside it.
func WithMore(t testing.TB, components string) string {
	t.Helper()
	resources, folder := Path("resources"), t.TempDir()
	read := func(path ...string) []byte {
		data, err := os.ReadFile(filepath.Join(path...))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	write := func(data []byte, path ...string) string {
		to := filepath.Join(folder, filepath.Join(path...))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o644)); err != nil {
			t.Fatal(err)
		}
		return to
	}
	for _, tire := range []string{"pacejka2002.toml", "stretched_string.toml"} {
		write(read(resources, "tires", tire), "tires", tire)
	}
	vehicle := WithoutRoles(string(read(resources, "models", "generic4w.toml")))
	return write([]byte(vehicle+components), "models", "more.toml")
}

// WithoutRoles is a model file without its roles, which a vehicle with other components would not have.
func WithoutRoles(text string) string {
	var kept strings.Builder
	inRoles := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "[") {
			inRoles = strings.HasPrefix(strings.Trim(line, "[ "), "roles")
		}
		if !inRoles {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// Phased is a manoeuvre of phases that broken ones are made of.
const Phased = `name = "test"
title = "Test"
models = ["Toy"]
step = 0.01

[constants]
ratio = 16.0
wide = "2*ratio"

[steering]
drivers = ["steer"]
ratio = "ratio"

[speed_control]
variable = "body.vx"
torques = ["drive.torque"]
proportional = 4000.0
integral = 4000.0
limit = 3000.0

[path_follower]
body = "body"
preview = 0.5
proportional = 2.0
integral = 1.0
lag = 0.1
rate = 10.0
limit = 8.0

[[stop]]
verdict = "far away"
when = { formula = "body.x", above = 1e6 }

[[phase]]
name = "wait"
duration = 0.5

[[phase]]
name = "turn"
until = { formula = "body.yaw", above = 0.6 }
timeout = 2.0
steering = { kind = "piecewise-linear", time = [0.0, 1.0], value = [0.0, "wide/20"] }

[[phase]]
name = "hold"
duration = 1.0
speed = { kind = "constant", value = 12.0 }
`
