package suspension

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
