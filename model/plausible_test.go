package model_test

import (
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model"
	"skidpad/model/bounded"
)

// Shipped models are plausible.
func TestShippedModelsAreWithoutDoubts(t *testing.T) {
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		m, err := model.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range m.Warnings {
			t.Error(w)
		}
	}
}

// plainCar is a car of prismatic suspensions; its numbers are those of a shipped one, or of the case.
const plainCar = `name = "Plain"
gravity = 9.81
[component.road]
type = "terrain"
[component.body]
type = "rigid-body"
mass = "1200 kg"
inertia = { xx = 500, yy = 2000, zz = 2200 }
start = { position = [0, 0, 0.6] }
[use.F]
file = "../subsystems/corner.toml"
at = ["L", "R"]
frames = { chassis = "body", road = "road" }
parameters = { x = 1.2 }
[use.R]
file = "../subsystems/corner.toml"
at = ["L", "R"]
frames = { chassis = "body", road = "road" }
parameters = { x = -1.3 }
`

// plainCorner is steered about an axis with a trail of 0.1 tan(castor), for a radius of 0.3.
const plainCorner = `kind = "subsystem"
title = "Corner"
frames = ["chassis", "road"]
sides = "left"
[parameters]
x = { unit = "m" }
half_track = { value = 0.75, unit = "m" }
[component.place]
type = "rigid-arm"
from = "chassis"
to = "place"
translation = ["x", "half_track", -0.3]
[component.susp]
type = "prismatic"
from = "place"
to = "hub"
axis = "z"
start = { s = 0.0 }
[component.spring]
type = "spring-damper"
joint = "susp"
stiffness = 25000
free_length = -0.1177
damping = 2000
[component.steer]
type = "motion-driver"
from = "hub"
to = "knuckle"
axis = [-0.1, 0, 1]
[component.arm]
type = "rigid-arm"
from = "knuckle"
to = "spindle"
translation = [0, 0.05, 0]
[component.upright]
type = "rigid-body"
frame = "spindle"
mass = 15
inertia = { xx = 0.4, yy = 0.3, zz = 0.4 }
[component.wheel]
type = "revolute"
from = "spindle"
to = "tire"
axis = "y"
[component.tire]
type = "tire"
road = "road"
side = "left"
mass = 17
inertia = { axial = 0.9, transverse = 0.5 }
unloaded_radius = 0.3
vertical_stiffness = 2.08e5
rolling_radius = { method = "loaded" }
slip = { method = "kinematic" }
force = { function = "MF61", file = "../tires/mf61_205_60R15.tir" }
`

// parsePlain reads the plain car with changes: what is replaced, by what, in turn.
func parsePlain(t *testing.T, changes ...string) (*model.Model, error) {
	t.Helper()
	car, corner := plainCar, plainCorner
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(car+corner, changes[i]) {
			t.Fatalf("nothing says %q", changes[i])
		}
		car = strings.ReplaceAll(car, changes[i], changes[i+1])
		corner = strings.ReplaceAll(corner, changes[i], changes[i+1])
	}
	shipped := model.Opener("../resources/models/plain.toml")
	return model.Parse([]byte(car), "plain.toml", func(l bounded.Kind, name string) ([]byte, error) {
		if strings.HasSuffix(name, "corner.toml") {
			return []byte(corner), nil
		}
		return shipped(l, name)
	})
}

// axles are roles of the plain car.
const axles = "gravity = 9.81\n[roles]\n" + `axles = [["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]`

// What a file may say and hardly means is a warning with its place, the components, and a remedy; what is on the wrong
// side is an error.
func TestWhatIsHardlyMeant(t *testing.T) {
	if m, err := parsePlain(t); err != nil || len(m.Warnings) > 0 {
		t.Fatal(err, m.Warnings)
	}
	for _, c := range []struct {
		name    string
		changes []string
		wanted  []string // parts of the only message
		refused bool
	}{
		{"gravity up", []string{"gravity = 9.81", "gravity = [0, 0.5, 9.81]"},
			[]string{"plain.toml:2:20: gravity points up", "[0, 0.5, -9.81]"}, false},
		{"spring pulls", []string{"free_length = -0.1177", "free_length = 0.1177"},
			[]string{"../subsystems/corner.toml:23:15: the spring of susp_FL pulls the wheel up at the start, by 2.94e+03 N",
				"free_length", "(use F: spring_FL, spring_FR)", "(use R: spring_RL, spring_RR)"}, false},
		{"a spring on an axis that points down pulls", []string{"axis = \"z\"", "axis = [0, 0, -1]"},
			[]string{"the spring of susp_FL pulls", "joint's axis"}, false},
		{"damping in N.s/mm read as N.s/m", []string{"damping = 2000", "damping = 40000"},
			[]string{"corner.toml:24:11: the damping on susp_FL is 4e+04", "times the critical one", "unit"}, false},
		{"castor", []string{"[-0.1, 0, 1]", "[0.1, 0, 1]"},
			[]string{"corner.toml:29:1: the steering axis of steer_FL leans forward (castor -5.7 deg)", "rearward"}, false},
		{"trail", []string{"translation = [0, 0.05, 0]", "translation = [0.05, 0.05, 0]"},
			[]string{"the steering axis of steer_FL meets the road 0.02 m behind the wheel tire_FL"}, false},
		{"a car of grams", []string{"1200 kg", "1200 g", "mass = 15", "mass = 1", "mass = 17", "mass = 1",
			"-0.1177", "-0.002", "damping = 2000", "damping = 20"},
			[]string{"the vehicle has a mass of 9.2 kg in all, with 4 wheels", "unit"}, false},
		{"a track in mm", []string{"value = 0.75", "value = 750"},
			[]string{"tire_FL and tire_FR are 1500 m apart", "760 mm"}, false},
		{"a rear axle with the sign of a front one", []string{"x = -1.3", "x = 1.3", "gravity = 9.81", axles},
			[]string{"plain.toml:4:35: axle 2 with tire_RL stands at x = 1.3 m, not behind axle 1 at 1.2 m", "sign"}, false},
		{"sides changed",
			[]string{"gravity = 9.81", strings.ReplaceAll(axles, `"tire_RL", "tire_RR"`, `"tire_RR", "tire_RL"`)},
			[]string{"plain.toml:4:35: axle 2 lists tire_RR at the left", "right of tire_RL (y is -0.8 and 0.8 m)"}, false},
		{"the left side on the right", []string{"value = 0.75", "value = -0.75"},
			[]string{"corner.toml:48:8: tire_FL is not on its side: its y is -0.7 m, seen from body", "positive y is left",
				"(use F: tire_FL, tire_FR)", "(use R: tire_RL, tire_RR)"}, true},
	} {
		m, err := parsePlain(t, c.changes...)
		text := ""
		if err != nil {
			text = err.Error()
		} else {
			text = strings.Join(m.Warnings, "\n")
		}
		if (err != nil) != c.refused || strings.Contains(text, "\n") {
			t.Errorf("%s: refused %v, %s", c.name, err != nil, text)
		}
		for _, want := range c.wanted {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not in: %s", c.name, want, text)
			}
		}
	}
}

// A guide's outward direction is that of its frame: turned about, its left is on the right.
func TestSidesOfGuides(t *testing.T) {
	guide := []string{"type = \"prismatic\"", "type = \"suspension\"\nside = \"left\"",
		"axis = \"z\"\nstart = { s = 0.0 }", ""}
	if m, err := parsePlain(t, guide...); err != nil || len(m.Warnings) > 0 {
		t.Fatal(err, m.Warnings)
	}
	turned := append(guide, "\"half_track\", -0.3]", "\"half_track\", -0.3]\nangles = [\"180 deg\", 0, 0]",
		"translation = [0, 0.05, 0]", "translation = [0, -0.05, 0]\nangles = [\"180 deg\", 0, 0]",
		"axis = [-0.1, 0, 1]", "axis = [0.1, 0, 1]")
	if _, err := parsePlain(t, turned...); err == nil || !strings.Contains(err.Error(), "susp_FL is not on its side") {
		t.Error(err)
	}
	if m, err := parsePlain(t, append(turned,
		"\"suspension\"\nside = \"left\"", "\"suspension\"\nside = \"right\"")...); err != nil {
		t.Error(err, m)
	}
}

// Where frames are does not depend on which end of an arm is called its head, and a joint that steers a half of the
// vehicle is no steering axis of a wheel.
func TestLayoutFromEitherEnd(t *testing.T) {
	turned := []string{"from = \"chassis\"\nto = \"place\"\ntranslation = [\"x\", \"half_track\", -0.3]",
		"from = \"place\"\nto = \"chassis\"\nangles = [\"90 deg\", 0, 0]\ntranslation = [\"half_track\", \"-x\", 0.3]",
		"translation = [0, 0.05, 0]", "translation = [-0.05, 0, 0]\nangles = [\"90 deg\", 0, 0]",
		"axis = [-0.1, 0, 1]", "axis = [0, -0.1, 1]"}
	if m, err := parsePlain(t, turned...); err != nil || len(m.Warnings) > 0 {
		t.Error(err, m)
	}
	far := []string{"translation = [0, 0.05, 0]", "translation = [0.5, 0.05, 0]"}
	if m, err := parsePlain(t, far...); err != nil || len(m.Warnings) > 0 {
		t.Error(err, m)
	}
}
