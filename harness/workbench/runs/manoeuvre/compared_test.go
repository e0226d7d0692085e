package manoeuvre

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model/document"
	"skidpad/model/roles"
)

// Statements of a car file that a manoeuvre uses are compared with the vehicle. Numbers that are unused, or that the
// vehicle itself states, are not determined.
func TestCarFilesAreComparedWithTheVehicle(t *testing.T) {
	own, err := document.Parse([]byte(`[roles]
chassis = "body"
axles = [["FL", "FR"], ["RL", "RR"]]
steering = { input = "steering.angle", ratio = 99 }
wheelbase = 99
`), "own.toml")
	if err != nil {
		t.Fatal(err)
	}
	const manoeuvre = `name = "straight"
title = "Straight"
cars = "cars"
step = 0.01
duration = 1
[constants]
speed = 20
used = "WORD"
`
	for name, c := range map[string]struct {
		car, word string
		want      string // "" for none
		sought    bool
	}{
		"wheelbase": {"wheelbase = 2500", "wheelbase", "car.toml:2:13: roles.wheelbase is 2500 m, and the axles are " +
			"2.5 m", true},
		"right wheelbase": {"wheelbase = 2.6", "wheelbase", "", true},
		"not used":        {"wheelbase = 2500", "speed", "", false},
		"ratio": {"steering = { ratio = 60 }", "steering_ratio", "car.toml:2:22: roles.steering.ratio is 60, and the " +
			"vehicle turns as with 16", true},
		"ratio of drivers": {`steering = { drivers = ["steer"], ratio = 60 }`, "steering_ratio",
			"correct the axes or the " +
				"list of the drivers", true},
		"steering without a ratio": {`steering = { input = "steering.angle" }`, "steering_ratio", "", false},
		"width": {"outline = { width = 1645, front = 2, rear = 2 }", "body_width", "car.toml:2:21: roles.outline.width is " +
			"1645 m, and the widest axle has a track of 1.5 m", true},
		"front": {"outline = { width = 2, front = 2000, rear = 2 }", "body_front",
			"car.toml:2:32: roles.outline is 2002 m", true},
		"rear": {"outline = { width = 2, front = 2, rear = 2000 }", "body_rear",
			"car.toml:2:42: roles.outline is 2002 m", true},
		"understeer": {"understeer = 0.03", "understeer", "car.toml:2:14: roles.understeer is 0.03 rad/(m/s2), and the " +
			"vehicle has 0.0006", true},
		"right understeer": {"understeer = 0.005", "understeer", "", true},
		"brakes": {"brake = { input = \"brakes.torque\", factor = 42 }\nwheelbase = 2.5", "wheelbase",
			"car.toml:2:45: roles.brake.factor is 42, and the vehicle needs 421.8 for a deceleration of 1 m/s2", true},
		"right brakes": {"brake = [{ input = \"brakes.torque\", factor = 300 }]\nwheelbase = 2.5", "wheelbase", "", true},
		"radii": {"rolling_radius = [0.2, 0.32]\nwheelbase = 2.5", "wheelbase",
			"car.toml:2:19: roles.rolling_radius of axle 1 is 0.2 m, and its wheels have 0.31 m", true},
		"a throttle": {`throttle = { input = "engine.throttle" }`, "closed", "", false},
		"no roles":   {"", "wheelbase", "", false},
		"not listed": {"outline = { width = 2, front = 2, rear = 2 }", "wheelbase", "", false},
	} {
		folder := t.TempDir()
		car := filepath.Join(folder, "car.toml")
		table := ""
		if c.car != "" {
			table = "[roles]\n" + c.car + "\n"
		}
		path := filepath.Join(folder, "straight.toml")
		for file, text := range map[string]string{car: table, path: strings.Replace(manoeuvre, "WORD", c.word, 1)} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		sought := 0
		target := Target{Model: "Car", Car: car, Roles: own.Field("roles"),
			Find: func(*roles.Roles) (map[string]float64, error) {
				sought++
				return map[string]float64{"wheelbase": 2.5, "track_1": 1.4, "track_2": 1.5, "steering_ratio": -16,
					"radius_1": 0.31, "radius_2": 0.31, "brake_factor": 421.8, "understeer": 0.0006}, nil
			}}
		m, err := ReadFor(target, path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		notes := strings.Join(m.CarNotes(), "\n")
		if (sought == 1) != c.sought || (notes == "") != (c.want == "") || !strings.Contains(notes, c.want) ||
			notes != "" && (!strings.HasPrefix(notes, "warning: ") || strings.Contains(notes, "\n")) {
			t.Errorf("%s: sought %d times, %q is not in: %s", name, sought, c.want, notes)
		}
		target.Find = func(*roles.Roles) (map[string]float64, error) { return nil, errors.New("it falls") }
		if m, err := ReadFor(target, path); err != nil || len(m.CarNotes()) > 0 {
			t.Errorf("%s: where nothing can be found: %v", name, err)
		}
	}
}
