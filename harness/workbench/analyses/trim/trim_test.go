package trim

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

func TestMain(m *testing.M) {
	library.RunAsChild()
	built.Main(m)
}

// The start values written into a file are steady when the file is read again: the search begins with a residual below
// 1e-9 and changes nothing. The rest of the file keeps every byte.
func TestWrittenStartsAreSteady(t *testing.T) {
	testrun.Slow(t)
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		settings []manoeuvre.Setting
	}{
		{"skidder", nil}, {"truck3", nil}, {"car_trailer", nil},
		{"passenger_car", []manoeuvre.Setting{{Name: "body.vx", Value: "30"}}},
		{"passenger_car", []manoeuvre.Setting{{Name: "body.vx", Value: "0"}}},
		{"struts", []manoeuvre.Setting{{Name: "body.vx", Value: "0"}}},
	} {
		file := built.Model(c.name)
		if c.name == "struts" {
			file = filepath.Join(t.TempDir(), "struts.toml")
			if err := os.WriteFile(file, []byte(struts), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		m, err := vehicle.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		vehicle, err := l.Load(file, "")
		if err != nil {
			t.Fatal(err)
		}
		changes, err := Find(m, vehicle, c.settings)
		vehicle.Close()
		if err != nil || len(changes) == 0 {
			t.Fatal(c.name, changes, err)
		}
		rewritten, err := Rewrite(data, file, changes)
		if err != nil {
			t.Fatal(err)
		}
		steady(t, file, rewritten, changes)
		for _, change := range changes { // vehicles that are symmetric have 0, and not what a search leaves beside it
			for i, x := range change.now {
				if x != 0 && math.Abs(x) < 1e-10 && c.name != "struts" {
					t.Errorf("%s: %s is %g", c.name, change.names[i], x)
				}
			}
		}
		for line := range bytes.Lines(data) { // comments and everything else
			if !bytes.Contains(line, []byte("start")) && !bytes.Contains(rewritten, line) {
				t.Errorf("%s: lost %s", c.name, line)
			}
		}
	}
}

// struts is a car whose wheel carriers are free bodies with places in the design position.
const struts = `name = "Struts"
source = "own"
gravity = 9.81

[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 1200, inertia = { xx = 300, yy = 1500, zz = 1600 }, start = { position = [0, 0, 0.5] } }
front = { type = "rigid-arm", from = "body", to = "front", translation = [1.2, 0, -0.5] }
rear = { type = "rigid-arm", from = "body", to = "rear", translation = [-1.3, 0, -0.5] }

[use.F]
file = "corner_macpherson"
at = ["L", "R"]
frames = { chassis = "front", road = "road" }
steered = "no"

[use.R]
file = "corner_five_link"
at = ["L", "R"]
frames = { chassis = "rear", road = "road" }

[roles]
chassis = "body"
`

// Settings can have a unit, matching the unit of the variable.
func TestUnitsOfSettings(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(built.Model("passenger_car"))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"36 km/h": "", "10 kg": `--set: "body.vx" is "10 kg": kg is not a unit`} {
		vehicle, err := l.Load(m.File, "")
		if err != nil {
			t.Fatal(err)
		}
		setting, err := manoeuvre.ParseSetting("--set", "body.vx", text)
		if err != nil {
			t.Fatal(err)
		}
		changes, err := Find(m, vehicle, []manoeuvre.Setting{setting})
		vehicle.Close()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) ||
			err == nil && len(changes) == 0 {
			t.Errorf("%s: %v, %v", text, changes, err)
		}
	}
}

func steady(t *testing.T, file string, data []byte, changes []Change) {
	t.Helper()
	m, err := vehicle.Parse(data, file, vehicle.Opener(file))
	if err != nil {
		t.Fatal(err)
	}
	s, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	result, err := in.Trim()
	if err != nil || result.Iterations != 0 || !(result.Residual < 1e-9) {
		t.Errorf("%s: %+v, %v", file, result, err)
	}
	for _, c := range changes {
		for i, name := range c.names {
			k, found := s.Find(name)
			if x, err := in.Get(k); !found || err != nil || math.Abs(x-c.now[i]) > 2e-13*max(1, math.Abs(x)) {
				t.Errorf("%s: %s is %.17g, not %.17g: %v", file, name, x, c.now[i], err)
			}
		}
	}
}

// networks are a motor on a battery, and a mass on gas.
const networks = `name = "Networks"
gravity = 9.81

[component]
pack = { type = "battery", to = "dc", open_voltage = [[0, 11], [1, 13]], resistance = 0.1, charge = "60 A.h", start = { soc = 0.5 } }
motor = { type = "dc-machine", from = "dc", resistance = 0.5, inductance = "1 mH", constant = 0.1, joint = "axle" }
axle = { type = "revolute", from = "ground", to = "rotor", axis = "z" } # of the motor
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
friction = { type = "spring-damper", joint = "axle", damping = 0.001 }
slide = { type = "prismatic", from = "ground", to = "body", axis = "z" }
body = { type = "rigid-body", mass = 400, inertia = { xx = 1, yy = 1, zz = 1 } }
leg = { type = "cylinder", joint = "slide", head = "leg", area = "10 cm2" }
gas = { type = "accumulator", from = "leg", volume = "0.4 l", precharge = "15 bar", start = { pressure = "30 bar" } }
`

// Starts of networks are written to their components, in place and as new keys. States of charge stay.
func TestStartsOfNetworksAreWritten(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "networks.toml")
	if err := os.WriteFile(file, []byte(networks), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := l.Load(file, "")
	if err != nil {
		t.Fatal(err)
	}
	defer loaded.Close()
	changes, err := Find(m, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	rewritten, err := Rewrite([]byte(networks), file, changes)
	if err != nil {
		t.Fatal(err)
	}
	steady(t, file, rewritten, changes)
	// 12 V = 0.6 Ohm i + 0.1 w, 0.1 i = 0.001 w; 400 kg on 10 cm2
	for _, want := range []string{"start.omega = 113.2", "start.current = 1.132", `pressure = "39.2`, "soc = 0.5"} {
		if !bytes.Contains(rewritten, []byte(want)) {
			t.Errorf("no %s in\n%s", want, rewritten)
		}
	}
}

// Every TOML form of a start value keeps its layout, its comments and its unit.
func TestLayoutOfRewrittenFiles(t *testing.T) {
	one := func(component, path, key, unit string, was, now float64) Change {
		return Change{startKey{component: component, path: []string{path, key}, names: []string{component + "." + key},
			values: []keys.Scalar{{Value: was, Unit: unit}}}, []float64{now}}
	}
	list := Change{startKey{component: "body", path: []string{"start", "position"}, list: true,
		names:  []string{"body.x", "body.y", "body.z"},
		values: []keys.Scalar{{Value: 0, Text: "0"}, {Value: 0.25, Text: "0.25"}, {Value: 0.5, Text: "0.5"}}},
		[]float64{0, 0.25, 0.625}}
	for _, c := range []struct {
		name, text, want string
		change           Change
	}{
		{"in braces", "[component.a] # a\nstart = { s = 0.5, s_dot = 1 } # b\n",
			"[component.a] # a\nstart = { s = 0.75, s_dot = 1 } # b\n", one("a", "start", "s", "", 0.5, 0.75)},
		{"with a unit", "[component.a]\nstart = { s = \"500 mm\" } # half\n",
			"[component.a]\nstart = { s = \"750 mm\" } # half\n", one("a", "start", "s", "mm", 0.5, 0.75)},
		{"in a list over lines", `[component.body]
start.position = [ # x
  0, 0.25, # y
  5e-1, # z
]
`,
			`[component.body]
start.position = [ # x
  0, 0.25, # y
  0.625, # z
]
`, list},
		{"missing in braces", "[component.a]\nstart = { s_dot = 1 } # \"}\"\n",
			"[component.a]\nstart = { s_dot = 1, s = 0.75 } # \"}\"\n", one("a", "start", "s", "", 0, 0.75)},
		{"in empty braces", "component = { a = { start = {} } }\n", "component = { a = { start = { s = 0.75 } } }\n",
			one("a", "start", "s", "", 0, 0.75)},
		{"in a table of its own", `[component.a]
type = "x"
[component.a.start] # of a
s_dot = 1
`,
			`[component.a]
type = "x"
[component.a.start] # of a
s = 0.75
s_dot = 1
`,
			one("a", "start", "s", "", 0, 0.75)},
		{"dotted", "[component]\na.start.s_dot = 1 # rate\n",
			`[component]
a.start.s = 0.75
a.start.s_dot = 1 # rate
`, one("a", "start", "s", "", 0, 0.75)},
		{"without start", "[component.a] # a\ntype = \"x\"", `[component.a] # a
start.s = 0.75
type = "x"`,
			one("a", "start", "s", "", 0, 0.75)},
		{"of a subsystem", `name = "x" # no end of line`,
			`name = "x" # no end of line

[component.a]
start.s = 0.75
`,
			one("a", "start", "s", "", 0, 0.75)},
		{"with tables within alone", "[component.a.slip]\nq1 = 0\n",
			`[component.a.slip]
q1 = 0

[component.a]
start.s = 0.75
`,
			one("a", "start", "s", "", 0, 0.75)},
		{"behind a mark of UTF-8", "\xef\xbb\xbfcomponent.a.start.s = 0.5 # s\r\n",
			"\xef\xbb\xbfcomponent.a.start.s = 0.75 # s\r\n", one("a", "start", "s", "", 0.5, 0.75)},
	} {
		got, err := Rewrite([]byte(c.text), "a.toml", []Change{c.change})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

// Start values are written under the names of the start speeds, whatever speeds the file chooses.
func TestPlacesOfChosenSpeeds(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Stone"
[component.stone]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 2, zz = 2.5 }
speeds = "ground"
`), "stone.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range places(m) {
		names = append(names, p.names...)
	}
	const want = "stone.x stone.y stone.z stone.vx stone.vy stone.vz stone.yaw stone.pitch stone.roll " +
		"stone.wx stone.wy stone.wz"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the file has start values of %s, want %s", got, want)
	}
}
