package verify

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/harness/evidence/tangent"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// The table of linearize --forces, the reactions of steady motions, has the forces and couples of connections that
// tangent stiffness finds body by body, in columns that say so.
func TestSteadyReactionsAgreeWithTheSecondMethod(t *testing.T) {
	testrun.Slow(t)
	couples := 0
	for _, of := range []struct {
		model, varied string
		values        []float64
	}{
		{"bicycle_rolling", "speed", []float64{5}}, {"bicycle_rolling", "rear_frame.mass", []float64{80, 95}},
		{"wheel_rolling", "speed", []float64{1}}, {"truck_trailer", "speed", []float64{20}},
		{"tilting_three_wheeler", "speed", []float64{8}}, {"bicycle_trailer", "speed", []float64{6}},
	} {
		name, varied := of.model, manoeuvre.Variation{Name: of.varied, Values: of.values}
		if strings.Contains("tilting_three_wheeler bicycle_trailer", name) && !testrun.All() {
			continue // redundant constraints, whose derivatives are long
		}
		m, err := vehicle.Read(filepath.Join(resources, "models", name+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		l, err := linear.New(m, "")
		if err != nil {
			t.Fatal(err)
		}
		result := &linearise.Result{Varied: varied, Forces: true}
		if err := result.AddAll(l, nil, nil); err != nil {
			t.Fatal(err)
		}
		table := result.ForcesTable()
		if len(table.Rows) != len(varied.Values) {
			t.Fatalf("%s: %d rows", name, len(table.Rows))
		}
		for i, row := range table.Rows {
			v, err := tangentVehicle(m, map[string]float64{varied.Name: varied.Values[i]}, result.Systems[i])
			if err != nil {
				t.Fatal(err)
			}
			couples += compareForces(t, v, table.Columns, row)
		}
	}
	if couples < 3 {
		t.Errorf("%d couples are compared", couples)
	}
}

// compareForces holds a row of the table against the second method, and counts couples that are not 0.
func compareForces(t *testing.T, v *tangent.Vehicle, columns []string, row []float64) (couples int) {
	t.Helper()
	steady, err := v.Steady()
	if err != nil {
		t.Fatal(err)
	}
	size, compared := 0.0, 0
	for _, r := range steady.Reactions {
		size = max(size, r3.Norm(r.Force))
	}
	for _, r := range steady.Reactions {
		if !slices.Contains(columns, r.Name+".Fx") {
			continue // a spring
		}
		compared++
		for quantity, want := range map[string]float64{"Fx": r.Force.X, "Fy": r.Force.Y, "Fz": r.Force.Z,
			"Mx": r.Couple.X, "My": r.Couple.Y, "Mz": r.Couple.Z} {
			have := row[slices.Index(columns, r.Name+"."+quantity)]
			if !(math.Abs(have-want) <= 1e-9*size) {
				t.Errorf("%s = %g: %s.%s is %.12g, by the second method %.12g", columns[0], row[0], r.Name, quantity, have,
					want)
			}
			if math.Abs(want) > 1e-3*size && strings.HasPrefix(quantity, "M") {
				couples++
			}
		}
	}
	if compared < 5 {
		t.Errorf("%d components are compared", compared)
	}
	return couples
}
