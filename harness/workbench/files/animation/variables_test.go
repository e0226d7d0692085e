package animation

import (
	"slices"
	"testing"

	"skidpad/model/vehicle"
)

// Runs are recorded with the poses of bodies, and with a joint only if the pose of a frame follows from it.
func TestVariablesOfJointsPlaceFrames(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Corner"
[component.body]
type = "rigid-body"
mass = 500
inertia = { xx = 100, yy = 300, zz = 320 }
[component.strut]
type = "prismatic"
from = "body"
to = "upright"
axis = "z"
[component.upright]
type = "rigid-body"
mass = 30
inertia = { xx = 1, yy = 1, zz = 1 }
[component.hub]
type = "revolute"
from = "upright"
to = "wheel"
axis = "y"
[component.wheel]
type = "rigid-body"
mass = 20
inertia = { xx = 1, yy = 2, zz = 1 }
`), "corner.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	pose := func(of string) (list []string) {
		for _, name := range []string{"x", "y", "z", "yaw", "pitch", "roll"} {
			list = append(list, of+"."+name)
		}
		return list
	}
	other := []string{"hub.phi", "hub.omega", "strut.s", "body.vx"}
	for _, c := range []struct{ outputs, want []string }{
		{slices.Concat(pose("body"), pose("upright"), other), slices.Concat(pose("body"), pose("upright"), other[:1])},
		{slices.Concat(pose("body"), other), slices.Concat(pose("body"), other[:1], other[2:3])},
		{slices.Concat(pose("upright"), pose("wheel"), other), slices.Concat(pose("upright"), pose("wheel"), other[2:3])},
	} {
		if got := Variables(m, c.outputs); !slices.Equal(got, c.want) {
			t.Errorf("of %q are recorded %q; want %q", c.outputs, got, c.want)
		}
	}
}
