package vehicle_test

import (
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// carWith is the shipped car with other numbers.
func carWith(t *testing.T, values map[string]float64) (*vehicle.Model, error) {
	t.Helper()
	const file = "../../resources/models/passenger_car.toml"
	m, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return m.WithValues(values, vehicle.Opener(file))
}

// Numbers set by WithValues get the same warnings as the same numbers in the file; plausible numbers get none.
func TestSetNumbersGetTheWarningsOfTheFile(t *testing.T) {
	for _, c := range []struct {
		name  string
		value float64
		want  string // "" for none
	}{
		{"sprung", 12400, "bear 9.28e+03 N in all"},
		{"sprung", 1000, ""},
		{"castor", 5, "is -5 rad, which is -286 deg"},
		{"castor", 0.2, ""},
		{"front_spring", 24, "have a stiffness of 24"},
		{"tire_FL.vertical_stiffness", 200, "the tire tire_FL deflects"},
		// 0.3 m, and 0.0017 m of the start, less the tire's deflection there, 0.0129 m
		{"susp_RR.travel", 0.3, "tire_RR is 0.289 m above"},
		{"susp_RR.travel", -0.001, ""},
		{"body.vx", 30, "the vehicle travels at 30 m/s, and its wheels turn at "},
		{"body.z", 2, "tire_FL is "},
		{"gravity_z", 3, ""}, // the file has no number of this name
		{"tire_FL.nothing", 1, ""},
		{"tire_FL.vertical_stiffness_x", 200, ""},
		{"body.inertiaxx", 3, ""},
		{"nothing.at", 1, ""},
		{"nothing", 1, ""},
	} {
		m, err := carWith(t, map[string]float64{c.name: c.value})
		if err != nil {
			t.Errorf("%s = %g: %v", c.name, c.value, err)
			continue
		}
		if text := strings.Join(m.Warnings, "\n"); (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
			t.Errorf("%s = %g: warnings %q; want %q", c.name, c.value, text, c.want)
		}
	}
	backwards := map[string]float64{"body.vx": -10}
	for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
		backwards["wheel_"+wheel+".omega"] = -32.8
	}
	if m, err := carWith(t, backwards); err != nil || m.Warnings != nil || m.StartWarnings != nil {
		t.Errorf("a car that rolls backwards: %v, warnings %q", err, m.Warnings)
	}
	if _, err := carWith(t, map[string]float64{"body.inertia_zz": 9000}); err == nil ||
		!strings.Contains(err.Error(), "not physical") {
		t.Errorf("an inertia that no body has: %v", err)
	}
}

// Numbers for WithValues are SI, whatever the unit in the file, and belong to one instance of a subsystem.
func TestOtherNumbersAreInTheirPlaces(t *testing.T) {
	m, err := carWith(t, map[string]float64{"tire_FL.vertical_stiffness": 250000, "keel.translation_z": -0.5})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"tire_FL": 250000, "tire_FR": 208000, "tire_RL": 208000} {
		tire, _ := component.Named[*component.Tire](m.Scope(), name)
		if got := tire.VerticalStiffness.Value; got != want {
			t.Errorf("%s has a stiffness of %g N/m; want %g", name, got, want)
		}
	}
	keel, _ := component.Named[*component.RigidArm](m.Scope(), "keel")
	if z := keel.Translation[2].Value; z != -0.5 {
		t.Errorf("the keel is at z = %g m", z)
	}

	const text = `name = "Small"
[parameters]
long = { value = 750, unit = "mm" }
wide = { value = "2 ft" }
rod.heavy = { value = 3, unit = "t" }
[component.body]
type = "rigid-body"
mass = "5 lb"
inertia = { axial = 1, transverse = 1, axis = "z" }
[component.joint]
type = "revolute"
from = "ground"
to = "pivot"
axis = "y"
start = { phi = "10 deg" }
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "body"
translation = ["long", "wide", 0]
`
	small, err := vehicle.Parse([]byte(text), "small.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := small.WithValues(map[string]float64{"long": 0.4, "wide": 0.3, "rod.heavy": 40, "body.mass": 6,
		"joint.phi": 0.5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := component.Named[*component.RigidBody](other.Scope(), "body")
	arm, _ := component.Named[*component.RigidArm](other.Scope(), "arm")
	joint, _ := component.Named[*component.Revolute](other.Scope(), "joint")
	got := []float64{arm.Translation[0].Value, arm.Translation[1].Value, other.Parameters[2].Value.Value, body.Mass.Value,
		joint.Phi.Value}
	if want := []float64{0.4, 0.3, 40, 6, 0.5}; !slices.Equal(got, want) {
		t.Errorf("numbers %v; want %v", got, want)
	}
	if x := small.Parameters[0].Value.Value; x != 0.75 {
		t.Errorf("the model itself has %g", x)
	}
}

// A plain number above half a turn gives a warning, because it is probably in degrees; a number with a unit gives none.
func TestAnglesBeyondHalfATurn(t *testing.T) {
	for written, doubted := range map[string]bool{"5": true, "-4": true, "3.1": false, `"5 deg"`: false,
		`"300 deg"`: false, "-3.14": false} {
		text := `name = "Arm"
[component.body]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.joint]
type = "revolute"
from = "ground"
to = "pivot"
axis = "y"
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "body"
translation = [1, 0, 0]
angles = [0, ` + written + ", 0]\n"
		m, err := vehicle.Parse([]byte(text), "arm.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(m.Warnings, "\n"), "arm.toml:16:14: arm.angles[1]"); got != doubted {
			t.Errorf("an angle of %s is doubted: %t; warnings %q", written, got, m.Warnings)
		}
	}
	const text = `name = "Free"
[component.body]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
start = { angles = [0, 0, 90] }
[component.slope]
type = "road"
angles = [0, 5, 0]
`
	m, err := vehicle.Parse([]byte(text), "free.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"body.start.angles[2] is 90 rad, which is 5157 deg", "slope.angles[1] is 5 rad"} {
		if !strings.Contains(strings.Join(m.Warnings, "\n"), want) {
			t.Errorf("warnings %q lack %q", m.Warnings, want)
		}
	}
}
