package vehicle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// Shipped models are plausible.
func TestShippedModelsGiveNoWarnings(t *testing.T) {
	files, err := filepath.Glob("../../resources/models/*.toml")
	if err != nil || len(files) < 30 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		m, err := vehicle.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range m.Warnings {
			t.Error(w)
		}
	}
}

// plainCar is a car with prismatic suspensions; its numbers come from a shipped car, or from the case.
const plainCar = `name = "Plain"
gravity = 9.81
[component.road]
type = "terrain"
[component.body]
type = "rigid-body"
mass = "1200 kg"
inertia = { xx = 500, yy = 2000, zz = 2200 }
start = { position = [0, 0, 0.585] }
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

// parsePlain reads the plain car with changes: pairs of an old text and its replacement.
func parsePlain(t *testing.T, changes ...string) (*vehicle.Model, error) {
	t.Helper()
	car, corner := plainCar, plainCorner
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(car+corner, changes[i]) {
			t.Fatalf("nothing says %q", changes[i])
		}
		car = strings.ReplaceAll(car, changes[i], changes[i+1])
		corner = strings.ReplaceAll(corner, changes[i], changes[i+1])
	}
	shipped := vehicle.Opener("../../resources/models/plain.toml")
	return vehicle.Parse([]byte(car), "plain.toml", func(l bounded.Kind, name string) ([]byte, error) {
		if strings.HasSuffix(name, "corner.toml") {
			return []byte(corner), nil
		}
		return shipped(l, name)
	})
}

// axles are roles of the plain car.
const axles = `gravity = 9.81
[roles]
axles = [["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]`

// driver drives a wheel of the plain corner by a torque.
const driver = `[component.drive]
type = "torque-driver"
from = "spindle"
to = "tire"
axis = "y"
[component.tire]`

// steered are lines of a steering in the plain car, with keys and wheels.
func steered(keys, wheels string) string {
	return `gravity = 9.81
[component.steering]
type = "steering"
ratio = 16
` + keys + "\nwheels = [" + wheels + "]"
}

// bar are lines of an anti-roll bar in the plain car.
func bar(stiffness string) string {
	return `gravity = 9.81
[component.bar]
type = "anti-roll-bar"
left = "susp_FL"
right = "susp_FR"
stiffness = ` +
		stiffness
}

// differential are lines of one that drives the rear wheels of the plain car, with its housing.
func differential(housing string) string {
	return `[component.final_drive]
type = "differential"
outputs = ["wheel_RL", "wheel_RR"]
housing = "` +
		housing + `"
ratio = 3.6
`
}

// Allowed but implausible values are warnings with place, components and remedy; parts on the wrong side are errors.
func TestImplausibleValuesAreWarnings(t *testing.T) {
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
		{"a measured inertia", []string{"zz = 2200", "zz = 2740"},
			[]string{"plain.toml:8:11: of the principal moments 500, 2000, 2740 kg m2 of body the largest exceeds the sum of " +
				"the others by 9.6 %", "errors of a measurement"}, false},
		{"an inertia that no body has", []string{"zz = 2200", "zz = 2760"},
			[]string{"plain.toml:8:11: body.inertia is not physical", "by 10.4 %", "set allow_unphysical = \"yes\""}, true},
		{"a measured inertia of a wheel", []string{"axial = 0.9, transverse = 0.5", "axial = 1.05, transverse = 0.5"},
			[]string{"corner.toml:50:11: of the principal moments 0.5, 0.5, 1.05 kg m2 of tire_FL the largest exceeds the sum"},
			false},
		{"spring pulls", []string{"free_length = -0.1177", "free_length = 0.1177"},
			[]string{"../subsystems/corner.toml:23:15: the spring of susp_FL pulls the wheel up at the start, by 2.94e+03 N",
				"free_length", "(use F: spring_FL, spring_FR)", "(use R: spring_RL, spring_RR)"}, false},
		{"a spring on an axis that points down pulls", []string{`axis = "z"`, "axis = [0, 0, -1]"},
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
		{"a track as a half track", []string{"half_track = { value = 0.75", "half_track = { value = 1.5"},
			[]string{"corner.toml:45:12: tire_FL and tire_FR are 3.1 m apart, with wheels of a radius of 0.3 m and a " +
				"wheelbase of 2.5 m; a half_track is half of the track", "halve it if 1.55 m is the track",
				"(use F, at L: tire_FL)"}, false},
		{"a track as a half track, of a small car", []string{"half_track = { value = 0.75", "half_track = { value = 1.2",
			"x = 1.2", "x = 0.9"},
			[]string{"tire_FL and tire_FR are 2.5 m apart"}, false},
		{"a track as a half track, of a long van", []string{"half_track = { value = 0.75", "half_track = { value = 1.5",
			"x = 1.2", "x = 2"},
			[]string{"tire_FL and tire_FR are 3.1 m apart"}, false},
		{"a track as a half track, at the rear only", []string{"x = -1.3", "x = -1.3, half_track = 0.86",
			"half_track = { value = 0.75", "half_track = { value = 0.48"},
			[]string{"tire_RL and tire_RR are 1.82 m apart", "another axle has a track of 1.06 m"}, false},
		{"a rear axle with the sign of a front one", []string{"x = -1.3", "x = 1.3", "gravity = 9.81", axles},
			[]string{"plain.toml:4:35: axle 2 with tire_RL stands at x = 1.3 m, not behind axle 1 at 1.2 m", "sign"}, false},
		{"sides changed",
			[]string{"gravity = 9.81", strings.ReplaceAll(axles, `"tire_RL", "tire_RR"`, `"tire_RR", "tire_RL"`)},
			[]string{"plain.toml:4:35: axle 2 lists tire_RR at the left", "right of tire_RL (y is -0.8 and 0.8 m)"}, false},
		{"a stiffness in N/mm", []string{"stiffness = 25000", "stiffness = 25"},
			[]string{"corner.toml:22:13: the springs on susp_FL have a stiffness of 25, on which their corner swings at " +
				"0.044 Hz " +
				"(332 kg on them)", "check the unit", "(use R: spring_RL, spring_RR)"}, false},
		{"a stiffness a thousand times too large", []string{"stiffness = 25000", "stiffness = 2.5e7"},
			[]string{"swings at 44 Hz", "check the unit"}, false},
		{"a damper in N.s/mm", []string{"damping = 2000", "damping = 2"},
			[]string{"corner.toml:24:11: the damping on susp_FL is 2, 0.00035 times the critical one", "check the unit"}, false},
		{"springs that bear twice the weight", []string{"free_length = -0.1177", "free_length = -0.25"},
			[]string{"corner.toml:23:15: at the start the springs of the wheels bear 2.5e+04 N in all, 1.9 of the " +
				"weight"}, false},
		{"springs that bear a quarter", []string{"free_length = -0.1177", "free_length = -0.03"},
			[]string{"bear 3e+03 N in all, 0.23 of the weight"}, false},
		{"both axles behind", []string{"x = 1.2", "x = -0.2"},
			[]string{"the centre of mass of body is not between the axles", "x = -1.3 to -0.2 m", "look for a sign"}, false},
		{"both axles in front", []string{"x = -1.3", "x = 0.3"}, []string{"x = 0.3 to 1.2 m"}, false},
		{"a chassis of grams", []string{`mass = "1200 kg"`, `mass = "1.2 kg"`, "mass = 15", "mass = 250",
			"gravity = 9.81", axles + `
chassis = "body"
` + differential("body")},
			[]string{"plain.toml:16:8: the chassis body has 1.2 kg, and upright_FL has 250 kg", "check the units"}, false},
		{"a tire that touches the road", []string{"0.585]", "0.6]"},
			[]string{"tire_FL is 0 m above the road, of a radius of 0.3 m, and bears its share of the weight 0.0157 m " +
				"lower"}, false},
		{"an anti-roll bar a thousand times too stiff", []string{"gravity = 9.81", bar("3e7")},
			[]string{"plain.toml:7:13: the anti-roll bar bar has a stiffness of 3e+07, on which a corner of 332 kg " +
				"swings at 68 Hz"},
			false},
		{"a stiffness of a tire in N/mm", []string{"vertical_stiffness = 2.08e5", "vertical_stiffness = 208"},
			[]string{"corner.toml:52:22: the tire tire_FL deflects by 16 m under an even share of the weight (3.26e+03 N)",
				"vertical_stiffness"}, false},
		{"a stiffness of a tire in N/km", []string{"vertical_stiffness = 2.08e5", "vertical_stiffness = 2.08e8"},
			[]string{"the tire tire_FL deflects by 1.6e-05 m"}, false},
		{"a body too high", []string{"0.585]", "1.2]"},
			[]string{"plain.toml:9:9: at the start the tire tire_FL is 0.6 m above the road, of a radius of 0.3 m, and bears " +
				"its share of the weight 0.616 m lower; correct the position of body", "skidpad trim"}, false},
		{"a body on the ground", []string{"0.585]", "0]"}, []string{"is 0.6 m into the road, of a radius of 0.3 m; " +
			"correct"}, false},
		{"a rear axle too high", []string{"parameters = { x = -1.3 }",
			`parameters = { x = -1.3 }
[use.R.component.place]
translation = ["x", "half_track", 0.1]`},
			[]string{"the tire tire_RL is 0.385 m above the road", "correct the height of its corner or axle"}, false},
		{"a centre of mass below the road", []string{"-0.3]", "0.5]", "0.585]", "-0.215]"},
			[]string{"plain.toml:5:12: the centre of mass of body is 0.2 m below the road", "z = 0.5 m"}, false},
		{"a centre of mass above a bus", []string{"-0.3]", "-2]", "0.585]", "2.3]"},
			[]string{"is 2.3 m above the road, higher than the vehicle is wide (1.6 m)"}, false},
		{"wheels at rest", []string{"0.585]", "0.585], velocity = [20, 0, 0]"},
			[]string{"the vehicle travels at 20 m/s, and its wheels turn at 0 rad/s: wheel_FL, wheel_FR, wheel_RL, wheel_RR;",
				"start = { omega = 66.67 }"}, false},
		{"wheels that turn in rpm", []string{"0.585]", "0.585], velocity = [20, 0, 0]", "to = \"tire\"\naxis = \"y\"",
			`to = "tire"
axis = "y"
start = { omega = 637 }`},
			[]string{"corner.toml:45:9: at the start the vehicle travels at 20 m/s, and its wheels turn at 637 rad/s"}, false},
		{"left and right exchanged", []string{"gravity = 9.81", steered(`wheelbase = 2.5`,
			`{ driver = "steer_FL", lateral = -0.5 }, { driver = "steer_FR", lateral = 0.5 }`)},
			[]string{"plain.toml:7:22: steer_FL turns the wheel tire_FL, which is at y = 0.8 m, and has its kingpin on " +
				"the other " +
				"side, lateral = -0.5", "exchange left and right"}, false},
		{"one wheel to the right", []string{"gravity = 9.81", steered("", `{ driver = "steer_FL" }, { driver = `+
			`"steer_FR" }`) +
			`
[component.steer_FR]
axis = [0.1, 0, -1]`},
			[]string{"plain.toml:9:1: for one angle of the steering steer_FR turns its wheel to the right and steer_FL to the " +
				"left", `axis = "z"`}, false},
		{"one curve to the right", []string{"gravity = 9.81", steered("",
			`{ driver = "steer_FL", angle_curve = [[-1, 1], [1, -1]] }, { driver = "steer_FR" }`)},
			[]string{"steer_FL turns its wheel to the right and steer_FR to the left"}, false},
		{"both wheels to the right", []string{"[-0.1, 0, 1]", "[0.1, 0, -1]", "gravity = 9.81",
			steered("", `{ driver = "steer_FL" }, { driver = "steer_FR" }`)},
			[]string{"a positive angle of the steering turns the front wheel tire_FL to the right"}, false},
		{"drivers from the wheel to the body", []string{"from = \"hub\"\nto = \"knuckle\"", "from = \"knuckle\"\nto = " +
			"\"hub\"",
			"gravity = 9.81", steered("", `{ driver = "steer_FL" }, { driver = "steer_FR" }`)},
			[]string{"turns the front wheel tire_FL to the right"}, false},
		{"a tire just above the road", []string{"0.585]", "0.65]"}, []string{"tire_FL is 0.05 m above the road"}, false},
		{"a differential on ground", []string{"gravity = 9.81", "gravity = 9.81\n" + differential("ground")},
			[]string{"final_drive is carried by \"ground\", which is the road"}, false},
		{"drivers of the roles", []string{"gravity = 9.81", axles + `
steering = { drivers = ["steer_FL", "steer_FR"], ratio = 16 }
[component.steer_FL]
axis = [0.1, 0, -1]`},
			[]string{"steer_FL turns its wheel to the right and steer_FR to the left"}, false},
		{"a throttle on one wheel", []string{"gravity = 9.81", axles + "\nthrottle = { input = \"drive_RR.torque\" }",
			"[component.tire]", driver},
			[]string{"plain.toml:5:22: the throttle, drive_RR.torque, drives tire_RR and not tire_RL, the other wheel of axle 2",
				"drive_RL.torque"}, false},
		{"a throttle on one wheel, by a driver from the tire", []string{"gravity = 9.81",
			axles + "\nthrottle = { input = \"drive_FL.torque\" }", "[component.tire]", strings.Replace(driver,
				"from = \"spindle\"\nto = \"tire\"", "from = \"tire\"\nto = \"spindle\"", 1)},
			[]string{"drives tire_FL and not tire_FR, the other wheel of axle 1"}, false},
		{"a throttle on brakes", []string{"gravity = 9.81", axles + "\nthrottle = { inputs = [\"brake_RL.torque\", " +
			"\"brake_RR.torque\"] }", "[component.tire]", strings.ReplaceAll(strings.ReplaceAll(driver, "drive", "brake"),
			"torque-braker", "brake")},
			[]string{"the throttle, brake_RL.torque, brake_RR.torque, drives no wheel", "engine.throttle"}, false},
		{"a differential on a wheel carrier", []string{"gravity = 9.81", "gravity = 9.81\n" + differential("spindle_RL")},
			[]string{"plain.toml:6:11: final_drive is carried by \"spindle_RL\", which belongs to the wheel tire_RL and " +
				"not to " +
				"tire_RR, which it drives"}, false},
		{"a differential on the other axle", []string{"gravity = 9.81", "gravity = 9.81\n" + differential("place_FL")},
			[]string{"\"place_FL\", which belongs to the wheel tire_FL and not to tire_RL"}, false},
		{"a differential on the road", []string{"gravity = 9.81", "gravity = 9.81\n" + differential("road")},
			[]string{"final_drive is carried by \"road\", which is the road; name the body or axle"}, false},
		{"a differential on a trailer of one axle", []string{"gravity = 9.81", "gravity = 9.81\n" + differential("trailer") +
			`[component.hook]
type = "rigid-arm"
from = "body"
to = "hook"
translation = [-2, 0, 0]
[component.kingpin]
type = "revolute"
from = "hook"
to = "trailer"
axis = "z"
[component.trailer]
type = "rigid-body"
mass = 300
inertia = { xx = 90, yy = 200, zz = 200 }
start = { position = [-2, 0, 0.585] }`,
			"[use.R]", `[use.T]
file = "../subsystems/corner.toml"
at = ["L", "R"]
frames = { chassis = "trailer", road = "road" }
parameters = { x = -1.5 }
[use.R]`},
			[]string{"final_drive is carried by \"trailer\", which kingpin joins to the part of the vehicle with the wheel " +
				"tire_RR"}, false},
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

// A key lets any inertia pass, and a plane body is at the limit.
func TestAnyInertiaMayBeAllowed(t *testing.T) {
	for _, changes := range [][]string{
		{"zz = 2200 }", `zz = 9000, allow_unphysical = "yes" }`}, {"zz = 2200", "zz = 2500"},
		{"axial = 0.9, transverse = 0.5 }", `axial = 9, transverse = 0.5, allow_unphysical = "yes" }`},
	} {
		if m, err := parsePlain(t, changes...); err != nil || len(m.Warnings) > 0 {
			t.Errorf("%q: %v, %q", changes, err, m.Warnings)
		}
	}
	if _, err := parsePlain(t, "xx = 500", `xx = 500, xy = 2000, allow_unphysical = "yes"`); err == nil ||
		!strings.Contains(err.Error(), "none may be negative") {
		t.Errorf("a negative principal moment: %v", err)
	}
}

// A guide's outward direction is the direction in its frame: in a frame turned by 180 degrees, its left is on the
// right.
func TestSidesOfGuides(t *testing.T) {
	guide := []string{`type = "prismatic"`, "type = \"suspension\"\nside = \"left\"",
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

// Positions of frames do not depend on which end of an arm is called its head. A joint that steers half of the vehicle
// is not the steering axis of a wheel.
func TestLayoutFromEitherEnd(t *testing.T) {
	turned := []string{`from = "chassis"
to = "place"
translation = ["x", "half_track", -0.3]`,
		`from = "place"
to = "chassis"
angles = ["90 deg", 0, 0]
translation = ["half_track", "-x", 0.3]`,
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

// Correct models give no warning: vehicles that start at a speed, steer and drive.
func TestCorrectModelsGiveNoWarnings(t *testing.T) {
	for name, changes := range map[string][]string{
		"rolling": {"0.585]", "0.585], velocity = [20, 0, 0]", "to = \"tire\"\naxis = \"y\"",
			`to = "tire"
axis = "y"
start = { omega = 66 }`},
		"steered": {"gravity = 9.81", steered("wheelbase = 2.5",
			`{ driver = "steer_FL", lateral = 0.5 }, { driver = "steer_FR", lateral = -0.5 }`)},
		"steered at the rear, to the other side": {"gravity = 9.81", steered("",
			`{ driver = "steer_FL" }, { driver = "steer_FR" }, { driver = "steer_RL", angle_curve = [[-1, 1], [1, -1]] }, `+
				`{ driver = "steer_RR", angle_curve = [[-1, 1], [1, -1]] }`)},
		"driven": {"gravity = 9.81", "gravity = 9.81\n" + differential("body")},
		"driven, housed by an arm": {"gravity = 9.81", "gravity = 9.81\n" + differential("mount") + `[component.mount]
type = "rigid-arm"
from = "body"
to = "mount"
translation = [-1.3, 0, -0.2]`},
		"torques on both wheels": {"gravity = 9.81", axles + "\nthrottle = { inputs = [\"drive_RL.torque\", " +
			"\"drive_RR.torque\"] }", "[component.tire]", driver},
		"a wide axle of large wheels": {"half_track = { value = 0.75", "half_track = { value = 1.5",
			"unloaded_radius = 0.3\n", "unloaded_radius = 0.5\n", "0.585]", "0.785]"},
		"a wide axle of small wheels": {"x = 1.2", "x = 2", "unloaded_radius = 0.3\n", "unloaded_radius = 0.2\n", "0.585]",
			"0.485]"},
		"a wide three-wheeler": {`[use.R]
file = "../subsystems/corner.toml"
at = ["L", "R"]`,
			`[use.R]
file = "../subsystems/corner.toml"
at = ["L"]`, "x = -1.3", "x = -1.3, half_track = -0.05",
			"half_track = { value = 0.75", "half_track = { value = 0.8", "free_length = -0.1177", "free_length = -0.15"},
		"a kart": {"x = 1.2", "x = 0.5", "x = -1.3", "x = -0.55", "half_track = { value = 0.75",
			"half_track = { value = 0.54", "unloaded_radius = 0.3\n", "unloaded_radius = 0.14\n", "0.585]", "0.425]"},
		"a small car with a narrow rear axle": {"x = -1.3", "x = -1.3, half_track = 0.21",
			"half_track = { value = 0.75", "half_track = { value = 0.55"},
		"a stiff bar": {"gravity = 9.81", bar("100000")},
		"springs between points at the rear": {"parameters = { x = -1.3 }", `parameters = { x = -1.3 }
[use.R.component.spring]
type = "spring-damper"
from = "place"
to = "hub"
stiffness = 25000`},
		"a joint that bears the body": {"free_length = -0.1177", "free_length = -0.25", "gravity = 9.81", `gravity = 9.81
[component.rig]
type = "prismatic"
from = "ground"
to = "body"
axis = "z"`},
		"a slope":        {"0.585]", "5]", `type = "terrain"`, "type = \"road\"\nangles = [0, 0.2, 0]"},
		"pushed by hand": {"0.585]", "0.585], velocity = [0.5, 0, 0]"},
		"start values of several bodies": {"0.585]", "1.2]",
			"gravity = 9.81", `gravity = 9.81
[[tree]]
name = "both"
prefer = ["body.T1", "upright_FL.T1"]`},
		"places of two bodies; one of them also turns": {"0.585]", "1.2]", "gravity = 9.81",
			`gravity = 9.81
[[tree]]
name = "both"
prefer = ["body.T1", "upright_FL.T1", "upright_FL.R1"]`},
		"the turning of two bodies; one of them also has a place": {"0.585]", "1.2]", "gravity = 9.81",
			`gravity = 9.81
[[tree]]
name = "both"
prefer = ["upright_FL.T1", "body.R1", "upright_FL.R1"]`},
		"driven twin wheels that are steered": {"gravity = 9.81", "gravity = 9.81\n" +
			strings.ReplaceAll(differential("body"), "wheel_R", "wheel_F"), "[component.tire]", `[component.rim]
type = "rigid-arm"
from = "tire"
to = "twin"
translation = [0, 0.3, 0]
` +
			strings.Replace(plainCorner[strings.Index(plainCorner, "[component.tire]"):], "[component.tire]",
				"[component.twin]", 1) + "\n[component.tire]"},
		"driven wheels that steer freely": {"gravity = 9.81", "gravity = 9.81\n" +
			strings.ReplaceAll(differential("body"), "wheel_R", "wheel_F"), `type = "motion-driver"`, `type = "revolute"`},
		"turning and places of two bodies": {"0.585]", "1.2]",
			"gravity = 9.81", `gravity = 9.81
[[tree]]
name = "both"
prefer = ["body.T1", "upright_FL.R1"]`},
		"steered at the rear only, to the right": {"[-0.1, 0, 1]", "[0.1, 0, -1]", "gravity = 9.81",
			steered("", `{ driver = "steer_RL" }, { driver = "steer_RR" }`)},
		"a throttle that pushes": {"gravity = 9.81", axles + `
throttle = { input = "push.force" }
[component.push]
type = "force-driver"
from = "ground"
to = "body"
axis = "x"`},
		"a terrain with hills": {"0.585]", "5]", `type = "terrain"`, `type = "terrain"
kind = "formula"
formula = "4.4"`},
		"a road that is high": {"0.585]", "5]", `type = "terrain"`, "type = \"road\"\ntranslation = [0, 0, 4.4]"},
	} {
		m, err := parsePlain(t, changes...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, w := range m.Warnings {
			t.Errorf("%s: %s", name, w)
		}
	}
}

// A vehicle that starts askew, turning: the speed of each wheel counts, along its own heading.
func TestSpinOfWheelsInATurn(t *testing.T) {
	turning := []string{"0.585]", "0.585], angles = [1, 0, 0], velocity = [5, 0, 0], angular_velocity = [0, 0, 5]"}
	m, err := parsePlain(t, append(turning, "to = \"tire\"\naxis = \"y\"",
		`to = "tire"
axis = "y"
start = { omega = 16.667 }`)...)
	if err != nil || len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "travels at 1 m/s") &&
		!strings.Contains(m.Warnings[0], "travels at 9 m/s") {
		t.Fatal(err, m.Warnings) // 5 - 5*0.8 at the left, 5 + 5*0.8 at the right
	}
	var spins strings.Builder
	for wheel, spin := range map[string]string{"FL": "3.333", "RL": "3.333", "FR": "30", "RR": "30"} {
		spins.WriteString("\n[component.wheel_" + wheel + "]\nstart = { omega = " + spin + " }")
	}
	turning = append(turning, "gravity = 9.81", "gravity = 9.81"+spins.String())
	if m, err := parsePlain(t, turning...); err != nil || len(m.Warnings) > 0 {
		t.Error(err, m)
	}
}

// The drive of the tractor must be on the tractor, not on its semitrailer.
func TestDrivelineOfTheOtherUnit(t *testing.T) {
	text := `base = "tractor_semitrailer.toml"
name = "Wrong"
title = "Differential on the trailer"
[component.final_drive]
type = "differential"
outputs = ["wheel_2L", "wheel_2R"]
housing = "trailer"
`
	all := strings.Replace(text, "wheel_2R", "wheel_3R", 1) // as an articulated loader, whose engine drives both units
	if m, err := vehicle.Parse([]byte(strings.Replace(all, `"trailer"`, `"tractor"`, 1)), "wrong.toml",
		vehicle.Opener("../../resources/models/wrong.toml")); err != nil || len(m.Warnings) > 0 {
		t.Error(err, m)
	}
	for housing, want := range map[string]string{"tractor": "", "axle_2": "",
		"trailer": `wrong.toml:7:11: final_drive is carried by "trailer", which kingpin joins to the part of the vehicle ` +
			"with the wheel tire_2R"} {
		m, err := vehicle.Parse([]byte(strings.Replace(text, `"trailer"`, `"`+housing+`"`, 1)), "wrong.toml",
			vehicle.Opener("../../resources/models/wrong.toml"))
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(m.Warnings, "\n"); !strings.Contains(said, want) || want == "" && said != "" {
			t.Errorf("%s: %s", housing, said)
		}
	}
}

// A trailer may be heavier than the chassis, where the roles call it that.
func TestTrailersMayBeHeavier(t *testing.T) {
	text := `base = "tractor_semitrailer.toml"
name = "Wrong"
title = "Roles"
[roles]
chassis = "tractor"
`
	for roles, want := range map[string]string{"trailer = [\"trailer\"]\n": "", "trailer = false\n": "trailer has " +
		"3.06e+04 kg"} {
		m, err := vehicle.Parse([]byte(text+roles), "wrong.toml", vehicle.Opener("../../resources/models/wrong.toml"))
		if err != nil || len(m.Warnings) > 0 != (want != "") || !strings.Contains(strings.Join(m.Warnings, ""), want) {
			t.Error(roles, err, m)
		}
	}
}

// A throttle is followed through clutch and gearbox.
func TestDrivelineThroughAGearbox(t *testing.T) {
	text := `base = "passenger_car_manual.toml"
name = "Wrong"
title = "One wheel"
[component.gearbox]
drives = "wheel_RL"
[component.final_drive]
remove = true
`
	m, err := vehicle.Parse([]byte(text), "wrong.toml", vehicle.Opener("../../resources/models/wrong.toml"))
	if err != nil || len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "drives tire_RL and not tire_RR") {
		t.Error(err, m)
	}
}

// Start values belong to their body, which need not be the heaviest: a load that tilts on it is heavier.
func TestStartOfABodyThatIsNotTheHeaviest(t *testing.T) {
	const load = `
[component.tilt]
type = "revolute"
from = "body"
to = "bed"
axis = "y"
start = { phi = 0.5 }
[component.bed_arm]
type = "rigid-arm"
from = "bed"
to = "load"
translation = [-0.5, 0.3, 0.5]
[component.load]
type = "rigid-body"
mass = 3000
inertia = { xx = 900, yy = 2000, zz = 2000 }
[use.F]`
	changes := []string{"free_length = -0.1177", "free_length = -0.4", "\n[use.F]", load, "0.585]", "0.585], " +
		"velocity = [20, 0, 0], angular_velocity = [0, 0, 5]"}
	m, err := parsePlain(t, changes...)
	if err != nil || len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "travels at 16 m/s") {
		t.Error(err, m.Warnings) // 20 - 5*0.8
	}
	spins := ""
	for wheel, spin := range map[string]string{"FL": "53.333", "RL": "53.333", "FR": "80", "RR": "80"} {
		spins += "\n[component.wheel_" + wheel + "]\nstart = { omega = " + spin + " }"
	}
	if m, err := parsePlain(t, append(changes, "gravity = 9.81", "gravity = 9.81"+spins)...); err != nil ||
		len(m.Warnings) > 0 {
		t.Error(err, m)
	}
	changes[5] = "1.2]"
	if m, err := parsePlain(t, changes...); err != nil || len(m.Warnings) != 1 ||
		!strings.Contains(m.Warnings[0], "tire_FL is 0.6 m above the road") {
		t.Error(err, m.Warnings)
	}
}

// Some tires are on carriers that are free bodies, held by springs. Such tires carry an even share of the weight. Four
// sound tires give no warning, and a tire with a stiffness in another unit gives one, with its share.
func TestTiresOnFreeCarriersAreJudgedByTheirShare(t *testing.T) {
	text := `name = "Free"
[component.road]
type = "road"
[component.body]
type = "rigid-body"
mass = 1200
inertia = { xx = 400, yy = 1500, zz = 1700 }
start = { position = [0, 0, 0.5] }
`
	for i, at := range []string{"1.2, 0.75", "1.2, -0.75", "-1.3, 0.75", "-1.3, -0.75"} {
		name := fmt.Sprintf("w%d", i)
		text += fmt.Sprintf(`[component.%[1]s]
type = "rigid-body"
mass = 30
inertia = { xx = 1, yy = 1, zz = 1 }
start = { position = [%[2]s, 0.29] }
[component.axle_%[1]s]
type = "revolute"
from = "%[1]s"
to = "rim_%[1]s"
axis = "y"
[component.tire_%[1]s]
type = "tire"
road = "road"
frame = "rim_%[1]s"
unloaded_radius = 0.3
vertical_stiffness = 200000
vertical_damping = 50
mass = 10
inertia = { axial = 1, transverse = 0.6 }
slip = { method = "kinematic" }
rolling_radius = { method = "loaded" }
force = { function = "Fiala", file = "fiala.toml" }
[component.arm_%[1]s]
type = "rigid-arm"
from = "body"
to = "top_%[1]s"
translation = [%[2]s, 0.2]
[component.spring_%[1]s]
type = "spring-damper"
from = "%[1]s"
to = "top_%[1]s"
stiffness = 25000
damping = 2000
free_length = 0.5
`, name, at)
	}
	files := func(kind bounded.Kind, name string) ([]byte, error) {
		return os.ReadFile("../../resources/tires/fiala_generic4w.toml")
	}
	for _, c := range []struct{ stiffness, want string }{
		{"200000", ""}, {"200", "deflects by 17 m under an even share of the weight (3.34e+03 N), of a radius of 0.3 m"},
	} {
		changed := strings.Replace(text, "stiffness = 200000", "stiffness = "+c.stiffness, 1)
		m, err := vehicle.Parse([]byte(changed), "free.toml", files)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(m.Warnings, "\n"); (c.want == "") == strings.Contains(got, "deflects by") ||
			!strings.Contains(got, c.want) || strings.Contains(got, "Inf") {
			t.Errorf("%s N/m: %q, want %q", c.stiffness, got, c.want)
		}
	}
}
