package vehicle_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/harness/tests/testrun"
	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/document"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

const strut = `kind = "subsystem"
title = "Strut"
frames = ["chassis"]
sides = "left"
[parameters]
x = { unit = "m", text = "axle ahead of the chassis frame" }
half_track = { value = 0.7, unit = "m", share = true }
rate = { value = 20000, unit = "N/m" }
mass = { value = 30, unit = "kg" }
lag = { value = 0.05, unit = "s" }
[component.corner]
type = "rigid-arm"
from = "chassis"
to = "corner"
translation = ["x", "half_track", -0.1]
[component.susp]
type = "prismatic"
from = "corner"
to = "upright"
axis = [0, 0, 1]
[component.spring]
type = "spring-damper"
joint = "susp"
stiffness = "rate"
damping = "lag*rate/(1 + x/x)"
[component.upright]
type = "rigid-body"
mass = "mass"
inertia = { xx = 1, yy = 1, zz = 1, xy = 0.1 }
[exports]
wheel = "upright"
travel = "susp.s"
`

const axle = `kind = "subsystem"
frames = ["chassis"]
[parameters]
x = { unit = "m" }
y = { value = 0.6, unit = "m" }
[component.hanger]
type = "rigid-arm"
from = "chassis"
to = "axle"
translation = ["x", 0, 0]
[use.L]
file = "strut.toml"
frames = { chassis = "axle" }
parameters = { x = "x/10", half_track = "y" }
[use.R]
file = "strut.toml"
frames = { chassis = "axle" }
parameters = { x = "x/10", half_track = "y" }
[component.link]
type = "spring-damper"
from = "corner_L"
to = "upright_R"
stiffness = 10
`

const carOfStruts = `name = "Car"
gravity = 9.81
[parameters]
front = { value = 1.2, unit = "m" }
[component.body]
type = "rigid-body"
mass = 900
inertia = { xx = 200, yy = 900, zz = 900 }
[use.F]
file = "parts/strut.toml"
at = ["L", "R"]
frames = { chassis = "body" }
parameters = { x = "front", rate = 25000 }
[use.F.component.spring]
quadratic_damping = "lag^2*rate/front"
[use.F.component.upright.inertia]
xx = 1.5
[component.eye]
type = "sensor"
to = "upright_FL"
[use.rear]
file = "parts/axle.toml"
count = 2
first = 2
frames = { chassis = "body" }
parameters = { x = [-1.1, "-front"] }
[component.spring_FR]
damping = 7
[component.link_3]
remove = true
`

// subsystemModel reads a model that uses the files above.
func subsystemModel(text string, more map[string]string) (*vehicle.Model, error) {
	files := map[string]string{"parts/strut.toml": strut, "parts/axle.toml": axle}
	for name, content := range more {
		files[name] = content
	}
	return vehicle.Parse([]byte(text), "car.toml", inMemory(files))
}

func componentNames(m *vehicle.Model) []string {
	var list []string
	for _, c := range m.Components {
		list = append(list, c.Head().Name)
	}
	return list
}

// Names, order, mirrored sides, parameters and changes of uses give the flat model.
func TestUsesStandForTheirComponents(t *testing.T) {
	m, err := subsystemModel(carOfStruts, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "body corner_FL susp_FL spring_FL upright_FL corner_FR susp_FR spring_FR upright_FR eye hanger_2 corner_2L " +
		"susp_2L spring_2L upright_2L corner_2R susp_2R spring_2R upright_2R link_2 hanger_3 corner_3L susp_3L " +
		"spring_3L upright_3L corner_3R susp_3R spring_3R upright_3R"
	if got := strings.Join(componentNames(m), " "); got != want {
		t.Errorf("components\n%s\nwant\n%s", got, want)
	}
	var parameters []string
	for _, p := range m.Parameters {
		parameters = append(parameters, fmt.Sprint(p.Name, "=", p.Value.Value))
	}
	want = "front=1.2 half_track_F=0.7 rate_FL=25000 mass_FL=30 lag_FL=0.05 " +
		"rate_FR=25000 mass_FR=30 lag_FR=0.05 x_2=-1.1 y_2=0.6 rate_2L=20000 " +
		"mass_2L=30 lag_2L=0.05 rate_2R=20000 mass_2R=30 lag_2R=0.05" +
		" y_3=0.6 rate_3L=20000 mass_3L=30 lag_3L=0.05 rate_3R=20000 mass_3R=30 lag_3R=0.05"
	if got := strings.Join(parameters, " "); got != want {
		t.Errorf("parameters\n%s\nwant\n%s", got, want)
	}
	find := func(name string) component.Component { return m.Scope().Find(name) }
	right := find("corner_FR").(*component.RigidArm)
	if right.Translation[1].Value != -0.7 || right.Translation[1].Text != "-(half_track_F)" || right.From != "body" ||
		right.To != "corner_FR" {
		t.Errorf("corner_FR is %+v", right)
	}
	if x := find("corner_3R").(*component.RigidArm).Translation; x[0].Value != -0.12 || x[1].Value != -0.6 {
		t.Errorf("corner_3R stands at %v", x)
	}
	if xy := find("upright_FR").(*component.RigidBody).Inertia; xy.XY.Value != 0.1 || xy.XX.Value != 1.5 {
		t.Errorf("upright_FR has the inertia %v", xy) // products enter the matrix with a minus sign
	}
	spring := find("spring_FR").(*component.SpringDamper)
	if spring.Joint != "susp_FR" || spring.Damping.Value != 7 ||
		math.Abs(spring.QuadraticDamping.Value-62.5/1.2) > 1e-12 ||
		find("spring_FL").(*component.SpringDamper).Damping.Value != 625 {
		t.Errorf("spring_FR is %+v", spring)
	}
	if l := find("link_2").(*component.SpringDamper); l.From != "corner_2L" || l.To != "upright_2R" {
		t.Errorf("link_2 joins %s and %s", l.From, l.To)
	}
	var exports []string
	for _, e := range m.Exports {
		exports = append(exports, e.Instance+"."+e.Name+"="+e.Variable)
	}
	if want := "FL.travel=susp_FL.s FL.wheel=upright_FL"; !strings.HasPrefix(strings.Join(sorted(exports), " "),
		"2L.travel=susp_2L.s 2L.wheel=upright_2L") || !strings.Contains(strings.Join(sorted(exports), " "), want) {
		t.Errorf("exports %v", exports)
	}
	if got, want := m.Origins["spring_3R"].Chain(), "strut.toml (use R), axle.toml (use rear at 3)"; got != want {
		t.Errorf("spring_3R comes from %s, want %s", got, want)
	}
	if m.Origins["body"] != nil || m.Origins["eye"] != nil {
		t.Error("components of the model have origins")
	}
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// Variants change, replace and remove components from uses of a base, and whole uses.
func TestVariantsOfModelsWithUses(t *testing.T) {
	whole := strings.Replace(carOfStruts, "[component.link_3]\nremove = true\n", "", 1)
	whole = strings.Replace(whole, "[component.spring_FR]\ndamping = 7\n", "", 1)
	read := func(variant string) *vehicle.Model {
		m, err := subsystemModel(`base = "base.toml"
name = "V"
`+variant, map[string]string{"base.toml": whole})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := read(`[use.F.parameters]
rate = 1
[component.susp_FL]
type = "weld"
from = "corner_FL"
to = "upright_FL"
[component.spring_FL]
remove = true
[use.rear]
remove = true
[component.eye]
remove = true
`)
	want := "body corner_FL susp_FL upright_FL corner_FR susp_FR spring_FR upright_FR"
	if got := strings.Join(componentNames(m), " "); got != want {
		t.Errorf("components %s, want %s", got, want)
	}
	if m.Components[2].Head().Type != "weld" || m.Origins["susp_FL"] != nil {
		t.Errorf("susp_FL is a %s from %v", m.Components[2].Head().Type, m.Origins["susp_FL"])
	}
	m = read(`[use.F]
file = "parts/strut.toml"
frames = { chassis = "body" }
parameters = { x = 0.5 }
[component.eye]
to = "upright_F"
`)
	if got := strings.Join(componentNames(m)[:6], " "); got != "body corner_F susp_F spring_F upright_F eye" {
		t.Errorf("a use with a file of its own is another one than that of the base: %s", got)
	}
}

// Subsystem files and uses can have numbers with units, which are mirrored, too.
func TestQuantitiesInSubsystems(t *testing.T) {
	part := strings.Replace(strut, `value = 0.7, unit = "m", share`, `value = "70 cm", share`, 1)
	part = strings.Replace(part, `"half_track", -0.1]`, `"700 mm", "-10 cm"]`, 1)
	car := strings.Replace(carOfStruts, "rate = 25000", `rate = "25 N/mm"`, 1)
	m, err := subsystemModel(car, map[string]string{"parts/strut.toml": part})
	if err != nil {
		t.Fatal(err)
	}
	at := m.Scope().Find("corner_FR").(*component.RigidArm).Translation
	if math.Abs(at[1].Value+0.7) > 1e-15 || at[2].Value != -0.1 {
		t.Errorf("corner_FR stands at %v", at)
	}
	if k := m.Scope().Find("spring_FR").(*component.SpringDamper).Stiffness.Value; k != 25000 {
		t.Errorf("the stiffness is %g", k)
	}
	_, err = subsystemModel(strings.Replace(carOfStruts, "rate = 25000", `rate = "25 mm"`, 1), nil)
	if err == nil || !strings.HasPrefix(err.Error(), `car.toml:13:36: parameter rate_FL.value is "25 mm": `) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("a length for a stiffness: %v", err)
	}
}

// The flat file of a model has the same program.
func TestFlatFilesGiveTheSameProgram(t *testing.T) {
	for _, file := range testrun.Either([]string{"passenger_car_manual", "truck3"},
		[]string{"passenger_car", "passenger_car_manual", "truck3", "tractor_semitrailer", "car_trailer"}) {
		path := "../../resources/models/" + file + ".toml"
		m, err := vehicle.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := vehicle.ReadDocument(path)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := document.Write(&text, d.Root.Without("base"), "component", func(string) string { return "" }); err != nil {
			t.Fatal(err)
		}
		flat, err := vehicle.Parse(text.Bytes(), path, vehicle.Opener(path))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := listing(t, flat), listing(t, m); got != want {
			t.Errorf("%s: the flat file has other equations", file)
		}
	}
}

// listing is a checksum of the program of a model, and its variables.
func listing(t *testing.T, m *vehicle.Model) string {
	t.Helper()
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range f.States() {
		fmt.Fprintln(&b, s.Name, s.Unit, s.Text, s.Start)
	}
	for _, i := range f.Inputs {
		fmt.Fprintln(&b, i.Name, i.Unit, i.Text)
	}
	for _, o := range f.Outputs {
		fmt.Fprintln(&b, o.Name, o.Unit, o.Text)
	}
	for _, p := range f.Parameters {
		fmt.Fprintln(&b, p.Name, p.Unit, p.Text)
	}
	p, err := formulate.Program(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return b.String() + p.Fingerprint()
}

// Vehicles of subsystems equal the earlier flat files with written corners and axles: the same variables in the same
// order, the same program.
func TestVehiclesOfSubsystemsEqualFlatFiles(t *testing.T) {
	for _, name := range []string{"passenger_car", "tractor_semitrailer", "car_trailer"} {
		data, err := os.ReadFile("testdata/" + name + "_flat.toml")
		if err != nil {
			t.Fatal(err)
		}
		path := "../../resources/models/" + name + ".toml"
		flat, err := vehicle.Parse(data, path, vehicle.Opener(path))
		if err != nil {
			t.Fatal(err)
		}
		m, err := vehicle.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := listing(t, m), listing(t, flat); got != want {
			t.Errorf("%s has other equations than the written one", name)
		}
		if len(m.Parameters) != len(flat.Parameters) {
			t.Errorf("%s has %d parameters, want %d", name, len(m.Parameters), len(flat.Parameters))
		}
	}
}

// Every shipped subsystem can be used, with the names that its user gives.
func TestShippedSubsystemsCanBeUsed(t *testing.T) {
	const corners = `name = "Car"
[component.road]
type = "terrain"
[component.body]
type = "rigid-body"
mass = 1000
inertia = { xx = 250, yy = 1500, zz = 1600 }
start = { position = [0, 0, 0.6] }
[use.F]
file = "../subsystems/corner_strut.toml"
at = ["L", "R"]
frames = { chassis = "body", road = "road" }
parameters = { x = 1.2, half_track = 0.7 }
component = { drive.remove = true }
[use.R]
file = "../subsystems/corner_multilink.toml"
at = ["L", "R"]
frames = { chassis = "body", road = "road" }
parameters = { x = -1.3, half_track = 0.7, centre = -0.3, load = 2500, stiffness = 25000, damping = 1800 }
[use.D]
`
	for name, use := range map[string]string{
		"rear":  `{ chassis = "body", left = "wheel_RL", right = "wheel_RR" }`,
		"front": `{ chassis = "body", left = "wheel_FL", right = "wheel_FR" }`,
		"all": `{ chassis = "body", front_left = "wheel_FL", front_right = "wheel_FR", rear_left = "wheel_RL", ` +
			`rear_right = "wheel_RR" }`,
	} {
		const path = "../../resources/models/car.toml"
		text := corners + "file = \"../subsystems/driveline_" + name + ".toml\"\nframes = " + use + "\n"
		m, err := vehicle.Parse([]byte(text), path, vehicle.Opener(path))
		if err != nil {
			t.Fatalf("driveline_%s: %v", name, err)
		}
		for _, w := range m.Warnings {
			if strings.Contains(w, "nothing ") {
				t.Errorf("driveline_%s: %s", name, w)
			}
		}
		if _, err := formulate.Program(m, formulate.Options{}); err != nil {
			t.Errorf("driveline_%s: %v", name, err)
		}
	}
}

// The truck of corner files has the variables of the earlier truck in a single file, in the order of its corners.
func TestTruckOfSubsystemsHasTheVariablesOfTheFlatFile(t *testing.T) {
	data, err := os.ReadFile("testdata/truck3_flat.toml")
	if err != nil {
		t.Fatal(err)
	}
	const path = "../../resources/models/truck3.toml"
	flat, err := vehicle.Parse(data, path, vehicle.Opener(path))
	if err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := func(m *vehicle.Model) []string {
		list := strings.Split(listing(t, m), "\n")
		return sorted(list[:len(list)-1]) // without the checksum of the program
	}
	if !slices.Equal(lines(m), lines(flat)) {
		t.Errorf("the truck has other variables, or start values, than the written one")
	}
}

// Any subsystem file gives a model or errors with places, and no panic.
func FuzzSubsystem(f *testing.F) {
	fuzzinputs.Add(f, strut, carOfStruts)
	fuzzinputs.Add(f, axle, carOfStruts)
	fuzzinputs.Add(f, strings.Replace(strut, `sides = "left"`, `sides = "none"`, 1), strings.Replace(carOfStruts, `"R"`,
		`"B"`, 1))
	fuzzinputs.Add(f, strut+"[use.a]\nfile = \"strut.toml\"\n", carOfStruts)
	fuzzinputs.Add(f, strings.Replace(strut, "lag*rate", "x*x*x*(rate^2)", 1), carOfStruts)
	fuzzinputs.Add(f, `kind = "subsystem"
frames = ["wheel"]
nodes = ["dc"]
[component]
inverter = { type = "converter", supply = ["dc", "ground"], load = ["phase", "ground"], ratio = "input" }
machine = { type = "dc-machine", from = "phase", resistance = 0.05, constant = 1.1, joint = "wheel" }
`, `name = "Drive"
[use.L]
file = "parts/strut.toml"
frames = { wheel = "axle" }
nodes = { dc = "battery" }
component.fuse = { type = "resistor", from = "phase", to = "out", resistance = 1 }
[component]
pack = { type = "voltage-source", to = "battery", voltage = 300, resistance = 0.1 }
lamp = { type = "resistor", from = "out_L", resistance = 2 }
axle = { type = "revolute", from = "ground", to = "rotor", axis = "y" }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
`)
	f.Fuzz(func(t *testing.T, part, car string) {
		m, err := subsystemModel(car, map[string]string{"parts/strut.toml": part})
		if err != nil && m != nil || err == nil && m == nil {
			t.Fatalf("%v, %v", m, err)
		}
		if err != nil && !strings.Contains(err.Error(), ":") {
			t.Fatalf("a fault without a place: %v", err)
		}
	})
}

// Paths of files lead from the file that names them.
func TestFilesOfSubsystemsAreNamedFromTheirFolder(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("data/curves/bump.csv", "travel [mm], force [kN]\n-10, -1\n0, 0\n20, 3\n")
	write("data/parts/axle.toml", axle)
	write("data/parts/strut.toml", strings.Replace(strut, `stiffness = "rate"`,
		`spring_force = { file = "../curves/bump.csv", column = "force", over = "travel" }`, 1))
	write("cars/car.toml", strings.ReplaceAll(carOfStruts, "parts/", "../data/parts/"))
	m, err := vehicle.Read(filepath.Join(folder, "cars", "car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"spring_FL", "spring_FR", "spring_3R"} {
		if c := m.Scope().Find(name).(*component.SpringDamper).SpringForce; c == nil || valueAt(c, 0.02) != 3000 {
			t.Errorf("%s has the curve %v", name, c)
		}
	}
	if err := os.Remove(filepath.Join(folder, "data", "curves", "bump.csv")); err != nil {
		t.Fatal(err)
	}
	if _, err := vehicle.Read(filepath.Join(folder, "cars", "car.toml")); err == nil ||
		strings.Count(err.Error(), "\n") > 0 {
		t.Errorf("one missing file of six instances: %v", err)
	}
}

func valueAt(c *curve.Curve, x float64) float64 {
	value, _, _ := c.At(x)
	return value
}

// A curve of a file on a joint whose coordinate changes its sign is mirrored, by a word.
func TestCurvesOfFilesAreMirrored(t *testing.T) {
	part := `kind = "subsystem"
sides = "left"
frames = ["chassis"]
[component.toe]
type = "revolute"
from = "chassis"
to = "hub"
axis = "z"
[component.bushing]
type = "spring-damper"
joint = "toe"
spring_force = { file = "toe.csv", column = "torque", over = "angle" }
[component.hub]
type = "rigid-body"
frame = "hub"
mass = 1
inertia = { axial = 1, transverse = 1 }
`
	m, err := vehicle.Parse([]byte(`name = "A"
[component.body]
type = "rigid-body"
mass = 1
inertia = { axial = 1, transverse = 1 }
[use.W]
file = "toe.toml"
at = ["L", "R"]
frames = { chassis = "body" }
`), "a.toml",
		func(kind bounded.Kind, name string) ([]byte, error) {
			if kind == bounded.Curves {
				return []byte("angle [rad], torque [N.m]\n-0.1, -50\n0, 0\n0.3, 90\n"), nil
			}
			return []byte(part), nil
		})
	if err != nil {
		t.Fatal(err)
	}
	left := m.Scope().Find("bushing_WL").(*component.SpringDamper).SpringForce
	right := m.Scope().Find("bushing_WR").(*component.SpringDamper).SpringForce
	for _, x := range []float64{-0.4, -0.1, -0.05, 0, 0.1, 0.3} {
		if got, want := valueAt(right, -x), -valueAt(left, x); math.Abs(got-want) > 1e-12 {
			t.Errorf("the right one has %g at %g, want %g", got, -x, want)
		}
	}
	if valueAt(left, 0.3) != 90 || valueAt(right, -0.3) != -90 {
		t.Errorf("the curves have %g and %g", valueAt(left, 0.3), valueAt(right, -0.3))
	}
}
