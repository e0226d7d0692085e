package vehicle_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

const pointCorner = `kind = "subsystem"
frames = ["chassis"]
sides = "left"
[parameters]
front = { value = [150, 350, 150], unit = "mm", text = "front pivot" }
rear = { unit = "mm", kind = "position" }
spin = { value = [0.1, 0.2, "3 rad/s"], unit = "rad/s", kind = "axial" }
hub = { value = [10, 680, 180], unit = "mm", share = true }
k = { value = 2, unit = "1" }
[component.pivot]
type = "rigid-arm"
from = "chassis"
to = "pivot"
translation = "0.5*(front + rear)"
[component.hinge]
type = "revolute"
from = "pivot"
to = "arm"
axis = "front - rear"
start = { phi = "0.1*k" }
[component.arm]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.1, zz = 0.15 }
start = { angular_velocity = "spin" }
[component.outer]
type = "rigid-arm"
from = "arm"
to = "eye"
translation = "hub - 0.5*(front + rear)"
[component.coil]
type = "spring-damper"
from = "chassis"
to = "eye"
stiffness = 1000
free_length = "norm(hub) - hub.x"
`

const bushed = "[component.bush]\ntype = \"bushing\"\nfrom = \"pivot\"\nto = \"eye\"\nstiffness = [1e6, 1e6, 1e5]\n"

const pointCar = `name = "Car"
[parameters]
place = { value = [-160, 340, 155], unit = "mm" }
[component.body]
type = "rigid-body"
mass = 100
inertia = { xx = 25, yy = 150, zz = 160 }
[use.F]
file = "corner.toml"
at = ["L", "R"]
frames = { chassis = "body" }
parameters = { rear = "place" }
[use.M]
file = "corner.toml"
at = ["L", "R"]
count = 2
frames = { chassis = "body" }
parameters = { rear = [[-1160, 340, 155], [-2160, 340, 155]], front = ["-1 m", 350, 140] }
`

func pointModel(car, corner string) (*vehicle.Model, error) {
	return vehicle.Parse([]byte(car), "car.toml", inMemory(map[string]string{"corner.toml": corner}))
}

func parameterOf(t *testing.T, m *vehicle.Model, name string) *vehicle.Parameter {
	t.Helper()
	i := slices.IndexFunc(m.Parameters, func(p vehicle.Parameter) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no parameter %s", name)
	}
	return &m.Parameters[i]
}

// Coordinates are parameters with unit and text; the right side has them where it is.
func TestCoordinatesOfVectorsAreParameters(t *testing.T) {
	m, err := pointModel(pointCar, pointCorner)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"place_x": -0.16, "place_y": 0.34, "place_z": 0.155,
		"front_FL_x": 0.15, "front_FL_y": 0.35, "front_FR_x": 0.15, "front_FR_y": -0.35, "front_FR_z": 0.15,
		"spin_FL_x": 0.1, "spin_FL_y": 0.2, "spin_FL_z": 3, "spin_FR_x": -0.1, "spin_FR_y": 0.2, "spin_FR_z": -3,
		"hub_F_y": 0.68, "hub_M_y": 0.68, "rear_1R_x": -1.16, "rear_2L_x": -2.16, "rear_2R_y": -0.34, "front_2R_x": -1,
	} {
		if p := parameterOf(t, m, name); math.Abs(p.Value.Value-want) > 1e-15 {
			t.Errorf("%s is %v; want %v", name, p.Value.Value, want)
		}
	}
	if p := parameterOf(t, m, "front_FR_y"); p.Unit != "m" || p.Value.Unit != "mm" || p.Text != "front pivot, y" {
		t.Errorf("front_FR_y is %+v", p)
	}
	for _, p := range m.Parameters {
		if strings.HasPrefix(p.Name, "rear_F") || strings.HasPrefix(p.Name, "hub_FR") {
			t.Errorf("%s is a parameter, although a formula or another vector gives it", p.Name)
		}
	}
	if len(m.Warnings) > 0 {
		t.Errorf("warnings: %v", m.Warnings)
	}
	other, err := m.WithValues(map[string]float64{"hub_F_y": 0.7, "front_FR_y": -0.36}, inMemory(map[string]string{
		"corner.toml": pointCorner}))
	if err != nil {
		t.Fatal(err)
	}
	if p := parameterOf(t, other, "hub_F_y"); p.Value.Value != 0.7 {
		t.Errorf("hub_F_y is set to %v", p.Value.Value)
	}
	if p := parameterOf(t, other, "front_FR_y"); p.Value.Value != -0.36 {
		t.Errorf("front_FR_y is set to %v", p.Value.Value)
	}
}

// What is wrong about vectors is said at its place, with the remedy.
func TestFaultsOfVectors(t *testing.T) {
	for _, c := range []struct{ inCar, old, new, want string }{
		{"", "[150, 350, 150]", "[150, 350]", "corner.toml:5:11: parameter front.value is a list of 2; a vector has three " +
			"coordinates, [x, y, z]"},
		{"", "[150, 350, 150]", `[150, "k", 150]`, `corner.toml:5:25: parameter front.value[1] is "k"; it must be a number`},
		{"", `[150, 350, 150], unit = "mm"`, "[150, 350, 150]", "corner.toml:5:9: parameter front lacks its unit"},
		{"", `kind = "axial"`, `kind = "axis"`, "parameter spin.kind is \"axis\"; it must be one of the words position"},
		{"", `kind = "axial"`, `sort = "axial"`, `unknown key "sort" in parameter spin`},
		{"", `unit = "mm", kind = "position"`, `kind = "position"`, "parameter rear lacks its unit"},
		{"", `k = {`, `front_y = { value = 1, unit = "m" }` + "\nk = {",
			"parameter front_y has the name of a coordinate of " +
				"the vector front"},
		{"", `"0.5*(front + rear)"`, `"front + k"`,
			`pivot_FL.translation: the formula "front + k": formula, character 7: k is a ` +
				"number and is added to a vector; vectors are front, rear, spin, hub"},
		{"", `"0.5*(front + rear)"`, `"frnt"`,
			`pivot_FL.translation is "frnt", a number; it must be a list of three numbers or ` +
				`a formula of vectors; did you mean "front"?`},
		{"", `"0.5*(front + rear)"`, `"front + spin"`, "the formula adds quantities in m and in 1/s"},
		{"", `"0.5*(front + rear)"`, `"spin"`, "the formula has the unit 1/s; it must have m"},
		{"", `"norm(hub) - hub.x"`, `"hub"`,
			`the formula "hub" is a vector where a number stands; write a coordinate, as hub.x`},
		{"", `"norm(hub) - hub.x"`, `"norm(spin)"`, "coil_FL.free_length is"},
		{"", `axis = "front - rear"`, `axis = "front - front"`,
			"hinge_FL.axis has no direction: its formulas give a length of 0"},
		{"", `axis = "front - rear"`, `axis = "k"`, `hinge_FL.axis is "k", a number`},
		{"", "[component.coil]", bushed + "along = \"front - front\"\n[component.coil]",
			"bush_FL.along has no direction: its formulas give a length of 0 at the start"},
		{"", "[component.coil]", bushed + "along = \"front - k\"\n[component.coil]",
			`bush_FL.along: the formula "front - k": formula, character 7: k is a number`},
		{"car", "[use.F]", "[component.hinge_FL_tail]\ntype = \"weld\"\nfrom = \"body\"\nto = \"seat\"\n[use.F]",
			"component hinge_FL_tail has the name of a frame at an axis that is given by a formula"},
		{"car", `rear = "place"`, `rear = "plaice"`,
			`car.toml:12:23: use F.parameters.rear is "plaice", a number; it must be a list ` +
				`of three numbers or a formula of vectors; did you mean "place"?`},
		{"car", `rear = "place"`, `rear = 5`,
			"use F.parameters.rear is 5; it must be a vector: [x, y, z], or a formula of vectors"},
		{"car", `rear = "place"`, `rear = [1, 2]`, "use F.parameters.rear is a list of 2; it must be a vector"},
		{"car", `rear = "place"`, `k = 3`, "lacks parameters that have no value in corner.toml: rear [mm]"},
		{"car", `rear = "place"`, `rear = "place", k = "place"`,
			"is a vector where a number stands; write a coordinate, as place.x"},
		{"car", `[-2160, 340, 155]]`, `[-2160, 340, 155], [1, 2, 3]]`, "the array has 2 elements"},
		{"car", `rear = "place"`, `rear = "place", hub = [[1, 2, 3]]`, "it must be a vector"},
		{"car", `front = ["-1 m", 350, 140]`, `hub = [[1, 2, 3], [4, 5, 6]]`, "all instances share one vector"},
		{"car", `place = { value = [-160, 340, 155], unit = "mm" }`, `place = { value = [-160, 340], unit = "mm" }`,
			"parameter place.value is a list of 2"},
		{"car", `[parameters]`, "[parameters]\nplace_x = { value = 1, unit = \"m\" }",
			"name of a coordinate of the vector place"},
		{"car", `mass = 100`, `mass = "place"`, "is a vector where a number stands"},
	} {
		car, corner := pointCar, pointCorner
		of := &corner
		if c.inCar != "" {
			of = &car
		}
		if !strings.Contains(*of, c.old) {
			t.Fatalf("nothing holds %s", c.old)
		}
		*of = strings.Replace(*of, c.old, c.new, 1)
		m, err := pointModel(car, corner)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in place of %s: %v, %v; want %s", c.new, c.old, m != nil, err, c.want)
		}
	}
}

// Implausible points are reported once, with their names.
func TestImplausiblePointsAreWarnings(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`[150, 350, 150], unit = "mm"`, `[150, 350, 150], unit = "m"`, "front is 150 m away (x); write unit = \"mm\""},
		{"[10, 680, 180]", "[10, -680, 180]",
			"points of a left side have y < 0 (use F, L): hub; on the left: front; all stand on " +
				"the left"},
	} {
		m, err := pointModel(pointCar, strings.Replace(pointCorner, c.old, c.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		if found := strings.Join(m.Warnings, "\n"); !strings.Contains(found, c.want) {
			t.Errorf("%s: %s; want %s", c.new, found, c.want)
		}
	}
	m, err := pointModel(strings.Replace(pointCar, `parameters = { rear = "place" }`,
		`parameters = { rear = [1, 2, 3] }`, 1),
		pointCorner)
	if err != nil || !strings.Contains(strings.Join(m.Warnings, "\n"), "nothing uses the vector place") {
		t.Errorf("%v: a vector without use is not reported", err)
	}
}

func FuzzVectors(f *testing.F) {
	fuzzinputs.Add(f, pointCorner, pointCar)
	fuzzinputs.Add(f, strings.Replace(pointCorner, "0.5*(front + rear)", "cross(front, rear)/norm(rear)", 1), pointCar)
	fuzzinputs.Add(f, pointCorner+bushed+"along = \"front - rear\"\nloss = 0.1\nfrequency = 15\npreload = [1, 2, 3]\n"+
		"spring_force_z = [[-1, -2], [0, 0], [1, 3]]\ndamper_moment_x = [[-1, -2], [0, 0], [1, 3]]\n", pointCar)
	fuzzinputs.Add(f, pointCorner, strings.Replace(pointCar, `"place"`, `"-place + 2*place"`, 1))
	f.Fuzz(func(t *testing.T, corner, car string) {
		m, err := pointModel(car, corner)
		if err != nil && m != nil || err == nil && m == nil {
			t.Fatalf("%v, %v", m, err)
		}
		if err != nil && !strings.Contains(err.Error(), ":") {
			t.Fatalf("a fault without a place: %v", err)
		}
	})
}

// A vector of a file within a mirrored file is mirrored as often as its components are.
func TestVectorsOfNestedFilesAreMirrored(t *testing.T) {
	axle := "kind = \"subsystem\"\nframes = [\"chassis\"]\nsides = \"left\"\n[use.A]\nfile = \"corner.toml\"\n" +
		"at = [\"L\", \"R\"]\nframes = { chassis = \"chassis\" }\nparameters = { rear = [-160, 340, 155] }\n"
	car, _, _ := strings.Cut(pointCar, "[use.F]")
	car = strings.Replace(car, `place = {`, `unused = {`, 1) + "[use.F]\nfile = \"axle.toml\"\nat = [\"L\", \"R\"]\n" +
		"frames = { chassis = \"body\" }\n"
	m, err := vehicle.Parse([]byte(car), "car.toml", inMemory(map[string]string{"corner.toml": pointCorner,
		"axle.toml": axle}))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"rear_FLAL_y": 0.34, "rear_FLAR_y": -0.34, "rear_FRAL_y": -0.34,
		"rear_FRAR_y": 0.34, "hub_FLA_y": 0.68, "hub_FRA_y": -0.68} {
		if p := parameterOf(t, m, name); math.Abs(p.Value.Value-want) > 1e-15 {
			t.Errorf("%s is %v; want %v", name, p.Value.Value, want)
		}
	}
}

// A file between passes a vector of its own on, by its name or in a formula.
func TestVectorsArePassedToNestedFiles(t *testing.T) {
	axle := "kind = \"subsystem\"\nframes = [\"chassis\"]\n[parameters]\nown = { value = [-160, 340, 155], unit = " +
		"\"mm\" }\n[use.R]\nfile = \"corner.toml\"\nframes = { chassis = \"chassis\" }\nparameters = { rear = \"own\", " +
		"front = \"-2*own\" }\n"
	car, _, _ := strings.Cut(pointCar, "[use.F]")
	car = strings.Replace(car, `place = {`, `unused = {`, 1) + "[use.F]\nfile = \"axle.toml\"\nframes = { chassis = " +
		"\"body\" }\n"
	m, err := vehicle.Parse([]byte(car), "car.toml", inMemory(map[string]string{"corner.toml": pointCorner,
		"axle.toml": axle}))
	if err != nil {
		t.Fatal(err)
	}
	arm, is := component.Named[*component.RigidArm](m.Scope(), "pivot_FR")
	if !is {
		t.Fatal("there is no pivot")
	}
	for axis, want := range [3]float64{0.08, 0.17, -0.0775} {
		if got := arm.Translation[axis].Value; math.Abs(got-want) > 1e-15 {
			t.Errorf("the pivot is at %v along %d, not %v", got, axis, want)
		}
	}
}

// The x axis and the y axis of a bushing may be 0.005 degrees from perpendicular.
func TestAxesOfBushingsAreNearlyPerpendicular(t *testing.T) {
	for off, good := range map[float64]bool{0.00009: true, -0.00009: true, 0.00011: false, -0.00011: false} {
		_, err := vehicle.Parse(fmt.Appendf(nil, `name = "Bush"
[component.a]
type = "rigid-body"
mass = 3
inertia = { xx = 0.4, yy = 0.5, zz = 0.6 }
[component.bush]
type = "bushing"
from = "ground"
to = "a"
axes = [[1, 0, 0], [%g, 1, 0]]
stiffness = [1, 1, 1]
`, off), "bush.toml", nil)
		if (err == nil) != good {
			t.Errorf("%g rad off: %v", off, err)
		}
	}
}
