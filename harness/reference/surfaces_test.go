package reference

import (
	"strings"
	"testing"

	"skidpad/model"
)

// What has a surface is refused, not computed without it.
func TestSurfacesAreRefused(t *testing.T) {
	const hull = "name = \"Hull\"\n[component.hull]\ntype = \"rigid-body\"\nmass = 1\n" +
		"inertia = { xx = 1, yy = 1, zz = 1 }\n[component.air]\ntype = \"aerodynamics\"\nframe = \"hull\"\narea = 2\n" +
		"length = 2\n"
	const points = " = [[-1, 0, 1], [-1, 1, 2], [1, 0, 3], [1, 1, 4]]\n"
	for _, key := range []string{"drag", "lift_front", "lift_rear", "side_force", "roll_moment", "yaw_moment"} {
		m, err := model.Parse([]byte(hull+key+"_curve"+points), "hull.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(m); err == nil || !strings.Contains(err.Error(), "surface") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
