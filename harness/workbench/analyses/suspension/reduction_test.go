package suspension

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/reduction"
	"skidpad/model/rig"
	"skidpad/model/vehicle"
)

// The file of the corner reads from any folder, and names in it are local.
func TestTheCornerIsASubsystemFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "axle.toml")
	if err := os.WriteFile(path, []byte(`name = "Axle"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 }, start = { position = [0, 0, 0.5] } }
rear = { type = "rigid-arm", from = "body", to = "rear", translation = [0.1, 0, -0.5] }
[use.F]
file = "corner_five_link"
at = ["L", "R"]
frames = { chassis = "rear", road = "road" }
[roles]
chassis = "body"
axles = [["tire_FL", "tire_FR"]]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := reduction.Reduce(path, m, m.Roles, rig.Options{Axle: 1}, 1e-5)
	if err != nil {
		t.Fatal(err)
	}
	var corner bytes.Buffer
	folder := filepath.Join(t.TempDir(), "elsewhere")
	if err := WriteCorner(tables, &corner, folder); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(corner.String(), "_FL") {
		t.Error("names of the left corner are left")
	}
	car := `name = "Fast"
[component]
ground_road = { type = "terrain" }
hull = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 } }
[use.X]
file = "corner.toml"
at = ["L", "R"]
frames = { chassis = "hull", road = "ground_road" }
`
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"corner.toml": corner.String(), "car.toml": car} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fast, err := vehicle.Read(filepath.Join(folder, "car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if fast.Scope().Find("susp_XR") == nil || fast.Scope().Find("spring_XL") == nil {
		t.Error("the corners lack their suspension or spring")
	}
	var printed bytes.Buffer
	if err := PrintReduction(tables, &printed); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"length of spring_FL", "wheel rate", "[use.F]", `chassis = "body", road = "road"`} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &printed)
		}
	}
}

// The file of an axle with dependent wheels uses the files of its wheels, under any name.
func TestAnAxleOfDependentWheelsIsASubsystemFile(t *testing.T) {
	folder := t.TempDir()
	path, out := filepath.Join(folder, "axle.toml"), filepath.Join(folder, "fast.toml")
	const car = `name = "Axle"
gravity = 9.81
[component]
road = { type = "terrain" }
body = { type = "rigid-body", mass = 900, inertia = { xx = 300, yy = 900, zz = 900 }, start = { position = [0, 0, 0.5] } }
rear = { type = "rigid-arm", from = "body", to = "rear", translation = [0.1, 0, -0.5] }
`
	if err := os.WriteFile(path, []byte(car+`[use.F]
file = "axle_twist_beam"
frames = { chassis = "rear", road = "road" }
[roles]
chassis = "body"
axles = [["tire_FL", "tire_FR"]]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := vehicle.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := reduction.Reduce(path, m, m.Roles, rig.Options{Axle: 1}, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	if err := PrintReduction(tables, &printed); err != nil {
		t.Fatal(err)
	}
	at := strings.Index(printed.String(), "[use.F]")
	if at < 0 || !strings.Contains(printed.String(), "toe, right wheel") {
		t.Fatalf("the output is\n%s", &printed)
	}
	use := strings.Replace(printed.String()[at:], "[use.F]\nfile = \"...\"", "[use.X]\nfile = \"fast.toml\"", 1)
	files := EndFiles(tables, out)
	for side, name := range append(files, out, filepath.Join(folder, "car.toml")) {
		var text bytes.Buffer
		switch side {
		case 0, 1:
			err = WriteEnd(tables, side, &text, folder)
		case 2:
			err = WriteCorner(tables, &text, folder)
		default:
			text.WriteString(car + use)
		}
		if strings.Contains(text.String(), "design = ") {
			t.Errorf("%s: a body that the wheel moves has a design position of its own", name)
		}
		if err == nil {
			err = os.WriteFile(name, text.Bytes(), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	fast, err := vehicle.Read(filepath.Join(folder, "car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if beam := fast.Scope().Find("beam_X"); beam == nil ||
		!slices.Equal(beam.Frames().Uses, []string{"arm_R_shear_centre_X", "arm_L_shear_centre_X"}) {
		t.Errorf("the beam is %v", beam)
	}
	for i, side := range []string{"L", "R"} {
		susp, is := fast.Scope().Find("susp_X" + side).(*component.Suspension)
		if !is || susp.Second != "susp_X"+[]string{"R", "L"}[i] || susp.Right != (i == 1) {
			t.Errorf("susp_X%s is %+v", side, susp)
		}
	}
}
