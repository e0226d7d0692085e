package reduction

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
	"skidpad/model/document"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// writeWhole makes an axle of a shipped subsystem of both wheels, in a file of its own.
func writeWhole(t *testing.T, axle, keys string) (string, *vehicle.Model) {
	t.Helper()
	text := fmt.Sprintf(`name = "Axle"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 }, start = { position = [0, 0, 0.5] } }
front = { type = "rigid-arm", from = "body", to = "front", translation = [0.1, 0, -0.5] }
[use.F]
file = "%s"
frames = { chassis = "front", road = "road" }
%s
[roles]
chassis = "body"
road = "road"
axles = [["tire_FL", "tire_FR"]]
`, axle, keys)
	path := filepath.Join(t.TempDir(), "axle.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, m
}

// Wheels that move each other are where the full axle has them for any two travels, with the same forces of the pads.
// Slopes and rates are equal, and the travels move the same masses.
func TestDependentWheelsMoveAlike(t *testing.T) {
	testrun.Slow(t)
	dependentAlike(t, [][2]string{
		{"axle_links", `parameters = { toe = 0.003, camber = -0.01, centre = ["10 mm", "5 mm", "310 mm"] }
[component.hub_FR]
translation = [-0.01, 0.015, 0]
`}, // the right wheel is elsewhere
		{"axle_twist_beam", `parameters = { toe = 0.002, camber = -0.01 }`},
	})
}

// Four links and a spring for the Panhard rod.
func TestWheelsOfFourLinksMoveAlike(t *testing.T) {
	testrun.OnlyAll(t)
	dependentAlike(t, [][2]string{{"axle_links", "links = \"four_panhard\"\n" +
		"parameters = { upper_front = [380, 200, 440], upper_rear = [-10, 420, 430] }"}})
}

// dependentAlike compares axles with and without tables. An axle has a subsystem and keys of its use.
func dependentAlike(t *testing.T, axles [][2]string) {
	t.Helper()
	for _, c := range axles {
		name := c[0] + ", " + c[1]
		path, m := writeWhole(t, c[0], c[1])
		o := rig.Options{Axle: 1, Bodies: true}
		axle, err := Reduce(path, m, m.Roles, o, 1e-6)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		full, err := rig.New(m, o)
		if err != nil {
			t.Fatal(err)
		}
		tables, err := rig.New(axle.Model, o)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(2, 7))
		for range 20 {
			g := rig.Given{Travel: [2]float64{0.16*r.Float64() - 0.08, 0.16*r.Float64() - 0.08}}
			a, err := full.Solve(g, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := tables.Solve(g, nil)
			if err != nil {
				t.Fatal(err)
			}
			for side := range 2 {
				v, w := &a.Wheels[side], &b.Wheels[side]
				for k := range 3 {
					if d := math.Abs(v.Centre[k].V - w.Centre[k].V); d > 2e-6 {
						t.Errorf("%s at %v: the centre of the %s wheel differs by %g m", name, g, rig.Sides[side], d)
					}
				}
				if d := math.Abs(v.Toe().V - w.Toe().V); d > 2e-6 {
					t.Errorf("%s at %v: toe differs by %g rad", name, g, d)
				}
				if d := math.Abs(v.Camber().V - w.Camber().V); d > 2e-6 {
					t.Errorf("%s at %v: camber differs by %g rad", name, g, d)
				}
				if d := math.Abs(a.Pads[side].V - b.Pads[side].V); d > 1e-3*math.Abs(a.Pads[side].V)+5 {
					t.Errorf("%s at %v: the %s pad bears %g N, with tables %g N", name, g, rig.Sides[side], a.Pads[side].V,
						b.Pads[side].V)
				}
			}
		}
		for i := range axle.Full {
			f := &axle.Full[i]
			of, allowed := axle.WithTables(f.Key), 0.005
			switch {
			case f.Missing != "" || strings.Contains(f.Key, "lateral") || strings.Contains(f.Key, "aligning") ||
				strings.Contains(f.Key, "longitudinal"): // beams yield
				continue
			case f.Key == "wheel_rate" || f.Key == "roll_stiffness":
				allowed = 0.002
			}
			if of == nil {
				t.Errorf("%s: no %s with tables", name, f.Key)
				continue
			}
			for side, x := range [2][2]float64{{f.Left.V, of.Left.V}, {f.Right.V, of.Right.V}} {
				if d := math.Abs(x[0] - x[1]); d > allowed*math.Abs(x[0])+1e-5 {
					t.Errorf("%s: %s at the %s is %g, with tables %g", name, f.Key, rig.Sides[side], x[0], x[1])
				}
			}
		}
		var bounce, mass [2]float64
		for i, r := range []*rig.Rig{full, tables} {
			list, err := r.Bodies()
			if err != nil {
				t.Fatal(err)
			}
			for k := range list {
				bounce[i], mass[i] = bounce[i]+list[k].Bounce(), mass[i]+list[k].Mass
			}
		}
		if math.Abs(bounce[1]/bounce[0]-1) > 1e-3 || math.Abs(mass[1]/mass[0]-1) > 1e-12 {
			t.Errorf("%s: travel moves %g kg of %g, with tables %g kg of %g", name, bounce[0], mass[0], bounce[1], mass[1])
		}
	}
}

// A use of the file of a whole axle asks for tables without instances. Springs of each side stay on its own hub, and
// joints that do not suit tables are told.
func TestWholeAxlesAsTables(t *testing.T) {
	path, _ := writeWhole(t, "axle_links", `suspension = "tabulated"`)
	m, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, is := range map[string]bool{"susp_FL": true, "susp_FR": true, "axle_F": true, "spring_FR": true,
		"upper_F": false, "panhard_F": false, "lower_FL": false, "lower_FR": false, "chassis_lower_front_FL": false} {
		if (m.Scope().Find(name) != nil) != is {
			t.Errorf("%s in the vehicle with tables: %v", name, !is)
		}
	}
	if len(m.Warnings) > 0 {
		t.Errorf("warnings: %s", m.Warnings)
	}
	spring := m.Scope().Find("axle_spring_bottom_FR").Frames().Joins[0]
	if spring != m.Scope().Find("axle_wheel_centre_FR").Frames().Joins[0] || spring == "axle_F" {
		t.Errorf("the right spring is on %s", spring)
	}
	path, m = writeWhole(t, "axle_twist_beam", `joints = "bushings"`)
	_, err = Reduce(path, m, m.Roles, rig.Options{Axle: 1}, 1e-4)
	if err == nil || !strings.Contains(err.Error(), "sleeve_FL yields; tables of such an axle need ideal joints") {
		t.Errorf("sleeves: %v", err)
	}
}

// Networks on an axle of tables join the same nodes: those of a wheel, of the axle, and of the vehicle. A node dc of
// the vehicle stays apart from the nodes dc of the wheels.
func TestNodesOfAnAxleStayThemselves(t *testing.T) {
	const pack = `[component.pack]
type = "voltage-source"
to = "dc"
voltage = 300
`
	path, m := writeWhole(t, "axle_links", pack+`[component.fuse_F]
type = "resistor"
from = "dc"
to = "bus_F"
resistance = 0.01
[component.lead_FL]
type = "resistor"
from = "bus_F"
to = "dc_FL"
resistance = 0.02
[component.machine_FL]
type = "dc-machine"
from = "dc_FL"
joint = "wheel_FL"
resistance = 0.1
constant = 1
[component.inverter_FR]
type = "converter"
supply = ["dc", "ground"]
load = ["dc_FR", "bus_F"]
ratio = 2
[component.lamp_FR]
type = "resistor"
from = "dc_FR"
to = "bus_F"
resistance = 9
`)
	axle, err := Reduce(path, m, m.Roles, rig.Options{Axle: 1}, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(path)
	same := func(name string) (string, error) { return name, nil }
	axle.Dependent.Files = [2]string{"left.toml", "right.toml"}
	var text strings.Builder
	if err := axle.Write(&text, same); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"tables.toml": text.String()}
	for side, name := range axle.Dependent.Files {
		text.Reset()
		if err := axle.WriteEnd(side, &text, same); err != nil {
			t.Fatal(err)
		}
		files[name] = text.String()
	}
	given := func(key string, names []string, of map[string]string) string {
		var list []string
		for _, name := range names {
			list = append(list, fmt.Sprintf("%s = %q", name, of[name]))
		}
		return fmt.Sprintf("%s = { %s }\n", key, strings.Join(list, ", "))
	}
	original, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(original), "[use.F]")
	files["car.toml"] = head + pack + "[use.F]\nfile = \"tables.toml\"\n" + given("frames", axle.Frames, axle.Given) +
		given("nodes", axle.Nodes, axle.GivenNodes)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	components := func(path string) *document.Node {
		d, err := vehicle.ReadDocument(path)
		if err != nil {
			t.Fatalf("%v\n%s", err, files)
		}
		return d.Root.Field("component")
	}
	want, got := components(path), components(filepath.Join(folder, "car.toml"))
	for _, name := range []string{"pack", "fuse_F", "lead_FL", "machine_FL", "inverter_FR", "lamp_FR"} {
		for _, key := range []string{"from", "to", "joint", "supply", "load"} {
			if w, g := nodesIn(want.Field(name).Field(key)), nodesIn(got.Field(name).Field(key)); w != g {
				t.Errorf("%s.%s is %s, with tables %s", name, key, w, g)
			}
		}
	}
}

// nodesIn are the texts of a value.
func nodesIn(n *document.Node) string {
	if n == nil {
		return ""
	}
	text := n.Text
	for _, item := range n.Items {
		text += " " + item.Text
	}
	return text
}
