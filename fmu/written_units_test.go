package fmu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/fmu/check"
	"skidpad/fmu/fmutest"
)

// A variable whose value is written in a unit is shown in it; SI values are written, and factors lead there.
func TestDescriptionsShowTheUnitsOfTheFile(t *testing.T) {
	text := `
name = "Written"
[parameters]
k = { value = 24.4, unit = "N/mm" }
[quantities]
"body.kmh" = { value = "body.vx", unit = "km/h" }
[component.body]
type = "rigid-body"
mass = "500 lb"
inertia = { xx = 1, yy = 1, zz = "2e6 kg.mm2" }
[component.joint]
type = "prismatic"
from = "ground"
to = "body"
axis = "x"
[component.joint.start]
s = "20 mm"
[component.spring]
type = "spring-damper"
joint = "joint"
stiffness = "k"
damping = "2 kN.s/m"
[component.oil]
type = "equations"
inputs = [{ name = "t", unit = "K", value = "20 degC" }]
outputs = [{ name = "y", unit = "K", value = "t" }]
`
	file := filepath.Join(t.TempDir(), "written.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, version := range []int{2, 3} {
		files, archive := fmutest.Pack(t, file, version)
		description := string(files["modelDescription.xml"])
		packed := filepath.Join(t.TempDir(), "x.fmu")
		if err := os.WriteFile(packed, archive, 0o644); err != nil {
			t.Fatal(err)
		}
		if findings, err := check.FMU(packed); err != nil || len(findings) > 0 {
			t.Errorf("FMI %d.0: %v %v", version, findings, err)
		}
		for _, part := range []string{
			`<DisplayUnit name="N/mm" factor="0.001"/>`, `<DisplayUnit name="lb" factor="2.204622621848775`,
			`<DisplayUnit name="mm" factor="1000"/>`, `<DisplayUnit name="kg.mm2" factor="1e+06"/>`,
			`<DisplayUnit name="degC" factor="1" offset="-273.15"/>`, `<DisplayUnit name="kN.s/m" factor="0.001"/>`,
			`displayUnit="N/mm"`, `displayUnit="lb"`, `displayUnit="km/h"`, `start="24400"`, `start="226.796185"`,
			`start="0.02"`, `unit="m" displayUnit="mm"`,
		} {
			if !strings.Contains(description, part) {
				t.Errorf("FMI %d.0: %s is missing in %s", version, part, description)
			}
		}
	}
}
