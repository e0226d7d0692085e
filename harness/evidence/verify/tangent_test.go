package verify

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// What linearize --forces writes are the forces and couples of the second method, connection by connection, in columns
// that say so.
func TestForcesOfConnectionsKeepTheirPlaces(t *testing.T) {
	m, err := vehicle.Read(filepath.Join(resources, "models", "bicycle_rolling.toml"))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := engine.At()
	if err != nil {
		t.Fatal(err)
	}
	direct, err := tangentVehicle(m, nil, s)
	if err != nil {
		t.Fatal(err)
	}
	want, err := direct.Steady()
	if err != nil {
		t.Fatal(err)
	}
	result := &linearise.Result{Varied: manoeuvre.Variation{Name: "speed", Values: []float64{5}},
		Systems: []*linear.System{s}}
	second := linearise.BySecondMethod(result, m, nil, ByTangentStiffness)
	table := second.Forces()
	if table == nil {
		t.Fatal(second.Err)
	}
	couples := 0
	for _, r := range want.Reactions {
		for quantity, value := range map[string]float64{"Fx": r.Force.X, "Fy": r.Force.Y, "Fz": r.Force.Z,
			"Mx": r.Couple.X, "My": r.Couple.Y, "Mz": r.Couple.Z} {
			k := slices.Index(table.Columns, r.Name+"."+quantity)
			if k < 0 || table.Rows[0][k] != value {
				t.Errorf("%s.%s: column %d of %v, want %g", r.Name, quantity, k, table.Rows[0], value)
			}
			if strings.HasPrefix(quantity, "M") && value != 0 {
				couples++
			}
		}
	}
	if couples == 0 || len(table.Columns) != 1+6*len(want.Reactions) {
		t.Errorf("%d couples, columns %q", couples, table.Columns)
	}
}

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
	_, err = ByTangentStiffness(m, nil, &linear.System{Inputs: []string{"hinge.torque"}, U: []float64{2}})
	if err == nil || !strings.Contains(err.Error(), "the input hinge.torque is 2 in the steady state") {
		t.Errorf("a driven motion: %v", err)
	}
}
