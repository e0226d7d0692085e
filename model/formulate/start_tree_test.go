package formulate_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// hinged is a rod on a hinge, with starts of either, and a tree of the joint or the body.
func hinged(t *testing.T, rod, joint, tree string) (*vehicle.Model, error) {
	t.Helper()
	text := `name = "Hinge"
[component.rod]
type = "rigid-body"
mass = 2
inertia = { axial = 0.001, transverse = 0.375, axis = "z" }
` + rod + `
[component.joint]
type = "revolute"
from = "ground"
to = "pivot"
axis = "y"
` + joint + `
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "rod"
translation = [0, 0, -0.75]
` + tree
	return vehicle.Parse([]byte(text), "hinge.toml", bounded.Kind.Read)
}

const bodyTree = `[[tree]]
name = "body"
prefer = ["rod.T1", "rod.R1"]
forbid = ["joint.T1", "joint.R2"]
`

// Missing start values follow from the given ones, with every tree and also if the file has one tree only.
func TestStartsFollowFromStartsOfTheFile(t *testing.T) {
	s, c := math.Sincos(0.3)
	rod := map[string]float64{"rod.x": -0.75 * s, "rod.y": 0, "rod.z": -0.75 * c, "rod.pitch": 0.3, "rod.vx": -0.75 * 2,
		"rod.vz": 0, "rod.wy": 2}
	joint := map[string]float64{"joint.phi": 0.3, "joint.omega": 2}
	const rodStart = `start = { position = [-0.22164015499600464, 0, -0.7165023668442045], angles = [0, 0.3, 0], ` +
		`velocity = [-1.5, 0, 0], angular_velocity = [0, 2, 0] }`
	const jointStart = "start = { phi = 0.3, omega = 2 }"
	for _, x := range []struct {
		rod, joint, tree string
		want             map[string]float64
	}{
		{"", jointStart, bodyTree, rod}, {"", jointStart, "", joint},
		{rodStart, "", "", joint}, {rodStart, "", bodyTree, rod},
		{rodStart, jointStart, "", joint}, {rodStart, jointStart, bodyTree, rod},
	} {
		m, err := hinged(t, x.rod, x.joint, x.tree)
		if err != nil {
			t.Fatal(err)
		}
		p, machine := machine(t, m, formulate.Options{})
		got := start(t, p, machine, nil, make([]float64, len(p.Inputs)))
		for i, v := range p.States {
			if want, named := x.want[v.Name]; named && !(math.Abs(got[i]-want) <= 1e-12) {
				t.Errorf("starts %q, %q, tree %q: %s starts at %.15g instead of %.15g", x.rod, x.joint, x.tree, v.Name, got[i],
					want)
			}
		}
		if x.rod == "" && x.tree != "" { // the value to set belongs to the joint
			moved := start(t, p, machine, map[string]float64{"joint.phi": -0.2}, nil)
			for i, v := range p.States {
				if want := -0.2; v.Name == "rod.pitch" && !(math.Abs(moved[i]-want) <= 1e-12) {
					t.Errorf("joint.phi = -0.2: the rod's pitch is %g", moved[i])
				}
			}
		}
	}
}

// Starts that contradict each other are named with both values and the places of both.
func TestStartsThatDisagreeAreNamed(t *testing.T) {
	for _, x := range []struct{ rod, joint, want string }{
		{"start = { position = [0, 0, -0.75] }", "start = { phi = 0.3 }", "hinge.toml:6:23: the start of rod.x is 0 m, but " +
			"-0.221640155 m follows from joint.phi = 0.3 rad (line 12); correct one of them, or leave this one out"},
		{"start = { position = [-0.2, 0, -0.72] }", "", "the start of rod.x is -0.2 m, but 0 m follows from the starts of " +
			"joint, which are 0"},
		{"start = { angles = [0, 0.2, 0], velocity = [1, 0, 0] }", "start = { phi = 0.2, omega = 1 }", "the start of rod.vx" +
			" is 1 m/s, but -0.75 m/s follows from joint.phi = 0.2 rad (line 12), joint.omega = 1 rad/s (line 12)"},
	} {
		m, err := hinged(t, x.rod, x.joint, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := formulate.New(m, formulate.Options{}); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("starts %q, %q: error %v", x.rod, x.joint, err)
		}
	}
	// a whole turn more is the same place
	m, err := hinged(t, "start = { angles = [0, 6.483185307179586, 0] }", "start = { phi = 0.2 }", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := formulate.New(m, formulate.Options{}); err != nil {
		t.Error(err)
	}
}

// A body that is fixed to the ground keeps its position, whatever its start values.
func TestTheStartOfAFixedBodyIsNotUsed(t *testing.T) {
	text := `name = "Fixed"
[component.body]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }
start = { position = [0, 0, 3] }
[component.stand]
type = "rigid-arm"
from = "ground"
to = "body"
translation = [0, 0, 1]
[component.mass]
type = "point-mass"
mass = 1
`
	m, err := vehicle.Parse([]byte(text), "fixed.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := formulate.New(m, formulate.Options{}); err != nil {
		t.Error(err)
	}
}
