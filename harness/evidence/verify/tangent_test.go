package verify

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/runs/manoeuvre"
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
