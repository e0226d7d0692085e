package verify

import (
	"strings"
	"testing"

	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// A bar hangs on a hinge, and a ball joint holds it a second time. The second method warns of redundant constraints,
// and refuses motions that an input drives.
func TestWarningsAndInputsOfTheSecondMethod(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Bar"
[component.hinge]
type = "revolute"
from = "ground"
to = "bar"
axis = "y"
[component.bar]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.4, zz = 0.4 }
[component.above]
type = "rigid-arm"
from = "ground"
to = "ceiling"
translation = [0, 0.5, 0]
[component.lug]
type = "rigid-arm"
from = "bar"
to = "hook"
translation = [0, 0.5, 0]
[component.ball]
type = "spherical"
from = "ceiling"
to = "hook"
`), "bar.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ByTangentStiffness(m, nil, &linear.System{})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "redundant") {
		t.Errorf("warnings %q", v.Warnings)
	}
	result := &linearise.Result{Varied: manoeuvre.Variation{Name: "bar.mass", Values: []float64{3}},
		Systems: []*linear.System{{}}, Modes: [][]linear.Mode{nil}}
	second, err := linearise.BySecondMethod(result, m, nil, ByTangentStiffness)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	if err := second.Check(&said); err != nil || strings.Count(said.String(), "warning: "+v.Warnings[0]) != 1 {
		t.Errorf("the check says %q, error %v", said.String(), err)
	}
	_, err = ByTangentStiffness(m, nil, &linear.System{Inputs: []string{"hinge.torque"}, U: []float64{2}})
	if err == nil || !strings.Contains(err.Error(), "the input hinge.torque is 2 in the steady state") {
		t.Errorf("a driven motion: %v", err)
	}
}
