package reference

import (
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// What has a surface is refused, not computed without it.
func TestSurfacesAreRefused(t *testing.T) {
	const hull = `name = "Hull"
[component.hull]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.air]
type = "aerodynamics"
frame = "hull"
area = 2
length = 2
`
	const points = " = [[-1, 0, 1], [-1, 1, 2], [1, 0, 3], [1, 1, 4]]\n"
	for _, key := range []string{"drag", "lift_front", "lift_rear", "side_force", "roll_moment", "yaw_moment"} {
		m, err := vehicle.Parse([]byte(hull+key+"_curve"+points), "hull.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(m); err == nil || !strings.Contains(err.Error(), "surface") {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// So are surfaces of suspensions.
func TestSurfacesOfSuspensionsAreRefused(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Hull"
[component.hull]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.other]
type = "suspension"
from = "ground"
to = "mass"
[component.mass]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.susp]
type = "suspension"
from = "ground"
to = "hull"
other = "other"
toe = [[-1, 0, 1], [-1, 1, 2], [1, 0, 3], [1, 1, 4]]
`), "hull.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(m); err == nil || !strings.Contains(err.Error(), "susp has a surface") {
		t.Error(err)
	}
}

// Kinematics that do not run as natural splines with their tangents are refused, not computed as if they did.
func TestUnsupportedKinematicsAreRejected(t *testing.T) {
	const points = "{ points = [[-0.1, 0.01], [0, 0], [0.03, 0.02], [0.1, -0.01]]"
	for _, options := range []string{`, smooth = "monotone"`, `, smooth = "linear"`, `, outside = "hold"`} {
		for _, c := range []struct{ key, text string }{
			{"susp.toe", `[component.susp]
type = "suspension"
from = "ground"
to = "hull"
side = "left"
toe = `},
			{"steering.knuckle", `[component.knuckle]
type = "motion-driver"
from = "ground"
to = "hull"
axis = "z"
[component.steering]
type = "steering"
[[component.steering.wheels]]
driver = "knuckle"
angle_curve = `},
		} {
			for _, o := range []string{"", options} {
				m, err := vehicle.Parse([]byte(`name = "Hull"
[component.hull]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`+c.text+points+o+" }\n"), "hull.toml", nil)
				if err != nil {
					t.Fatal(err)
				}
				_, err = New(m)
				refused := err != nil && strings.Contains(err.Error(), c.key+": the reference solver has natural splines")
				if refused != (o != "") {
					t.Errorf("%s%s: %v", c.key, o, err)
				}
			}
		}
	}
}
